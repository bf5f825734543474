"""Opens a tty, or says why not, with the action for a technician."""

from __future__ import annotations

import contextlib
import errno
import termios
from dataclasses import replace

from drivers.discovery.access import group_of
from drivers.discovery.port_choice import node_of
from drivers.errors import LinkError, LinkRefused
from drivers.opening_errors import Advice, errno_of, opening_error
from drivers.tty.port import Tty, differences, is_pty
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
        wrong = differences(tty.fileno(), baud, _needed(tty.fileno(), wiring))
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


def _needed(fd: int, wiring: SerialWiring) -> SerialWiring:
    """Return what of the wiring a port must be set to.

    A pty passes whole bytes between two programs. It has no line: the kernel keeps it at eight bits
    without parity, and nothing that a parity would catch can happen on it.
    """
    return replace(wiring, bits=8, parity="N") if is_pty(fd) else wiring


def _trouble(port: str, error: Exception) -> LinkError:
    number = errno_of(error)
    if number in (errno.ENOTTY, errno.EISDIR):
        return LinkRefused(port, "is not a serial port", "correct `port`")
    return opening_error(port, port, error, number, _advice(port))


def _advice(port: str) -> Advice:
    return Advice(
        absent="plug the device in, or correct `port`",
        denied="install the udev rule that comes with pitwire, or add the user to group"
        f" {group_of(port)}",
        outside="load the adapter's driver at boot (modules-load) and restart the service: systemd"
        " looks DeviceAllow= up when the unit starts",
        refused="correct `port` or `baud`",
    )
