"""Which device stands at a table: what it is known by, and what was enrolled. Pure.

A device is known by its wire, where that says anything (maker, model and serial number of its USB
side), and by what it says of itself. Where a table requires enrolment, one that is not enrolled, or
is another than the enrolled one, is a stranger: nothing that it says is applied. What an enrolled
device says of itself for the first time is added to what it is known by.
"""

from __future__ import annotations

from typing import Final

from daemon.gamekit.spec import Violation
from daemon.table.inputs import DeviceSaid, LinkUp
from daemon.table.state import Enrolled, TableSetup, TableState
from daemon.table.transition import TableTransition
from protocols.commands import EnrolDevice
from protocols.events import (
    DeviceConnected,
    DeviceEnrolled,
    DeviceFaulted,
    DeviceIdentified,
    DeviceRecovered,
)
from protocols.readings import DeviceIdentity
from protocols.refusals import Refusal
from protocols.replace import replace
from protocols.table_terms import Role

NOT_ENROLLED: Final = "not_enrolled"
"""The condition in `device.faulted`."""
_UNTOLD: Final = "a device whose wire does not say what it is"


def stranger(setup: TableSetup, state: TableState, role: Role) -> str | None:
    """Return why nothing that this device says is applied; None where it is."""
    if not setup.enrolment:
        return None
    enrolled, wire = state.enrolled.get(role), state.wires.get(role)
    identity = state.identities.get(role)
    if enrolled is None:
        return f"it is not enrolled: {_known_by(wire, identity) or _UNTOLD}"
    if wire != enrolled.wire:
        return f"it is {wire or _UNTOLD}, and enrolled is {enrolled.wire or _UNTOLD}"
    if identity != enrolled.said and None not in (identity, enrolled.said):
        return f"it says that it is {identity}, and enrolled is {enrolled.said}"
    return None


def plugged(transition: TableTransition, up: LinkUp) -> None:
    """Take note of the device on a wire; another one has not said yet what it is."""
    role, device, wire = up.role, up.device, up.wire
    transition.emit(DeviceConnected(device, role, up.where, up.stale_bytes, wire))
    if wire != transition.state.wires.get(role):
        wires = _without(transition.state.wires, role)
        if wire is not None:
            wires[role] = wire
        said = _without(transition.state.identities, role)
        transition.state = replace(transition.state, wires=wires, identities=said)
    _tell(transition, role, device, None)


def refuses(transition: TableTransition, said: DeviceSaid) -> bool:
    """Take note of what a device says of itself; return whether nothing that it says is applied."""
    if isinstance(said.reading, DeviceIdentity):
        _identified(transition, said.role, said.reading.text)
    return stranger(transition.setup, transition.state, said.role) is not None


def _identified(transition: TableTransition, role: Role, text: str) -> None:
    device, state = transition.setup.devices[role].key, transition.state
    if state.identities.get(role) == text:
        return
    before = stranger(transition.setup, state, role)
    enrolled = state.enrolled.get(role)
    if before is None and enrolled is not None and enrolled.said is None:
        state = replace(state, enrolled={**state.enrolled, role: replace(enrolled, said=text)})
    transition.state = replace(state, identities={**state.identities, role: text})
    transition.emit(DeviceIdentified(device, role, text))
    _tell(transition, role, device, before)


def enrol(transition: TableTransition, command: EnrolDevice) -> Refusal | None:
    """From now on the device that is there now is the table's own."""
    role, state = command.role, transition.state
    if state.devices.get(role, "absent") == "absent":
        return Refusal.DEVICE_DOWN
    wire, identity = state.wires.get(role), state.identities.get(role)
    known_by = _known_by(wire, identity)
    if known_by is None:
        return Refusal.UNIDENTIFIED
    device, before = transition.setup.devices[role].key, stranger(transition.setup, state, role)
    transition.state = replace(state, enrolled={**state.enrolled, role: Enrolled(wire, identity)})
    transition.emit(DeviceEnrolled(device, role, known_by, command.who, command.why))
    _tell(transition, role, device, before)
    return None


def _tell(transition: TableTransition, role: Role, device: str, before: str | None) -> None:
    """Say that a stranger came, or is one no more. In a round the table's own device is lost."""
    now = stranger(transition.setup, transition.state, role)
    if now is None and before is not None:
        transition.emit(DeviceRecovered(device, role, NOT_ENROLLED))
    elif now is not None and now != before:
        transition.emit(DeviceFaulted(device, role, NOT_ENROLLED, now))
        if transition.state.in_play and role != "witness" and before is None:
            transition.violate(Violation("device_lost", f"{device}: {now}"))


def _known_by(wire: str | None, identity: str | None) -> str | None:
    parts = [*([wire] if wire else []), *([f"says {identity}"] if identity else [])]
    return ", ".join(parts) or None


def _without(values: dict[str, str], role: Role) -> dict[str, str]:
    return {key: value for key, value in values.items() if key != role}
