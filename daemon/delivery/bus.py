"""What a bus module provides, and the two ways in which a bus can fail."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from protocols.table_terms import Mode


class BusUnavailable(Exception):  # noqa: N818 - a condition, not a defect
    """The bus cannot take messages now; `action` is what an operator can do. Retried for ever."""

    def __init__(self, what: str, action: str) -> None:
        super().__init__(what)
        self.what = what
        self.action = action


class BusRefused(Exception):  # noqa: N818 - a condition
    """The bus refuses this message for good (too large, not allowed): it becomes a tombstone."""


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


CommandHandler: TypeAlias = Callable[[Request], Awaitable[bytes]]
"""Takes a raw command, returns the raw answer; never raises."""


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


class OpenBus(Protocol):
    """A connection to a bus. It reconnects by itself; calls raise BusUnavailable meanwhile."""

    async def last_event(self, address: Address) -> bytes | None:
        """Return the payload of the table's newest event on the bus, None if there is none."""

    async def publish(self, address: Address, kind: str, message_id: str, payload: bytes) -> None:
        """Return when the bus has durably taken the event. Raises BusUnavailable, BusRefused.

        A repeated `message_id` is taken once.
        """

    async def publish_status(self, address: Address, payload: bytes) -> None:
        """Send the table's status, at most once. Raises BusUnavailable."""

    async def ask(self, address: Address, payload: bytes) -> bytes | None:
        """Send the table a command, as its server would; return the answer, None if none comes.

        Raises BusUnavailable.
        """

    async def serve(self, address: Address, handler: CommandHandler) -> None:
        """Answer the table's commands through `handler` from now on, over reconnects."""

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
