"""A game from a shoe as its table sees it: each card gets its slot, or a violation says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, assert_never

from daemon.gamekit.shoegame import card_drawn, commands, hole_card, reveal, shoe_reports, verify
from daemon.gamekit.shoegame.resolve import resolve
from daemon.gamekit.shoegame.rules import ShoeGame, ShoeRules
from daemon.gamekit.shoegame.state import ShoeState
from daemon.gamekit.shoegame.transition import Work, conceals
from daemon.gamekit.spec import (
    Context,
    Decision,
    DeviceGap,
    Due,
    DueCard,
    GameInput,
    GameSpec,
    Resumed,
    ShoeStanding,
)
from protocols.commands import (
    BurnCards,
    ChangeDealer,
    CloseBets,
    CloseInsurance,
    CloseShoe,
    Command,
    Decide,
    FinishVerify,
    GameCommand,
    LoadShoe,
    OpenRound,
    PeekHoleCard,
    Refusal,
    ReplaceCard,
    RevealCard,
    StartVerify,
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


def apply(game: ShoeGame, state: Any, one: GameInput, context: Context) -> Decision:
    """Apply one input."""
    body = one.body
    if context.held and (isinstance(body, _WAITS) or _is_unread(body)):
        return Decision(state, deferred=True)
    work = Work(game, state, context, one)
    if isinstance(body, CardDrawn) and card_drawn.is_waiting_twin(work, body):
        return work.decision()
    if isinstance(body, CardDrawn) or (_is_unread(body) and not card_drawn.hidden_is_next(work)):
        card_drawn.confirm(work)
        if work.held:
            return work.decision(deferred=True)
    return work.decision(_play(work, one))


def _is_unread(body: object) -> bool:
    return isinstance(body, CardUnread) or shoe_reports.is_unread_card(body)


def _play(work: Work, one: GameInput) -> Refusal | None:  # noqa: C901 - one line for each kind of input
    device, role = one.device or "", one.role or ""
    if isinstance(one.body, GameCommand):
        return _command(work, one.body)
    if verify.hears(work, one):
        return None
    match one.body:
        case CardDrawn() as reading if role == "hole":
            hole_card.scanned(work, reading)
        case CardDrawn() as reading:
            card_drawn.drawn(work, reading)
        case CardUnread() as reading:
            card_drawn.unread(work, reading)
        case CardOutOfGame() as reading:
            card_drawn.out_of_game(work, reading, device, role)
        case CardReassigned() as reading:
            card_drawn.reassigned(work, reading)
        case CutCardSeen():
            card_drawn.cut_card(work)
        case ShoeErrorRaised() as reading:
            shoe_reports.error_raised(work, reading, device, role)
        case ShoeErrorCleared() as reading:
            shoe_reports.error_cleared(work, reading, device, role)
        case ShoeResult() as reading:
            shoe_reports.result(work, reading)
        case BurnCountStated() as reading:
            shoe_reports.burn_count(work, reading)
        case ShoeStarted():
            shoe_reports.started(work)
        case DeviceGap():
            shoe_reports.gap(work)
        case Resumed():
            work.settle()
        case _:
            return None  # says nothing about the cards
    return None


def _command(work: Work, command: GameCommand) -> Refusal | None:
    match command:
        case OpenRound():
            return commands.open_round(work, command)
        case CloseBets():
            work.close_bets("command")
            return None
        case LoadShoe():
            return commands.load_shoe(work, command)
        case StartVerify() | ReplaceCard() | FinishVerify():
            return verify.obey(work, command)
        case CloseShoe():
            return commands.close_shoe(work)
        case BurnCards():
            return commands.burn(work, command)
        case ChangeDealer():
            return commands.change_dealer(work)
        case RevealCard():
            refusal = reveal.reveal(work, command)
            shoe_reports.kept_result(work)
            return refusal
        case Decide() | CloseInsurance() | PeekHoleCard():
            refusal = work.game.refuses(work.state, work.profile, command)
            if refusal is None:
                work.game.obey(work, command)
                work.settle()
            return refusal
        case _:
            assert_never(command)


def void(game: ShoeGame, state: Any, context: Context) -> Decision:
    """Return a state with empty hands; a hand after the cut card was the shoe's last."""
    work = Work(game, state, context)
    card_drawn.give_up(work)
    reveal.turn_all(work)
    shoe = work.state.shoe
    if shoe is not None and shoe.cut_card_at is not None and work.state.order:
        work.set(shoe=replace(shoe, finished=True))
    work.set(order=(), last=None, verdict=None, rescan=False)
    game.emptied(work)
    return work.decision()


def start(game: ShoeGame, _profile: ShoeRules) -> ShoeState:
    """Return a table that has just opened: no shoe."""
    return game.state()


def due(game: ShoeGame, state: Any, context: Context) -> Due:
    """Return where the next card goes: to a burn between rounds, to a hand once bets are closed."""
    if state.check is not None:
        return None
    if context.round is None and state.burns_due > 0:
        return DueCard(f"burn.{state.burned + 1}", hidden=context.profile.burned_faces != "shown")
    if context.round is None or context.round.phase != "dealing":
        return None
    return game.due(state, context.profile)


def asks(game: ShoeGame, state: Any, context: Context) -> tuple[Command, ...]:
    """Return the game's own commands that would be obeyed now, and the cards that may be turned."""
    one = context.round
    if one is None or context.held or one.phase == "betting":
        return ()
    turn = [
        RevealCard(sealed.slot, one.round_id)
        for sealed in state.face_down
        if game.may_turn(state, context.profile, sealed.slot)
    ]
    own = [
        command
        for command in game.own_commands(state, one.round_id)
        if game.refuses(state, context.profile, command) is None
    ]
    return (*own, *turn)


def hides(game: ShoeGame, rules: Any) -> bool:
    """Return whether a card may lie face down in this house: in a round, or burned."""
    burns = (rules.burn_after_shuffle, rules.burn_after_misdeal, rules.burn_after_dealer_change)
    burned = any(burns) or rules.burn_at_discretion
    return (burned and rules.burned_faces != "shown") or game.hides(rules)


def standing(state: ShoeState) -> ShoeStanding | None:
    """Return how the shoe stands, without a name of any card."""
    shoe, check = state.shoe, state.check
    if shoe is None:
        return None
    passed = None if check is None else sum(check.copies.values())
    return ShoeStanding(shoe.shoe_id, shoe.decks, shoe.out, shoe.left, shoe.verified, passed)


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
    sentences: Callable[[Any], Iterable[str]],
) -> GameSpec:
    """Return a game from a shoe as the catalog takes it."""
    return GameSpec(
        key=key,
        title=title,
        device_kind="shoe",
        default_profile=default_profile,
        profile=profile,
        state=game.state,
        outcome=outcome,
        start=partial(start, game),
        apply=partial(apply, game),
        resolve=partial(resolve, game),
        void=partial(void, game),
        due=partial(due, game),
        asks=partial(asks, game),
        hides=partial(hides, game),
        conceals=partial(conceals, game),
        wake_at=wake_at,
        shoe=standing,
        sentences=sentences,
        controls=("server",) if game.first_slot is None else ("server", "device"),
    )
