"""A wheel behind a serial server: taken, free, cut off, and back; each told once, no line lost."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace

from support.inboxes import inbox_of
from support.server_rig import RawServer, listening

from daemon.devices.attachment import AttachedDevice
from daemon.devices.session import Session
from daemon.service.assembly import attached_devices, one_table
from drivers.catalog import link_kinds
from drivers.clock import BootClock
from drivers.errors import LinkError
from drivers.links.tcp_serial import TcpSerialSettings
from protocols.device import Decoded
from protocols.readings import WheelStatus

LINE = b"*X;2;041;33;0;150;1\r\n"


class Seen:
    """A watcher whose words can be waited for."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._changed = asyncio.Event()

    def decoded(self, _plug: AttachedDevice, one: Decoded, *, stale: bool) -> None:
        assert isinstance(one.body, WheelStatus)
        self._note("stale" if stale else "heard")

    def concealed(self, _plug: AttachedDevice) -> None: ...

    def link_changed(self, _plug: AttachedDevice, word: str, error: LinkError | None) -> None:
        assert (error is None) == (word == "connected")
        self._note(word)

    def _note(self, word: str) -> None:
        self.words.append(word)
        self._changed.set()

    async def until(self, *words: str) -> None:
        while tuple(self.words[-len(words) :]) != words:
            self._changed.clear()
            await self._changed.wait()


def session(port: int, seen: Seen) -> Session:
    config, clock = one_table("roulette", "roulette-dk", "cammegh_ss2"), BootClock()
    (plug,) = attached_devices(config)
    settings = TcpSerialSettings("127.0.0.1", port)
    plug = replace(plug, link=link_kinds()["tcp_serial"], link_settings=settings)
    return Session(plug, inbox_of(config, clock), clock, seen)


async def test_a_taken_server_is_waited_for_and_a_lost_one_is_opened_again() -> None:
    server, seen = RawServer(), Seen()
    async with asyncio.timeout(20), listening(server.serve) as port:
        _, other = await asyncio.open_connection("127.0.0.1", port)
        running = asyncio.create_task(session(port, seen).run())
        await seen.until("busy")
        other.close()
        await seen.until("busy", "connected")
        server.say(LINE)
        await seen.until("connected", "heard")
        server.kept = LINE  # said while nobody is connected
        server.writer.close()
        await seen.until("lost", "connected", "stale")
        server.say(LINE)
        await seen.until("stale", "heard")
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
    words = seen.words
    assert words == ["busy", "connected", "heard", "lost", "connected", "stale", "heard"]
