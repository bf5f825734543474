"""From statements to an outcome: which throw the dice are of, and whether it counts.

Where a frame has a check value one statement is sure; where it has none, two have to agree
(docs/rules/sic-bo.md). Dice are reported again whenever somebody looks, so only a throw that
was seen to begin decides a round, and once.
"""

from __future__ import annotations

from daemon.games.sic_bo.state import Pending, Throw
from daemon.games.sic_bo.transition import SicBoTransition
from protocols.faces import Faces, spelled
from protocols.readings import DiceRead, DiceUnread


def shaken(transition: SicBoTransition) -> None:
    """Begin another throw."""
    before = transition.throw
    transition.set(throw=Throw())
    if transition.dealing and before.end is None and before.said is not None:
        detail = f"{spelled(before.said)} was stated once, then the dice were shaken again"
        transition.violate("dice_unread", detail, before.said)
    elif transition.round is not None and transition.profile.bets_end == "throw":
        transition.close_bets("device")
    elif (
        transition.round is None and transition.context.control == "device" and not transition.held
    ):
        transition.open_round(transition.context.next_round_id)
        transition.close_bets("device")


def read(transition: SicBoTransition, reading: DiceRead) -> None:
    """Take a statement of what the dice show."""
    throw, faces = transition.throw, reading.faces
    if throw.end == "lost":
        return
    if faces == throw.faces:
        if throw.said is not None:
            transition.set_throw(said=None)
    elif throw.end is None and throw.said is not None and throw.said != faces:
        _conflict(transition, throw.said, faces)
    elif not reading.checked and throw.said != faces:
        transition.set_throw(said=faces, early=throw.early or not transition.dealing)
    elif throw.end is None:
        _sure(transition, faces)
    else:
        _other_faces(transition, faces)


def _sure(transition: SicBoTransition, faces: Faces) -> None:
    """The result of the throw is known: decide what it is worth."""
    pending, early = transition.state.pending, transition.throw.early or transition.betting
    transition.set_throw(said=None, faces=faces, end="landed")
    if transition.round is None:
        transition.set_throw(end="apart")
        transition.violate(
            "late_result", f"the dice show {spelled(faces)}, and no round is open", faces
        )
    elif pending is not None:
        if pending.faces != faces:
            _conflict(transition, pending.faces, faces)
    elif early:
        transition.set(pending=Pending(transition.round.round_id, faces, "accept"))
        detail = f"the dice showed {spelled(faces)} before the bets were closed"
        transition.violate("dice_before_no_more_bets", detail, faces)
    elif transition.held:
        transition.set(pending=Pending(transition.round.round_id, faces, "resume"))
    else:
        transition.land(faces)


def _other_faces(transition: SicBoTransition, faces: Faces) -> None:
    """The dice show something else and were not seen to be shaken: turned by hand, or misread."""
    pending, before = transition.state.pending, transition.throw
    if pending is not None:
        _conflict(transition, pending.faces, faces)
    elif transition.round is not None and transition.dealing:
        transition.set_throw(said=None, faces=faces, end="landed")
        transition.set(pending=Pending(transition.round.round_id, faces, "accept"))
        detail = f"the dice show {spelled(faces)} and were not seen to be shaken for this round"
        transition.violate("dice_not_thrown", detail, faces)
    elif before.end == "landed" and before.faces is not None:
        transition.set_throw(said=None, end="lost")
        detail = f"the dice landed as {spelled(before.faces)}; now they show {spelled(faces)}"
        transition.violate("result_conflict", detail, faces, expected=before.faces)
    else:
        transition.set_throw(said=None, faces=faces)


def _conflict(transition: SicBoTransition, first: Faces, second: Faces) -> None:
    """Two results for one round: neither is taken, and nothing more of this throw."""
    transition.set_throw(said=None, faces=None, end="lost")
    transition.set(pending=None)
    if transition.round is not None:
        detail = f"the dice were stated as {spelled(first)}, then as {spelled(second)}"
        transition.violate("dice_conflict", detail, second, expected=first)


def unread(transition: SicBoTransition, reading: DiceUnread) -> None:
    """Not every die was recognised. A better look at the same throw may follow."""
    throw = transition.throw
    if throw.end is not None or throw.unread:
        return
    shown = spelled(reading.faces)
    transition.set_throw(unread=True, early=not transition.dealing)
    if transition.betting:
        transition.set_throw(end="lost")
        detail = f"the dice showed {shown} before the bets were closed"
        transition.violate("dice_before_no_more_bets", detail, reading.faces)
    elif transition.dealing:
        transition.violate("dice_unread", f"the dice show {shown}", reading.faces)


def resume(transition: SicBoTransition) -> None:
    """Let a sure result leave that waited only for the hold."""
    pending = transition.state.pending
    if pending is None or pending.waits_for != "resume" or transition.held:
        return
    transition.set(pending=None)
    if transition.round is not None and transition.round.round_id == pending.round_id:
        transition.land(pending.faces)


def gap(transition: SicBoTransition) -> None:
    """What was missed may have been the result, or another throw.

    A round that waits for its dice is held for it, and a supervisor decides; anywhere else the
    players may have seen how the dice lie, so they are of no throw that counts.
    """
    if transition.state.pending is not None:
        return
    if transition.dealing and transition.throw.end is None:
        transition.set_throw(said=None)
    else:
        transition.set(throw=Throw(end="apart"))
