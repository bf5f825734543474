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
from daemon.gamekit.shoegame.transition import ShoeTransition, conceals
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


def apply(game: ShoeGame, state: Any, one: GameInput, context: Context[Any]) -> Decision[Any]:
    """Apply one input."""
    body = one.body
    if context.held and (isinstance(body, _WAITS) or _is_unread(body)):
        return Decision(state, deferred=True)
    transition = ShoeTransition(game, state, context, one)
    if isinstance(body, CardDrawn) and card_drawn.is_waiting_twin(transition, body):
        return transition.decision()
    if isinstance(body, CardDrawn) or (
        _is_unread(body) and not card_drawn.hidden_is_next(transition)
    ):
        card_drawn.confirm(transition)
        if transition.held:
            return transition.decision(deferred=True)
    return transition.decision(_play(transition, one))


def _is_unread(body: object) -> bool:
    return isinstance(body, CardUnread) or shoe_reports.is_unread_card(body)


def _play(transition: ShoeTransition, one: GameInput) -> Refusal | None:  # noqa: C901 - one line for each kind of input
    device, role = one.device or "", one.role or ""
    if isinstance(one.body, GameCommand):
        return _command(transition, one.body)
    if verify.hears(transition, one):
        return None
    match one.body:
        case CardDrawn() as reading if role == "hole":
            hole_card.scanned(transition, reading)
        case CardDrawn() as reading:
            card_drawn.drawn(transition, reading)
        case CardUnread() as reading:
            card_drawn.unread(transition, reading)
        case CardOutOfGame() as reading:
            card_drawn.out_of_game(transition, reading, device, role)
        case CardReassigned() as reading:
            card_drawn.reassigned(transition, reading)
        case CutCardSeen():
            card_drawn.cut_card(transition)
        case ShoeErrorRaised() as reading:
            shoe_reports.error_raised(transition, reading, device, role)
        case ShoeErrorCleared() as reading:
            shoe_reports.error_cleared(transition, reading, device, role)
        case ShoeResult() as reading:
            shoe_reports.result(transition, reading)
        case BurnCountStated() as reading:
            shoe_reports.burn_count(transition, reading)
        case ShoeStarted():
            shoe_reports.started(transition)
        case DeviceGap():
            shoe_reports.gap(transition)
        case Resumed():
            transition.settle()
        case _:
            return None  # says nothing about the cards
    return None


def _command(transition: ShoeTransition, command: GameCommand) -> Refusal | None:
    match command:
        case OpenRound():
            return commands.open_round(transition, command)
        case CloseBets():
            transition.close_bets("command")
            return None
        case LoadShoe():
            return commands.load_shoe(transition, command)
        case StartVerify() | ReplaceCard() | FinishVerify():
            return verify.obey(transition, command)
        case CloseShoe():
            return commands.close_shoe(transition)
        case BurnCards():
            return commands.burn(transition, command)
        case ChangeDealer():
            return commands.change_dealer(transition)
        case RevealCard():
            refusal = reveal.reveal(transition, command)
            shoe_reports.kept_result(transition)
            return refusal
        case Decide() | CloseInsurance() | PeekHoleCard():
            refusal = transition.game.refuses(transition.state, transition.profile, command)
            if refusal is None:
                transition.game.obey(transition, command)
                transition.settle()
            return refusal
        case _:
            assert_never(command)


def void(game: ShoeGame, state: Any, context: Context[Any]) -> Decision[Any]:
    """Return a state with empty hands; a hand after the cut card was the shoe's last."""
    transition = ShoeTransition(game, state, context)
    card_drawn.give_up(transition)
    reveal.turn_all(transition)
    shoe = transition.state.shoe
    if shoe is not None and shoe.cut_card_at is not None and transition.state.order:
        transition.set(shoe=replace(shoe, finished=True))
    transition.set(order=(), last=None, verdict=None, rescan=False)
    game.emptied(transition)
    return transition.decision()


def start(game: ShoeGame, _profile: ShoeRules) -> ShoeState:
    """Return a table that has just opened: no shoe."""
    return game.state()


def due(game: ShoeGame, state: Any, context: Context[Any]) -> Due:
    """Return where the next card goes: to a burn between rounds, to a hand once bets are closed."""
    if state.check is not None:
        return None
    if context.round is None and state.burns_due > 0:
        return DueCard(f"burn.{state.burned + 1}", hidden=context.profile.burned_faces != "shown")
    if context.round is None or context.round.phase != "dealing":
        return None
    return game.due(state, context.profile)


def asks(game: ShoeGame, state: Any, context: Context[Any]) -> tuple[Command, ...]:
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
