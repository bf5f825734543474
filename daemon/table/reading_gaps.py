"""Readings that may be missing, and what that does to a round. Pure.

A round that waits for a card, a ball or dice must not go on as if nothing had happened when a
reading may have been lost: `reading_gap` holds it, and the game gets `DeviceGap` so that it counts
on nothing. Between rounds nothing is at stake, and the gap is a named fault of the device; but
where a card opens the round, the one that is missing may have been its first (`at_stake`).

A reading may be missing because

* the device's own numbers, or its way to repeat a frame, show a hole (`frame_tracking.py`);
* bytes lay in the port before its link was opened: it is not known when they were sent;
* another process has the port open and may have taken a part of the bytes;
* the daemon or the link was away during a round. Then the round is *unproven*
  (`TableState.unproven`) until the primary device shows that nothing was missed.

`unproven` is set by a restart, and by the loss of the primary device's link, while anything is at
stake. It ends

* with the first frame that carries a number: the number follows, or it is a gap. A shoe that starts
  its numbers anew shows nothing, and is a gap;
* with the first status of a wheel: the game holds its spin and phase against those it knows;
* at once when the link opens, if the device has no numbers and is no wheel: it cannot prove
  anything, and that is a gap. So are bytes from before the link was opened; between rounds a
  device's numbers say whether a card was among them;
* with the round, completed or voided.
"""

from __future__ import annotations

from daemon.gamekit.spec import DeviceGap, Violation
from daemon.table.damage import may_be_a_card
from daemon.table.inputs import DeviceSaid, LinkUp, PortShared
from daemon.table.state import TableSetup, TableState
from daemon.table.transition import TableTransition
from protocols.events import DeviceFaulted, DeviceRecovered
from protocols.replace import replace


def at_stake(setup: TableSetup, state: TableState, role: str) -> bool:
    """Return whether a reading of this device that is missing now may change a round's result."""
    return state.in_play or (setup.control == "device" and may_be_a_card(setup, state, role))


def gap(transition: TableTransition, said: DeviceSaid, detail: str) -> None:
    """Readings are missing: hold the open round, or name the device's fault between rounds."""
    transition.state = replace(transition.state, unproven=False)
    if at_stake(transition.setup, transition.state, said.role):
        transition.violate(Violation("reading_gap", detail))
    else:
        transition.emit(DeviceFaulted(said.device, said.role, "sequence_gap", detail))
        transition.emit(DeviceRecovered(said.device, said.role, "sequence_gap"))
    transition.play(DeviceGap(detail))


def prove_whole(transition: TableTransition, body: LinkUp) -> None:
    """Raise `reading_gap`, unless nothing is at stake or the device can show what was missed.

    What a shoe sent while its link was down may be the card that the round waits for.
    """
    spec, state = transition.setup.devices[body.role], transition.state
    if body.role != "primary" or spec.kind == "wheel":
        return  # a wheel repeats its state twice a second and proves itself by its spin number
    if not at_stake(transition.setup, state, body.role):
        return
    if body.stale_bytes > 0 and (state.in_play or spec.sequence is None):
        detail = f"up to {body.stale_bytes} bytes were said while nobody listened"
    elif state.unproven and spec.sequence is None:
        detail = "the device cannot show what was missed"
    else:
        return
    tracks = dict(transition.state.tracks)
    tracks.pop(body.role, None)
    transition.state = replace(transition.state, unproven=False, tracks=tracks)
    transition.violate(Violation("reading_gap", detail))
    transition.play(DeviceGap(detail))


def port_shared(transition: TableTransition, body: PortShared) -> None:
    """Raise `reading_gap` where it matters: what another process reads, pitwire does not get."""
    if not body.by:
        transition.emit(DeviceRecovered(body.device, body.role, "second_reader"))
        return
    detail = f"{body.by} has the same port open and takes a part of its bytes"
    transition.emit(DeviceFaulted(body.device, body.role, "second_reader", detail))
    matters = at_stake(transition.setup, transition.state, body.role)
    if matters and body.role != "witness" and not transition.state.maintenance:
        transition.violate(Violation("reading_gap", detail))
        transition.play(DeviceGap(detail))
