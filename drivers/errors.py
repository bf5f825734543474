"""What can go wrong with a link. Every foreign exception becomes one of these at the link's door.

LinkError
  ├ LinkAbsent   the device is not there            the session waits for it
  ├ LinkBusy     somebody else holds it (named)     the session waits, the technician is told who
  ├ LinkDenied   we may not open it                 the session waits, the technician is told how
  ├ LinkRefused  it cannot be set up          the session waits, the technician is told what
  ├ LinkLost     it was open and went away          the session reopens
  └ LinkEnded    it has nothing more to say         a replay came to its end; the session stops
"""

from __future__ import annotations


class LinkError(Exception):
    """A link's trouble in one sentence; `action` is what a technician can do about it."""

    def __init__(self, where: str, what: str, action: str) -> None:
        super().__init__(f"{where}: {what}")
        self.where = where
        self.what = what
        self.action = action


class LinkAbsent(LinkError):  # noqa: N818 - a condition, named as the technician names it
    """The device is not there."""


class LinkBusy(LinkError):  # noqa: N818 - a condition
    """Somebody else holds the device."""


class LinkDenied(LinkError):  # noqa: N818 - a condition
    """We may not open the device."""


class LinkRefused(LinkError):  # noqa: N818 - a condition
    """The device's port cannot be set as the device needs."""


class LinkLost(LinkError):  # noqa: N818 - a condition
    """The link was open and went away."""


class LinkEnded(LinkError):  # noqa: N818 - a condition
    """The link has nothing more to say."""
