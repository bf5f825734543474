"""From statements to an outcome: which throw the dice are of, and whether it counts.

Where a frame has a check value one statement is sure; where it has none, two have to agree
(rules.md section 3). Dice that lie are said again whenever somebody looks, so only a throw that
was seen to begin decides a round, and once.
"""

from __future__ import annotations

from daemon.games.sic_bo.state import Pending, Throw
from daemon.games.sic_bo.transition import Work
from protocols.faces import Faces, spelled
from protocols.readings import DiceRead, DiceUnread


def shaken(work: Work) -> None:
    """Begin another throw."""
    before = work.throw
    work.set(throw=Throw())
    if work.dealing and before.end is None and before.said is not None:
        detail = f"{spelled(before.said)} was stated once, then the dice were shaken again"
        work.violate("dice_unread", detail, before.said)
    elif work.round is not None and work.profile.bets_end == "throw":
        work.close_bets("device")
    elif work.round is None and work.context.control == "device" and not work.held:
        work.open_round(work.context.next_round_id)
        work.close_bets("device")


def read(work: Work, reading: DiceRead) -> None:
    """Take a statement of what the dice show."""
    throw, faces = work.throw, reading.faces
    if throw.end == "lost":
        return
    if faces == throw.faces:
        if throw.said is not None:
            work.set_throw(said=None)
    elif throw.end is None and throw.said is not None and throw.said != faces:
        _conflict(work, throw.said, faces)
    elif not reading.checked and throw.said != faces:
        work.set_throw(said=faces, early=throw.early or not work.dealing)
    elif throw.end is None:
        _sure(work, faces)
    else:
        _other_faces(work, faces)


def _sure(work: Work, faces: Faces) -> None:
    """The result of the throw is known: decide what it is worth."""
    pending, early = work.state.pending, work.throw.early or work.betting
    work.set_throw(said=None, faces=faces, end="landed")
    if work.round is None:
        work.set_throw(end="apart")
        work.violate("late_result", f"the dice show {spelled(faces)}, and no round is open", faces)
    elif pending is not None:
        if pending.faces != faces:
            _conflict(work, pending.faces, faces)
    elif early:
        work.set(pending=Pending(work.round.round_id, faces, "accept"))
        detail = f"the dice showed {spelled(faces)} before the bets were closed"
        work.violate("dice_before_no_more_bets", detail, faces)
    elif work.held:
        work.set(pending=Pending(work.round.round_id, faces, "resume"))
    else:
        work.land(faces)


def _other_faces(work: Work, faces: Faces) -> None:
    """The dice show something else and were not seen to be shaken: turned by hand, or misread."""
    pending, before = work.state.pending, work.throw
    if pending is not None:
        _conflict(work, pending.faces, faces)
    elif work.round is not None and work.dealing:
        work.set_throw(said=None, faces=faces, end="landed")
        work.set(pending=Pending(work.round.round_id, faces, "accept"))
        detail = f"the dice show {spelled(faces)} and were not seen to be shaken for this round"
        work.violate("dice_not_thrown", detail, faces)
    elif before.end == "landed" and before.faces is not None:
        work.set_throw(said=None, end="lost")
        detail = f"the dice landed as {spelled(before.faces)}; now they show {spelled(faces)}"
        work.violate("result_conflict", detail, faces, expected=before.faces)
    else:
        work.set_throw(said=None, faces=faces)


def _conflict(work: Work, first: Faces, second: Faces) -> None:
    """Two results for one round: neither is taken, and nothing more is heard of this throw."""
    work.set_throw(said=None, faces=None, end="lost")
    work.set(pending=None)
    if work.round is not None:
        detail = f"the dice were stated as {spelled(first)}, then as {spelled(second)}"
        work.violate("dice_conflict", detail, second, expected=first)


def unread(work: Work, reading: DiceUnread) -> None:
    """Not every die was recognised. A better look at the same throw may follow."""
    throw = work.throw
    if throw.end is not None or throw.unread:
        return
    shown = spelled(reading.faces)
    work.set_throw(unread=True, early=not work.dealing)
    if work.betting:
        work.set_throw(end="lost")
        detail = f"the dice showed {shown} before the bets were closed"
        work.violate("dice_before_no_more_bets", detail, reading.faces)
    elif work.dealing:
        work.violate("dice_unread", f"the dice show {shown}", reading.faces)


def resume(work: Work) -> None:
    """Let a sure result leave that waited only for the hold."""
    pending = work.state.pending
    if pending is None or pending.waits_for != "resume" or work.held:
        return
    work.set(pending=None)
    if work.round is not None and work.round.round_id == pending.round_id:
        work.land(pending.faces)


def gap(work: Work) -> None:
    """What was missed may have been the result, or another throw.

    A round that waits for its dice is held for it, and a supervisor decides; anywhere else the
    players may have seen how the dice lie, so they are of no throw that counts.
    """
    if work.state.pending is not None:
        return
    if work.dealing and work.throw.end is None:
        work.set_throw(said=None)
    else:
        work.set(throw=Throw(end="apart"))
