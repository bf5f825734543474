"""A shoe in play, worked out by hand from the books: decks, cut card, burns, who may open."""

from dataclasses import replace

import pytest
from oracle.rulings import BOOKS, Rulings
from oracle.shoe import SHOES, DecksError, Opening, Reason, ShoeInPlay

WORST_CASE = replace(BOOKS, enough_cards="worst_case")
BEFORE = Rulings(
    misdeal_burns=False,
    cut_card_overdue=False,
    enough_cards="off",
    cut_is_minimum=False,
    decks_as_stated=False,
)
"""What the product did before it had these rules."""


def shoe(key: str, decks: int, left: int | None = None, rulings: Rulings = BOOKS) -> ShoeInPlay:
    """Return a shoe of which the burns are done and so many cards are left."""
    in_play = ShoeInPlay(SHOES[key], decks, rulings)
    in_play.burns_due = 0
    in_play.left = in_play.left if left is None else left
    return in_play


# --- decks ----------------------------------------------------------------------------------

DECKS = {
    "DK baccarat 1.3.1: eight": ("baccarat-dk", {8}),
    "LV baccarat 1.3.1: eight": ("baccarat-lv", {8}),
    "GR baccarat 1.3.1: eight": ("baccarat-gr", {8}),
    "RU: six": ("blackjack-ru", {6}),
    "DK blackjack states none; 3.3 i: the cut card lies four decks from the back": (
        "blackjack-dk",
        {5, 6, 7, 8},
    ),
    "LV blackjack 3.3: the same": ("blackjack-lv", {5, 6, 7, 8}),
    "GR blackjack states none; 3.3.1: the cut card lies a deck from the back": (
        "blackjack-gr",
        {2, 3, 4, 5, 6, 7, 8},
    ),
}


@pytest.mark.parametrize("decks", range(1, 9))
@pytest.mark.parametrize("name", DECKS)
def test_a_shoe_has_the_decks_of_its_book(name: str, decks: int) -> None:
    key, allowed = DECKS[name]
    assert ShoeInPlay(SHOES[key], decks, BEFORE).left == 52 * decks
    if decks in allowed:
        assert ShoeInPlay(SHOES[key], decks).left == 52 * decks
    else:
        with pytest.raises(DecksError):
            ShoeInPlay(SHOES[key], decks)


# --- where the cut card lies ----------------------------------------------------------------

CUT_CARDS = {
    "DK baccarat 3.3.4: seven, exactly": ("baccarat-dk", 8, {7}, {6, 8}),
    "LV baccarat 3.3.4: seven, exactly": ("baccarat-lv", 8, {7}, {6, 8}),
    "GR baccarat 3.3.5: a deck, by eye": ("baccarat-gr", 8, {42, 52, 62}, {41, 63}),
    "GR blackjack 3.3.1: a deck, by eye": ("blackjack-gr", 8, {42, 52, 62}, {41, 63}),
    "DK blackjack 3.3 i: four decks, by eye": ("blackjack-dk", 8, {188, 208, 228}, {187, 229}),
    "LV blackjack 3.3: four decks, by eye": ("blackjack-lv", 8, {188, 208, 228}, {187, 229}),
    "RU: no less than a deck": ("blackjack-ru", 6, {52, 53, 80, 100, 300}, {51, 45, 42, 5}),
}


@pytest.mark.parametrize("name", CUT_CARDS)
def test_the_cut_card_lies_where_the_house_places_it(name: str) -> None:
    key, decks, right, wrong = CUT_CARDS[name]
    assert {left for left in right | wrong if shoe(key, decks, left).cut_card()} == right


def test_before_the_switch_ru_cut_one_deck_by_eye() -> None:
    before = replace(BOOKS, cut_is_minimum=False)
    lefts = (41, 42, 45, 52, 62, 63, 80)
    right = [left for left in lefts if shoe("blackjack-ru", 6, left, before).cut_card()]
    assert right == [42, 45, 52, 62]


