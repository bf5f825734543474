"""What can go wrong with a link, as the caller of a link sees it.

    LinkError        where · what · action
      ├ LinkAbsent   the device is not there                 the session waits for it
      ├ LinkBusy     another process holds it (named)        the session waits
      ├ LinkDenied   this user may not open it               the session waits
      ├ LinkRefused  it cannot be set as the device needs    the session waits
      ├ LinkLost     it was open and went away               the session opens it again
      └ LinkEnded    it has nothing more to say              a replay came to its end; it stops

Every exception of a library (OSError, SerialException, USBError, CanError, termios.error) becomes
one of these in the module that calls the library, and is its `__cause__`. What is no condition of
the world but a defect of ours (TypeError and the like) passes through. `drivers/capture_model.py`
has the other error of this room: CaptureError, a file that is no capture.
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
