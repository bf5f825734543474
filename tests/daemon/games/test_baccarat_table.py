"""Baccarat from an Angel Eye's telegrams: what the wire and the shoe do to a round."""

from __future__ import annotations

import pytest
from support.shoe_line import Line, dealt, kind, kinds

from daemon.table.inputs import LinkDown, LinkUp, Restarted
from protocols.readings import Winner

NATURAL = ("8S>player.1", "5C>banker.1", "KD>player.2", "2H>banker.2")
"""Player 8 against banker 7."""
SIX = ("2S>player.1", "3C>banker.1", "3D>player.2", "2H>banker.2", "6S>player.3", "4D>banker.3")
"""Player 5 and 6: 1. Banker 5, draws on the six: 9."""
KEY = "angel_eye_ii_ex"


def no_round_was_decided(line: Line) -> None:
    assert line.winners == []
    assert line.replay.inbox.state.round is not None


# --- the wire -------------------------------------------------------------------------------


def test_every_telegram_sent_three_times_is_one_telegram() -> None:
    line = Line()
    line.obey("round.open", round_id="R1")
    line.obey("bets.close", round_id="R1")
    for one in SIX:
        line.hear(*[line.card(one)] * 3)
    assert dealt(line.events) == list(SIX)
    assert line.winners == ["banker"]
    assert line.codes == line.faults == []


def test_two_equal_cards_one_after_the_other_are_two_cards() -> None:
    line = Line()
    line.deal("KD>player.1", "KD>banker.1", "5C>player.2", "JS>banker.2")
    assert dealt(line.events) == ["KD>player.1", "KD>banker.1", "5C>player.2", "JS>banker.2"]
    assert line.codes == []


def test_a_telegram_lost_in_mid_round_holds_it_and_no_card_moves_up() -> None:
    line = Line()
    line.deal("8S>player.1")
    line.lose()
    heard = line.draw("KD>player.2")
    assert kinds(heard) == ["violation.raised", "round.held"]
    assert line.held_by == ["reading_gap"]
    resumed = line.resolve("accept")
    assert dealt(resumed) == []
    assert line.held_by == ["card_out_of_turn"]
    no_round_was_decided(line)


def test_a_lost_telegram_that_was_no_card_costs_nothing_once_a_person_says_so() -> None:
    line = Line()
    line.deal("8S>player.1")
    line.lose()
    line.draw(*NATURAL[1:])
    assert dealt(line.events) == ["8S>player.1"]
    heard = line.resolve("accept")
    assert dealt(heard) == list(NATURAL[1:])
    assert line.winners == ["player"]


def test_a_telegram_lost_between_rounds_is_named_and_holds_nothing() -> None:
    line = Line()
    line.deal(*NATURAL)
    line.lose()
    line.verdict("player")
    assert line.faults == ["sequence_gap"]
    assert line.held_by == []
    line.deal(*NATURAL, round_id="R2")
    assert line.winners == ["player", "player"]


def test_the_number_after_nine_is_known_once_it_was_seen() -> None:
    line = Line()
    line.deal(*SIX)  # numbers 1 to 6
    line.verdict("banker")
    line.deal(*NATURAL, round_id="R2")  # 8 9 0 1
    line.verdict("player")
    line.deal(*SIX, round_id="R3")  # 3 to 8
    line.verdict("banker")
    assert line.codes == line.faults == []
    line.lose()  # 0, the cut card perhaps
    line.deal("8S>player.1", round_id="R4")
    assert line.held_by == ["reading_gap"]


def test_a_damaged_telegram_is_no_card_and_the_next_one_shows_that_it_is_missing() -> None:
    line = Line()
    line.deal("8S>player.1")
    damaged = bytearray(line.card("5C>banker.1"))
    damaged[4] ^= 0x01
    assert line.hear(bytes(damaged)) == []
    line.draw("KD>player.2")
    assert line.held_by == ["reading_gap"]
    no_round_was_decided(line)


