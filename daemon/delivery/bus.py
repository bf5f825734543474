"""What a bus module provides, and the ways in which a bus can fail.

A bus has four parts, so that one that cannot do all of it says so by leaving a part out:

OpenBus     takes events and status, brings commands: every bus
EventLog    what it has taken can be read back (`OpenBus.log`)
LeaseStore  keeps a lease for each table, and takes events only under it (`OpenBus.leases`)
EventBulk   takes a table's events before it has acknowledged the ones before (`OpenBus.bulk`)

What is missing is told by `pitwire check`: `BusSpec.lacks`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, TypeAlias

from protocols.table_terms import Mode

MOST_IN_FLIGHT: Final = 16
"""Of one table's events. After a crash so many may be out of order on the bus."""


class BusUnavailable(Exception):  # noqa: N818 - a condition, not a defect
    """The bus cannot take messages now; `action` is what an operator can do. Retried for ever."""

    def __init__(self, what: str, action: str) -> None:
        super().__init__(what)
        self.what = what
        self.action = action


class BusRefused(Exception):  # noqa: N818 - a condition
    """The bus refuses this message for good (too large, not allowed): it becomes a tombstone."""


class LeaseChanged(Exception):  # noqa: N818 - a condition
    """The table's lease has another number than the one named: somebody wrote it since."""


class IdTaken(Exception):  # noqa: N818 - a condition
    """The bus has another message under this id, and dropped the event that was sent with it."""


@dataclass(frozen=True, slots=True)
class Address:
    """A table's address on the bus: subjects are made of it. Non-live modes have their own root."""

    site: str
    table: str
    mode: Mode


@dataclass(frozen=True, slots=True)
class Request:
    """A command as it came in.

    retained   the broker had kept it
    authority  what the sender's subject allows: read, play, supervise or maintain; None: all
    user       who sent it, as the bus or the kernel knows them; None where nobody tells
    """

    payload: bytes
    retained: bool = False
    authority: str | None = None
    user: str | None = None


CommandHandler: TypeAlias = Callable[[Request], Awaitable[bytes | None]]
"""Takes a raw command, returns the raw answer, None for no answer at all; never raises."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An event on its way: what it is called, the id under which it is taken once, its JSON."""

    kind: str
    message_id: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as the bus keeps it.

    number      its position among all that the bus keeps
    message_id  the id under which it was published
    """

    number: int
    payload: bytes
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How a bus keeps what it has taken.

    seconds  for how long, None where that has no end
    unkept   which of the bus's own settings may lose it, in sentences
    """

    seconds: float | None = None
    unkept: Sequence[str] = ()

    def oldest(self, now: datetime) -> datetime | None:
        """Return what is older than that is kept no more; None: nothing is too old."""
        return None if self.seconds is None else now - timedelta(seconds=self.seconds)


class EventLog(Protocol):
    """Reads back what the bus has taken. Every method raises BusUnavailable.

    keeps_all  whether all events are kept, so that one which is missing was lost; where not, only
               the newest is, as long as the bus likes
    """

    @property
    def keeps_all(self) -> bool:
        """Return whether an event that is missing was lost."""

    async def newest(self, address: Address) -> StoredEvent | None:
        """Return the table's newest event on the bus, None if there is none."""

    async def keeping(self, address: Address) -> Keeping:
        """Return for how long the table's events are kept, and what may lose them before."""

    async def after(self, address: Address, number: int, limit: int) -> Sequence[StoredEvent]:
        """Return up to `limit` of the table's events behind this position, in order."""


@dataclass(frozen=True, slots=True)
class LeaseBoard:
    """A table's lease and the newest claim beside it (`lease.py`), read in this order.

    number, lease          the lease's position, its fencing number, and its body; 0 and None
                           where there is none
    claim_number, claim    the same of the claim
    """

    number: int = 0
    lease: bytes | None = None
    claim_number: int = 0
    claim: bytes | None = None


class LeaseStore(Protocol):
    """Keeps one lease a table. Every method raises BusUnavailable.

    Positions grow with every write; lease and claim count on one scale.
    """

    async def read(self, address: Address) -> LeaseBoard:
        """Return what the bus has now: never a copy that may be older."""

    async def write(self, address: Address, body: bytes, after: int) -> int:
        """Write the lease where its number is `after` (0: there is none); return the new number.

        Raises LeaseChanged where it is not.
        """

    async def claim(self, address: Address, body: bytes) -> int:
        """Write a claim; return its position."""


class EventBulk(Protocol):
    """Takes several of a table's events at once. What it may be given depends on the server.

    A bus that is given the next event before it has acknowledged this one may refuse this one and
    take the next. The numbers that `OpenBus.publish` returns tell: they no longer rise.
    """

    def in_flight(self, address: Address) -> int:
        """Return how many events may wait for their acknowledgement, 1 to MOST_IN_FLIGHT."""

    def batch_from(self, address: Address) -> int:
        """Return how many events must be waiting for a batch to pay; 0: it takes no batches."""

    async def publish_batch(self, address: Address, events: Sequence[Outgoing], fence: int) -> int:
        """Return the last one's position when the bus has durably taken them, in order.

        It takes all or none. Raises what `OpenBus.publish` raises; after BusUnavailable they may
        have been taken. A bus may refuse a batch for what it would answer to one event: publish
        them one by one then.
        """


class OpenBus(Protocol):
    """A connection to a bus. It reconnects by itself; calls raise BusUnavailable meanwhile."""

    @property
    def log(self) -> EventLog | None:
        """What reads events back; None where the bus keeps none that could be asked for."""

    @property
    def leases(self) -> LeaseStore | None:
        """What keeps the tables' leases; None where every daemon serves without one."""

    @property
    def bulk(self) -> EventBulk | None:
        """What takes several events at once; None where the next one waits for this one."""

    async def publish(self, address: Address, event: Outgoing, fence: int) -> int:
        """Return the event's position, when the bus has durably taken it; 0: it has no positions.

        Positions rise in the order in which the bus took the events. A repeated `message_id` is
        taken once, and has the position of the first; raises IdTaken where the bus has
        another event under it. Raises LeaseChanged, and takes nothing, where the lease's number is
        not `fence`; a bus without leases does not look at it. Raises BusUnavailable, BusRefused.
        """

    async def publish_status(self, address: Address, payload: bytes) -> None:
        """Send the table's status, at most once. Raises BusUnavailable."""

    async def serve(self, address: Address, handler: CommandHandler | None) -> None:
        """Answer the table's commands through `handler` from now on; None: stop."""

    async def close(self) -> None:
        """Finish what is in flight and disconnect."""


BusSettings: TypeAlias = Any
"""A bus's own frozen dataclass of settings; `BusSpec.settings` is its type."""


@dataclass(frozen=True, slots=True)
class BusSpec:
    """One kind of bus. One per module in `buses/`, named BUS.

    connect  returns at once with a bus that connects in the background; `report` is called with
             a sentence whenever the connection comes (None) or goes (why)
    lacks    what this kind of bus cannot promise, in sentences for `pitwire check`
    warns    what is unwise in these settings, likewise
    """

    key: str
    title: str
    settings: type[BusSettings]
    connect: Callable[[BusSettings, Callable[[str | None], None]], Awaitable[OpenBus]]
    lacks: tuple[str, ...] = ()
    warns: Callable[[BusSettings], Sequence[str]] = lambda _: ()
