"""A CAN bus served by socketcand over TCP, in raw mode.

    server  < hi >                                host  < open can0 >
    server  < ok >                                host  < rawmode >
    server  < ok >, then < frame 711 1700000000.250000 7F > and < error 040 1700000000.3 >
                                                  host  < send 711 1 7F >

python-can reads and writes the messages. Its own bus for this is not used (4.6.1, measured): a
server that refuses keeps it trying without a pause for ten seconds, one that does not greet holds
it without a limit, one that goes away is silence to it and costs a core, and it has no descriptor
to wait on.

Source: socketcand's protocol description.
"""

from __future__ import annotations

import socket
from collections import deque
from typing import Final

import can
from can.interfaces.socketcand.socketcand import (
    convert_ascii_message_to_can_message,
    convert_can_message_to_ascii_message,
)

_READ_SIZE: Final = 65536
_MESSAGE_MAX: Final = 200
_ANSWER_WITHIN_S: Final = 3.0


class Socketcand:
    """An open bus. Raises OSError when the server is gone, ValueError for what is no message."""

    def __init__(self, host: str, port: int, channel: str) -> None:
        """Connect and open. Raises OSError, or ValueError with what the server said instead."""
        self._socket = socket.create_connection((host, port), _ANSWER_WITHIN_S)
        self._held = b""
        self._messages: deque[bytes] = deque()
        try:
            self._expect(b"< hi >")
            for request, answer in ((f"< open {channel} >", b"< ok >"), ("< rawmode >", b"< ok >")):
                self._socket.sendall(request.encode())
                self._expect(answer)
        except BaseException:
            self._socket.close()
            raise
        self._socket.settimeout(0)

    def fileno(self) -> int:
        """Return the descriptor; readable when there is something, or when the server is gone."""
        return self._socket.fileno()

    def recv(self, _timeout: float = 0) -> can.Message | None:
        """Return the next frame, None where there is none yet."""
        if not self._messages:
            try:
                self._take(self._socket.recv(_READ_SIZE))
            except BlockingIOError:
                return None
        if not self._messages:
            return None
        text = self._messages.popleft().decode("ascii")
        frame: can.Message | None = convert_ascii_message_to_can_message(text)
        if frame is None:
            raise ValueError(f"{text!r} is no frame")
        return frame

    def send(self, message: can.Message, _timeout: float | None = None) -> None:
        """Send a frame."""
        if message.is_remote_frame:
            raise ValueError("socketcand sends no remote requests")
        self._socket.sendall(convert_can_message_to_ascii_message(message).encode())

    def shutdown(self) -> None:
        """Hang up; safe to call twice."""
        self._socket.close()

    def _expect(self, wanted: bytes) -> None:
        while not self._messages:
            self._take(self._socket.recv(_READ_SIZE))
        if (answer := self._messages.popleft()) != wanted:
            raise ValueError(f"answered {answer[:_MESSAGE_MAX]!r} in place of {wanted!r}")

    def _take(self, data: bytes) -> None:
        """Cut what came into messages; what is between two of them is an unknown message."""
        if not data:
            raise ConnectionResetError("the server hung up")
        *whole, self._held = (self._held + data).split(b">")
        self._messages += [message.lstrip() + b">" for message in whole]
        if len(self._held) > _MESSAGE_MAX:
            self._messages.append(self._held)
            self._held = b""
