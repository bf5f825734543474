"""Sic Bo: a throw of three dice decides. Source: docs/rules/sic-bo.md; in no house's book.

The shaker may be covered: dice may be shaken before a round opens or while it takes bets, as long
as they are not seen. What counts is when they are seen to lie.

A throw (`Throw`) begins when the dice are shaken and can decide a round once, until it ends:

    landed  its result is sure, and has decided a round or waits to (`Pending`)
    apart   it belongs to no round: seen to lie between rounds, voided, or perhaps missed
    lost    its result is disputed (two that differ), or a person entered another

Dice are reported again whenever somebody looks. So only a throw that was seen to begin decides a
round; dice that show something else without having been shaken are `dice_not_thrown`, and wait for
a person. A result that is sure while the table is held waits for the hold alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from daemon.gamekit.rehearsal import Rehearsal
from daemon.gamekit.sentence import Sentence
from daemon.gamekit.spec import (
    Context,
    Decision,
    DeviceGap,
    DueDice,
    Game,
    GameInput,
    GameInputBody,
    Resumed,
    Violation,
)
from daemon.games.sic_bo import throws
from daemon.games.sic_bo.outcome import SicBoOutcome
from daemon.games.sic_bo.profile import SicBoProfile
from daemon.games.sic_bo.resolve import resolve, void
from daemon.games.sic_bo.state import SicBoState
from daemon.games.sic_bo.transition import SicBoTransition
from daemon.games.sic_bo.violations import VIOLATIONS
from protocols.commands import AnnounceResult, CardCommand, CloseBets, OpenRound, ResolveViolation
from protocols.instant import Instant
from protocols.readings import DiceRead, DiceShaken, DiceUnread
from protocols.refusals import Refusal


class SicBo(Game[SicBoState, SicBoProfile]):
    """Three dice decide."""

    def apply(
        self, state: SicBoState, game_input: GameInput, context: Context[SicBoProfile]
    ) -> Decision[SicBoState]:
        """Judge an input."""
        transition = SicBoTransition(self, state, context, game_input)
        return transition.decision(_play(transition, game_input.body))

    def resolve(
        self,
        state: SicBoState,
        violation: Violation,
        command: ResolveViolation,
        context: Context[SicBoProfile],
    ) -> Decision[SicBoState]:
        """Carry out accept or correct; `burn` means nothing here."""
        transition = SicBoTransition(self, state, context)
        transition.resolving = command.violation_id
        return transition.decision(resolve(transition, violation, command))

    def void(self, state: SicBoState, context: Context[SicBoProfile]) -> Decision[SicBoState]:
        """Return a state without the round: its throw, ended or running, decides no other."""
        return Decision(state if context.round is None else void(state))

    def due(self, state: SicBoState, context: Context[SicBoProfile]) -> DueDice | None:
        """Return a throw while the open round waits for one and none is under way."""
        if context.held or context.round is None or context.round.phase != "dealing":
            return None
        return DueDice() if state.throw.end is not None else None

    def wake_at(self, state: SicBoState) -> Instant | None:
        """Return None: no rule of dice depends on time."""
        return None

    def sentences(self, profile: SicBoProfile) -> Iterator[Sentence]:
        """Yield what these rules enforce, a sentence each."""
        if profile.bets_end == "announced":
            yield Sentence("bets_end", "No dice may be seen before bets.close.")
        yield Sentence(
            "dice", "Three dice, each one to six; a die that was not recognised holds the round."
        )
        yield Sentence("throw", "A throw counts once, and only when it was seen to be shaken.")
        yield Sentence(
            "two_statements",
            "One statement is sure where the line has a checksum, else two have to agree.",
        )
        yield from profile.sentences()


def _play(transition: SicBoTransition, body: GameInputBody) -> Refusal | None:
    match body:
        case DiceShaken():
            throws.shaken(transition)
        case DiceRead():
            throws.read(transition, body)
        case DiceUnread():
            throws.unread(transition, body)
        case DeviceGap():
            throws.gap(transition)
        case Resumed():
            throws.resume(transition)
        case OpenRound():
            return _open(transition, body)
        case CloseBets():
            return _close(transition, body)
        case command if isinstance(command, CardCommand | AnnounceResult):
            return Refusal.NOT_THIS_GAME
        case _:
            pass  # cards, wheels, replies, time: nothing of a throw
    return None


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


GAME: Final = SicBo(
    key="sic_bo",
    title="Sic Bo",
    source="general knowledge",
    device_kind="dice",
    default_profile="sic-bo",
    profile_type=SicBoProfile,
    state_type=SicBoState,
    outcome_type=SicBoOutcome,
    violations=VIOLATIONS,
    rehearsal=Rehearsal(table="SIC-1", device="pitwire_shaker"),
)
