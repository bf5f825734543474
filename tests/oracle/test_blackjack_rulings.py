"""Each reading of the rulebooks that the product may not have yet: with its switch on, and off.

A round is written as in `test_blackjack_oracle`; `check:no` is the dealer's look at the hole card.
"""

from dataclasses import fields, replace

import pytest
from oracle.blackjack_notation import DK, GR, LV, RU, ended, legal, long_slot, table
from oracle.rulings import BOOKS, Rulings

from protocols.cards import Card, find_card

# --- insurance: DK blackjack 2.5.2, LV blackjack 2.5.2, GR blackjack 2.5.2, RU blackjack surrender

ACE_UP = "1.1.1=TS 2.1.1=AH d1=AC 1.1.2=6H 2.1.2=KD"
LATE_INSURANCE = replace(BOOKS, insurance_before_hole_card=False)
INSURED_PLAY_ON = replace(BOOKS, insured_may_surrender=False)

MOMENTS = {
    "DK 2.5.2: directly after the boxes' second cards": (
        (DK, ACE_UP, BOOKS),
        "1.1:insurance 2.1:insurance close",
    ),
    "before the switch: not before the hole card lies": ((DK, ACE_UP, LATE_INSURANCE), "close"),
    "LV 2.5.2: the dealer's own second card does not end it": (
        (LV, f"{ACE_UP} 1.1:insurance d2=5S!", BOOKS),
        "2.1:insurance close",
    ),
    "GR 2.5.2: not before the dealer's first card is turned": (
        (replace(GR, dealer_first_card="down_then_revealed"), ACE_UP.replace("AC", "AC!"), BOOKS),
        "turn:d1",
    ),
    "GR 2.5.2: then before the hole card lies": (
        (
            replace(GR, dealer_first_card="down_then_revealed"),
            f"{ACE_UP.replace('AC', 'AC!')} turn:d1",
            BOOKS,
        ),
        "1.1:insurance 2.1:insurance close",
    ),
    "DK 2.5.2: not while the boxes wait for their second cards": (
        (DK, "1.1.1=TS 2.1.1=AH d1=AC 1.1.2=6H", BOOKS),
        "",
    ),
    "DK 2.5.1: not under a ten": ((DK, ACE_UP.replace("AC", "TC"), BOOKS), ""),
    "DK 3.5 i: closed before the hole card, all else waits for it": (
        (DK, f"{ACE_UP} 2.1:insurance close", BOOKS),
        "",
    ),
    "RU: an insured box may surrender": (
        (RU, f"{ACE_UP} 1.1:insurance", BOOKS),
        "1.1:surrender 2.1:even_money close",
    ),
    "before the switch: it may not": (
        (RU, f"{ACE_UP} 1.1:insurance", INSURED_PLAY_ON),
        "2.1:even_money close",
    ),
    "before the switch: nor when insurance is closed": (
        (RU, f"{ACE_UP} 1.1:insurance close", INSURED_PLAY_ON),
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "RU: a surrendered box may not insure": (
        (RU, f"{ACE_UP} 1.1:surrender", BOOKS),
        "2.1:even_money close",
    ),
    "before the switch: surrender waits for the hole card while insurance runs": (
        (replace(DK, surrender=True), ACE_UP, LATE_INSURANCE),
        "close",
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_who_may_insure_and_surrender_at_a_moment(name: str) -> None:
    (house, text, rulings), words = MOMENTS[name]
    assert legal(table(house, text, rulings)) == set(words.split())


ROUNDS = {
    "RU: the insurance of a surrendered box is settled on the dealer's second card": (
        RU,
        "1.1.1=TS d1=AC 1.1.2=6H 1.1:insurance 1.1:surrender close d2=KH",
        "dealer blackjack, 1.1 16 surrender",
    ),
    "DK 2.5.2, 3.7: insured before the hole card, checked, yes": (
        DK,
        "1.1.1=TS d1=AC 1.1.2=6H 1.1:insurance d2=KH! close check:yes turn:d2",
        "dealer blackjack, 1.1 16 lose",
    ),
    "LV 3.7: the signal, then the dealer's look, then play": (
        LV,
        "1.1.1=TS d1=AC 1.1.2=9H d2=8H! close peek check:no 1.1:stand turn:d2",
        "dealer 19, 1.1 19 push",
    ),
    "DK 3.7: the look alone, then play": (
        DK,
        "1.1.1=TS d1=AC 1.1.2=9H d2=8H! close check:no 1.1:stand turn:d2",
        "dealer 19, 1.1 19 push",
    ),
    "RU: a split ten and ace doubled, in the dark: 21 may fall to 14 but never go bust": (
        RU,
        (
            "1.1.1=TS d1=7C 1.1.2=TH 1.1:split 1.1.2=AD 1.1:dark 1.1.3=3H! 1.2.2=9S 1.2:stand"
            " d2=TC turn:1.1.3"
        ),
        "dealer 17, 1.1 14 lose, 1.2 19 win",
    ),
    "RU: a split ten and ace that stands has 21, and a dealer's blackjack beats it": (
        RU,
        "1.1.1=TS d1=TC 1.1.2=TH 1.1:split 1.1.2=AD 1.1:stand 1.2.2=9S 1.2:stand d2=AC",
        "dealer blackjack, 1.1 21 lose, 1.2 19 lose",
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_by_the_books(name: str) -> None:
    house, text, end = ROUNDS[name]
    played = table(house, text)
    assert played.over
    assert ended(played) == end


# --- the dealer's look: DK blackjack 3.7, LV blackjack 3.7, GR blackjack 3.8 ----------------

NO_CHECKS = replace(BOOKS, dealer_checks=False)
TO_CLOSE = "1.1.1=TS d1=AC 1.1.2=9H d2=8H!"
CHECKS = {
    "under an ace, the insurance time over": (DK, f"{TO_CLOSE} close", True),
    "after the system's signal too": (LV, f"{TO_CLOSE} close peek", True),
    "not while insurance runs": (DK, TO_CLOSE, False),
    "not before the hole card lies": (DK, "1.1.1=TS d1=AC 1.1.2=9H close", False),
    "not under a ten": (DK, "1.1.1=TS d1=KC 1.1.2=9H d2=AH!", False),
    "not under a nine": (GR, "1.1.1=TS d1=9C 1.1.2=9H d2=AH!", False),
    "once": (DK, f"{TO_CLOSE} close check:no", False),
    "once, the signal before it or not": (DK, f"{TO_CLOSE} close peek check:no", False),
    "not when a hand has decided": (DK, f"{TO_CLOSE} close peek 1.1:hit", False),
    "not when play goes on": (DK, f"{TO_CLOSE} close peek 1.1:hit 1.1.3=AH", False),
    "not where it may be turned": (DK, f"{TO_CLOSE} close peek 1.1:stand", False),
    "not where the signal said yes: then it is turned": (
        DK,
        "1.1.1=TS d1=AC 1.1.2=9H d2=KH! close peek",
        False,
    ),
    "not where no hand is to play: then it is turned": (
        DK,
        "1.1.1=TS d1=AC 1.1.2=AH d2=8H! close",
        False,
    ),
    "not without a hole card": (RU, "1.1.1=TS d1=AC 1.1.2=9H close", False),
    "not where the house has no peek": (replace(DK, peek="none"), f"{TO_CLOSE} close", False),
    "where there is no insurance, when the hole card lies": (
        replace(DK, insurance=False),
        TO_CLOSE,
        True,
    ),
}


@pytest.mark.parametrize("name", CHECKS)
def test_when_the_dealer_may_look(name: str) -> None:
    house, text, allowed = CHECKS[name]
    played = table(house, text)
    assert played.may_check() == allowed
    assert not table(house, text.replace(" check:no", ""), NO_CHECKS).may_check()


@pytest.mark.parametrize("name", [name for name, (*_, allowed) in CHECKS.items() if not allowed])
def test_a_look_that_is_not_allowed_is_refused(name: str) -> None:
    house, text, _ = CHECKS[name]
    with pytest.raises(ValueError, match="may not be looked at"):
        table(house, text).check()


def test_a_look_answers_the_server_too() -> None:
    assert legal(table(DK, f"{TO_CLOSE} close")) == {"peek"}
    assert legal(table(DK, f"{TO_CLOSE} close check:no")) == {"1.1:hit", "1.1:stand", "1.1:double"}


def card(code: str) -> Card:
    named = find_card(code)
    assert named is not None
    return named


READINGS = {
    "looked at in its time": (f"{TO_CLOSE} close", "8H", "checked"),
    "looked at after the signal": (f"{TO_CLOSE} close peek", "8H", "checked"),
    "looked at twice": (f"{TO_CLOSE} close check:no", "8H", "hole_card_peek_not_allowed"),
    "looked at while insurance runs": (TO_CLOSE, "8H", "hole_card_peek_not_allowed"),
    "looked at while a box plays": (
        f"{TO_CLOSE} close check:no 1.1:hit",
        "8H",
        "hole_card_peek_not_allowed",
    ),
    "turned": (f"{TO_CLOSE} close check:no 1.1:stand", "8H", "turned"),
    "another card is looked at": (f"{TO_CLOSE} close", "8S", "hole_card_mismatch"),
    "another card is turned": (f"{TO_CLOSE} close peek 1.1:stand", "8S", "hole_card_mismatch"),
    "another card, where none may be read": (TO_CLOSE, "8S", None),
    "turned when the signal said yes": (
        "1.1.1=TS d1=AC 1.1.2=9H d2=KH! close peek",
        "KH",
        "turned",
    ),
    "under a ten, while a box plays": (
        "1.1.1=TS d1=KC 1.1.2=9H d2=AH!",
        "AH",
        "hole_card_peek_not_allowed",
    ),
}


@pytest.mark.parametrize("name", READINGS)
def test_what_a_reading_of_the_hole_card_is(name: str) -> None:
    text, code, meaning = READINGS[name]
    assert table(DK, text).hole_reading(card(code)) == meaning


# --- RU blackjack doubling: any two cards but a blackjack, also after a split ---------------------

SPLIT_TENS = "1.1.1=TS d1=7C 1.1.2=TH {hole}1.1:split 1.1.2=AD"
TWENTY_ONES = {
    "RU: a split ten and ace may stand or double, dark too: it cannot bust": (
        (RU, SPLIT_TENS, BOOKS),
        (None, "1.1:stand 1.1:double 1.1:dark"),
    ),
    "before the switch it stood by itself": (
        (RU, SPLIT_TENS, replace(BOOKS, split_21_may_double=False)),
        ("1.2.2", ""),
    ),
    "RU: no double on split aces, they get one card each": (
        (RU, "1.1.1=AS d1=7C 1.1.2=AH 1.1:split 1.1.2=TD", BOOKS),
        ("1.2.2", ""),
    ),
    "RU: 21 of three cards stands by itself (ours)": (
        (RU, "1.1.1=5S 2.1.1=9S d1=7C 1.1.2=6H 2.1.2=9H 1.1:hit 1.1.3=TD", BOOKS),
        (None, "2.1:hit 2.1:stand 2.1:double 2.1:split"),
    ),
    "RU: a blackjack may not double": (
        (RU, "1.1.1=AS 2.1.1=9S d1=TC 1.1.2=KH 2.1.2=8H", BOOKS),
        (None, "2.1:hit 2.1:stand 2.1:double 2.1:surrender"),
    ),
    "GR 4.4 i: no card at 21, doubled or not": (
        (GR, SPLIT_TENS, BOOKS),
        ("1.2.2", ""),
    ),
}


@pytest.mark.parametrize("name", TWENTY_ONES)
def test_what_two_cards_of_21_may_be_told(name: str) -> None:
    (house, text, rulings), (due, words) = TWENTY_ONES[name]
    played = table(house, text.format(hole="d2=9D! " if house.hole_card else ""), rulings)
    assert played.due() == (long_slot(due) if due else None)
    assert legal(played) == set(words.split())


# --- the switches ---------------------------------------------------------------------------


@pytest.mark.parametrize("switch", [field.name for field in fields(Rulings)])
def test_the_books_have_every_switch_on(switch: str) -> None:
    assert getattr(BOOKS, switch) not in (False, "off")
