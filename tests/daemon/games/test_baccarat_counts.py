"""Every baccarat round there is, dealt through the game itself.

A round depends on six values at most. One walk over the tree of values, each branch sharing what
was dealt before it, deals them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod

import pytest
from oracle.baccarat import play
from support.baccarat_bench import profile

from daemon.gamekit.spec import Context, GameInput, Round
from daemon.games.baccarat import GAME
from daemon.games.baccarat.outcome import BaccaratOutcome
from daemon.games.baccarat.state import BaccaratState
from protocols.cards import Card, Rank
from protocols.commands import LoadShoe
from protocols.events import (
    RoundCompleted,
)
from protocols.instant import Instant
from protocols.readings import CardDrawn

Leaf = tuple[tuple[int, ...], BaccaratOutcome]

AT = Instant("boot", 0)
RANK_OF: tuple[Rank, ...] = ("K", "A", "2", "3", "4", "5", "6", "7", "8", "9")
DRAWS = [GameInput(AT, CardDrawn(Card(rank, "S"))) for rank in RANK_OF]
COPIES = (128, 32, 32, 32, 32, 32, 32, 32, 32, 32)
"""Cards of each value in eight decks: ten, jack, queen and king count nothing."""
DEALING = Context(profile(), "b2:00", Round("R1", "dealing"), held=False, control="server",
                  next_round_id="R2")  # fmt: skip


def every_round(state: BaccaratState, values: tuple[int, ...] = ()) -> Iterator[Leaf]:
    for value, draw in enumerate(DRAWS):
        decision = GAME.apply(state, draw, DEALING)
        last = decision.effects[-1]
        if isinstance(last, RoundCompleted):
            yield (*values, value), last.outcome
        else:
            assert len(values) < 5, values
            yield from every_round(decision.state, (*values, value))


@pytest.fixture(scope="module")
def rounds() -> list[Leaf]:
    between = Context(profile(), "b2:00", None, held=False, control="server", next_round_id="R1")
    loaded = GAME.apply(GAME.start(), GameInput(AT, LoadShoe("S1", 8)), between)
    return list(every_round(loaded.state))


def ways(values: tuple[int, ...]) -> int:
    """Return in how many ways eight decks give these values, and any cards up to the sixth."""
    left = list(COPIES)
    count = 1
    for value in values:
        count *= left[value]
        left[value] -= 1
    return count * prod(range(416 - len(values), 410, -1))


@pytest.mark.slow
def test_eight_decks_give_the_published_counts_of_every_outcome(rounds: list[Leaf]) -> None:
    counts: Counter[str] = Counter()
    for values, outcome in rounds:
        counts[outcome.winner] += ways(values)
    assert counts == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
    }
    assert counts.total() == 4_998_398_275_503_360


@pytest.mark.slow
def test_all_million_six_value_sequences_end_as_the_oracle_says(rounds: list[Leaf]) -> None:
    judged = 0
    for values, outcome in rounds:
        for rest in product(range(10), repeat=6 - len(values)):
            assert play(values + rest) == (len(values), outcome.winner), values
            judged += 1
    assert judged == 1_000_000


@pytest.mark.slow
def test_every_total_is_the_sum_of_its_hand_modulo_ten(rounds: list[Leaf]) -> None:
    for values, outcome in rounds:
        totals = {"player": 0, "banker": 0}
        for dealt, value in zip(outcome.cards, values, strict=True):
            totals[dealt.slot.partition(".")[0]] += value
        assert outcome.player_total == totals["player"] % 10
        assert outcome.banker_total == totals["banker"] % 10


@pytest.mark.slow
def test_only_an_eight_or_nine_in_two_cards_is_a_natural(rounds: list[Leaf]) -> None:
    for values, outcome in rounds:
        two = ((values[0] + values[2]) % 10, (values[1] + values[3]) % 10)
        assert outcome.natural == (max(two) >= 8)
        if outcome.natural:
            assert len(values) == 4
