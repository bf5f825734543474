"""Card labels: the public schemes to the letter, and what a house's own map must be."""

import pytest

from protocols.cardcodes import SCHEMES, CardMap, Labels, Scheme, house_codes, labels
from protocols.cards import DECK
from protocols.readings import CardDrawn, CardUnread, CutCardSeen

OWN: CardMap = tuple((f"#{number}", str(card)) for number, card in enumerate(DECK))

EXAMPLES: list[tuple[Scheme, str, str]] = [
    ("rank_suit", "4S", "4S"),
    ("rank_suit", "TH", "TH"),
    ("rank_suit", "10D", "TD"),
    ("suit_rank", "H3", "3H"),
    ("suit_rank", "H10", "TH"),
    ("suit_number", "A01", "AS"),
    ("suit_number", "D12", "QD"),
    ("number_suit", "12|f", "QD"),
    ("number_suit", "1|h", "AS"),
    ("number_suit", "10|r", "TH"),
    ("number_suit", "13|m", "KC"),
    ("filler_suit_rank", "01HX", "TH"),
    ("suit_rank_deck", "S21", "2S"),
    ("suit_rank_deck", "D103", "TD"),
    ("number_52", "1", "AS"),
    ("number_52", "13", "KS"),
    ("number_52", "14", "AH"),
    ("number_52", "52", "KD"),
]


@pytest.mark.parametrize(("scheme", "label", "card"), EXAMPLES)
def test_a_label_says_what_its_source_says(scheme: Scheme, label: str, card: str) -> None:
    assert str(SCHEMES[scheme].find(label)) == card


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_card_is_found_under_its_own_label(scheme: Scheme) -> None:
    codes = SCHEMES[scheme]
    assert [codes.find(codes.spell(card)) for card in DECK] == list(DECK)


@pytest.mark.parametrize(
    ("scheme", "label"),
    [
        ("rank_suit", "S4"),
        ("rank_suit", "1S"),
        ("rank_suit", "kd"),
        ("rank_suit", "KD "),
        ("suit_number", "D14"),
        ("suit_number", "S01"),
        ("suit_number", "A1"),
        ("filler_suit_rank", "HX"),
        ("filler_suit_rank", "001HX"),
        ("suit_rank_deck", "S2"),
        ("suit_rank_deck", "S29"),
        ("suit_rank_deck", "2"),
        ("number_52", "0"),
        ("number_52", "53"),
        ("number_52", "01"),
    ],
)
def test_what_is_no_code_of_a_scheme_is_no_card(scheme: Scheme, label: str) -> None:
    assert SCHEMES[scheme].find(label) is None


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_empty_label_is_no_card(scheme: Scheme) -> None:
    assert SCHEMES[scheme].find("") is None


def test_a_house_may_have_a_table_of_its_own() -> None:
    assert [house_codes(OWN).find(f"#{number}") for number in range(52)] == list(DECK)


def test_several_labels_may_name_one_card_where_each_has_its_own() -> None:
    codes = house_codes((*OWN, ("second deck", "KD")))
    assert str(codes.find("second deck")) == "KD"
    assert str(codes.find("#38")) == "KD"


@pytest.mark.parametrize(
    ("card_map", "complaint"),
    [
        (OWN[:-1], "no code for KC"),
        (OWN[2:], "no code for AS, 2S"),
        ((*OWN, ("#0", "AS")), "'#0' is there twice"),
        ((*OWN, ("#0", "KD")), "'#0' is there twice: for AS and KD"),
        ((*OWN, ("#52", "10D")), "'10D' is no card"),
        ((*OWN, ("", "KD")), "the code of KD is empty"),
    ],
)
def test_a_map_that_is_incomplete_or_ambiguous_is_refused(
    card_map: CardMap, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        house_codes(card_map)


def test_a_houses_own_map_takes_the_place_of_the_scheme() -> None:
    own = labels("rank_suit", OWN, (), ())
    assert own.read("#0") == CardDrawn(DECK[0])
    assert own.read("AS") == CardUnread("no card has the code 'AS'")


def test_tokens_are_words_of_their_own() -> None:
    read = Labels(SCHEMES["rank_suit"], no_read=("NR", "?"), cut_card=("CUT",)).read
    assert read("NR") == CardUnread("no read")
    assert read("?") == CardUnread("no read")
    assert read("CUT") == CutCardSeen()


@pytest.mark.parametrize(
    ("no_read", "cut_card", "complaint"),
    [
        (("KD",), (), "'KD' is the code of KD"),
        ((), ("AS",), "'AS' is the code of AS"),
        (("",), (), "'' is empty"),
        (("X",), ("X",), "'X' cannot be both"),
    ],
)
def test_a_token_names_no_card_and_means_one_thing(
    no_read: tuple[str, ...], cut_card: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        Labels(SCHEMES["rank_suit"], no_read, cut_card)


def test_a_code_that_no_card_has_is_a_card_that_nobody_knows_shown_harmlessly() -> None:
    read = Labels(SCHEMES["rank_suit"]).read
    assert read("a\n\xff'") == CardUnread('no card has the code "a\\n\\xff\'"')
    shown = read("x" * 250)
    assert shown == CardUnread(f"no card has the code '{'x' * 32}'")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_label_whose_rest_is_another_cards_is_found(scheme: Scheme) -> None:
    rest = SCHEMES[scheme].fragile()
    if scheme in ("number_suit", "number_52"):
        assert rest is not None
        whole, left = rest
        assert SCHEMES[scheme].find(whole) != SCHEMES[scheme].find(left) is not None
        assert left in whole or len(left) == len(whole) - 1
    else:
        assert rest is None
    assert house_codes(OWN).fragile() == ("#10", "#0")


def test_a_label_whose_end_is_another_cards_is_found() -> None:
    codes = [(f"{number}", str(card)) for number, card in enumerate(DECK, 101)]
    assert house_codes(tuple(codes)).fragile() is None
    assert house_codes((*codes, ("55101", str(DECK[1])))).fragile() == ("55101", "101")
