"""A tty opened for a device: exclusive, raw, verified, and nothing thrown away.

pyserial opens and configures; what it does beyond that is undone here. It would discard what
is in the port, and set the modem lines, at which some devices restart.
"""

from __future__ import annotations

import array
import contextlib
import errno
import fcntl
import os
import termios
import time

import serial

from drivers.tty.line_errors import LineErrors
from protocols.wiring import SerialWiring

READ_SIZE = 65536

_TCGETS2 = 0x802C542A
_TCGETS2_OUTPUT_SPEED = 10
_SPEED_TOLERANCE = 0.03
_DRAIN_READS = 64
_SENT_LOOKS = 50
_SENT_LOOK_S = 0.01

_IFLAG, _OFLAG, _CFLAG, _LFLAG, _CC = 0, 1, 2, 3, 6

# Each of these changes, eats or repeats bytes.
_MUST_BE_OFF = (
    (_IFLAG, "ISTRIP", termios.ISTRIP),
    (_IFLAG, "INLCR", termios.INLCR),
    (_IFLAG, "ICRNL", termios.ICRNL),
    (_IFLAG, "IGNCR", termios.IGNCR),
    (_IFLAG, "IXON", termios.IXON),
    (_IFLAG, "IXOFF", termios.IXOFF),
    (_IFLAG, "PARMRK", termios.PARMRK),
    (_IFLAG, "IGNPAR", termios.IGNPAR),
    (_IFLAG, "BRKINT", termios.BRKINT),
    (_OFLAG, "OPOST", termios.OPOST),
    (_CFLAG, "CRTSCTS", termios.CRTSCTS),
    (_LFLAG, "ICANON", termios.ICANON),
    (_LFLAG, "ECHO", termios.ECHO),
    (_LFLAG, "ISIG", termios.ISIG),
    (_LFLAG, "IEXTEN", termios.IEXTEN),
)

# Devices of a Unix98 pty's host side: /dev/pts/…
_PTY_MAJORS = range(136, 144)

_BITS = {termios.CS5: 5, termios.CS6: 6, termios.CS7: 7, termios.CS8: 8}


class Tty(serial.Serial):
    """pyserial's port, opened without losing a byte or touching a modem line.

    Raises SerialException, OSError or termios.error: its owner translates.
    """

    def __init__(self, path: str, baud: int, wiring: SerialWiring) -> None:
        self.stale = b""
        """What was in the port when it was opened; since when is unknown."""
        super().__init__(
            path,
            baudrate=baud,
            bytesize=wiring.bits,
            parity=wiring.parity,
            stopbits=wiring.stop,
            timeout=0,
            exclusive=True,
        )
        try:
            # flock alone is advisory; this keeps out programs that do not ask for it (not root).
            fcntl.ioctl(self.fileno(), termios.TIOCEXCL)
        except BaseException:
            super().close()
            raise
        self.line_errors = LineErrors(self.fileno())
        """What of the line was lost or damaged since the port was opened."""

    def close(self) -> None:
        """Give the port back; safe to call twice. May block: not for the event loop."""
        if self.is_open:
            with contextlib.suppress(OSError):
                fcntl.ioctl(self.fileno(), termios.TIOCNXCL)
            let_output_go(self)
        super().close()

    def _reconfigure_port(self, force_update: bool = False) -> None:
        # glibc reports EINVAL for a parity the driver cannot do, in some orders of opening and
        # not in others; `differences` finds out in every order, and says which.
        with contextlib.suppress(termios.error):
            super()._reconfigure_port(force_update=force_update)  # type: ignore[misc]  # the stubs leave pyserial's own hooks out
        _make_raw(self.fileno())

    def _reset_input_buffer(self) -> None:
        parts: list[bytes] = []
        with contextlib.suppress(OSError):
            while len(parts) < _DRAIN_READS and (part := os.read(self.fileno(), READ_SIZE)):
                parts.append(part)
        self.stale = b"".join(parts)

    def _update_dtr_state(self) -> None:
        """Leave DTR as the kernel has it."""

    def _update_rts_state(self) -> None:
        """Leave RTS as the kernel has it."""

    def fileno(self) -> int:
        """Return the file descriptor. Raises OSError EBADF when closed."""
        if self.fd is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self.fd


def let_output_go(port: serial.Serial) -> None:
    """Wait a moment until the driver has sent what it was given, then throw the rest away.

    Until its bytes are sent the kernel keeps a port that is being closed, for up to half a minute:
    so long an adapter that takes no bytes could not be opened anew.
    """
    with contextlib.suppress(OSError, termios.error):
        for _ in range(_SENT_LOOKS):
            if not port.out_waiting:
                return
            time.sleep(_SENT_LOOK_S)
        port.reset_output_buffer()


def _make_raw(fd: int) -> None:
    attributes = termios.tcgetattr(fd)
    for index, _, flag in _MUST_BE_OFF:
        attributes[index] &= ~flag
    # A byte with a framing or parity error then reads as NUL, never as a plausible digit.
    attributes[_IFLAG] |= termios.INPCK
    # Closing must not drop DTR: the device would restart with us.
    attributes[_CFLAG] &= ~termios.HUPCL
    # With VMIN 0 an empty port and a hung-up one both read as b"".
    attributes[_CC][termios.VMIN] = 1
    attributes[_CC][termios.VTIME] = 0
    with contextlib.suppress(termios.error):
        termios.tcsetattr(fd, termios.TCSANOW, attributes)


def differences(fd: int, baud: int, wiring: SerialWiring) -> list[str]:
    """Return how the port reads back other than it was set, one phrase each; empty when right."""
    attributes = termios.tcgetattr(fd)
    cflag = attributes[_CFLAG]
    wanted_and_actual = (
        ("parity", wiring.parity, _parity(cflag)),
        ("data bits", wiring.bits, _BITS[cflag & termios.CSIZE]),
        ("stop bits", wiring.stop, 2 if cflag & termios.CSTOPB else 1),
    )
    wrong = [f"{name} on" for index, name, flag in _MUST_BE_OFF if attributes[index] & flag]
    wrong += [f"{name} {actual}" for name, wanted, actual in wanted_and_actual if wanted != actual]
    speed = _speed(fd)
    if abs(speed - baud) > baud * _SPEED_TOLERANCE:
        wrong.append(f"speed {speed}")
    return wrong


def is_pty(fd: int) -> bool:
    """Return whether another program is at the other end, and no line."""
    return os.major(os.fstat(fd).st_rdev) in _PTY_MAJORS


def _parity(cflag: int) -> str:
    if not cflag & termios.PARENB:
        return "N"
    return "O" if cflag & termios.PARODD else "E"


def _speed(fd: int) -> int:
    # tcgetattr cannot say a speed that has no name of its own; struct termios2 can.
    fields = array.array("I", bytes(44))
    fcntl.ioctl(fd, _TCGETS2, fields)
    return fields[_TCGETS2_OUTPUT_SPEED]
