"""Hold, defer, resume: what an open violation does to a table, and how a person ends it. Pure.

A table is *held* while `TableState.open` has a violation. Whoever finds one raises it: the game in
its decision, the table itself (`device_lost`, `reading_gap`), the daemon about its own journal.
Only a command takes one out again: a supervisor's `violation.resolve`, or `round.void`, which the
table server sends for whoever decides there. What happens is published as further events, linked by
the violation's id; nothing that was published is edited.

While the table is held

* the game fills no slot and lets no outcome leave (`Context.held`);
* readings reach the game in their order. It applies what cannot change the round, and *defers* the
  rest: the table keeps it in `read_while_held`, with the mark whether it may be of a hidden card;
* commands that would go on with the round or open another are refused (`held`); the bets may be
  closed, the round voided, violations resolved.

A decision other than void is tried on the game at once. What the game refuses is refused, and the
violation stays open. Else the violation leaves `open` and the decision waits in `decided`: it takes
effect when the last hold is gone, because until then no slot may be filled.

When the last open violation is resolved the table *resumes*, in this order:

1. `round.resumed` is published;
2. the decisions take effect, in the order in which they were made;
3. a result that a witness contradicted leaves, where a person has accepted it;
4. the game gets `Resumed`: a result that waited for nothing but the hold leaves now;
5. the deferred readings are judged, in the order in which they came.

Each of them may raise a violation; then the table is held again and the rest waits as before, in
its order. While a result waits for its witness (`witness.py`) the table is as if held, and goes on
with step 4 when it has left. Invariant: while neither holds, `decided` and `read_while_held` are
empty.

A void, as a decision or as `round.void`, resolves every open violation, drops the decisions,
empties the hands and ends the round. The deferred readings are judged after it: a card among them
has left the shoe and is counted out of it, but fills no slot; the cut card is out whatever became
of the round.
"""

from __future__ import annotations

from daemon.gamekit.spec import Violation
from daemon.table import witness
from daemon.table.state import Decided, OpenViolation
from daemon.table.transition import TableTransition
from protocols.commands import ResolveViolation
from protocols.events import RoundResumed, RoundVoided, ViolationResolved
from protocols.readings import CardDrawn, CardOutOfGame
from protocols.refusals import Refusal
from protocols.replace import replace


def resolve(transition: TableTransition, command: ResolveViolation) -> Refusal | None:
    """Carry out `violation.resolve`; the last hold that is resolved resumes the round."""
    state = transition.state
    held_by = next((hold for hold in state.open if hold.violation_id == command.violation_id), None)
    if held_by is None:
        return Refusal.UNKNOWN_VIOLATION
    if command.action not in transition.resolutions(held_by.violation.code):
        return Refusal.ACTION_NOT_ALLOWED
    if command.action == "void":
        void(transition, command.why, command, held_by.violation)
        return None
    trial = transition.setup.game.resolve(
        state.game, held_by.violation, command, transition.context()
    )
    if trial.refusal is not None:
        return trial.refusal
    if command.action == "correct" and _is_one_persons_word(held_by.violation, command):
        return Refusal.TWO_NAMES
    left = tuple(hold for hold in state.open if hold is not held_by)
    decided = (*state.decided, Decided(held_by.violation, command))
    transition.state = replace(state, open=left, decided=decided)
    transition.emit(_resolved(held_by, command))
    if not transition.state.held:
        _resume(transition)
    return None


def _is_one_persons_word(violation: Violation, command: ResolveViolation) -> bool:
    """Return whether a value that no device stated has one name behind it, and not two."""
    if violation.has_stated(command.value):
        return False
    who, second = (name.strip().casefold() for name in (command.who, command.second_who or ""))
    return not who or not second or who == second


def void(
    transition: TableTransition,
    reason: str,
    command: ResolveViolation | None = None,
    violation: Violation | None = None,
) -> None:
    """Void the open round, if any, and with it every violation that holds the table.

    command, violation  what a supervisor decided, and about what: unless the system failed, the
                        round was misdealt
    """
    in_round = transition.state.round is not None
    misdealt = _is_misdeal(transition, violation)
    for hold in transition.state.open:
        by = command or ResolveViolation(hold.violation_id, "void", "round.void", reason)
        transition.emit(_resolved(hold, by))
    deferred = transition.state.read_while_held
    transition.state = replace(transition.state, open=(), decided=(), read_while_held=())
    empty = transition.setup.game.void(transition.state.game, transition.context())
    transition.fold(empty.state, empty.effects)
    if transition.state.round is not None:
        transition.emit(RoundVoided(transition.state.round.round_id, reason))
    transition.state = replace(transition.state, unproven=False)
    for kept in deferred:
        reading = kept.reading.value
        burned = isinstance(reading, CardDrawn) and reading.target in ("burn", "burn_indicator")
        if isinstance(reading, CardDrawn) and (in_round or not burned):
            reading = CardOutOfGame(reading.card, "error")
        transition.read(reading, kept.role, kept.device, hidden=kept.hidden)
    if misdealt:
        burns = transition.setup.game.misdealt(transition.state.game, transition.context())
        transition.fold(burns.state, burns.effects)


def _is_misdeal(transition: TableTransition, violation: Violation | None) -> bool:
    if violation is None or transition.state.round is None:
        return False
    return transition.setup.game.rule_of(violation.code).cause != "malfunction"


def _resume(transition: TableTransition) -> None:
    """Let the decisions take effect, then the deferred readings; a new hold stops that again."""
    transition.emit(
        RoundResumed(transition.state.round.round_id if transition.state.round else None)
    )
    while transition.state.decided and not transition.state.held:
        first, *rest = transition.state.decided
        transition.state = replace(transition.state, decided=tuple(rest))
        decision = transition.setup.game.resolve(
            transition.state.game, first.violation, first.command, transition.context()
        )
        if decision.refusal is None:
            transition.fold(decision.state, decision.effects)
    transition.state, released = witness.release(transition.state)
    transition.happen(released)
    transition.go_on()


def _resolved(hold: OpenViolation, command: ResolveViolation) -> ViolationResolved:
    return ViolationResolved(
        violation_id=hold.violation_id,
        code=hold.violation.code,
        action=command.action,
        who=command.who,
        why=command.why,
        card=command.card,
    )
