"""Baccarat (punto banco): every card gets its slot, or a violation that says why not.

rules.py what is due · state.py what is remembered · cards.py a card left the shoe · shoes.py what
else the shoe says · commands.py what the server asks · resolve.py what a supervisor decides
"""

from __future__ import annotations

from typing import Final, assert_never

from daemon.game import Context, Decision, DeviceGap, Due, DueCard, GameInput, GameSpec
from daemon.games.baccarat import cards, commands, shoes
from daemon.games.baccarat.resolve import resolve
from daemon.games.baccarat.state import BaccaratProfile, BaccaratState
from daemon.games.baccarat.work import Work
from protocols.commands import (
    BurnCards,
    ChangeDealer,
    CloseBets,
    CloseShoe,
    LoadShoe,
    OpenRound,
    Refusal,
)
from protocols.events import BaccaratOutcome
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


def apply(state: BaccaratState, one: GameInput, context: Context) -> Decision:
    """Apply one input."""
    body = one.body
    if context.held and (isinstance(body, _WAITS) or shoes.is_unread_card(body)):
        return Decision(state, deferred=True)
    work = Work(state, context)
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
            shoes.error_raised(work, reading, device, role)
        case ShoeErrorCleared() as reading:
            shoes.error_cleared(work, reading, device, role)
        case ShoeResult() as reading:
            shoes.result(work, reading)
        case BurnCountStated() as reading:
            shoes.burn_count(work, reading)
        case ShoeStarted():
            shoes.started(work)
        case DeviceGap():
            shoes.gap(work)
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


def start(_profile: BaccaratProfile) -> BaccaratState:
    """Return a table that has just opened: no shoe."""
    return BaccaratState()


def void(state: BaccaratState) -> BaccaratState:
    """Return the state without the round; the shoe is what it is."""
    return Work.without_round(state)


def due(state: BaccaratState, context: Context) -> Due:
    """Return where the next card goes: to a burn between rounds, to a hand once bets are closed."""
    if context.round is None and state.burns_due > 0:
        return DueCard(f"burn.{state.burned + 1}")
    if context.round is None or context.round.phase != "dealing":
        return None
    slot = state.due()
    return DueCard(slot) if slot is not None else None


def conceals(_state: BaccaratState) -> bool:
    """No card of these houses is dealt face down."""
    return False


def wake_at(_state: BaccaratState) -> Instant | None:
    """Never: no rule of baccarat depends on time."""
    return None


GAME: Final = GameSpec(
    key="baccarat",
    title="Baccarat (punto banco)",
    device_kind="shoe",
    default_profile="baccarat-lv",
    profile=BaccaratProfile,
    state=BaccaratState,
    outcome=BaccaratOutcome,
    start=start,
    apply=apply,
    resolve=resolve,
    void=void,
    due=due,
    conceals=conceals,
    wake_at=wake_at,
)
