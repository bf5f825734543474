"""Sic Bo: a throw of three dice decides. Source: rules.md section 4; in no house's book.

The shaker may be covered: dice may be shaken before a round opens or while it takes bets, as long
as nobody sees how they lie. What counts is when they are seen to lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from daemon.gamekit.spec import Context, Decision, DeviceGap, DueDice, GameInput, GameSpec, Resumed
from daemon.games.sic_bo import throws
from daemon.games.sic_bo.profile import SicBoProfile
from daemon.games.sic_bo.resolve import resolve, void
from daemon.games.sic_bo.state import SicBoState
from daemon.games.sic_bo.transition import SicBoTransition
from protocols.commands import CardCommand, CloseBets, OpenRound, Refusal
from protocols.events import SicBoOutcome
from protocols.instant import Instant
from protocols.readings import DiceRead, DiceShaken, DiceUnread


def _start(_profile: SicBoProfile) -> SicBoState:
    return SicBoState()


def _apply(
    state: SicBoState, given: GameInput, context: Context[SicBoProfile]
) -> Decision[SicBoState]:
    transition = SicBoTransition(state, context)
    refusal: Refusal | None = None
    match given.body:
        case DiceShaken():
            throws.shaken(transition)
        case DiceRead() as reading:
            throws.read(transition, reading)
        case DiceUnread() as reading:
            throws.unread(transition, reading)
        case DeviceGap():
            throws.gap(transition)
        case Resumed():
            throws.resume(transition)
        case OpenRound() as command:
            refusal = _open(transition, command)
        case CloseBets() as command:
            refusal = _close(transition, command)
        case command if isinstance(command, CardCommand):
            refusal = Refusal.NOT_THIS_GAME
        case _:
            pass  # cards, wheels, replies, time: nothing of a throw
    return transition.decision(refusal)


def _open(transition: SicBoTransition, command: OpenRound) -> Refusal | None:
    if transition.context.control == "device":
        return Refusal.ROUNDS_BY_DEVICE
    if transition.held:
        return Refusal.HELD
    if transition.round is not None:
        return Refusal.ROUND_OPEN
    transition.open_round(command.round_id)
    return None


def _close(transition: SicBoTransition, command: CloseBets) -> Refusal | None:
    if transition.round is None or transition.round.round_id != command.round_id:
        return Refusal.WRONG_ROUND
    if not transition.betting:
        return Refusal.WRONG_PHASE
    transition.close_bets("command")
    return None


def _due(state: SicBoState, context: Context[SicBoProfile]) -> DueDice | None:
    """Return a throw while the open round waits for one and none is under way."""
    if context.held or context.round is None or context.round.phase != "dealing":
        return None
    return DueDice() if state.throw.end is not None else None


def _sentences(profile: SicBoProfile) -> Iterator[str]:
    """Yield what these rules enforce, a sentence each."""
    if profile.bets_end == "announced":
        yield "No dice may be seen before bets.close."
    yield "Three dice, each one to six; a die that was not recognised holds the round."
    yield "A throw counts once, and only when it was seen to be shaken."
    yield "One statement is sure where the line has a checksum, else two have to agree."


def _wake_at(_state: SicBoState) -> Instant | None:
    return None


GAME: Final = GameSpec(
    key="sic_bo",
    title="Sic Bo",
    device_kind="dice",
    default_profile="sic-bo",
    profile=SicBoProfile,
    state=SicBoState,
    outcome=SicBoOutcome,
    start=_start,
    apply=_apply,
    resolve=resolve,
    void=void,
    due=_due,
    wake_at=_wake_at,
    sentences=_sentences,
)
