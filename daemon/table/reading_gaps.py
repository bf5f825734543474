"""What may be missing of what a device said, and what that does to a round. Pure."""

from __future__ import annotations

from dataclasses import replace

from daemon.gamekit.spec import DeviceGap, Violation
from daemon.table.inputs import DeviceSaid, LinkUp, PortShared
from daemon.table.transition import TableTransition
from protocols.events import DeviceFaulted, DeviceRecovered


def gap(transition: TableTransition, said: DeviceSaid, detail: str) -> None:
    """What the device said in between is lost: a hold in a round, a named fault between rounds."""
    transition.state = replace(transition.state, unproven=False)
    if transition.state.in_play:
        transition.violate(Violation("reading_gap", detail))
    else:
        transition.emit(DeviceFaulted(said.device, said.role, "sequence_gap", detail))
        transition.emit(DeviceRecovered(said.device, said.role, "sequence_gap"))
    transition.play(DeviceGap(detail))


def prove_whole(transition: TableTransition, body: LinkUp) -> None:
    """Hold an open round whose device cannot show that it said nothing while its link was down."""
    spec = transition.setup.devices[body.role]
    if not transition.state.in_play or body.role != "primary" or spec.kind == "wheel":
        return  # a wheel repeats its state twice a second and proves itself by its spin number
    if body.stale_bytes > 0:
        detail = f"up to {body.stale_bytes} bytes were said while nobody listened"
    elif transition.state.unproven and spec.sequence is None:
        detail = "the device cannot show what was missed"
    else:
        return
    tracks = dict(transition.state.tracks)
    tracks.pop(body.role, None)
    transition.state = replace(transition.state, unproven=False, tracks=tracks)
    transition.violate(Violation("reading_gap", detail))
    transition.play(DeviceGap(detail))


def port_shared(transition: TableTransition, body: PortShared) -> None:
    """What another process took of a round's bytes is lost to us."""
    if not body.by:
        transition.emit(DeviceRecovered(body.device, body.role, "second_reader"))
        return
    detail = f"{body.by} has the same port open and takes a part of its bytes"
    transition.emit(DeviceFaulted(body.device, body.role, "second_reader", detail))
    if transition.state.in_play and body.role != "witness" and not transition.state.maintenance:
        transition.violate(Violation("reading_gap", detail))
        transition.play(DeviceGap(detail))