# --- whether a round may open: the cut card is not out --------------------------------------

OPENINGS: dict[str, tuple[str, int, int, Opening]] = {
    "DK blackjack 3.3 i: 188 left, an eye may be off by twenty": (
        *("blackjack-dk", 8, 188),
        "opens",
    ),
    "DK blackjack 3.3 i: 187 left": ("blackjack-dk", 8, 187, "cut_card_missing"),
    "DK blackjack 3.3 i: 150 left": ("blackjack-dk", 8, 150, "cut_card_missing"),
    "DK blackjack 3.3 i: 5 left": ("blackjack-dk", 8, 5, "cut_card_missing"),
    "LV blackjack 3.3: 52 left": ("blackjack-lv", 8, 52, "cut_card_missing"),
    "GR blackjack 3.3.1: 42 left": ("blackjack-gr", 8, 42, "opens"),
    "GR blackjack 3.3.1: 41 left": ("blackjack-gr", 8, 41, "cut_card_missing"),
    "DK baccarat 3.3.4: seven left, it comes now": ("baccarat-dk", 8, 7, "opens"),
    "DK baccarat 3.3.4: six left": ("baccarat-dk", 8, 6, "cut_card_missing"),
    "LV baccarat 3.3.4: three left": ("baccarat-lv", 8, 3, "cut_card_missing"),
    "GR baccarat 3.3.5: 41 left": ("baccarat-gr", 8, 41, "cut_card_missing"),
    "RU: 52 left": ("blackjack-ru", 6, 52, "opens"),
    "RU: 51 left": ("blackjack-ru", 6, 51, "cut_card_missing"),
}


@pytest.mark.parametrize("name", OPENINGS)
def test_no_round_opens_when_the_cut_card_is_overdue(name: str) -> None:
    key, decks, left, opening = OPENINGS[name]
    assert shoe(key, decks, left).opening() == opening
    assert shoe(key, decks, left, BEFORE).opening() == "opens"


# --- whether a round may open: the cut card is out ------------------------------------------


def with_cut_card(key: str, decks: int, left: int, rulings: Rulings = BOOKS) -> ShoeInPlay:
    in_play = shoe(key, decks, left, rulings)
    in_play.cut_card()
    return in_play


ENOUGH: dict[str, tuple[str, int, int, Opening]] = {
    "DK baccarat 3.4: a hand may take six": ("baccarat-dk", 6, 7, "opens"),
    "DK baccarat 3.4: five are too few": ("baccarat-dk", 5, 7, "too_few_cards"),
    "GR baccarat 3.5: five are too few there too": ("baccarat-gr", 5, 7, "too_few_cards"),
    "DK blackjack: seven boxes may take 136": ("blackjack-dk", 136, 7, "opens"),
    "DK blackjack: 135 may be too few": ("blackjack-dk", 135, 7, "too_few_cards"),
    "DK blackjack: one box may take 46": ("blackjack-dk", 46, 1, "opens"),
    "DK blackjack: 45 may be too few": ("blackjack-dk", 45, 1, "too_few_cards"),
    "GR blackjack 3.3.1: where an eye may place the cut card is enough": (
        "blackjack-gr",
        42,
        7,
        "opens",
    ),
    "GR blackjack 3.3.1: 41 are not": ("blackjack-gr", 41, 7, "too_few_cards"),
    "RU: a deck is enough for the last deal": ("blackjack-ru", 52, 7, "opens"),
    "RU: 51 are not": ("blackjack-ru", 51, 7, "too_few_cards"),
}


@pytest.mark.parametrize("name", ENOUGH)
def test_a_round_that_the_shoe_may_not_finish_does_not_open(name: str) -> None:
    key, left, boxes, opening = ENOUGH[name]
    decks = SHOES[key].decks or 8
    assert with_cut_card(key, decks, left).opening(boxes) == opening
    assert with_cut_card(key, decks, left, BEFORE).opening(boxes) == "opens"


