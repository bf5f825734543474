"""Calls that may block, each in a thread of its own: one that hangs costs its own link alone.

A sick adapter can hold an open for seconds and a close for half a minute; a name server that does
not answer holds a look-up for twenty seconds. asyncio's own pool has a handful of threads for the
whole process: eight such look-ups would keep a local port from being opened, and the process from
ending, since asyncio joins its pool. A thread here is a daemon: only its caller waits for it, and
no longer than it wants to. They are few: a link is opened once and closed once.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from drivers.errors import LinkError

_T = TypeVar("_T")

GIVE_BACK_WITHIN_S: Final = 2.0
"""How long anybody waits until a port is given back."""


def in_thread(name: str, call: Callable[[], _T]) -> asyncio.Future[_T]:
    """Begin `call` in a thread of its own; return the future of what it returns or raises."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def settle(outcome: Callable[[], None]) -> None:
        if not future.done():  # its caller waits no more
            outcome()

    def work() -> None:
        outcome: Callable[[], None]
        try:
            outcome = partial(future.set_result, call())
        except Exception as error:  # noqa: BLE001 - raised where the future is awaited
            outcome = partial(future.set_exception, error)
        with contextlib.suppress(RuntimeError):  # the loop is over
            loop.call_soon_threadsafe(settle, outcome)

    threading.Thread(target=work, name=name, daemon=True).start()
    return future


async def open_in_thread(
    name: str, open_it: Callable[[], _T], give_back: Callable[[_T], None]
) -> _T:
    """Return what `open_it` opens. Raises what it raises.

    Where the caller is cancelled meanwhile, what is opened all the same is given back: before this
    returns, if the opening ends soon, since the loop may end next.
    """
    opening = in_thread(name, open_it)
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        unwanted = asyncio.ensure_future(_give_back(name, opening, give_back))
        await asyncio.wait([unwanted], timeout=GIVE_BACK_WITHIN_S)
        raise


async def _give_back(
    name: str, opening: asyncio.Future[_T], give_back: Callable[[_T], None]
) -> None:
    with contextlib.suppress(LinkError):  # it was never opened
        opened = await opening
        await in_thread(name, lambda: give_back(opened))


class SendingThread:
    """Sends what it is given, in order, in a thread of its own that starts with the first.

    send    sends one packet; may block. What it raises as LinkError ends the sending
    failed  is told that error, in the event loop
    """

    def __init__(
        self,
        name: str,
        send: Callable[[bytes], None],
        failed: Callable[[LinkError], None],
    ) -> None:
        self._send = send
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._ended = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    @property
    def waiting(self) -> int:
        """Return how many packets wait to be sent."""
        return self._waiting.qsize()

    def put(self, data: bytes) -> None:
        """Send a packet after those before it."""
        self._waiting.put(data)
        if self._thread.ident is None:
            self._thread.start()

    def end(self) -> None:
        """Send nothing more; what is being sent goes on."""
        self._ended = True
        self._waiting.put(b"")

    def join(self, timeout_s: float) -> None:
        """Wait, in another thread, until nothing is being sent any more."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)

    def _work(self) -> None:
        while True:
            data = self._waiting.get()
            if self._ended:
                return
            try:
                self._send(data)
            except LinkError as error:
                with contextlib.suppress(RuntimeError):  # the loop is over, and the link with it
                    self._loop.call_soon_threadsafe(self._failed, error)
                return
