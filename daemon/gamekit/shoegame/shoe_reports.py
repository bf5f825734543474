"""What else a shoe reports: its errors, its own verdict, that it started anew."""

from __future__ import annotations

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.shoegame.card_drawn import unread
from daemon.gamekit.shoegame.state import burns_for
from daemon.gamekit.shoegame.transition import AnyShoeTransition
from protocols.events import (
    DeviceFaulted,
    DeviceRecovered,
    ResultAnnounced,
    RoundVoidRequired,
)
from protocols.readings import (
    BurnCountStated,
    CardUnread,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeResult,
)
from protocols.replace import replace
from protocols.table_terms import Role

NO_ERROR, CANNOT_READ, OVERDRAW, REVERSED_AT_EXIT = 0, 1, 2, 4


def error_raised(
    transition: AnyShoeTransition, reading: ShoeErrorRaised, device: str, role: Role
) -> None:
    """Report the error once; what it means for the round is a violation of its own.

    Every "cannot read" is a card, whether or not the end of the error before it was heard. An error
    that is reported again raises its violation again as soon as nothing holds: not every shoe
    reports the end of an error.
    """
    known = report(transition, reading, device, role)
    if reading.code == CANNOT_READ:
        unread(transition, CardUnread(reading.meaning))
    elif known and transition.held:
        return
    elif reading.code == OVERDRAW:
        if transition.state.shoe is not None:
            transition.set(shoe=transition.state.shoe.take_unknown(), overdrawn=True)
        transition.violate("card_not_due", "the shoe reports a card too many")
    elif reading.code == REVERSED_AT_EXIT and reading.blocking:
        gap(transition)  # a card that went back is counted out all the same
        transition.violate("card_reversed", f"shoe error {reading.code}: {reading.meaning}")
    elif transition.round is not None and reading.blocking:
        transition.violate("shoe_error", f"shoe error {reading.code}: {reading.meaning}")


def report(
    transition: AnyShoeTransition, reading: ShoeErrorRaised, device: str, role: Role
) -> bool:
    """Report an error once. Return whether it was known already."""
    known = reading.code in transition.state.errors
    if not known:
        transition.set(errors=(*transition.state.errors, reading.code))
        transition.emit(DeviceFaulted(device, role, f"shoe_error_{reading.code}", reading.meaning))
    return known


def error_cleared(
    transition: AnyShoeTransition, reading: ShoeErrorCleared, device: str, role: Role
) -> None:
    """Report the end of an error that was reported; of every one, where the shoe has none left."""
    over = [code for code in transition.state.errors if reading.code in (code, NO_ERROR)]
    transition.set(errors=tuple(code for code in transition.state.errors if code not in over))
    for code in over:
        transition.emit(DeviceRecovered(device, role, f"shoe_error_{code}"))


def result(transition: AnyShoeTransition, reading: ShoeResult) -> None:
    """The shoe's own verdict: a second source. It never makes a result, it can only contradict.

    Of a shoe that judges by another game only this is heard: that a deal was broken off.
    """
    last = transition.state.last
    if transition.round is not None and transition.state.face_down:
        transition.set(verdict=Concealed(reading))  # heard when the cards lie open
        return
    if not transition.game.shoe_judges and not (
        reading.winner == "aborted" and transition.state.order
    ):
        return
    if reading.winner == "aborted" and transition.round is not None and last is None:
        detail = "the game was aborted at the shoe"
        transition.emit(RoundVoidRequired(transition.round.round_id, detail))
        transition.violate("shoe_error", detail)
    elif transition.dealing and last is None:
        detail = (
            f"the shoe states {reading.winner}; by the rules {transition.due_slot()} is still due"
        )
        transition.emit(_announced(reading, agrees=False))
        transition.violate("result_conflict", detail)
    elif last is None:
        transition.violate(
            "late_result", f"the shoe states {reading.winner} and no round waits for it"
        )
    else:
        agrees = reading == last
        transition.set(last=None)
        transition.emit(_announced(reading, agrees=agrees))
        if not agrees:
            detail = f"the cards make {last.winner}; the shoe states {reading.winner}"
            pairs = f"pairs {last.player_pair}/{last.banker_pair}"
            stated_pairs = f"pairs {reading.player_pair}/{reading.banker_pair}"
            transition.violate("result_conflict", f"{detail} ({pairs} against {stated_pairs})")


def judge_kept_verdict(transition: AnyShoeTransition) -> None:
    """Judge the verdict that was kept until the round's cards were turned."""
    verdict = transition.state.verdict
    if verdict is not None and not transition.state.face_down:
        transition.set(verdict=None)
        result(transition, verdict.value)


def _announced(reading: ShoeResult, *, agrees: bool) -> ResultAnnounced:
    return ResultAnnounced("shoe", reading.winner, reading.player_pair, reading.banker_pair, agrees)


def burn_count(transition: AnyShoeTransition, reading: BurnCountStated) -> None:
    """The shoe states how many cards it wants burned; the house's own number is the rule."""
    if transition.context.control == "device":
        transition.set(burns=burns_for("shuffle", reading.count))
    elif reading.count != transition.state.burns_due:
        due = transition.state.burns_due
        detail = (
            f"the shoe asks for {reading.count} burned cards; by the house's rules {due} are due"
        )
        transition.violate("wrong_burn_count", detail, reading=reading)


def started(transition: AnyShoeTransition) -> None:
    """The shoe started anew: after the cut card it is another shoe, else a mere reconnect."""
    shoe = transition.state.shoe
    if shoe is None or shoe.cut_card_at is None:
        return
    if transition.context.control == "device":
        transition.close_shoe()
    elif not shoe.finished:
        transition.set(shoe=replace(shoe, finished=True))
    if transition.round is not None:
        transition.violate("shoe_changed_in_round", "the shoe started anew in mid-round")


def gap(transition: AnyShoeTransition) -> None:
    """Cards may have left the shoe unseen: from here on its count is only the least."""
    if transition.state.shoe is not None and transition.state.shoe.from_start:
        transition.set(shoe=replace(transition.state.shoe, from_start=False))


def is_unread(body: object) -> bool:
    """Return whether this says that a card was not read: a shoe may say so by an error."""
    return isinstance(body, CardUnread) or (
        isinstance(body, ShoeErrorRaised) and body.code == CANNOT_READ
    )
