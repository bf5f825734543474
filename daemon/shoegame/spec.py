"""A game from a shoe as its table sees it: each card gets its slot, or a violation says why not."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import assert_never

from daemon.game import Context, Decision, DeviceGap, Due, DueCard, GameInput, GameSpec
from daemon.shoegame import cards, commands, saying
from daemon.shoegame.resolve import resolve
from daemon.shoegame.rules import ShoeGame, ShoeRules
from daemon.shoegame.state import ShoeState
from daemon.shoegame.work import Work
from protocols.commands import (
    BurnCards,
    ChangeDealer,
    CloseBets,
    CloseShoe,
    LoadShoe,
    OpenRound,
    Refusal,
)
from protocols.events import Outcome
from protocols.instant import Instant
from protocols.readings import (
    BurnCountStated,
    CardDrawn,
    CardOutOfGame,
    CardReassigned,
    CardUnread,
    CutCardSeen,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeResult,
    ShoeStarted,
)

_WAITS = (
    CardDrawn,
    CardUnread,
    CardReassigned,
    ShoeResult,
    BurnCountStated,
    CutCardSeen,
    ShoeStarted,
)
"""What is kept while the table is held, and judged when it goes on."""


def apply(game: ShoeGame, state: ShoeState, one: GameInput, context: Context) -> Decision:
    """Apply one input."""
    body = one.body
    if context.held and (isinstance(body, _WAITS) or saying.is_unread_card(body)):
        return Decision(state, deferred=True)
    work = Work(game, state, context)
    return work.decision(_play(work, one))


def _play(work: Work, one: GameInput) -> Refusal | None:
    device, role = one.device or "", one.role or ""
    match one.body:
        case CardDrawn() as reading:
            cards.drawn(work, reading)
        case CardUnread() as reading:
            cards.unread(work, reading)
        case CardOutOfGame() as reading:
            cards.out_of_game(work, reading, device, role)
        case CardReassigned() as reading:
            cards.reassigned(work, reading)
        case CutCardSeen():
            cards.cut_card(work)
        case ShoeErrorRaised() as reading:
            saying.error_raised(work, reading, device, role)
        case ShoeErrorCleared() as reading:
            saying.error_cleared(work, reading, device, role)
        case ShoeResult() as reading:
            saying.result(work, reading)
        case BurnCountStated() as reading:
            saying.burn_count(work, reading)
        case ShoeStarted():
            saying.started(work)
        case DeviceGap():
            saying.gap(work)
        case OpenRound() | CloseBets() | LoadShoe() | CloseShoe() | BurnCards() | ChangeDealer():
            return _command(work, one.body)
        case _:
            return None  # says nothing about the cards
    return None


def _command(
    work: Work,
    command: OpenRound | CloseBets | LoadShoe | CloseShoe | BurnCards | ChangeDealer,
) -> Refusal | None:
    match command:
        case OpenRound():
            return commands.open_round(work, command)
        case CloseBets():
            work.close_bets("command")
            return None
        case LoadShoe():
            return commands.load_shoe(work, command)
        case CloseShoe():
            return commands.close_shoe(work)
        case BurnCards():
            return commands.burn(work, command)
        case ChangeDealer():
            return commands.change_dealer(work)
        case _:
            assert_never(command)


def start(_profile: ShoeRules) -> ShoeState:
    """Return a table that has just opened: no shoe."""
    return ShoeState()


def void(state: ShoeState) -> ShoeState:
    """Return the state with empty hands; a hand after the cut card was the shoe's last."""
    shoe = state.shoe
    if shoe is not None and shoe.cut_card_at is not None and state.order:
        shoe = replace(shoe, finished=True)
    return replace(state, shoe=shoe, order=(), last=None)


def due(game: ShoeGame, state: ShoeState, context: Context) -> Due:
    """Return where the next card goes: to a burn between rounds, to a hand once bets are closed."""
    if context.round is None and state.burns_due > 0:
        return DueCard(f"burn.{state.burned + 1}")
    if context.round is None or context.round.phase != "dealing":
        return None
    slot = game.due(state.order)
    return DueCard(slot) if slot is not None else None


def conceals(_state: ShoeState) -> bool:
    """No card of these games is dealt face down."""
    return False


def wake_at(_state: ShoeState) -> Instant | None:
    """Never: no rule of these games depends on time."""
    return None


def game_spec(
    game: ShoeGame,
    *,
    key: str,
    title: str,
    default_profile: str,
    profile: type[ShoeRules],
    outcome: type[Outcome],
) -> GameSpec:
    """Return a game from a shoe as the catalog takes it."""
    return GameSpec(
        key=key,
        title=title,
        device_kind="shoe",
        default_profile=default_profile,
        profile=profile,
        state=ShoeState,
        outcome=outcome,
        start=start,
        apply=partial(apply, game),
        resolve=partial(resolve, game),
        void=void,
        due=partial(due, game),
        conceals=conceals,
        wake_at=wake_at,
    )
