"""What may be missing of what a device said, and what that does to a round. Pure."""

from __future__ import annotations

from dataclasses import replace

from daemon.gamekit.spec import DeviceGap, Violation
from daemon.table.inputs import DeviceSaid, LinkUp, PortShared
from daemon.table.transition import Turn
from protocols.events import DeviceFaulted, DeviceRecovered


def gap(turn: Turn, said: DeviceSaid, detail: str) -> None:
    """What the device said in between is lost: a hold in a round, a named fault between rounds."""
    turn.state = replace(turn.state, unproven=False)
    if turn.state.round is not None:
        turn.violate(Violation("reading_gap", detail))
    else:
        turn.emit(DeviceFaulted(said.device, said.role, "sequence_gap", detail))
        turn.emit(DeviceRecovered(said.device, said.role, "sequence_gap"))
    turn.play(DeviceGap(detail))


def prove_whole(turn: Turn, body: LinkUp) -> None:
    """What was said while nobody listened may be what the open round waits for."""
    spec = turn.setup.devices[body.role]
    if turn.state.round is None or body.role != "primary" or spec.kind == "wheel":
        return  # a wheel repeats its state twice a second and proves itself by its spin number
    if body.stale_bytes > 0:
        detail = f"up to {body.stale_bytes} bytes were said while nobody listened"
    elif turn.state.unproven and spec.sequence is None:
        detail = "the device cannot show what was missed"
    else:
        return
    tracks = {role: one for role, one in turn.state.tracks.items() if role != body.role}
    turn.state = replace(turn.state, unproven=False, tracks=tracks)
    turn.violate(Violation("reading_gap", detail))
    turn.play(DeviceGap(detail))


def port_shared(turn: Turn, body: PortShared) -> None:
    """What another process took of a round's bytes is lost to us."""
    if not body.by:
        turn.emit(DeviceRecovered(body.device, body.role, "second_reader"))
        return
    detail = f"{body.by} has the same port open and takes a part of its bytes"
    turn.emit(DeviceFaulted(body.device, body.role, "second_reader", detail))
    if turn.state.round is not None and body.role != "witness" and not turn.state.maintenance:
        turn.violate(Violation("reading_gap", detail))
        turn.play(DeviceGap(detail))
