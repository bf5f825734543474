"""What a table remembers of its open round, held against what its events told of it.

`difference` looks into the state of each game, which nothing in `daemon/` has to. A game that is
not named here is still held to its round, its holds, its cards and what it waits for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from daemon.gamekit.shoegame import ShoeState
from daemon.gamekit.shoegame.awaited import summed_up
from daemon.games.blackjack.next_action import HOLE
from daemon.games.blackjack.state import BlackjackState
from daemon.games.roulette.state import RouletteState
from daemon.table.state import TableSetup, TableState
from daemon.table.transition import context_of
from protocols.events import (
    AwaitedCommand,
    FaceDownCard,
    OpenHand,
    PlayState,
    RoundState,
    RunningSpin,
)

Compared: TypeAlias = tuple[str, Any, Any]
"""What is compared, as it is, as it was told."""


def difference(setup: TableSetup, state: TableState, told: PlayState) -> str | None:
    """Return what the events told otherwise than the table has it, None where they agree."""
    for what, true, said in _compared(setup, state, told):
        if true != said:
            return f"{what}: {said} was told, and it is {true}"
    return None


def _compared(setup: TableSetup, state: TableState, told: PlayState) -> Iterator[Compared]:
    now, shown = state.round, told.round
    yield "round", now and (now.round_id, now.phase), shown and (shown.round_id, shown.phase)
    yield from _holds(setup, state, told)
    yield "maintenance", state.maintenance, told.maintenance
    if state.withheld:
        return  # the game is done with its round; what it came to is not told yet
    if isinstance(state.game, RouletteState):
        yield from _wheel(state, state.game, told)
    if shown is None:
        return
    yield "profile", setup.digest, shown.profile
    if isinstance(state.game, ShoeState):
        yield from _cards(state.game, shown)
        yield "awaited", _awaited(setup, state), shown.awaited
    if isinstance(state.game, BlackjackState):
        yield from _boxes(state.game, shown)
    else:
        of_boxes = (shown.boxes, shown.hands, shown.insurance, shown.insured)
        yield "boxes", (None, (), None, ()), of_boxes


def _holds(setup: TableSetup, state: TableState, told: PlayState) -> Iterator[Compared]:
    game = setup.game
    true = [
        (
            one.violation_id,
            one.violation.code,
            game.rule_of(one.violation.code).rule,
            one.violation.detail,
            one.violation.slot,
            one.violation.expected,
            one.violation.read,
        )
        for one in state.open
    ]
    shown = [
        (one.violation_id, one.code, one.rule, one.detail, one.slot, one.expected, one.read)
        for one in told.violations
    ]
    yield "holds", true, shown
    for one in told.violations:
        allowed = set(game.resolutions(one.code, setup.profile))
        yield "resolutions", True, {"void"} <= set(one.resolutions) <= allowed
    decided = [
        (one.command.violation_id, one.command.action, one.command.card) for one in state.decided
    ]
    yield "decided", decided, [(one.violation_id, one.action, one.card) for one in told.decided]


def _cards(game: ShoeState, shown: RoundState) -> Iterator[Compared]:
    """What lies where: the face of what lies face up, the commitments of what does not."""
    true = {
        slot: str(card)
        if card is not None
        else next(one.commitments for one in game.sealed if one.slot == slot)
        for slot, card in game.order
    }
    told = {
        slot: card.commitments if isinstance(card, FaceDownCard) else f"{card.rank}{card.suit}"
        for slot, card in shown.cards.items()
    }
    yield "cards", true, told


def _awaited(setup: TableSetup, state: TableState) -> tuple[AwaitedCommand, ...]:
    context = replace(context_of(setup, state), held=False)
    return summed_up(setup.game.legal_commands(state.game, context))


def _boxes(game: BlackjackState, shown: RoundState) -> Iterator[Compared]:
    hands = [
        OpenHand(
            hand.box,
            hand.number,
            ("down" if hand.dark else "up") if hand.asked else None,
            hand.doubled,
            hand.split,
            hand.end,
        )
        for hand in game.hands
    ]
    yield "hands", hands, list(shown.hands)
    yield "boxes", sorted({hand.box for hand in game.hands}), list(shown.boxes or ())
    insurance = None if game.insurance == "none" else game.insurance
    yield "insurance", (insurance, game.insured), (shown.insurance, shown.insured)
    hole = shown.cards.get(HOLE)
    if isinstance(hole, FaceDownCard):
        peeked = None if game.peeked is None else {"is_ten": game.peeked}
        yield "peeked", peeked, hole.peeked


def _wheel(state: TableState, game: RouletteState, told: PlayState) -> Iterator[Compared]:
    yield "told", game.told, told.spin
    asks = game.pending is not None and game.pending.waits_for == "announce"
    if told.round is not None:
        awaited = (AwaitedCommand("result.announce"),) if asks else ()
        yield "awaited", awaited, told.round.awaited
    dealing = state.round is not None and state.round.phase == "dealing"
    if dealing and game.pending is None:  # while bets are open nothing of the ball is told
        yield "spin", _shown(game), told.spin


def _shown(game: RouletteState) -> RunningSpin | None:
    """Return how far the ball of the live run was seen to be."""
    run = game.run
    if run is None or run.end is not None:
        return None
    if run.nmb_at is not None:
        return RunningSpin(run.number, "no_more_bets")
    if run.rim_at is not None:
        return RunningSpin(run.number, "ball_in_rim")
    return RunningSpin(run.number, "started") if run.launching else None
