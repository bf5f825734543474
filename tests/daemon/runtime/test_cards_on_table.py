"""What `table.status` shows of the open round's cards: what was published of them, and no more."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from daemon.runtime.cards_on_table import fold
from protocols.events import (
    CardDealt,
    CardPeeked,
    CardRevealed,
    CardSealed,
    Commitments,
    Event,
    HandSplit,
    RoundOpened,
)

SEALED = CardSealed("R1", "dealer.2", "S1", Commitments("aa", "bb", "cc"), 4)
KING = {"rank": "K", "suit": "S"}


def after(*events: Event) -> dict[str, dict[str, Any]]:
    return {slot: asdict(card) for slot, card in fold(enumerate(events, 1)).items()}


def revealed(slot: str) -> CardRevealed:
    return CardRevealed("R1", slot, "K", "S", "n0", "n1", "n2")


def test_a_sealed_slot_shows_its_commitments() -> None:
    commitments = {"card": "aa", "ten": "bb", "ace": "cc", "locked": None}
    shown = {"commitments": commitments, "seq": 1, "peeked": None}
    assert after(SEALED) == {"dealer.2": shown}


def test_a_peek_adds_its_answer_so_that_a_server_that_restarts_need_not_peek_twice() -> None:
    shown = after(SEALED, CardPeeked("R1", "dealer.2", "is_ten", answer=False, nonce="n1"))
    assert shown["dealer.2"]["peeked"] == {"is_ten": False}
    assert shown["dealer.2"]["commitments"]["card"] == "aa"


def test_a_turned_card_is_a_card() -> None:
    assert after(SEALED, revealed("dealer.2")) == {"dealer.2": {**KING, "seq": 2}}


def test_a_burned_card_that_is_turned_lies_in_no_hand() -> None:
    assert after(RoundOpened("R1", "b2:00"), revealed("burn.1")) == {}


def test_a_split_moves_the_second_card_face_up_or_face_down() -> None:
    split = HandSplit("R1", 1, 1, 2, "box1.hand1.card2", "box1.hand2.card1")
    shown = after(
        CardDealt("R1", "box1.hand1.card1", "8", "S", 1),
        CardDealt("R1", "box1.hand1.card2", "8", "H", 2),
        split,
    )
    assert shown == {
        "box1.hand1.card1": {"rank": "8", "suit": "S", "seq": 1},
        "box1.hand2.card1": {"rank": "8", "suit": "H", "seq": 2},
    }


def test_a_new_round_begins_with_nothing() -> None:
    assert after(SEALED, RoundOpened("R2", "b2:00")) == {}
