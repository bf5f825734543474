"""The composition of a shoe."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from daemon.gamekit.shoe import Composition, Shoe, compose
from protocols.canonical import canonical
from protocols.cards import DECK, Card

KD = Card("K", "D")


def shoe_after(*cards: Card, decks: int = 8) -> Shoe:
    shoe = Shoe("S1", decks, from_start=True)
    for one in cards:
        shoe = shoe.take(one)
    return shoe


def test_a_full_shoe_of_eight_decks_holds_416_cards() -> None:
    shoe = shoe_after()
    assert (shoe.left, shoe.out) == (416, 0)


def test_every_card_of_every_deck_can_come_out_and_then_none() -> None:
    shoe = shoe_after()
    for one in DECK * 8:
        shoe = shoe.take(one)
        assert shoe.surplus(one) is None
    assert (shoe.left, shoe.out) == (0, 416)
    assert set(shoe.copies.values()) == {8}
    assert all(shoe.take(one).surplus(one) is not None for one in DECK)


def test_a_ninth_copy_is_impossible_in_eight_decks() -> None:
    assert shoe_after(*[KD] * 8).surplus(KD) is None
    assert "9 times" in (shoe_after(*[KD] * 9).surplus(KD) or "")


def test_a_second_copy_is_impossible_in_one_deck() -> None:
    assert shoe_after(KD, decks=1).surplus(KD) is None
    assert shoe_after(KD, KD, decks=1).surplus(KD) is not None


def test_a_card_after_the_last_is_impossible_whatever_its_face() -> None:
    shoe = shoe_after()
    for _ in range(416):
        shoe = shoe.take_unknown()
    assert shoe.left == 0
    assert shoe.take(KD).surplus(KD) is not None


def test_an_unknown_card_is_out_and_is_no_copy_of_anything() -> None:
    shoe = shoe_after(KD).take_unknown()
    assert (shoe.out, shoe.left, shoe.copies) == (2, 414, {"KD": 1})


def test_an_unread_card_that_is_named_becomes_a_copy_and_no_second_card() -> None:
    shoe = shoe_after().take_unknown().identify(KD)
    assert (shoe.out, shoe.copies) == (1, {"KD": 1})


def test_a_misread_card_is_a_copy_of_what_it_really_is() -> None:
    shoe = shoe_after(KD, KD).identify(Card("A", "S"), taken_for=KD)
    assert (shoe.out, shoe.copies["KD"], shoe.copies["AS"]) == (2, 1, 1)


def test_whole_decks_are_whole_and_one_card_for_another_is_not() -> None:
    two = {str(one): 2 for one in DECK}
    assert compose(2, two) == Composition(104, 104, {}, {})
    assert compose(2, two).whole
    changed = {**two, "KD": 1, "AS": 3}
    assert compose(2, changed) == Composition(104, 104, {"KD": 1}, {"AS": 1})
    assert not compose(2, changed).whole


def test_cards_without_a_name_are_counted_and_leave_what_is_missing_unnamed() -> None:
    lacking = {str(one): 1 for one in DECK[2:]}
    assert compose(1, lacking, unknown=2) == Composition(52, 52, {}, {})
    assert compose(1, lacking, unknown=2).whole
    assert compose(1, lacking, unknown=1) == Composition(52, 51, {}, {})
    assert not compose(1, lacking, unknown=1).whole


@settings(max_examples=50)
@given(st.lists(st.sampled_from(DECK), max_size=60))
def test_copies_add_up_to_the_cards_that_are_out(cards: list[Card]) -> None:
    shoe = shoe_after(*cards)
    assert sum(shoe.copies.values()) == shoe.out == len(cards)
    assert shoe.left == 416 - len(cards)


def test_taking_a_card_leaves_the_shoe_before_it_as_it_was() -> None:
    before = shoe_after(KD)
    before.take(KD)
    assert (before.out, before.copies) == (1, {"KD": 1})


def test_a_shoe_comes_back_from_json_as_it_was() -> None:
    codec = TypeAdapter(Shoe)
    shoe = shoe_after(KD, KD, Card("A", "S")).take_unknown()
    assert codec.validate_python(json.loads(canonical(codec.dump_python(shoe)))) == shoe
