"""A CAN bus served by socketcand over TCP, in raw mode.

    server  < hi >                                host  < open can0 >
    server  < ok >                                host  < rawmode >
    server  < ok >, then < frame 711 1700000000.250000 7F > and < error 040 1700000000.3 >
                                                  host  < send 711 1 7F >

python-can reads and writes the words. Its own bus for this is not used (4.6.1, measured): a server
that refuses keeps it trying without a pause for ten seconds, one that does not greet holds it for
ever, one that goes away is silence to it and costs a core, and it has no descriptor to wait on.

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
_WORD_MAX: Final = 200
_ANSWER_WITHIN_S: Final = 3.0


class Socketcand:
    """An open bus. Raises OSError when the server is gone, ValueError for what is no word."""

    def __init__(self, host: str, port: int, channel: str) -> None:
        """Connect and open. Raises OSError, or ValueError with what the server said instead."""
        self._socket = socket.create_connection((host, port), _ANSWER_WITHIN_S)
        self._held = b""
        self._words: deque[bytes] = deque()
        try:
            self._expect(b"< hi >")
            for word, answer in ((f"< open {channel} >", b"< ok >"), ("< rawmode >", b"< ok >")):
                self._socket.sendall(word.encode())
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
        if not self._words:
            try:
                self._take(self._socket.recv(_READ_SIZE))
            except BlockingIOError:
                return None
        if not self._words:
            return None
        word = self._words.popleft().decode("ascii")
        message: can.Message | None = convert_ascii_message_to_can_message(word)
        if message is None:
            raise ValueError(f"{word!r} is no frame")
        return message

    def send(self, message: can.Message, _timeout: float | None = None) -> None:
        """Send a frame."""
        if message.is_remote_frame:
            raise ValueError("socketcand sends no remote requests")
        self._socket.sendall(convert_can_message_to_ascii_message(message).encode())

    def shutdown(self) -> None:
        """Hang up; safe to call twice."""
        self._socket.close()

    def _expect(self, wanted: bytes) -> None:
        while not self._words:
            self._take(self._socket.recv(_READ_SIZE))
        if (word := self._words.popleft()) != wanted:
            raise ValueError(f"answered {word[:_WORD_MAX]!r} in place of {wanted!r}")

    def _take(self, data: bytes) -> None:
        """Cut what came into words. What stands between them is a word too, and none we know."""
        if not data:
            raise ConnectionResetError("the server hung up")
        *whole, self._held = (self._held + data).split(b">")
        self._words += [word.lstrip() + b">" for word in whole]
        if len(self._held) > _WORD_MAX:
            self._words.append(self._held)
            self._held = b""
