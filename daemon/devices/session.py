"""One device of a table: its link is opened, read, written to and opened again. Runs for ever.

What the bytes come to is the feed's (`feed.py`); whether the link is there is told here, once for
each change: a device that was lost is absent a moment later, and one event tells both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Final, Protocol

from daemon.devices.attachment import AttachedDevice
from daemon.devices.feed import DeviceFeed, Heard, tell
from daemon.devices.link_state import LinkState, state_after
from daemon.devices.live_views import LiveViews
from daemon.runtime.inbox import Inbox
from daemon.table.concealment import stale_bytes_told
from daemon.table.inputs import LinkDown, LinkUp, PortShared
from drivers.backoff import Backoff
from drivers.capture_model import LinkWord
from drivers.clock import Clock
from drivers.errors import LinkDenied, LinkEnded, LinkError
from drivers.link import OpenLink
from protocols.device import Decoded
from protocols.events import Event
from protocols.instant import Instant

REOPEN: Final = Backoff(first_s=0.25, factor=1.0, most_s=0.25)
"""A device that was plugged in again is open within a quarter of a second; stat() is cheap."""
UDEV_S: Final = 5.0
"""How long a port may be denied before anybody is told: udev gives a new node its group late."""


class SessionObserver(Protocol):
    """Who counts and logs what a session sees."""

    def decoded(self, attached: AttachedDevice, frame: Decoded, *, stale: bool) -> None:
        """A frame was decoded or rejected."""

    def concealed(self, attached: AttachedDevice) -> None:
        """A frame came where the next card may be a hidden one: no more is said of it."""

    def link_changed(
        self, attached: AttachedDevice, state: LinkState, error: LinkError | None
    ) -> None:
        """The link is in another state, and why, where it is not open."""


class Session:
    """Keeps one device's link open and puts what it says into the table's inbox."""

    def __init__(
        self,
        attached: AttachedDevice,
        inbox: Inbox,
        clock: Clock,
        observer: SessionObserver,
        views: LiveViews | None = None,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
        backoff: Backoff = REOPEN,
    ) -> None:
        self.attached = attached
        self.state = LinkState.STARTING
        self.trouble: LinkError | None = None
        """Why the link is not open."""
        self.link: OpenLink | None = None
        self.feed = DeviceFeed(attached.spec, attached.settings, attached.role, inbox)
        self._inbox = inbox
        self._clock = clock
        self._observer = observer
        self._views = views
        self._wait = wait
        self._backoff = backoff
        self._denied_since: Instant | None = None
        self._shared_with = ""

    async def run(self) -> None:
        """Open, read, reopen; returns only when a replay has ended. It may be run again."""
        attached, failures = self.attached, 0
        self.state, self.trouble = LinkState.STARTING, None
        self.feed.lost()
        while True:
            try:
                link = await attached.link.open(
                    attached.link_settings, attached.spec.wiring, self._clock
                )
            except LinkError as error:
                failures += 1
                if not self._may_yet_be_allowed(error):
                    self._down(error)
                if isinstance(error, LinkEnded):
                    return
                await self._wait(self._backoff.wait_s(failures))
                continue
            failures, self._denied_since = 0, None
            try:
                await self._serve(link)
            except LinkError as error:
                self._down(error)
                if isinstance(error, LinkEnded):
                    return
            finally:
                self.link = None
                await link.aclose()
            # A link that opens, only to be lost at once, must not keep us busy.
            await asyncio.sleep(self._backoff.wait_s(1))

    async def _serve(self, link: OpenLink) -> None:
        """Read one open link until it is lost (LinkError) or wedged (returns)."""
        self.link = link
        wire = await self._wire()
        questions = self.feed.open(self._clock.now())
        chunk = await link.read(0.0)
        self._up(link, len(chunk.data) if chunk and chunk.stale else 0, wire)
        self._hear(link, questions)
        while True:
            now = self._clock.now() if chunk is None else chunk.at
            if chunk is None:
                self._hear(link, self.feed.tick(now))
            else:
                watched = self._views is not None and self._views.watched
                self._hear(link, self.feed.take(chunk, watched=watched))
            if self.feed.is_wedged(now):
                return
            chunk = await link.read(self._patience())

    def _patience(self) -> float | None:
        """Return how many real seconds to wait for bytes before looking at the clock again."""
        due = self.feed.wake_at
        left = None if due is None else due.since(self._clock.now())
        return None if left is None else max(left, 0.0) / self._clock.scale

    def _hear(self, link: OpenLink, items: Iterator[Heard]) -> None:
        """Tell the table, answer the device, count and show: one item after the other."""
        device = self.attached.spec.key
        for heard in items:
            answer = None
            if heard.reply is not None:
                answer = partial(self._send, link, heard.reply, hidden=heard.hidden)
            events = tell(self._inbox, device, heard, answer)
            if heard.lost and self._views is not None and not heard.hidden:
                self._views.lost(self.attached, heard.at, heard.lost)
            if heard.frame is None:
                continue
            if heard.hidden and not heard.stale:
                self._observer.concealed(self.attached)
            else:
                self._observer.decoded(self.attached, heard.frame, stale=heard.stale)
            if self._views is not None:
                self._show(self._views, heard, heard.frame, events)

    # --- who looks on ----------------------------------------------------------------------

    def _send(self, link: OpenLink, data: bytes, *, hidden: bool) -> None:
        link.write(data)
        if self._views is not None and not hidden:
            self._views.sent(self.attached, self._clock.now(), data)

    def _show(
        self, views: LiveViews, heard: Heard, frame: Decoded, events: tuple[Event, ...]
    ) -> None:
        for chunk, hidden in heard.chunks:
            views.chunk(self.attached, chunk, hidden=hidden)
        if heard.hidden:
            views.concealed(self.attached, frame.at)
        else:
            views.frame(self.attached, frame, events, stale=heard.stale)

    def shared_with(self, by: str) -> None:
        """Say who else has the port open, nobody for empty; told once, until it changes."""
        if by != self._shared_with and self.link is not None:
            self._shared_with = by
            self._inbox.put(PortShared(self.attached.role, self.attached.spec.key, by))

    def _show_link(self, word: LinkWord) -> None:
        if self._views is not None:
            self._views.link(self.attached, self._clock.now(), word)

    # --- link state ------------------------------------------------------------------------

    async def _wire(self) -> str | None:
        """Return what the open wire itself says of the device on it."""
        identify = self.attached.link.identify
        if identify is None:
            return None
        return await asyncio.to_thread(identify, self.attached.link_settings)

    def _up(self, link: OpenLink, stale_bytes: int, wire: str | None) -> None:
        if self.state is LinkState.CONNECTED:
            return  # it was wedged, and nobody was told that it is open anew
        self.state, self.trouble = LinkState.CONNECTED, None
        self._show_link("open")
        self._observer.link_changed(self.attached, self.state, None)
        role, device = self.attached.role, self.attached.spec.key
        stale_bytes = stale_bytes_told(self._inbox.setup, stale_bytes)
        self._inbox.put(LinkUp(role, device, link.where, stale_bytes, wire))

    def _may_yet_be_allowed(self, error: LinkError) -> bool:
        """Return whether udev may still be giving a new node its group (B49)."""
        if not isinstance(error, LinkDenied):
            self._denied_since = None
            return False
        now = self._clock.now()
        self._denied_since = self._denied_since or now
        denied_for = now.since(self._denied_since)
        return denied_for is not None and denied_for < UDEV_S * self._clock.scale

    def _down(self, error: LinkError) -> None:
        before, state = self.state, state_after(error)
        self.trouble = error
        if state is before or (state is LinkState.ABSENT and before is LinkState.LOST):
            return
        if before is LinkState.CONNECTED:
            self._show_link("lost")
        self.state = state
        self.feed.lost()
        self._observer.link_changed(self.attached, state, error)
        role, device = self.attached.role, self.attached.spec.key
        self._inbox.put(LinkDown(role, device, f"{state}: {error}"))
