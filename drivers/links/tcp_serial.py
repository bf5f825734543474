"""A port of a serial server, over TCP: its bytes as they are, or the port set up by RFC 2217.

For a short while after it was opened the server may hand over what it kept while no client was
connected, which is stale, and close again because it serves another client. Its connection stays
up while the device's own cable is out: only the device's silence tells that.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, cast

from drivers.clock import Clock
from drivers.errors import LinkLost, LinkRefused
from drivers.link import LinkSpec
from drivers.queued_link import QueuedLink
from drivers.tcp.backlog import Backlog
from drivers.tcp.connection import CHECK_NETWORK, connect, lost, slot_taken
from drivers.tcp.rfc2217 import ComPort, escaped
from protocols.wiring import SerialWiring

SETTLE_S: Final = 0.3
"""How long a server may take to hand over what it kept, or to close because it is taken."""
NEGOTIATE_WITHIN_S: Final = 5.0
_UNSENT_LIMIT: Final = 1 << 16
_PORT_MAX: Final = 65535
_BAUD_MAX: Final = (1 << 32) - 1
_QUOTED: Final = 60
_USE_ANOTHER: Final = "use a server that can do what the device needs"


@dataclass(frozen=True, slots=True)
class TcpSerialSettings:
    """Where the serial server is. Raises ValueError for a port that is none, and a lone `baud`.

    host      name or address; an address needs no name server
    port      TCP port; 4001 is a Moxa's first
    protocol  `raw`: the server's own page sets speed and parity; `rfc2217`: they are set from here
    baud      overrides the device's usual speed; only with `rfc2217`
    """

    host: str
    port: int = 4001
    protocol: Literal["raw", "rfc2217"] = "raw"
    baud: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.port <= _PORT_MAX:
            raise ValueError(f"port: {self.port} is not within 1 to {_PORT_MAX}")
        if self.baud is not None and self.protocol == "raw":
            raise ValueError('baud: with protocol = "raw" the server\'s own page sets the speed')
        if self.baud is not None and not 1 <= self.baud <= _BAUD_MAX:
            raise ValueError(f"baud: {self.baud} is no speed")


class TcpSerial(QueuedLink, asyncio.Protocol):
    """An open connection: an `OpenLink`, which the event loop tells what arrives."""

    def __init__(self, where: str, com: ComPort | None, characters_s: float, clock: Clock) -> None:
        super().__init__(where, clock)
        self._com = com
        self._backlog: Backlog | None = Backlog(clock.now(), characters_s / clock.scale)
        self._changed = asyncio.Event()
        self._transport: asyncio.Transport

    def _send(self, data: bytes) -> None:
        self._transport.write(data if self._com is None else escaped(data))
        waiting = self._transport.get_write_buffer_size()
        if waiting > _UNSENT_LIMIT:
            what = f"takes no bytes: {waiting} wait to be sent"
            self._lose(LinkLost(self.where, what, CHECK_NETWORK))

    def _pause(self) -> None:
        self._transport.pause_reading()

    def _resume(self) -> None:
        self._transport.resume_reading()

    def _stop(self) -> None:
        self._changed.set()
        self._transport.abort()

    # --- opening -----------------------------------------------------------------------------

    async def settle(self) -> None:
        """Set the port up, wait until it is clear whom the server serves, and let its bytes in.

        Raises LinkBusy or LinkRefused.
        """
        com = self._com
        if com is not None:
            self._transport.write(com.start())
            await self._until(lambda: com.ready or com.refused is not None, NEGOTIATE_WITHIN_S)
        if com is None or com.ready:
            await self._until(lambda: False, SETTLE_S)
        self._refuse_unusable()
        backlog, self._backlog = self._backlog, None
        if backlog is None:
            return
        if kept := backlog.kept():
            self._received(*kept, stale=True)
        for at, data in backlog.fresh():
            self._received(at, data, lost=self._line_errors())

    def _line_errors(self) -> str:
        return "" if self._com is None else self._com.line_errors()

    async def _until(self, met: Callable[[], bool], timeout_s: float) -> None:
        """Wait until `met`, the connection's end, or the time's."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while not self.is_lost and not met():
                    self._changed.clear()
                    await self._changed.wait()

    def _refuse_unusable(self) -> None:
        if self._com is not None and self._com.refused is not None:
            raise LinkRefused(self.where, self._com.refused, _USE_ANOTHER)
        if self.is_lost:
            farewell = self._backlog.text()[:_QUOTED] if self._backlog else ""
            what = "accepts and closes at once: its slots are taken"
            raise slot_taken(self.where, f"{what} ({farewell})" if farewell else what)
        if self._com is not None and not self._com.ready:
            raise LinkRefused(
                self.where,
                "does not answer to RFC 2217",
                'switch the server to RFC 2217, or set its port up there and use protocol = "raw"',
            )

    # --- told by the event loop --------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Stamp what arrived; answer what the server itself says."""
        at, com = self._clock.now(), self._com
        is_set = com is None or com.ready
        if com is not None:
            data, answer = com.receive(data)
            if answer:
                self._transport.write(answer)
            self._changed.set()
            if com.refused is not None and self._backlog is None:
                self._lose(LinkLost(self.where, com.refused, _USE_ANOTHER))
        if not data:
            return
        if self._backlog is not None:
            self._backlog.add(at, data, is_set=is_set)
            self._pause_at(self._backlog.size)
        else:
            self._received(at, data, lost=self._line_errors())

    def connection_lost(self, exc: Exception | None) -> None:
        """Say why the connection ended."""
        self._lose(lost(self.where, exc))


def untold(settings: TcpSerialSettings) -> str:
    """Return what a server cannot tell of its port."""
    if settings.protocol == "rfc2217":
        return ""
    return 'a raw server tells of no byte that its port lost or found damaged: "rfc2217" does'


async def open_tcp_serial(
    settings: TcpSerialSettings, wiring: SerialWiring, clock: Clock
) -> TcpSerial:
    """Connect, and set the port up. Raises LinkAbsent, LinkBusy, LinkDenied or LinkRefused."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    where = f"{host}:{settings.port}"
    baud = wiring.baud if settings.baud is None else settings.baud
    com = ComPort(baud, wiring) if settings.protocol == "rfc2217" else None
    characters_s = baud / (1 + wiring.bits + (wiring.parity != "N") + wiring.stop)
    connection = await connect(where, settings.host, settings.port)
    link = TcpSerial(where, com, characters_s, clock)
    link.untold = untold(settings)
    try:
        await asyncio.get_running_loop().create_connection(lambda: link, sock=connection)
    except BaseException:
        connection.close()
        raise
    try:
        await link.settle()
    except BaseException:
        await link.aclose()
        raise
    return link


LINK = LinkSpec(
    key="tcp_serial",
    title="Serial server over TCP",
    settings=TcpSerialSettings,
    live=True,
    carries=(SerialWiring,),
    open=open_tcp_serial,
    untold=untold,
)
