"""Baccarat: each violation, and what a supervisor makes of it."""

from __future__ import annotations

import pytest
from support.baccarat_bench import NATURAL, BaccaratBench, profile
from support.notation import burned, dealt
from support.table_bench import found, kinds

from daemon.gamekit.spec import DeviceGap
from daemon.table.transition import TableTransition
from protocols.commands import CloseBets, OpenRound
from protocols.events import (
    CardDuplicateSuppressed,
    ShoeCutCardSeen,
    ViolationRaised,
)
from protocols.readings import (
    CardUnread,
    CutCardSeen,
    ShoeStarted,
)
from protocols.refusals import Refusal

# --- a card before the bets are closed --------------------------------------------------------


def early() -> BaccaratBench:
    bench = BaccaratBench()
    bench.open()
    bench.draw("8S")
    return bench


def test_a_card_before_no_more_bets_holds_the_round_and_fills_no_slot() -> None:
    bench = early()
    (violation,) = found(bench.events, ViolationRaised)
    assert (violation.code, violation.slot) == ("card_before_no_more_bets", "player.1")
    assert (violation.read, violation.round_id) == ("8S", "R1")
    assert dealt(bench.events) == []
    assert bench.state.held


def test_the_early_card_may_be_accepted_as_the_first() -> None:
    bench = early()
    heard = bench.resolve("card_before_no_more_bets", "accept")
    assert kinds(heard) == [
        "violation.resolved",
        "round.resumed",
        "round.bets_closed",
        "card.dealt",
    ]
    bench.draw(*NATURAL[1:])
    assert dealt(bench.events)[-1] == ("banker.2", "2H", 4)
    assert len(bench.outcomes) == 1


def test_the_early_card_may_be_burned_and_the_bets_stay_open() -> None:
    bench = early()
    heard = bench.resolve("card_before_no_more_bets", "burn")
    assert [one[1:] for one in burned(heard)] == [(None, "violation", 1)]
    bench.obey(CloseBets("R1"))
    assert dealt(bench.draw("9D")) == [("player.1", "9D", 2)]


def test_the_early_card_may_be_corrected() -> None:
    bench = early()
    assert bench.refused(bench.decision("card_before_no_more_bets", "correct", "XX")) is (
        Refusal.VALUE_MISSING
    )
    heard = bench.resolve("card_before_no_more_bets", "correct", "9S")
    assert dealt(heard) == [("player.1", "9S", 1)]
    assert (bench.shoe.copies["9S"], bench.shoe.copies.get("8S", 0)) == (1, 0)


def test_an_early_card_of_a_voided_round_has_left_the_shoe_all_the_same() -> None:
    bench = early()
    bench.resolve("card_before_no_more_bets", "void")
    assert bench.state.round is None
    heard = bench.deal("9D", round_id="R2")
    assert dealt(heard) == [("player.1", "9D", 2)]
    assert bench.shoe.copies == {"8S": 1, "9D": 1}


def test_cards_read_while_held_are_dealt_in_order_after_it() -> None:
    bench = early()
    assert bench.draw(*NATURAL[1:]) == []
    heard = bench.resolve("card_before_no_more_bets", "accept")
    assert [code for _, code, _ in dealt(heard)] == list(NATURAL)
    assert kinds(heard)[-1] == "round.completed"


# --- a card that is not due -------------------------------------------------------------------


@pytest.mark.parametrize(
    "hands",
    [
        NATURAL,  # a fifth card after a natural
        ("6S", "7C", "KD", "TH"),  # both stand
        ("2S", "7C", "3D", "TH", "9S"),  # a sixth card: the banker stands
        ("2S", "3C", "3D", "2H", "6S", "4D"),  # a seventh card
    ],
)
def test_a_card_after_complete_hands_is_not_due(hands: tuple[str, ...]) -> None:
    bench = BaccaratBench()
    bench.deal(*hands)
    assert len(bench.outcomes) == 1
    bench.draw("9C")
    assert bench.codes == ["card_not_due"]
    assert len(dealt(bench.events)) == len(hands)


