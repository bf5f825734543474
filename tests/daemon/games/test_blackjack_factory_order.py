"""Unshuffled decks at a blackjack table with one reader: no alarm hangs on the hole card."""

from __future__ import annotations

import pytest
from support.blackjack_bench import BlackjackBench

from daemon.gamekit.shoe import FactoryOrderRun


def dealt(hole: str, *after: str) -> BlackjackBench:
    """Box 1 gets 2S 4S, the dealer 3S and this card face down; the box takes more."""
    bench = BlackjackBench()
    bench.bet(1)
    bench.draw("2S", "3S", "4S", hole)
    for card in after:
        bench.decide("1", "hit")
        bench.draw(card)
    return bench


@pytest.mark.parametrize("hole", ["5S", "KD"])
def test_a_hole_card_ends_the_run_whatever_it_is(hole: str) -> None:
    assert dealt(hole).game.run == FactoryOrderRun()
    bench = dealt(hole, "6S")
    assert (bench.game.run.successors, bench.codes) == (0, [])


def test_the_cards_before_it_are_a_run_though_one_of_them_waits_for_the_next() -> None:
    bench = BlackjackBench()
    bench.bet(1, 2, 3)
    bench.draw("2S", "3S", "4S", "5S", "6S", "7S")
    assert bench.codes == []
    bench.draw("8S")
    assert bench.codes == []  # the third box's second card is told when the next one comes
    bench.draw("KD")
    assert bench.codes == ["factory_order"]
    assert [one.kind for one in bench.events][-2:] == ["violation.raised", "round.held"]