def test_a_shoe_unplugged_in_mid_round_holds_it_and_its_next_number_proves_the_rest() -> None:
    line = Line()
    line.deal(*NATURAL[:2])
    line.replay.inbox.put(LinkDown("primary", KEY, "unplugged"))
    line.replay.inbox.put(LinkUp("primary", KEY, "replay"))
    line.draw(*NATURAL[2:])
    assert line.held_by == ["device_lost"]
    line.resolve("accept")
    assert line.winners == ["player"]


def test_a_shoe_that_starts_anew_after_a_restart_proves_nothing() -> None:
    line = Line()
    line.deal(*NATURAL[:2])
    line.replay.inbox.put(Restarted("test", 0))
    line.replay.inbox.put(LinkUp("primary", KEY, "replay"))
    line.number = 6
    line.say("S")
    assert line.held_by == ["reading_gap"]
    line.draw(*NATURAL[2:])
    no_round_was_decided(line)
    line.resolve("accept")
    assert line.winners == ["player"]


# --- what the shoe says of itself -----------------------------------------------------------


def test_an_unread_card_waits_for_a_person_and_the_cards_after_it_keep_their_order() -> None:
    line = Line()
    line.deal("8S>player.1")
    line.error(1)
    line.cleared(1)
    line.draw("KD>player.2", "2H>banker.2")
    assert line.held_by == ["card_unread"]
    no_round_was_decided(line)
    heard = line.resolve("correct", "5C")
    assert dealt(heard) == ["5C>banker.1", "KD>player.2", "2H>banker.2"]
    assert line.winners == ["player"]


def test_fault_10_an_overdrawn_card_kept_for_the_next_round_is_counted_once() -> None:
    line = Line()
    line.deal(*NATURAL)
    line.error(2)
    assert line.held_by == ["card_not_due"]
    line.cleared(2)
    line.draw("9D>player.1", report="R")
    line.resolve("void")
    assert line.held_by == []
    heard = line.deal("9D>player.1", "5S>banker.1", round_id="R2")
    positions = [one["data"]["shoe_position"] for one in heard if kind(one) == "card.dealt"]
    assert positions == [5, 6]
    assert line.codes == ["card_not_due"]


def test_fault_10_an_overdrawn_card_that_is_discarded_has_left_the_shoe() -> None:
    line = Line()
    line.deal(*NATURAL)
    line.error(2)
    line.cleared(2)
    line.resolve("burn")
    (card,) = [
        one["data"] for one in line.deal("9D>player.1", round_id="R2") if kind(one) == "card.dealt"
    ]
    assert (card["rank"], card["shoe_position"]) == ("9", 6)


def test_another_card_than_the_one_carried_over_is_out_of_turn() -> None:
    line = Line()
    line.deal(*NATURAL)
    line.error(2)
    line.draw("9D>player.1", report="R")
    line.resolve("void")
    line.deal("3C>player.1", round_id="R2")
    assert line.held_by == ["card_out_of_turn"]


def test_two_different_cards_for_the_next_rounds_first_slot_are_a_conflict() -> None:
    line = Line()
    line.draw("9D>player.1", "9D>player.1", report="R")
    assert line.held_by == []
    line.draw("3C>player.1", report="R")
    assert line.held_by == ["card_conflict"]


def test_fault_10_a_reassigned_card_opens_no_round() -> None:
    line = Line(control="device")
    line.draw("9D>player.1", report="R")
    assert line.replay.inbox.state.round is None


def test_fault_07_a_card_run_back_at_the_exit_and_stated_again_is_one_card() -> None:
    line = Line()
    line.deal("8S>player.1", "5C>banker.1")
    line.error(4)
    assert line.held_by == ["card_reversed"]
    line.cleared(4)
    line.draw("5C>banker.1", *NATURAL[2:])
    line.resolve("accept")
    assert dealt(line.events) == list(NATURAL)
    assert "card.duplicate_suppressed" in kinds(line.events)
    assert line.winners == ["player"]