def test_a_card_without_a_round_is_not_due_and_may_be_burned() -> None:
    bench = BaccaratBench()
    bench.draw("8S")
    assert bench.codes == ["card_not_due"]
    assert bench.refused(bench.decision("card_not_due", "accept")) is Refusal.ACTION_NOT_ALLOWED
    heard = bench.resolve("card_not_due", "burn")
    assert [one[3] for one in burned(heard)] == [1]
    assert bench.shoe.copies == {"8S": 1}


def test_a_third_card_to_a_round_that_is_over_is_not_due_where_the_device_rules() -> None:
    bench = BaccaratBench(control="device")
    bench.draw("8S>player.1", "5C>banker.1", "KD>player.2", "2H>banker.2", "9C>player.3")
    assert bench.codes == ["card_not_due"]


def test_a_banker_card_opens_no_round() -> None:
    for first in ("8S>banker.1", "8S>banker"):
        bench = BaccaratBench(control="device")
        bench.draw(first)
        assert bench.codes == ["card_not_due"]
        assert bench.state.round is None


# --- a card to another slot -------------------------------------------------------------------


def test_a_card_stated_for_another_slot_is_out_of_turn() -> None:
    bench = BaccaratBench()
    bench.deal("8S>player.1", "KD>player.2")
    (violation,) = found(bench.events, ViolationRaised)
    assert (violation.code, violation.expected) == ("card_out_of_turn", "banker.1")
    heard = bench.resolve("card_out_of_turn", "accept")
    assert dealt(heard) == [("banker.1", "KD", 2)]


def test_a_card_stated_for_the_other_hand_is_out_of_turn_without_a_number_too() -> None:
    bench = BaccaratBench()
    bench.deal("8S>player", "KD>player")
    assert bench.codes == ["card_out_of_turn"]


def test_a_card_burned_in_mid_round_is_out_of_turn() -> None:
    bench = BaccaratBench()
    bench.deal("8S", "KD>burn.1")
    assert bench.codes == ["card_out_of_turn"]
    heard = bench.resolve("card_out_of_turn", "burn")
    assert [one[3] for one in burned(heard)] == [2]


def test_the_same_card_for_a_filled_slot_counts_once() -> None:
    bench = BaccaratBench()
    bench.deal("8S>player.1")
    heard = bench.draw("8S>player.1")
    assert [type(one) for one in heard] == [CardDuplicateSuppressed]
    assert bench.shoe.out == 1


def test_another_card_for_a_filled_slot_is_a_conflict_and_the_first_stands() -> None:
    bench = BaccaratBench()
    bench.deal("8S>player.1")
    bench.draw("9S>player.1")
    assert bench.codes == ["card_conflict"]
    bench.resolve("card_conflict", "accept")
    bench.draw("5C>banker.1", "KD>player.2", "2H>banker.2")
    assert bench.outcomes[0].player_total == 8
    assert bench.shoe.out == 4


# --- a card that the shoe cannot hold ---------------------------------------------------------


def test_a_ninth_copy_is_impossible() -> None:
    bench = BaccaratBench()
    for number in range(1, 3):
        bench.deal("KD", "KD", "KD", "KD", "8S", "9S", round_id=f"R{number}")
    bench.deal("KD", round_id="R3")
    assert bench.codes == ["impossible_card"]
    assert dealt(bench.events)[-1] == ("banker.3", "9S", 12)


def test_an_impossible_card_may_be_corrected_and_the_misreading_is_not_counted() -> None:
    bench = BaccaratBench()
    for number in range(1, 3):
        bench.deal("KD", "KD", "KD", "KD", "8S", "9S", round_id=f"R{number}")
    bench.deal("KD", round_id="R3")
    assert dealt(bench.resolve("impossible_card", "correct", "KH")) == [("player.1", "KH", 13)]
    assert (bench.shoe.copies["KD"], bench.shoe.copies["KH"]) == (8, 1)


def test_a_correction_to_an_impossible_card_is_itself_impossible() -> None:
    bench = BaccaratBench()
    for number in range(1, 3):
        bench.deal("KD", "KD", "KD", "KD", "8S", "9S", round_id=f"R{number}")
    bench.deal(round_id="R3")
    bench.hear(CardUnread("no code"))
    heard = bench.resolve("card_unread", "correct", "KD")
    assert dealt(heard) == []
    assert bench.codes == ["card_unread", "impossible_card"]
    assert dealt(bench.resolve("impossible_card", "accept")) == [("player.1", "KD", 13)]


