"""A port that cannot be opened, closed or looked up in time costs its own link, and no other.

Tried on the code before: the wedged adapter held the event loop without end, thirty names that no
server answered kept a local port shut until the resolver gave up, and the process from ending.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from support.can_rig import slcan
from support.pty_rig import CLOCK, heard, opened, plugged_in

from drivers import queued_link, threads
from drivers.links.tcp_serial import TcpSerialSettings, open_tcp_serial
from drivers.queued_link import QueuedLink
from drivers.threads import in_thread, open_in_thread
from drivers.tty.port import Tty
from protocols.wiring import SerialWiring

NAMES = 30
"""More look-ups than asyncio's own pool has threads on any table PC."""


class Quiet(QueuedLink):
    """A link that says nothing; its port is given back by the test."""

    def _send(self, data: bytes) -> None: ...

    def _stop(self) -> None: ...


@contextmanager
def hanging() -> Iterator[Callable[[], None]]:
    """Yield a call that does not return before the end."""
    over = threading.Event()

    def hang() -> None:
        over.wait()

    try:
        yield hang
    finally:
        over.set()


async def longest_wait() -> float:
    """Return for how long the loop left its other work alone, at most; ends when cancelled."""
    loop, longest = asyncio.get_running_loop(), 0.0
    last = loop.time()
    try:
        while True:
            await asyncio.sleep(0.005)
            now = loop.time()
            longest, last = max(longest, now - last), now
    except asyncio.CancelledError:
        return longest


def fill(fd: int) -> None:
    """Write until the port takes no more: nothing reads at the other end."""
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(fd, bytes(1000))


async def test_f5_a_wedged_adapter_is_closed_beside_the_loop_and_can_be_opened_again() -> None:
    async with slcan() as (adapter, link):
        fill(link._fd)
        watching = asyncio.create_task(longest_wait())
        await asyncio.sleep(0)
        await link.aclose()
        watching.cancel()
        assert await watching < 0.5
        port = await opened(adapter.box.path)
        adapter.box.say(b"again\n")
        assert await heard(port, 6) == b"again\n"
        await port.aclose()


async def test_f5_output_that_the_driver_cannot_send_is_thrown_away_before_the_port_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thrown: list[Tty] = []
    monkeypatch.setattr(Tty, "out_waiting", 7)  # a pty never has any
    monkeypatch.setattr(Tty, "reset_output_buffer", lambda tty: thrown.insert(0, tty))
    with plugged_in() as box:
        port = await opened(box.path)
        await port.aclose()
        assert thrown == [port._tty]
        monkeypatch.setattr(Tty, "out_waiting", 0)
        port = await opened(box.path)
        await port.aclose()
    assert len(thrown) == 1


async def test_f5_a_port_that_is_never_given_back_is_waited_for_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queued_link, "GIVE_BACK_WITHIN_S", 0.05)
    with hanging() as hang, plugged_in() as box:
        neighbour = await opened(box.path)
        link = Quiet("a wedged port", CLOCK, hang)
        closing = asyncio.create_task(link.aclose())
        box.say(b"still heard\n")
        assert await heard(neighbour, 12) == b"still heard\n"
        await closing
        await link.aclose()
        await neighbour.aclose()


async def test_a_defect_in_giving_a_port_back_is_no_secret() -> None:
    def broken() -> None:
        raise TypeError("a defect")

    with pytest.raises(TypeError, match="a defect"):
        await Quiet("a port", CLOCK, broken).aclose()


async def test_f6_names_that_no_server_answers_keep_no_other_port_from_being_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with hanging() as hang, plugged_in() as box:
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: hang())
        servers = [TcpSerialSettings(f"server-{number}") for number in range(NAMES)]
        opening = [
            asyncio.create_task(open_tcp_serial(server, SerialWiring(), CLOCK))
            for server in servers
        ]
        await asyncio.sleep(0)
        port = await opened(box.path)
        box.say(b"local\n")
        assert await heard(port, 6) == b"local\n"
        await port.aclose()
        for task in opening:
            task.cancel()
        await asyncio.wait(opening)


def test_f6_a_process_ends_although_a_call_of_its_own_never_does() -> None:
    script = (
        "import asyncio, threading; from drivers.threads import in_thread\n"
        "async def main(): in_thread('hangs', threading.Event().wait); print('done')\n"
        "asyncio.run(main())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        text=True,
        timeout=20,
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (ended.stdout, ended.stderr) == ("done\n", "")


async def test_what_is_opened_after_its_caller_gave_up_is_given_back_first() -> None:
    begun, go_on = threading.Event(), threading.Event()
    given_back: list[str] = []

    def open_it() -> str:
        begun.set()
        go_on.wait()
        return "a port"

    opening = asyncio.create_task(open_in_thread("opens", open_it, given_back.append))
    await in_thread("waits", begun.wait)
    opening.cancel()
    await asyncio.sleep(0)
    assert not opening.done()
    go_on.set()
    await asyncio.wait([opening])
    assert opening.cancelled()
    assert given_back == ["a port"]


async def test_an_opening_that_hangs_keeps_no_caller_that_gives_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threads, "GIVE_BACK_WITHIN_S", 0.05)
    with hanging() as hang:
        opening = asyncio.create_task(open_in_thread("hangs", hang, lambda _: None))
        await asyncio.sleep(0)
        opening.cancel()
        await asyncio.wait([opening])
        assert opening.cancelled()