def test_a_start_after_the_cut_card_in_mid_round_can_only_be_voided() -> None:
    line = Line()
    line.deal("8S>player.1", "5C>banker.1")
    line.say("C")
    line.say("S")
    assert line.held_by == ["shoe_changed_in_round"]
    line.draw("KD>player.2", "2H>banker.2")
    no_round_was_decided(line)
    refused = [
        line.refusal("violation.resolve", **line.decision(one))
        for one in ("accept", "burn", "correct")
    ]
    assert refused == ["action_not_allowed"] * 3
    line.resolve("void")
    assert line.winners == []
    assert line.refusal("round.open", round_id="R2") == "last_round_played"


def test_a_start_after_the_cut_card_is_a_changed_shoe_though_both_came_while_held() -> None:
    line = Line()
    line.deal("8S>player.1", "KD>player.2")
    assert line.held_by == ["card_out_of_turn"]
    line.say("C")
    line.say("S")
    line.resolve("burn")
    assert line.held_by == ["shoe_changed_in_round"]


def test_a_cut_card_that_came_while_held_is_out_though_the_round_is_voided() -> None:
    line = Line()
    line.deal("8S>player.1", "KD>player.2")
    line.say("C")
    line.resolve("void")
    assert "shoe.cut_card_seen" in kinds(line.events)
    line.deal(*NATURAL, round_id="R2")
    line.verdict("player")
    assert line.refusal("round.open", round_id="R3") == "last_round_played"


def test_a_start_without_a_cut_card_in_mid_round_is_a_reconnect() -> None:
    line = Line()
    line.deal("8S>player.1", "5C>banker.1")
    line.number = 0
    assert line.say("S") == []
    line.draw(*NATURAL[2:])
    assert line.winners == ["player"]


# --- the shoe's own verdict -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("winner", "pairs", "agrees"),
    [("player", 0, True), ("banker", 0, False), ("tie", 0, False), ("player", 2, False)],
)
def test_fault_23_the_shoes_verdict_is_published_and_a_difference_holds_the_table(
    winner: Winner, pairs: int, *, agrees: bool
) -> None:
    line = Line()
    line.deal(*NATURAL)
    heard = line.verdict(winner, pairs)
    (announced,) = [one["data"] for one in heard if kind(one) == "result.announced"]
    assert announced["agrees"] is agrees
    assert line.held_by == ([] if agrees else ["result_conflict"])
    assert line.winners == ["player"]


def test_an_abort_after_a_decided_round_contradicts_it() -> None:
    line = Line()
    line.deal(*NATURAL)
    line.verdict("aborted")
    assert line.held_by == ["result_conflict"]


def test_fault_24_a_verdict_before_the_hands_are_complete_decides_nothing() -> None:
    line = Line()
    line.deal(*SIX[:5])
    line.verdict("banker")
    assert line.held_by == ["result_conflict"]
    no_round_was_decided(line)
    line.resolve("accept")
    line.draw(SIX[5])
    assert line.winners == ["banker"]


def test_fault_24_a_verdict_on_a_voided_round_is_late_and_holds_nothing() -> None:
    line = Line()
    line.deal("8S>player.1")
    line.obey("round.void", round_id="R1", reason="misdeal")
    line.verdict("player")
    assert line.codes == ["late_result"]
    assert line.held_by == []


def test_a_verdict_read_while_held_is_judged_after_the_cards_before_it() -> None:
    line = Line()
    line.obey("round.open", round_id="R1")
    line.draw(NATURAL[0])
    line.draw(*NATURAL[1:])
    line.verdict("player")
    heard = line.resolve("accept")
    assert kinds(heard)[-2:] == ["round.completed", "result.announced"]
    assert line.held_by == []