def test_the_417th_card_is_impossible() -> None:
    bench = BaccaratBench(profile(cut_card_from_back=0))
    bench.fill(415)  # the king of clubs is the one left
    bench.deal("KC")
    assert dealt(bench.events) == [("player.1", "KC", 416)]
    bench.draw("9C")
    assert bench.codes == ["impossible_card"]


# --- the cut card -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "left", "misplaced"),
    [
        ("baccarat-dk", 7, False),
        ("baccarat-dk", 8, True),
        ("baccarat-lv", 6, True),
        ("baccarat-gr", 52, False),
        ("baccarat-gr", 42, False),
        ("baccarat-gr", 62, False),
        ("baccarat-gr", 41, True),
        ("baccarat-gr", 63, True),
    ],
)
def test_the_cut_card_lies_where_the_house_places_it(
    house: str, left: int, *, misplaced: bool
) -> None:
    bench = BaccaratBench(profile(house))
    bench.fill(416 - left)
    heard = bench.hear(CutCardSeen())
    assert heard[0] == ShoeCutCardSeen("S1", 416 - left, left)
    assert bench.codes == ["cut_card_misplaced"] * misplaced
    assert not bench.state.held


def test_too_few_cards_behind_the_cut_card_hold_the_table() -> None:
    bench = BaccaratBench()
    bench.fill(411)
    bench.hear(CutCardSeen())
    assert bench.codes == ["cut_card_misplaced", "shoe_exhausted"]
    assert bench.state.held


def test_the_rear_cut_card_in_mid_round_means_that_the_shoe_is_exhausted() -> None:
    bench = BaccaratBench()
    bench.fill(409)
    bench.hear(CutCardSeen())
    bench.deal("7C", "TC", "JC", "QC")  # the banker's third card is due
    bench.fill(416)
    bench.hear(CutCardSeen())
    assert bench.codes == ["shoe_exhausted"]


def test_after_a_gap_nobody_knows_where_the_cut_card_lay() -> None:
    bench = BaccaratBench()
    bench.fill(100)
    turn = TableTransition(bench.setup, bench.state, bench.now)
    turn.play(DeviceGap("frames are missing"))
    bench.state = turn.state
    bench.hear(CutCardSeen())
    assert bench.codes == []


def test_a_card_after_the_last_round_is_against_the_rules() -> None:
    bench = BaccaratBench()
    bench.deal("8S", "5C")
    bench.hear(CutCardSeen())
    bench.draw("KD", "2H", "9C")
    assert bench.codes[-1] == "card_after_cut_card"


def test_a_card_after_the_last_round_may_be_accepted_where_the_device_rules() -> None:
    bench = BaccaratBench(control="device")
    bench.draw("8S", "5C")
    bench.hear(CutCardSeen())
    bench.draw("KD", "2H", "9C")
    heard = bench.resolve("card_after_cut_card", "accept")
    assert dealt(heard) == [("player.1", "9C", 5)]
    assert bench.state.round is not None


def test_a_shoe_that_starts_anew_in_mid_round_is_another_shoe() -> None:
    bench = BaccaratBench(control="device")
    bench.draw("8S>player.1")
    bench.hear(CutCardSeen(), ShoeStarted())
    assert bench.codes[-1] == "shoe_changed_in_round"
    bench.resolve("shoe_changed_in_round", "void")
    heard = bench.draw("9C>player.1")
    assert kinds(heard)[:2] == ["shoe.loaded", "round.opened"]
    assert dealt(heard) == [("player.1", "9C", 1)]


def test_a_start_without_a_cut_card_is_a_mere_reconnect() -> None:
    bench = BaccaratBench()
    bench.deal("8S")
    assert bench.hear(ShoeStarted()) == []
    bench.draw(*NATURAL[1:])
    assert len(bench.outcomes) == 1


def test_no_round_opens_while_a_violation_holds_the_table() -> None:
    bench = BaccaratBench()
    bench.draw("8S")
    assert bench.refused(OpenRound("R1")) is Refusal.HELD
