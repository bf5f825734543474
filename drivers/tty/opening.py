"""Opens a tty or says, in a technician's words, why not."""

from __future__ import annotations

import contextlib
import errno
import termios

import serial

from drivers.discovery.access import group_of
from drivers.discovery.holders import holders
from drivers.discovery.port_choice import node_of
from drivers.errors import LinkAbsent, LinkBusy, LinkDenied, LinkError, LinkRefused
from drivers.tty.port import Tty, differences
from protocols.wiring import SerialWiring


def open_tty(port: str, baud: int, wiring: SerialWiring) -> Tty:
    """Open, lock, set and verify a port. Raises LinkAbsent, LinkBusy, LinkDenied, LinkRefused.

    May take seconds with a sick adapter: not for the event loop.
    """
    if baud <= 0:  # a tty takes speed 0 for an order to hang up
        raise LinkRefused(port, f"cannot run at {baud} baud", "correct `baud`")
    node = node_of(port)
    try:
        tty = Tty(node, baud, wiring)
    except (OSError, termios.error, ValueError) as error:
        raise _trouble(node, error) from error
    try:
        wrong = differences(tty.fileno(), baud, wiring)
        with contextlib.suppress(ValueError, OSError):  # ptys and most adapters have no such mode
            tty.set_low_latency_mode(True)
    except (OSError, termios.error) as error:
        tty.close()
        raise _trouble(node, error) from error
    if wrong:
        tty.close()
        wanted = f"{baud} {wiring.bits}{wiring.parity}{wiring.stop}"
        raise LinkRefused(
            port,
            f"cannot be set to {wanted}: it stays at {', '.join(wrong)}",
            "use an adapter that can do what the device needs",
        )
    return tty


def _trouble(port: str, error: Exception) -> LinkError:
    number = _errno(error)
    if number in _ABSENT:
        return LinkAbsent(port, "is not there", "plug the device in, or correct `port`")
    if number in (errno.EBUSY, errno.EAGAIN):
        return _busy(port)
    if number in (errno.EACCES, errno.EPERM):
        return _denied(port, number)
    if number in (errno.ENOTTY, errno.EISDIR):
        return LinkRefused(port, "is not a serial port", "correct `port`")
    return LinkRefused(port, f"cannot be opened: {error}", "correct `port` or `baud`")


_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENODEV, errno.ENXIO, errno.EIO})


def _errno(error: BaseException | None) -> int | None:
    """Return the errno, which pyserial sometimes leaves with the error it was handling."""
    if isinstance(error, serial.SerialException) and error.errno is None:
        error = error.__context__
    if isinstance(error, OSError):
        return error.errno
    if isinstance(error, termios.error) and error.args and isinstance(error.args[0], int):
        return error.args[0]
    return None


def _busy(port: str) -> LinkBusy:
    found = holders(port)
    if found:
        names = ", ".join(map(str, found))
        return LinkBusy(port, f"is held by {names}", "stop that process")
    return LinkBusy(
        port,
        "is held by this process, or by one that we may not see",
        f"look for it with `sudo fuser -v {port}` and stop it",
    )


def _denied(port: str, number: int) -> LinkDenied:
    if number == errno.EPERM:
        return LinkDenied(
            port,
            "is outside what the service may open",
            "load the adapter's driver at boot (modules-load) and restart the service: systemd"
            " looks DeviceAllow= up when the unit starts",
        )
    return LinkDenied(
        port,
        "may not be opened by this user",
        f"install the udev rule that comes with pitwire, or add the user to group {group_of(port)}",
    )
