"""paho's client in the event loop: its socket is read and written there, and never after its end.

paho knows MQTT 5, and calls back when its socket is to be watched. aiomqtt makes a client for
asyncio of it, but it takes "not authorized" for success, waits on when the connection has ended,
and may watch the number of a closed socket, which by then is somebody else's. So this is done here.

at once  TCP_NODELAY: paho leaves Nagle's algorithm on, and an answer would wait 44 ms for it
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Any, Final, Protocol

from paho.mqtt.client import Client

_LOOK_S: Final = 1.0  # how often paho looks whether a keep-alive is due


class SocketEnded(Protocol):
    """Is told that the connection ended, and whether what came before was MQTT."""

    def __call__(self, *, understood: bool) -> None:
        """Take it: more than once, for one end."""


class SocketInLoop:
    """Watches the socket of a client, which connects once. Made in the loop's thread."""

    def __init__(self, paho: Client, ended: SocketEnded) -> None:
        self._paho = paho
        self._ended = ended
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._misc: asyncio.Task[None] | None = None
        paho.on_socket_open = self._opened
        paho.on_socket_close = self._socket_closes
        paho.on_socket_register_write = self._has_to_write
        paho.on_socket_unregister_write = self._has_written

    def keep_alive(self) -> None:
        """Send what keeps the connection alive from now on."""
        self._misc = asyncio.create_task(self._keep_alive())

    def close(self) -> None:
        """Close the socket, whatever state it is in, and one that is being opened."""
        self._closed = True
        if self._misc is not None:
            self._misc.cancel()
        self._paho._sock_close()  # noqa: SLF001 - no public name closes it in every state

    # --- what paho calls, in the thread that connects or in the loop's -------------------

    def _opened(self, _paho: Client, _data: Any, sock: Any) -> None:
        if isinstance(sock, socket.socket):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._in_loop(lambda: self._watch(sock, self._loop.add_reader, self._read))

    def _has_to_write(self, _paho: Client, _data: Any, sock: Any) -> None:
        self._in_loop(lambda: self._watch(sock, self._loop.add_writer, self._write))

    def _has_written(self, _paho: Client, _data: Any, sock: Any) -> None:
        if sock.fileno() >= 0:
            self._loop.remove_writer(sock)

    def _socket_closes(self, _paho: Client, _data: Any, sock: Any) -> None:
        if sock.fileno() >= 0:
            self._loop.remove_reader(sock)

    def _in_loop(self, call: Callable[[], None]) -> None:
        if threading.get_ident() == self._thread:
            call()
            return
        with contextlib.suppress(RuntimeError):  # the loop is over
            self._loop.call_soon_threadsafe(call)

    # --- in the loop ---------------------------------------------------------------------

    def _watch(self, sock: Any, add: Callable[..., None], then: Callable[[], None]) -> None:
        if self._paho.socket() is not sock:
            return  # it was closed meanwhile, and its number may be another's
        if self._closed:
            self._paho._sock_close()  # noqa: SLF001 - it was opened too late
        else:
            add(sock, then)

    def _read(self) -> None:
        try:
            more = True
            while more:
                failed = self._paho.loop_read()
                sock = self._paho.socket()
                # What TLS has decrypted makes no socket readable.
                more = not failed and sock is not None and getattr(sock, "pending", int)() > 0
        except Exception:  # noqa: BLE001 - paho raises whatever a stranger's bytes lead it to
            self._ended(understood=False)
        self._end_without_socket()

    def _write(self) -> None:
        try:
            self._paho.loop_write()
        except OSError:
            self._ended(understood=True)
        self._end_without_socket()

    async def _keep_alive(self) -> None:
        while not self._paho.loop_misc():  # noqa: ASYNC110 - paho has no way to say when it is due
            await asyncio.sleep(_LOOK_S)
        self._ended(understood=True)

    def _end_without_socket(self) -> None:
        if self._paho.socket() is None:
            self._ended(understood=True)
