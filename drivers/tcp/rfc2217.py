"""Telnet's COM-PORT option, RFC 2217: the serial server's port set from here, and its line errors.

pyserial's own client reads in a thread of its own, waits by sleeping, and has no descriptor for the
event loop; this is the same protocol without any I/O. Bytes in, bytes out.

A byte FF of the device is doubled on the network. A parity or framing error, an overrun or a break
stands among the device's bytes as NUL, as at a local port: it spoils the frame that it hit. It is
told as a loss, too: bytes that the port had no room for may have been a whole frame.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from protocols.wiring import SerialWiring

_Point: TypeAlias = tuple[int, int] | int
"""What has to be settled: an option in one direction, or a request answered as it was made."""

_SE, _SB, _WILL, _WONT, _DO, _DONT, _IAC = 240, 250, 251, 252, 253, 254, 255
_BINARY, _GO_AHEAD, _COM_PORT = 0, 3, 44
_OURS: Final = frozenset({_BINARY, _GO_AHEAD, _COM_PORT})
_THEIRS: Final = frozenset({_BINARY, _GO_AHEAD})
_NEEDED: Final = {
    _COM_PORT: "does not let its port be set (no RFC 2217)",
    _BINARY: "does not pass bytes through unchanged (no binary transmission)",
}

_BAUD, _BITS, _PARITY, _STOP, _CONTROL = 1, 2, 3, 4, 5
_LINE_MASK, _MODEM_MASK = 10, 11
_ANSWER: Final = 100
"""What a server adds to the number of a request in its answer."""
_LINE_STATE: Final = 106
_LINE_ERRORS: Final = {0x02: "overrun", 0x04: "parity", 0x08: "framing", 0x10: "break"}
_NO_FLOW_CONTROL: Final = 1
_PARITIES: Final = {"N": 1, "O": 2, "E": 3}
_NAMES: Final = {
    _BAUD: "speed",
    _BITS: "data bits",
    _PARITY: "parity code",
    _STOP: "stop bits",
    _CONTROL: "flow control code",
}
_SPEED_TOLERANCE: Final = 0.03
_OPTION_MAX: Final = 256

_DAMAGED: Final = 0


class ComPort:
    """One connection's negotiation, and the device's bytes freed from it.

    ready    the port is set as it must be, and says so itself
    refused  why it cannot be used, None while it can
    """

    def __init__(self, baud: int, wiring: SerialWiring) -> None:
        self.ready = False
        self.refused: str | None = None
        self._wanted = {
            _BAUD: baud,
            _BITS: wiring.bits,
            _PARITY: _PARITIES[wiring.parity],
            _STOP: wiring.stop,
            _CONTROL: _NO_FLOW_CONTROL,
        }
        self._open: set[_Point] = {(_DO, _COM_PORT), (_DO, _BINARY), (_WILL, _BINARY)}
        self._open |= set(self._wanted)
        self._asked = self._accepted = False
        self._out = bytearray()
        self._errors: list[str] = []
        self._command: int | None = None
        self._in_iac = False
        self._option: bytearray | None = None

    def start(self) -> bytes:
        """Return what opens the negotiation."""
        self._send(_WILL, _COM_PORT)
        for option in (_BINARY, _GO_AHEAD):
            self._send(_WILL, option)
            self._send(_DO, option)
        return self._sent()

    def receive(self, data: bytes) -> tuple[bytes, bytes]:
        """Return the device's bytes in `data`, and what the server has to be answered."""
        if _IAC not in data and not self._in_iac and self._command is None and self._option is None:
            return data, b""
        received = bytearray()
        for byte in data:
            self._take(byte, received)
        return bytes(received), self._sent()

    def line_errors(self) -> str:
        """Return what the server told of its line since it was asked last, empty for nothing."""
        errors, self._errors = self._errors, []
        return ", ".join(dict.fromkeys(errors))

    def _take(self, byte: int, received: bytearray) -> None:
        if self._command is not None:
            command, self._command = self._command, None
            self._negotiated(command, byte)
        elif self._in_iac:
            self._in_iac = False
            self._escaped(byte, received)
        elif byte == _IAC:
            self._in_iac = True
        elif self._option is None:
            received.append(byte)
        elif len(self._option) < _OPTION_MAX:
            self._option.append(byte)

    def _escaped(self, byte: int, received: bytearray) -> None:
        """Take the byte behind an FF."""
        if byte == _IAC:
            target = received if self._option is None else self._option
            target.append(byte)
        elif byte in (_WILL, _WONT, _DO, _DONT):
            self._command = byte
        elif byte == _SB:
            self._option = bytearray()
        elif byte == _SE and self._option is not None:
            option, self._option = bytes(self._option), None
            self._told(option, received)

    # --- options -----------------------------------------------------------------------------

    def _negotiated(self, command: int, option: int) -> None:
        """Answer only what we did not ask for: an answer to an answer would never end."""
        if command in (_DONT, _WONT):
            self._not_agreed(command, option)
        elif (command, option) == (_WILL, _COM_PORT):
            if not self._accepted:  # some servers offer what we offered them
                self._send(_DO, option)
            self._accepted = True
        elif option not in (_OURS if command == _DO else _THEIRS):
            self._send(_WONT if command == _DO else _DONT, option)
        else:
            if option == _COM_PORT and not self._asked:
                self._asked = True
                self._ask()
            self._settle((command, option))

    def _not_agreed(self, command: int, option: int) -> None:
        if option in _NEEDED and (command, option) != (_WONT, _COM_PORT):
            self._refuse(_NEEDED[option])

    def _ask(self) -> None:
        for request, value in self._wanted.items():
            self._request(request, value.to_bytes(4 if request == _BAUD else 1, "big"))
        self._request(_LINE_MASK, bytes((sum(_LINE_ERRORS),)))
        self._request(_MODEM_MASK, b"\x00")

    def _told(self, option: bytes, received: bytearray) -> None:
        """Take what a server tells of its port: `option` is 44, a number, a value."""
        if len(option) < 3 or option[0] != _COM_PORT:
            return
        value = int.from_bytes(option[2:], "big")
        if option[1] == _LINE_STATE:
            if named := [name for bit, name in _LINE_ERRORS.items() if value & bit]:
                received.append(_DAMAGED)
                self._errors += named
            return
        request = option[1] - _ANSWER
        wanted = self._wanted.get(request)
        if wanted is None:
            return
        if abs(value - wanted) > (wanted * _SPEED_TOLERANCE if request == _BAUD else 0):
            self._refuse(f"stays at {_NAMES[request]} {value} where {wanted} is needed")
        else:
            self._settle(request)

    def _settle(self, point: _Point) -> None:
        self._open.discard(point)
        self.ready = not self._open and self.refused is None

    def _refuse(self, why: str) -> None:
        self.refused = self.refused or why
        self.ready = False

    # --- what goes out -----------------------------------------------------------------------

    def _send(self, command: int, option: int) -> None:
        self._out += bytes((_IAC, command, option))

    def _request(self, request: int, value: bytes) -> None:
        self._out += bytes((_IAC, _SB, _COM_PORT, request)) + escaped(value) + bytes((_IAC, _SE))

    def _sent(self) -> bytes:
        out = bytes(self._out)
        self._out.clear()
        return out


def escaped(data: bytes) -> bytes:
    """Return bytes for the device as they go over the network."""
    return data.replace(b"\xff", b"\xff\xff")