def test_in_the_worst_case_the_place_of_the_cut_card_is_not_enough() -> None:
    """RU: one box of four hands may take 60 cards, and the book deals the last round from 52."""
    assert with_cut_card("blackjack-ru", 6, 60, WORST_CASE).opening(1) == "opens"
    assert with_cut_card("blackjack-ru", 6, 59, WORST_CASE).opening(1) == "too_few_cards"
    assert with_cut_card("blackjack-gr", 8, 45, WORST_CASE).opening(1) == "too_few_cards"


def test_seven_boxes_are_reckoned_with_where_none_is_named() -> None:
    assert shoe("blackjack-dk", 8).needed() == shoe("blackjack-dk", 8).needed(7) == 136


# --- the last round -------------------------------------------------------------------------


def deal(in_play: ShoeInPlay, cards: int) -> None:
    for _ in range(cards):
        assert in_play.card() == "round"


def test_the_round_in_which_the_cut_card_comes_is_the_last() -> None:
    """DK baccarat 3.5.4, LV 3.5.4, GR baccarat 3.6.4."""
    in_play = shoe("baccarat-dk", 8, 9)
    in_play.open()
    deal(in_play, 2)
    assert in_play.cut_card()
    deal(in_play, 4)
    in_play.end()
    assert in_play.opening() == "last_round_played"


def test_if_it_comes_before_a_deal_that_is_the_last() -> None:
    """RU states it; the other books are silent."""
    in_play = shoe("blackjack-ru", 6, 80)
    assert in_play.cut_card()
    assert in_play.opening() == "opens"
    in_play.open()
    deal(in_play, 5)
    in_play.end()
    assert in_play.opening() == "last_round_played"


def test_a_round_voided_before_its_first_card_was_none() -> None:
    in_play = with_cut_card("baccarat-dk", 8, 7)
    in_play.open()
    in_play.end()
    assert in_play.opening() == "opens"


def test_a_card_before_no_more_bets_is_no_rounds() -> None:
    in_play = with_cut_card("baccarat-gr", 8, 52)
    in_play.open()
    assert in_play.card(early=True) == "not_due"
    in_play.end()
    assert (in_play.left, in_play.opening()) == (51, "opens")


def test_a_last_round_that_is_voided_was_the_last() -> None:
    in_play = with_cut_card("baccarat-dk", 8, 7)
    in_play.open()
    deal(in_play, 1)
    in_play.end()
    assert in_play.opening() == "last_round_played"
    with pytest.raises(ValueError, match="no round may open"):
        in_play.open()


# --- burns ----------------------------------------------------------------------------------

AFTER_SHUFFLE = {
    "GR baccarat 3.4: six": ("baccarat-gr", 8, 6),
    "GR blackjack 3.5: six": ("blackjack-gr", 8, 6),
    "RU: three": ("blackjack-ru", 6, 3),
    "DK baccarat is silent: none": ("baccarat-dk", 8, 0),
    "LV blackjack is silent: none": ("blackjack-lv", 8, 0),
}


@pytest.mark.parametrize("name", AFTER_SHUFFLE)
def test_cards_are_burned_after_the_shuffle(name: str) -> None:
    key, decks, count = AFTER_SHUFFLE[name]
    in_play = ShoeInPlay(SHOES[key], decks)
    in_play.open()
    assert [in_play.card() for _ in range(count + 1)] == ["burn"] * count + ["round"]


@pytest.mark.parametrize("key", ["baccarat-gr", "blackjack-gr"])
def test_three_are_due_when_the_pit_boss_has_voided_a_misdealt_round(key: str) -> None:
    """GR baccarat 3.4, GR blackjack 3.5."""
    in_play = shoe(key, 8)
    in_play.open()
    deal(in_play, 3)
    in_play.end()
    in_play.misdeal()
    assert [in_play.card() for _ in range(3)] == ["burn"] * 3
    assert in_play.burns_due == 0


