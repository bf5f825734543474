"""Baccarat from an Angel Eye's telegrams: what a supervisor decides, what the server is refused."""

from __future__ import annotations

from typing import Any

import pytest
from support.shoe_line import Line, dealt, kind, kinds

NATURAL = ("8S>player.1", "5C>banker.1", "KD>player.2", "2H>banker.2")
"""Player 8 against banker 7."""

# --- a supervisor ---------------------------------------------------------------------------

BEFORE: dict[str, tuple[str, ...]] = {
    "card_before_no_more_bets": (),
    "card_out_of_turn": ("8S>player.1",),
    "card_unread": ("8S>player.1",),
}


def held_by(code: str) -> Line:
    line = Line()
    if code == "card_before_no_more_bets":
        line.obey("round.open", round_id="R1")
        line.draw("5C>player.1")
    else:
        line.deal("8S>player.1")
        if code == "card_unread":
            line.error(1)
        else:
            line.draw("5C>player.2")
    assert line.held_by == [code]
    return line


@pytest.mark.parametrize("code", BEFORE)
def test_a_void_voids_the_round_and_the_next_one_is_dealt(code: str) -> None:
    line = held_by(code)
    heard = line.resolve("void")
    assert kinds(heard) == ["violation.resolved", "round.voided"]
    out = len(BEFORE[code]) + 1
    (first, *_) = [
        one["data"] for one in line.deal(*NATURAL, round_id="R2") if kind(one) == "card.dealt"
    ]
    assert first["shoe_position"] == out + 1
    assert line.winners == ["player"]


@pytest.mark.parametrize("code", BEFORE)
def test_a_burn_leaves_the_slot_to_the_next_card(code: str) -> None:
    line = held_by(code)
    (burned,) = [one["data"] for one in line.resolve("burn") if kind(one) == "card.burned"]
    assert (burned["reason"], burned["rank"]) == ("violation", None)
    if not BEFORE[code]:
        line.obey("bets.close", round_id="R1")
        line.draw("8S>player.1")
    line.draw(*NATURAL[1:])
    assert dealt(line.events) == list(NATURAL)
    assert line.winners == ["player"]


@pytest.mark.parametrize("code", ["card_before_no_more_bets", "card_out_of_turn"])
def test_an_accepted_card_is_the_next_that_is_due(code: str) -> None:
    line = held_by(code)
    due = "player.1" if not BEFORE[code] else "banker.1"
    assert dealt(line.resolve("accept")) == [f"5C>{due}"]


@pytest.mark.parametrize("code", BEFORE)
def test_a_corrected_card_is_dealt_as_the_person_says_and_says_who(code: str) -> None:
    line = held_by(code)
    due = "player.1" if not BEFORE[code] else "banker.1"
    heard = line.resolve("correct", "6D")
    assert dealt(heard) == [f"6D>{due}"]
    (entered,) = [one["data"] for one in heard if kind(one) == "result.entered_manually"]
    assert (entered["value"], entered["who"]) == ("6D", "anna")


@pytest.mark.parametrize("card", [None, "6d", "JK", ""])
def test_a_correction_needs_a_card(card: str | None) -> None:
    line = held_by("card_unread")
    decision = line.decision("correct", card)
    refused = line.refusal("violation.resolve", **decision)
    if card is None:
        assert refused == "value_missing"
    else:
        assert refused.startswith("card: expected a card by its two letters")
    assert line.held_by == ["card_unread"]


def test_nobody_resolves_what_is_not_open() -> None:
    line = held_by("card_unread")
    decision: dict[str, Any] = {**line.decision("void"), "violation_id": "V99"}
    assert line.refusal("violation.resolve", **decision) == "unknown_violation"
    line.resolve("void")
    decision["violation_id"] = "V1"
    assert line.refusal("violation.resolve", **decision) == "unknown_violation"


def test_an_impossible_card_in_another_slot_is_impossible_once_it_is_accepted() -> None:
    line = Line()
    for number, third in (
        (1, "AH>player.3"),
        (2, "2H>player.3"),
    ):  # eight kings of diamonds in two rounds
        kings = ("KD>player.1", "KD>banker.1", "KD>player.2", "KD>banker.2")
        line.deal(*kings, third, "9S>banker.3", round_id=f"R{number}")
    assert line.held_by == []
    line.deal("KD>player.2", round_id="R3")
    assert line.held_by == ["card_out_of_turn"]
    assert dealt(line.resolve("accept")) == []
    assert line.held_by == ["impossible_card"]
    assert dealt(line.resolve("accept")) == ["KD>player.1"]


# --- refusals -------------------------------------------------------------------------------


def test_commands_are_refused_where_they_do_not_belong() -> None:
    line = Line(shoe=False)
    assert line.refusal("round.open", round_id="R1") == "no_shoe"
    assert line.refusal("shoe.close") == "no_shoe"
    line.obey("shoe.load", shoe_id="S1", decks=8)
    assert line.refusal("shoe.load", shoe_id="S2", decks=8) == "shoe_loaded"
    assert line.refusal("bets.close", round_id="R1") == "wrong_round"
    assert line.refusal("burn", count=3, reason="misdeal") == "burn_not_allowed"
    line.deal("8S>player.1")
    assert line.refusal("round.open", round_id="R2") == "round_open"
    assert line.refusal("shoe.load", shoe_id="S2", decks=8) == "round_open"
    assert line.refusal("shoe.close") == "round_open"
    assert line.refusal("dealer.change", badge="D7") == "round_open"
    assert line.refusal("bets.close", round_id="R1") == "wrong_phase"
    assert line.refusal("round.void", round_id="R2", reason="no") == "wrong_round"
    assert line.refusal("maintenance.start", who="anna", why="clean") == "round_open"


def test_a_held_table_between_rounds_takes_no_round_no_burn_and_no_other_shoe() -> None:
    line = Line("baccarat-gr")
    line.draw("9C>player.1")
    assert line.held_by == ["wrong_burn_count"]
    assert line.refusal("round.open", round_id="R1") == "held"
    assert line.refusal("burn", count=3, reason="misdeal") == "held"
    assert line.refusal("shoe.close") == "held"


def test_where_the_device_opens_rounds_nobody_else_does() -> None:
    assert Line(control="device").refusal("round.open", round_id="R1") == "rounds_by_device"
