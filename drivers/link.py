"""What a link module provides: opening a link, reading chunks from it, writing to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, get_args

from drivers.clock import Clock
from protocols.instant import Instant
from protocols.wiring import Wiring


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes as they were read, stamped once, at arrival.

    stale  they were in the port when it was opened: when they arrived is unknown
    lost   what the link lost just before them or among them, for people; then there may be no bytes
    """

    at: Instant
    data: bytes
    stale: bool = False
    lost: str = ""


class OpenLink(Protocol):
    """An open link. Its methods raise `LinkError`, and no exception of any library's."""

    where: str
    """What is open, for people: the port's path, the file's name."""

    untold: str
    """What this link may lose and cannot tell of (`Chunk.lost`), for people; empty for nothing."""

    async def read(self, timeout_s: float | None) -> Chunk | None:
        """Return the next chunk, or None after `timeout_s` real seconds. Raises LinkError."""

    def write(self, data: bytes) -> None:
        """Queue bytes for the device; never blocks. A failure surfaces at the next `read`."""

    async def aclose(self) -> None:
        """Give the port back, within `drivers.threads.GIVE_BACK_WITHIN_S`; safe to call twice."""


LinkSettings: TypeAlias = Any
"""A link's own frozen dataclass of settings; `LinkSpec.settings` is its type."""


EVERY_WIRING: Final[tuple[type[Wiring], ...]] = get_args(Wiring)
"""What a link carries that opens no hardware."""


@dataclass(frozen=True, slots=True)
class LinkSpec:
    """One kind of link. One per module in `links/`, named LINK.

    key        module name = config value
    settings   frozen dataclass type the operator fills in
    live       whether its bytes come from real hardware: others may not feed a live table
    carries    the kinds of wiring that it can open; `open` is given no other
    silent     what a technician can do where the link is open and the device says nothing
    node       the device node that another process could read as well; None where none can
    untold     what a link with these settings may lose and cannot tell of, for people; empty for
               nothing. None where that shows only when it is open, or never
    identify   the USB identity of what is on an open link; may block for a while. None where no
               link of this kind has one
    """

    key: str
    title: str
    settings: type[LinkSettings]
    live: bool
    carries: tuple[type[Wiring], ...]
    open: Callable[[LinkSettings, Any, Clock], Awaitable[OpenLink]]
    node: Callable[[LinkSettings], str] | None = None
    untold: Callable[[LinkSettings], str] | None = None
    silent: str = "check the device's power and its cable"
    identify: Callable[[LinkSettings], str | None] | None = None
