"""Opens a CAN bus through python-can, or says why not, with the action for a technician.

Loads python-can: imported only where a CAN bus is configured.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import os
import socket
import struct
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from traceback import clear_frames
from typing import Final, Protocol

import can
from can.interfaces.slcan import slcanBus
from can.interfaces.socketcan import SocketcanBus
from can.typechecking import CanFilter

from drivers.can.slcan_lines import is_whole
from drivers.can.socketcand import Socketcand
from drivers.errors import LinkAbsent, LinkError, LinkLost, LinkRefused
from drivers.opening_errors import Advice, causes, errno_of, opening_error
from drivers.tty.line_errors import LineErrors
from drivers.tty.port import let_output_go
from protocols.can_frame import ERROR, EXTENDED, EXTENDED_MAX, REMOTE, STANDARD_MAX, packet

# Whatever it logs it also raises, and a link's trouble is told once, by its owner.
logging.getLogger("can").setLevel(logging.CRITICAL)

GARBLED: Final = packet(ERROR, b"")
"""In place of a frame that came too damaged to be read: an error of no class. A frame may have been
lost in it."""
NETWORK: Final = Path("/sys/class/net")
_QUEUE: Final = 1 << 20
_CLOSE_CHANNEL: Final = b"C\r"
_SO_MEMINFO: Final = 55
_DROPS: Final = struct.Struct("32x I")
"""The last of the nine numbers of linux/sock_diag.h: frames that found a socket's queue full."""


class AnyBus(Protocol):
    """What is used of a bus of python-can."""

    def fileno(self) -> int:
        """Return what becomes readable with the next frame."""

    def recv(self, timeout: float, /) -> can.Message | None:
        """Return the next frame, if there is one."""

    def send(self, message: can.Message, timeout: float, /) -> None:
        """Send a frame."""

    def shutdown(self) -> None:
        """Give the bus back."""


class Bus:
    """An open bus that speaks packets. Nothing of python-can's comes out of it but LinkLost."""

    def __init__(self, where: str, bus: AnyBus, action: str, lock: int | None = None) -> None:
        """`action`: what to do about an adapter that is gone; `lock`: a descriptor to close."""
        self.where = where
        self._bus = bus
        self._action = action
        self._lock = lock
        self._line = LineErrors(bus.fileno()) if isinstance(bus, slcanBus) else None

    def lost(self) -> str:
        """Return what the line to the adapter has lost since it was asked last."""
        return "" if self._line is None else self._line.news()

    def fileno(self) -> int:
        """Return what becomes readable with the next frame, and when the adapter is gone."""
        return self._bus.fileno()

    def receive(self) -> bytes | None:
        """Return the next frame, `GARBLED` for what was none, None where nothing is there yet.

        Raises LinkLost. After that the bus must be closed: python-can tells a loss once.
        """
        try:
            message = self._bus.recv(0)
        except (ValueError, LookupError):
            return GARBLED
        except Exception as error:
            if isinstance(error.__cause__, UnicodeError) and isinstance(self._bus, slcanBus):
                self._bus.flush()  # else it fails at the same byte again and again
                return GARBLED
            raise self._lost("went away", error) from error
        if message is not None:
            return packet_of(message)
        if isinstance(self._bus, SocketcanBus) and _dropped(self._bus.socket):
            what = "lost frames, which came faster than they were read"
            raise LinkLost(self.where, what, "name the device's own identifiers in `receive_ids`")
        return None

    def send(self, data: bytes) -> None:
        """Send a packet; may block. Raises LinkLost."""
        try:
            self._bus.send(message_of(data), 1.0)
        except Exception as error:
            raise self._lost("takes no frame", error) from error

    def close(self) -> None:
        """Give the bus back; safe to call twice."""
        with contextlib.suppress(Exception):  # gone or not, it is not used any more
            if isinstance(self._bus, slcanBus):
                _hang_up(self._bus)
            else:
                self._bus.shutdown()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _lost(self, what: str, error: Exception) -> LinkLost:
        number = errno_of(error)
        if number == errno.ENETDOWN:
            return LinkLost(self.where, "was taken down", f"ip link set {self.where} up")
        reason = str(error) if number is None else os.strerror(number)
        return LinkLost(self.where, f"{what} ({reason})", self._action)


def _hang_up(bus: slcanBus) -> None:
    """Close the adapter's channel and its port.

    python-can would wait until the adapter has taken the command, which a wedged one never does,
    and keep the port open where it cannot be written.
    """
    can.BusABC.shutdown(bus)
    port = bus.serialPortOrig
    with contextlib.suppress(OSError):
        os.write(port.fileno(), _CLOSE_CHANNEL)
    let_output_go(port)
    port.close()


class _Adapter(slcanBus):
    """python-can's own, but for lines that are none: it would drop them, and a frame with them."""

    def _read(self, timeout: float | None) -> str | None:
        line: str | None = super()._read(timeout)
        if line is not None and not is_whole(line):
            raise ValueError(f"{line!r} is no line of an adapter")
        return line


