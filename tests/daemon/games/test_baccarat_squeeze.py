"""Baccarat dealt face down and turned later: docs/rules/baccarat.md#squeeze."""

from __future__ import annotations

import pytest
from support.baccarat_bench import NATURAL, SIX_CARDS, BaccaratBench, profile
from support.table_bench import found

from daemon.table.transition import TableTransition
from protocols.commands import OpenRound, RevealCard
from protocols.events import (
    CardDealt,
    CardRevealed,
    CardSealed,
    ResultAnnounced,
    RoundCompleted,
    ViolationRaised,
)
from protocols.readings import ShoeResult
from protocols.refusals import Refusal

FIRST_FOUR = ("player.1", "banker.1", "player.2", "banker.2")


def squeezed(*cards: str) -> BaccaratBench:
    """Return a table whose cards lie face down."""
    bench = BaccaratBench(profile(concealed="until_reveal"))
    bench.deal(*cards)
    return bench


def turn(bench: BaccaratBench, *slots: str) -> None:
    for slot in slots:
        bench.obey(RevealCard(slot, "R1"))


def due(bench: BaccaratBench) -> str | None:
    context = TableTransition(bench.setup, bench.state, bench.now).context()
    one = bench.setup.game.due(bench.state.game, context)
    return getattr(one, "slot", None)


def shows(bench: BaccaratBench, code: str) -> bool:
    told = repr(bench.events)
    return f"rank={code[0]!r}, suit={code[1]!r}" in told or code in told


def test_every_card_is_sealed_and_none_is_told() -> None:
    bench = squeezed(*NATURAL)
    assert [one.slot for one in found(bench.events, CardSealed)] == list(FIRST_FOUR)
    assert not found(bench.events, CardDealt)
    assert not any(shows(bench, code) for code in NATURAL)
    assert due(bench) is None


@pytest.mark.parametrize("order", [FIRST_FOUR, FIRST_FOUR[::-1]], ids=["as dealt", "backwards"])
def test_the_round_is_over_when_its_last_card_is_turned(order: tuple[str, ...]) -> None:
    bench = squeezed(*NATURAL)
    turn(bench, *order[:-1])
    assert not found(bench.events, RoundCompleted)
    turn(bench, order[-1])
    (outcome,) = bench.outcomes
    assert (outcome.winner, outcome.player_total, outcome.banker_total) == ("player", 8, 7)
    assert [one.slot for one in found(bench.events, CardRevealed)] == list(order)
    assert [one.slot for one in outcome.cards] == list(FIRST_FOUR), "in deal order"


def test_a_third_card_is_due_only_when_the_first_four_are_turned() -> None:
    bench = squeezed(*SIX_CARDS[:4])
    turn(bench, *FIRST_FOUR[:3])
    assert due(bench) is None
    turn(bench, FIRST_FOUR[3])
    assert due(bench) == "player.3"
    bench.draw(SIX_CARDS[4])
    assert due(bench) is None, "whether the banker draws is not known before it is turned"
    turn(bench, "player.3")
    assert due(bench) == "banker.3"
    bench.draw(SIX_CARDS[5])
    turn(bench, "banker.3")
    (outcome,) = bench.outcomes
    assert (outcome.winner, outcome.banker_total) == ("banker", 9)


def test_a_third_card_before_the_turn_is_not_due_and_is_not_shown() -> None:
    bench = squeezed(*SIX_CARDS[:5])
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.read) == ("card_not_due", None)
    assert not any(shows(bench, code) for code in SIX_CARDS)
    assert bench.refused(RevealCard("player.1", "R1")) == Refusal.HELD


def test_the_shoes_early_verdict_is_not_told_before_the_turn() -> None:
    bench = squeezed(*NATURAL)
    assert bench.hear(ShoeResult("player", player_pair=False, banker_pair=False)) == []
    turn(bench, *FIRST_FOUR[:3])
    assert not found(bench.events, ResultAnnounced)
    turn(bench, FIRST_FOUR[3])
    (announced,) = found(bench.events, ResultAnnounced)
    assert (announced.winner, announced.agrees) == ("player", True)
    assert bench.codes == []


def test_and_a_wrong_one_is_a_conflict_only_then() -> None:
    bench = squeezed(*NATURAL)
    bench.hear(ShoeResult("banker", player_pair=False, banker_pair=False))
    assert bench.codes == []
    turn(bench, *FIRST_FOUR)
    assert bench.codes == ["result_conflict"]


def test_a_void_round_turns_its_cards_voided() -> None:
    bench = squeezed(*NATURAL)
    turned = found(bench.void(), CardRevealed)
    assert [(one.slot, one.voided) for one in turned] == [(slot, True) for slot in FIRST_FOUR]


def test_a_card_before_no_more_bets_is_not_shown() -> None:
    bench = BaccaratBench(profile(concealed="until_reveal"))
    bench.obey(OpenRound("R1"))
    bench.draw("8S")
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.read) == ("card_before_no_more_bets", None)
    assert not shows(bench, "8S")
    bench.resolve("card_before_no_more_bets", "accept")
    assert [one.slot for one in found(bench.events, CardSealed)] == ["player.1"]
