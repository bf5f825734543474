"""Why a device's node cannot be opened: from the errno of a library's exception to a LinkError.

One table says what an errno means for a tty, a USB device and a CAN adapter alike. What a
technician can do differs from one to the other: that is the link's advice. (A serial server has no
node; what its errnos mean is in `drivers/tcp/connection.py`.)
"""

from __future__ import annotations

import errno
import termios
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from drivers.discovery.holders import holders
from drivers.errors import LinkAbsent, LinkBusy, LinkDenied, LinkError, LinkRefused

_KINDS: Final[Mapping[int, type[LinkError]]] = {
    errno.ENOENT: LinkAbsent,
    errno.ENOTDIR: LinkAbsent,
    errno.ENODEV: LinkAbsent,
    errno.ENXIO: LinkAbsent,
    errno.EIO: LinkAbsent,
    errno.EBUSY: LinkBusy,
    errno.EAGAIN: LinkBusy,
    errno.EACCES: LinkDenied,
    errno.EPERM: LinkDenied,
}


@dataclass(frozen=True, slots=True)
class Advice:
    """What a technician can do about a node that cannot be opened.

    absent   it is not there
    denied   this user may not open it
    outside  systemd lets no user of the service open it (EPERM)
    refused  anything else
    """

    absent: str
    denied: str
    outside: str
    refused: str


def errno_of(error: BaseException) -> int | None:
    """Return the errno at the root of an error: pyserial and python-can wrap theirs."""
    for each in causes(error):
        if isinstance(each, ValueError):  # a setting is wrong, however that was found out
            return None
        number = getattr(each, "error_code", None) or getattr(each, "errno", None)
        if number is None and isinstance(each, termios.error) and each.args:
            number = each.args[0]
        if isinstance(number, int):
            return number
    return None


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it came from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def opening_error(
    where: str, node: str, error: Exception, number: int | None, advice: Advice
) -> LinkError:
    """Return why `node` cannot be opened. `where` names it for people."""
    kind = None if number is None else _KINDS.get(number)
    if kind is LinkAbsent:
        return LinkAbsent(where, "is not there", advice.absent)
    if kind is LinkBusy:
        return held_by_another(where, node)
    if kind is LinkDenied and number == errno.EPERM:
        return LinkDenied(where, "is outside what the service may open", advice.outside)
    if kind is LinkDenied:
        return LinkDenied(where, "may not be opened by this user", advice.denied)
    return LinkRefused(where, f"cannot be opened: {error}", advice.refused)


def held_by_another(where: str, node: str) -> LinkBusy:
    """Return the error of a node that another process holds, named as far as we may see."""
    others = holders(node)
    if others:
        return LinkBusy(where, f"is held by {', '.join(map(str, others))}", "stop that process")
    return LinkBusy(
        where,
        "is held by this process, or by one that we may not see",
        f"look for it with `sudo fuser -v {node}` and stop it",
    )
