"""What can happen at a table: everything that enters its one inbox. Each is a journal record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from daemon.gamekit.commitments import Concealed
from protocols.commands import Command
from protocols.events import PlayState
from protocols.instant import Instant
from protocols.readings import Reading
from protocols.table_terms import Role


@dataclass(frozen=True, slots=True)
class DeviceSaid:
    """A device's frame, decoded. `raw` is hex; audit decodes it again by itself.

    repeats       where the frame says that it is sent again: the frame it repeats, in hex
    heard_before  when the device was understood last before, over the same link
    """

    role: Role
    device: str
    reading: Reading
    sequence: str | None
    raw: str
    repeats: str | None = None
    heard_before: Instant | None = None
    kind: Literal["device_said"] = "device_said"


@dataclass(frozen=True, slots=True)
class HiddenSaid:
    """What a device said where the next card may be a hidden one: only the table looks at it."""

    said: Concealed[DeviceSaid]
    kind: Literal["hidden_said"] = "hidden_said"


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The device's link is open. `wire`: what it says itself of the device on it."""

    role: Role
    device: str
    where: str
    stale_bytes: int = 0
    wire: str | None = None
    kind: Literal["link_up"] = "link_up"


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The device's link went away, or cannot be opened."""

    role: Role
    device: str
    reason: str
    kind: Literal["link_down"] = "link_down"


@dataclass(frozen=True, slots=True)
class DeviceSilent:
    """The link is open and the device says nothing."""

    role: Role
    device: str
    silent_s: float
    kind: Literal["device_silent"] = "device_silent"


@dataclass(frozen=True, slots=True)
class DeviceGarbled:
    """Most of what the device says is rejected: wrong baud, wrong device, second reader."""

    role: Role
    device: str
    detail: str
    kind: Literal["device_garbled"] = "device_garbled"


@dataclass(frozen=True, slots=True)
class FrameDamaged:
    """Bytes came that say nothing, or were lost on the wire: a card, or a result, for all we know.

    lost  what the link lost, in its words; empty where bytes came
    """

    role: Role
    device: str
    lost: str = ""
    kind: Literal["frame_damaged"] = "frame_damaged"


@dataclass(frozen=True, slots=True)
class PortShared:
    """Other processes have the device's port open, and may take its bytes; none: no more."""

    role: Role
    device: str
    by: str
    kind: Literal["port_shared"] = "port_shared"


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command that was let in.

    user  who sent it, as the bus or the kernel knows them; None where nobody tells
    day  the table's own day on which it came; None: nobody told the day, as in a record of before
    """

    command: Command
    command_id: str
    user: str | None = None
    day: str | None = None
    kind: Literal["commanded"] = "commanded"


@dataclass(frozen=True, slots=True)
class TimePassed:
    """The instant that `wake_at` asked for was reached."""

    kind: Literal["time_passed"] = "time_passed"


@dataclass(frozen=True, slots=True)
class Opened:
    """A new epoch of the table begins.

    round_ids  what stands before the count in the ids of the rounds that the table opens by itself:
               no other start of the table, on this journal or on another, has the same
    play       what was told of the table's play before, and goes on
    """

    previous: str | None
    reason: str
    round_ids: str | None = None
    play: PlayState | None = None
    kind: Literal["opened"] = "opened"


@dataclass(frozen=True, slots=True)
class RolledBack:
    """The bus, or a file set aside, knows more of this table than the journal does."""

    detail: str
    kind: Literal["rolled_back"] = "rolled_back"


@dataclass(frozen=True, slots=True)
class Serving:
    """The table's lease is ours, from `number` on; `owner` is how we are named in it."""

    number: int
    owner: str
    kind: Literal["serving"] = "serving"


@dataclass(frozen=True, slots=True)
class ServedByAnother:
    """Another daemon has the table's lease: nothing is read here any more."""

    owner: str
    kind: Literal["served_by_another"] = "served_by_another"


@dataclass(frozen=True, slots=True)
class BusLostEvents:
    """The bus does not have what it had acknowledged, from one event to another (epoch and seq)."""

    from_epoch: str
    from_seq: int
    to_epoch: str
    to_seq: int
    kind: Literal["bus_lost_events"] = "bus_lost_events"


@dataclass(frozen=True, slots=True)
class ForeignEventFound:
    """The bus has an event in the table's name that is not ours."""

    detail: str
    kind: Literal["foreign_event_found"] = "foreign_event_found"


@dataclass(frozen=True, slots=True)
class SoftwareChanged:
    """Program or configuration on the disk are not what the daemon was started with."""

    detail: str
    kind: Literal["software_changed"] = "software_changed"


@dataclass(frozen=True, slots=True)
class Restarted:
    """The daemon came back and the journal was replayed.

    round_ids  as of `Opened`, where the table has none or does not know how many rounds it had;
               None: it goes on with what it has
    play       what is told anew of its play, where that is another than was told before
    """

    reason: str
    records_replayed: int
    differs: str | None = None
    holds: bool = False
    round_ids: str | None = None
    play: PlayState | None = None
    kind: Literal["restarted"] = "restarted"


@dataclass(frozen=True, slots=True)
class Stopping:
    """The daemon stops in good order."""

    reason: str
    kind: Literal["stopping"] = "stopping"


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The wall clock was stepped."""

    by_s: float
    kind: Literal["clock_set"] = "clock_set"


InputBody: TypeAlias = (
    DeviceSaid
    | HiddenSaid
    | LinkUp
    | LinkDown
    | DeviceSilent
    | DeviceGarbled
    | FrameDamaged
    | PortShared
    | Commanded
    | TimePassed
    | Opened
    | RolledBack
    | Serving
    | ServedByAnother
    | BusLostEvents
    | ForeignEventFound
    | SoftwareChanged
    | Restarted
    | Stopping
    | ClockSet
)


@dataclass(frozen=True, slots=True)
class Input:
    """One thing that happened, and when."""

    at: Instant
    body: InputBody
