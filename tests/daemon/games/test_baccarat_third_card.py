"""Baccarat: the third-card rules, each of them, as the book's table says."""

from __future__ import annotations

import pytest
from support.baccarat_bench import BaccaratBench

VALUES = range(10)
RANKS = "KA23456789"
DRAWS_WHEN = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}
"""The banker's two-card total -> values of the player's third card on which the banker draws."""


def slots_after(*values: int) -> list[str]:
    """Return the slot of each card after the fourth, and `end` where the round is over."""
    bench = BaccaratBench()
    bench.deal(*(RANKS[value] + "S" for value in values))
    slots = [slot for slot, _ in bench.game.order] or [one.slot for one in bench.outcomes[0].cards]
    return slots[4:] + ["end"] * (bench.state.round is None)


@pytest.mark.parametrize("third", VALUES)
@pytest.mark.parametrize("banker", DRAWS_WHEN)
def test_the_banker_draws_on_the_players_third_card_as_the_table_says(
    banker: int, third: int
) -> None:
    after = slots_after(2, banker, 3, 0, third, 9)
    if str(third) in DRAWS_WHEN[banker]:
        assert after == ["player.3", "banker.3", "end"]
    else:
        assert after[:2] == ["player.3", "end"]


@pytest.mark.parametrize("player", range(8))
def test_the_player_draws_to_five_and_stands_on_six_and_seven(player: int) -> None:
    draws = slots_after(player, 7, 0, 0, 9)[:1] == ["player.3"]
    assert draws == (player <= 5)


@pytest.mark.parametrize("player", [6, 7])
@pytest.mark.parametrize("banker", range(8))
def test_where_the_player_stood_the_banker_draws_to_five(player: int, banker: int) -> None:
    draws = slots_after(player, banker, 0, 0, 9)[:1] == ["banker.3"]
    assert draws == (banker <= 5)


@pytest.mark.parametrize("other", VALUES)
@pytest.mark.parametrize("natural", [8, 9])
def test_a_natural_in_either_hand_ends_the_round(natural: int, other: int) -> None:
    assert slots_after(natural, other, 0, 0) == ["end"]
    assert slots_after(other, natural, 0, 0) == ["end"]