@pytest.mark.parametrize("key", ["baccarat-gr", "blackjack-gr"])
def test_three_are_due_in_the_round_when_it_goes_on(key: str) -> None:
    """GR baccarat 3.4, GR blackjack 3.5: nothing there voids the round."""
    in_play = shoe(key, 8)
    in_play.open()
    deal(in_play, 3)
    in_play.burn(3, "misdeal")
    assert [in_play.card() for _ in range(4)] == ["burn"] * 3 + ["round"]


def test_before_the_switch_nothing_was_due() -> None:
    before = replace(BOOKS, misdeal_burns=False)
    in_play = shoe("baccarat-gr", 8, rulings=before)
    in_play.open()
    deal(in_play, 3)
    assert not in_play.may_burn(3, "misdeal")
    in_play.end()
    in_play.misdeal()
    assert in_play.burns_due == 0
    assert in_play.may_burn(3, "misdeal")


@pytest.mark.parametrize("key", ["baccarat-dk", "baccarat-lv", "blackjack-dk", "blackjack-ru"])
def test_the_other_books_burn_nothing_after_a_misdeal(key: str) -> None:
    in_play = shoe(key, SHOES[key].decks or 8)
    in_play.misdeal()
    assert in_play.burns_due == 0
    assert not any(in_play.may_burn(count, "misdeal") for count in range(1, 7))


BURNS: dict[str, tuple[str, Reason, set[int]]] = {
    "GR baccarat 3.4: three after a misdeal": ("baccarat-gr", "misdeal", {3}),
    "GR baccarat 3.4: one when the dealer changes": ("baccarat-gr", "dealer_change", {1}),
    "GR baccarat 3.4: any number at discretion": ("baccarat-gr", "discretion", {1, 2, 3, 4, 5, 6}),
    "GR blackjack 3.5: none must when the dealer changes; more is at discretion": (
        *("blackjack-gr", "dealer_change"),
        set(),
    ),
    "GR blackjack 3.5: any number at discretion": (
        "blackjack-gr",
        "discretion",
        {1, 2, 3, 4, 5, 6},
    ),
    "RU: none when the dealer changes": ("blackjack-ru", "dealer_change", set()),
    "RU is silent: none at discretion": ("blackjack-ru", "discretion", set()),
    "DK blackjack is silent": ("blackjack-dk", "discretion", set()),
}


@pytest.mark.parametrize("name", BURNS)
def test_how_many_cards_may_be_burned_between_rounds(name: str) -> None:
    key, reason, counts = BURNS[name]
    in_play = shoe(key, SHOES[key].decks or 8)
    assert {count for count in range(7) if in_play.may_burn(count, reason)} == counts


def test_in_a_round_only_a_misdeal_burns_and_not_before_its_first_card() -> None:
    in_play = shoe("baccarat-gr", 8)
    in_play.open()
    assert not in_play.may_burn(3, "misdeal")
    deal(in_play, 1)
    assert in_play.may_burn(3, "misdeal")
    assert not in_play.may_burn(3, "discretion")
    assert not in_play.may_burn(1, "dealer_change")
    with pytest.raises(ValueError, match="not burned"):
        in_play.burn(2, "misdeal")


def test_a_new_dealer_burns_one_at_baccarat_in_greece_alone() -> None:
    """GR baccarat 3.4; GR blackjack 3.5 lets him, RU states none."""
    due = {}
    for key, house in SHOES.items():
        in_play = shoe(key, house.decks or 8)
        in_play.change_dealer()
        due[key] = in_play.burns_due
    assert due.pop("baccarat-gr") == 1
    assert set(due.values()) == {0}


def test_burned_cards_have_left_the_shoe() -> None:
    in_play = ShoeInPlay(SHOES["blackjack-ru"], 6)
    for _ in range(3):
        in_play.card()
    assert in_play.left == 309


def test_no_card_comes_out_of_an_empty_shoe() -> None:
    with pytest.raises(ValueError, match="empty"):
        shoe("baccarat-dk", 8, 0).card()
