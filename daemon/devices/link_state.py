"""How the link of a device stands: the one word for status, log, metrics and device events."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from drivers.errors import (
    LinkAbsent,
    LinkBusy,
    LinkDenied,
    LinkEnded,
    LinkError,
    LinkLost,
    LinkRefused,
)


class LinkState(StrEnum):
    """The state of a link.

    starting   nobody has tried to open it yet
    connected  it is open
    absent     there is nothing to open
    busy       another process holds it
    denied     this user may not open it
    refused    what is there is no such link, or its settings are wrong
    lost       it was open and went away
    ended      a replay came to its end: it is not opened again
    """

    STARTING = "starting"
    CONNECTED = "connected"
    ABSENT = "absent"
    BUSY = "busy"
    DENIED = "denied"
    REFUSED = "refused"
    LOST = "lost"
    ENDED = "ended"


_OF: Final[dict[type[LinkError], LinkState]] = {
    LinkAbsent: LinkState.ABSENT,
    LinkBusy: LinkState.BUSY,
    LinkDenied: LinkState.DENIED,
    LinkRefused: LinkState.REFUSED,
    LinkLost: LinkState.LOST,
    LinkEnded: LinkState.ENDED,
}


def state_after(error: LinkError) -> LinkState:
    """Return the state that this error leaves a link in."""
    return _OF[type(error)]