class _Interface(SocketcanBus):
    """python-can's own, but for a socket that it leaves open where it cannot be bound."""

    def __init__(self, channel: str, can_filters: Sequence[CanFilter] | None) -> None:
        try:
            super().__init__(channel, can_filters=can_filters)
        except BaseException:
            with contextlib.suppress(AttributeError):  # there is none yet
                self.socket.close()
            raise


def packet_of(message: can.Message) -> bytes:
    """Return a frame as a packet, as it is: whether it makes sense the decoder says."""
    most = EXTENDED_MAX if message.is_extended_id else STANDARD_MAX
    identifier = message.arbitration_id & most
    identifier |= EXTENDED if message.is_extended_id else 0
    identifier |= REMOTE if message.is_remote_frame else 0
    identifier |= ERROR if message.is_error_frame else 0
    return packet(identifier, bytes(message.data), message.dlc, fd=message.is_fd)


def message_of(data: bytes) -> can.Message:
    """Return the frame of a packet."""
    identifier = int.from_bytes(data[:4], "big")
    return can.Message(
        arbitration_id=identifier & EXTENDED_MAX,
        is_extended_id=bool(identifier & EXTENDED),
        is_remote_frame=bool(identifier & REMOTE),
        is_error_frame=bool(identifier & ERROR),
        dlc=data[4],
        data=data[8:],
    )


def open_socketcan(channel: str, bitrate: int, identifiers: Iterable[int]) -> Bus:
    """Open a CAN interface of this machine, which it has set up itself; see `systemd/`.

    Raises LinkAbsent, LinkDenied or LinkRefused.
    """
    again = f"ip link set {channel} down; ip link set {channel} up type can bitrate {bitrate}"
    if _has_left_the_bus(channel):
        raise LinkAbsent(channel, "has left the bus (bus-off)", f"check the wiring, then: {again}")
    try:
        bus = _Interface(
            channel, can_filters=[_filter(identifier) for identifier in identifiers] or None
        )
    except Exception as error:
        raise _trouble(
            channel, error, f"plug it in, or correct `channel`; then: {again}"
        ) from error
    # An interface that is down opens all the same, and the socket is told so at once.
    if bus.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.ENETDOWN:
        bus.shutdown()
        raise LinkAbsent(channel, "is down", again)
    bus.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _QUEUE)  # as far as it is allowed
    return Bus(channel, bus, "check the cable and the adapter")


def open_slcan(port: str, bitrate: int, settle_s: float) -> Bus:
    """Open a serial adapter. Takes `settle_s`; raises LinkAbsent, -Busy, -Denied, -Refused."""
    there = "plug it in, or correct `channel`"
    try:
        lock = os.open(port, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as error:
        raise _trouble(port, error, there) from error
    try:
        # Before python-can's first command, which would close another's channel.
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        bus = _Adapter(port, bitrate=bitrate, sleep_after_open=settle_s, timeout=0)
    except Exception as error:
        os.close(lock)
        raise _trouble(port, error, there) from error
    return Bus(port, bus, "check the adapter; power-cycle it where it stays silent", lock)


def open_socketcand(server: str, channel: str) -> Bus:
    """Open a bus of a socketcand server, `host:port`. Raises LinkAbsent or LinkRefused."""
    where = f"{channel} at {server}"
    host, _, port = server.rpartition(":")
    try:
        return Bus(where, Socketcand(host, int(port), channel), f"look after socketcand at {host}")
    except TimeoutError as error:
        raise LinkAbsent(where, "does not answer", f"look after socketcand at {host}") from error
    except OSError as error:
        raise LinkAbsent(where, f"is not there: {error}", f"start socketcand at {host}") from error
    except ValueError as error:
        raise LinkRefused(where, str(error), "correct `channel` or `server`") from error


def _filter(identifier: int) -> CanFilter:
    extended = bool(identifier & EXTENDED)
    mask = EXTENDED_MAX if extended else STANDARD_MAX
    return {"can_id": identifier & mask, "can_mask": mask, "extended": extended}


def _dropped(can_socket: socket.socket) -> bool:
    info = can_socket.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, _DROPS.size)
    return bool(_DROPS.unpack(info)[0])


def _has_left_the_bus(channel: str) -> bool:
    """Return whether a CAN interface that is up has no carrier: its controller is bus-off."""
    try:
        return (NETWORK / channel / "carrier").read_text().strip() == "0"
    except OSError:  # not there, or down: opening will tell
        return False


def _trouble(where: str, error: Exception, there: str) -> LinkError:
    """Return why a bus cannot be opened. `there`: what to do about one that is not there."""
    for cause in causes(error):  # in one of their frames a port or socket may still be open
        clear_frames(cause.__traceback__)
    number = errno_of(error)
    if number == errno.EAFNOSUPPORT:
        action = "load the modules can and can_raw; a service needs AF_CAN in its unit, too"
        return LinkRefused(where, "cannot be opened: this system has no CAN", action)
    return opening_error(where, where, error, number, replace(_ADVICE, absent=there))


_ADVICE: Final = Advice(
    absent="",
    denied="install the udev rule that comes with pitwire, or add the user to its group",
    outside="let the unit say DeviceAllow=char-ttyACM rw and char-ttyUSB rw, and restart it",
    refused="correct `channel` or `bitrate`",
)
