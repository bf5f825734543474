"""Baccarat: cards that were not read, and the shoe's own errors."""

from __future__ import annotations

import pytest
from support.baccarat_bench import NATURAL, BaccaratBench
from support.notation import card, dealt
from support.table_bench import found, kinds

from protocols.commands import OpenRound
from protocols.events import CardUnreadSeen, DeviceFaulted, DeviceRecovered
from protocols.readings import (
    CardOutOfGame,
    CardReassigned,
    CardUnread,
    Reading,
    ShoeErrorCleared,
    ShoeErrorRaised,
)
from protocols.refusals import Refusal


def error(code: int, *, blocking: bool = True) -> ShoeErrorRaised:
    return ShoeErrorRaised(code, f"error {code}", blocking)


# --- a card that was not read -----------------------------------------------------------------


@pytest.mark.parametrize("reading", [CardUnread("no code"), error(1), error(1, blocking=False)])
def test_an_unread_card_holds_the_round(reading: Reading) -> None:
    bench = BaccaratBench()
    bench.deal("8S")
    heard = bench.hear(reading)
    assert [one.slot for one in found(heard, CardUnreadSeen)] == ["banker.1"]
    assert bench.codes == ["card_unread"]
    assert bench.draw("KD") == []
    assert bench.refused(bench.decision("card_unread", "accept")) is Refusal.ACTION_NOT_ALLOWED


def test_an_unread_card_is_named_by_a_person() -> None:
    bench = BaccaratBench()
    bench.deal("8S")
    bench.hear(CardUnread("no code"))
    bench.draw("KD", "2H")
    heard = bench.resolve("card_unread", "correct", "5C")
    assert [one[:2] for one in dealt(heard)] == [
        ("banker.1", "5C"),
        ("player.2", "KD"),
        ("banker.2", "2H"),
    ]
    assert "result.entered_manually" in kinds(heard)
    assert bench.shoe.copies == {"8S": 1, "5C": 1, "KD": 1, "2H": 1}
    assert bench.shoe.out == 4


def test_fault_04_a_card_that_the_shoe_reads_after_all_counts_once() -> None:
    bench = BaccaratBench()
    bench.deal("8S>player.1", "5C>banker.1")
    bench.hear(error(1), ShoeErrorCleared(1, "error 1"))
    bench.draw("KD>player.2", "2H>banker.2")
    bench.resolve("card_unread", "correct", "KD")
    assert [code for _, code, _ in dealt(bench.events)] == list(NATURAL)
    assert bench.shoe.out == 4


def test_cards_unread_while_held_keep_their_place_in_the_order() -> None:
    bench = BaccaratBench()
    bench.open()
    bench.draw("8S", "5C")
    bench.hear(error(1))
    bench.draw("2H")
    bench.resolve("card_before_no_more_bets", "accept")
    bench.resolve("card_unread", "correct", "KD")
    assert [code for _, code, _ in dealt(bench.events)] == list(NATURAL)


def test_a_second_unread_card_is_not_hidden_by_the_first() -> None:
    bench = BaccaratBench()
    bench.deal("8S")
    bench.hear(error(1, blocking=False))
    bench.resolve("card_unread", "correct", "5C")
    bench.hear(error(1, blocking=False))
    assert bench.codes == ["card_unread", "card_unread"]
    assert [one.condition for one in found(bench.events, DeviceFaulted)] == ["shoe_error_1"]


def test_where_cards_open_rounds_an_unread_first_card_is_not_passed_over() -> None:
    bench = BaccaratBench(control="device")
    bench.hear(CardUnread("no code"))
    assert bench.codes == ["card_unread"]
    bench.draw("5C", "KD", "2H")
    bench.resolve("card_unread", "correct", "8S")
    assert [code for _, code, _ in dealt(bench.events)] == list(NATURAL)
    assert bench.outcomes[0].winner == "player"


# --- errors of the shoe -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "violation"),
    [
        (3, "shoe_error"),
        (4, "card_reversed"),
        (5, "shoe_error"),
        (6, "shoe_error"),
        (7, "shoe_error"),
    ],
)
def test_fault_08_15_21_a_shoe_in_error_mode_holds_an_open_round(code: int, violation: str) -> None:
    bench = BaccaratBench()
    bench.deal("8S")
    heard = bench.hear(error(code))
    assert kinds(heard)[0] == "device.faulted"
    assert bench.codes == [violation]
    assert kinds(bench.hear(ShoeErrorCleared(code, "cleared"))) == ["device.recovered"]
    bench.resolve(violation, "accept")
    bench.draw(*NATURAL[1:])
    assert len(bench.outcomes) == 1


def test_a_card_pushed_back_between_rounds_holds_the_table_and_the_count_is_lost() -> None:
    bench = BaccaratBench()
    assert bench.shoe.from_start
    bench.hear(error(4))
    assert bench.codes == ["card_reversed"]
    assert not bench.shoe.from_start  # what it counts out is no longer what is out
    bench.resolve("card_reversed", "accept")
    assert bench.refused(OpenRound("R1")) is None


def test_a_shoe_in_error_mode_between_rounds_is_only_told() -> None:
    bench = BaccaratBench()
    assert kinds(bench.hear(error(5))) == ["device.faulted"]
    assert not bench.state.held


def test_a_shoe_without_errors_any_more_has_recovered_from_every_one() -> None:
    bench = BaccaratBench()
    bench.hear(error(5), error(0x8130))
    heard = bench.hear(ShoeErrorCleared(0, "no error"))
    assert [one.condition for one in found(heard, DeviceRecovered)] == [
        "shoe_error_5",
        "shoe_error_33072",
    ]
    assert bench.hear(ShoeErrorCleared(0, "no error")) == []


def test_an_error_that_is_cleared_without_having_been_told_is_nothing() -> None:
    assert BaccaratBench().hear(ShoeErrorCleared(5, "cleared")) == []


def test_a_card_too_many_is_not_due() -> None:
    bench = BaccaratBench()
    bench.deal(*NATURAL)
    bench.hear(error(2))
    assert bench.codes == ["card_not_due"]


def test_an_overdrawn_card_is_the_next_rounds_first_and_opens_no_round() -> None:
    bench = BaccaratBench(control="device")
    bench.draw("8S>player.1", "5C>banker.1", "KD>player.2", "2H>banker.2")
    assert bench.hear(CardReassigned(card("9D"), "player", 1)) == []
    assert bench.state.round is None
    heard = bench.draw("9D>player.1")
    assert dealt(heard) == [("player.1", "9D", 5)]
    assert bench.shoe.copies["9D"] == 1


def test_fault_16_a_card_drawn_out_of_game_leaves_the_shoe_and_fills_no_slot() -> None:
    bench = BaccaratBench()
    bench.deal("8S")
    heard = bench.hear(CardOutOfGame(card("9D"), "locked"))
    assert kinds(heard) == ["device.faulted"]
    assert dealt(bench.draw("5C")) == [("banker.1", "5C", 3)]


def test_an_error_that_is_said_again_in_a_later_round_is_named_again() -> None:
    """A shoe that never says that an error is over, as Bee-Tek's."""
    bench = BaccaratBench()
    bench.deal("8S")
    bench.hear(error(105), error(105))
    assert bench.codes == ["shoe_error"]
    bench.resolve("shoe_error", "accept")
    bench.draw(*NATURAL[1:])
    assert len(bench.outcomes) == 1
    bench.open(round_id="R2")
    bench.hear(error(105))
    assert bench.codes == ["shoe_error", "shoe_error"]
    assert bench.state.held
