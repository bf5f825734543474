"""What the daemon finds out of itself and of the bus, and tells the table.

Who serves the table, what on the bus does not fit our journal, and whether program and
configuration are those that it was started with.

A table that another daemon serves has no devices: it is taken up again as after a restart.
"""

from __future__ import annotations

from typing import TypeAlias

from daemon.gamekit.spec import Violation
from daemon.table import reading_gaps
from daemon.table.inputs import (
    BusLostEvents,
    ForeignEventFound,
    RolledBack,
    ServedByAnother,
    Serving,
    SoftwareChanged,
)
from daemon.table.state import DeviceState
from daemon.table.transition import TableTransition
from protocols.events import LeaseLost, LeaseTaken, StreamRecreated
from protocols.replace import replace

AboutTheBridge: TypeAlias = (
    RolledBack | Serving | ServedByAnother | BusLostEvents | ForeignEventFound | SoftwareChanged
)


def about_the_bridge(transition: TableTransition, body: AboutTheBridge) -> None:
    """Take what was found out."""
    match body:
        case RolledBack(detail=detail):
            transition.violate(Violation("journal_rolled_back", detail))
        case Serving(number=number, owner=owner):
            transition.state = replace(transition.state, served_by=None)
            transition.emit(LeaseTaken(number, owner))
        case ServedByAnother(owner=owner):
            _served_by_another(transition, owner)
        case BusLostEvents():
            transition.emit(
                StreamRecreated(body.from_epoch, body.from_seq, body.to_epoch, body.to_seq)
            )
        case ForeignEventFound(detail=detail):
            transition.violate_once(Violation("foreign_event", detail))
        case SoftwareChanged(detail=detail):
            transition.violate_once(Violation("software_changed", detail))


def _served_by_another(transition: TableTransition, owner: str) -> None:
    """Let the devices go: what they say from now on is read by somebody else, or by nobody."""
    absent: DeviceState = "absent"
    transition.state = replace(
        transition.state,
        served_by=owner,
        devices=dict.fromkeys(transition.setup.devices, absent),
        unproven=reading_gaps.at_stake(transition.setup, transition.state, "primary"),
    )
    transition.emit(LeaseLost(owner))
