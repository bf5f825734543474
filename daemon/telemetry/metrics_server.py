"""/metrics over HTTP, in threads of its own: monitoring never stops a table, nor delays one.

A port that is taken is told with its address, and tried again for as long as the daemon runs.
Callers are strangers: so many at a time, each with some seconds to ask and to read, and no more.
"""

from __future__ import annotations

import asyncio
import socket
import socketserver
import threading
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

from daemon.telemetry.logs import Log

MOST_CALLERS: Final = 16
CALLER_S: Final = 5.0
"""How long a caller may take to send a request, or to take a part of the answer."""
RETRY_S: Final = 10.0
_POLL_S: Final = 0.05


class MetricsServer:
    """Serves a registry; `run` is its task.

    trouble  why nobody can fetch the metrics; None while they can
    """

    def __init__(self, host: str, port: int, registry: CollectorRegistry, log: Log) -> None:
        self.trouble: str | None = None
        self._host = host
        self._port = port
        self._registry = registry
        self._log = log

    async def run(self) -> None:
        """Serve until cancelled."""
        server = await self._started()
        self.trouble = None
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            server.shutdown()
            server.server_close()

    async def _started(self) -> _Server:
        """Return the server at work, as soon as its port, and a thread, can be had."""
        while True:
            try:
                return await asyncio.to_thread(_serving, self._host, self._port, self._registry)
            except OSError as error:
                self._tell(f"{self._host}:{self._port}: {error.strerror or error}")
            except (RuntimeError, ValueError) as error:  # no thread is left; no name of a host
                self._tell(f"{self._host}:{self._port}: {error}")
            await asyncio.sleep(RETRY_S)

    def _tell(self, trouble: str) -> None:
        if trouble != self.trouble:
            self._log.error(
                "metrics_not_served",
                error=trouble,
                action=f"`ss -ltnp 'sport = :{self._port}'` says who has it; it is tried again",
            )
        self.trouble = trouble


class _Server(socketserver.ThreadingMixIn, WSGIServer):
    """A server with so many callers at a time: whoever comes then is hung up on."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, host: str, port: int, registry: CollectorRegistry) -> None:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        self.address_family = family
        self._free = threading.BoundedSemaphore(MOST_CALLERS)
        super().__init__(address[:2], _Handler)  # type: ignore[arg-type] # host and port of either family
        self.set_app(make_wsgi_app(registry, disable_compression=True))

    def server_bind(self) -> None:
        """Bind. `HTTPServer` would ask a name server, which may be silent, for our name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment] # of either family
        self.setup_environ()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a caller in a thread, if there is room for him."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no more threads
            self._free.release()
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a caller, here in his thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a caller hung up, or was too slow."""


def _serving(host: str, port: int, registry: CollectorRegistry) -> _Server:
    server = _Server(host, port, registry)
    try:
        threading.Thread(
            target=server.serve_forever, args=(_POLL_S,), name="metrics", daemon=True
        ).start()
    except RuntimeError:
        server.server_close()
        raise
    return server


class _Handler(WSGIRequestHandler):
    timeout = CALLER_S

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Say nothing: who fetches metrics does so every few seconds."""
