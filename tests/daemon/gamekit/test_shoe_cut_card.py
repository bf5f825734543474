"""The cut card: which round is the last, where the marker lay, and the one behind the last card."""

from __future__ import annotations

import pytest
from support.baccarat_bench import NATURAL, BaccaratBench, profile
from support.notation import dealt
from support.table_bench import found

from protocols.commands import CloseBets, OpenRound
from protocols.events import RoundVoidRequired, ShoeCutCardSeen, ViolationRaised
from protocols.readings import CutCardSeen
from protocols.refusals import Refusal


def shuffle_now() -> BaccaratBench:
    return BaccaratBench(profile(cut_card_first_out="shuffle_now", cut_card_tolerance=416))


@pytest.mark.parametrize("closed", [False, True], ids=["bets_open", "bets_closed"])
def test_where_the_house_shuffles_now_an_open_round_without_cards_has_to_be_voided(
    *, closed: bool
) -> None:
    bench = shuffle_now()
    bench.open()
    if closed:
        bench.obey(CloseBets("R1"))
    (required,) = found(bench.hear(CutCardSeen()), RoundVoidRequired)
    assert (required.round_id, required.reason) == (
        "R1",
        "the cut card came before the first card: shuffle now",
    )
    bench.void()
    assert bench.refused(OpenRound("R2")) is Refusal.LAST_ROUND_PLAYED


def test_the_cut_card_is_no_card_and_fills_no_slot() -> None:
    """It stood as a dealer's up card once."""
    bench = BaccaratBench(profile(cut_card_tolerance=416))
    bench.deal("8S")
    assert found(bench.hear(CutCardSeen()), ShoeCutCardSeen) == [ShoeCutCardSeen("S1", 1, 415)]
    assert dealt(bench.draw(*NATURAL[1:])) == [
        ("banker.1", "5C", 2),
        ("player.2", "KD", 3),
        ("banker.2", "2H", 4),
    ]


def test_the_rear_one_with_cards_still_to_come_is_put_on_record() -> None:
    """Seven cards lie behind the marker; after two of them the rear one comes: five are missing."""
    bench = BaccaratBench()
    bench.fill(409)
    bench.hear(CutCardSeen())
    bench.deal("8C", "7C")
    bench.hear(CutCardSeen())
    (found_short,) = found(bench.events, ViolationRaised)
    assert (found_short.code, found_short.holds) == ("cut_card_misplaced", False)
    assert found_short.detail == "a second cut card came out and 5 cards should lie before it"
    assert not bench.state.held


def test_the_marker_read_twice_before_another_card_is_one_cut_card() -> None:
    bench = BaccaratBench()
    bench.fill(409)
    bench.hear(CutCardSeen())
    assert bench.hear(CutCardSeen()) == []


def test_the_rear_one_after_the_last_card_between_rounds_ends_the_shoe() -> None:
    bench = BaccaratBench()
    bench.fill(409)
    bench.hear(CutCardSeen())
    bench.fill(416)
    assert bench.hear(CutCardSeen()) == []
    assert bench.refused(OpenRound("R1")) is Refusal.LAST_ROUND_PLAYED
