"""One device: open, read, decode, tick, reply, reconnect, health. Runs for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from daemon.devices.attachment import AttachedDevice
from daemon.devices.backoff import DEVICE, Backoff
from daemon.devices.live_views import ChunkRedactor, LiveViews
from daemon.gamekit.commitments import Concealed
from daemon.runtime.inbox import Inbox
from daemon.table.inputs import (
    DeviceGarbled,
    DeviceSilent,
    FrameDamaged,
    HiddenSaid,
    LinkDown,
    LinkUp,
    PortShared,
    heard,
)
from drivers.capture_model import LinkWord
from drivers.clock import Clock
from drivers.errors import (
    LinkAbsent,
    LinkBusy,
    LinkDenied,
    LinkEnded,
    LinkError,
    LinkLost,
    LinkRefused,
)
from drivers.link import Chunk, OpenLink
from protocols.device import Decoded, Decoder
from protocols.events import Event
from protocols.instant import Instant, earliest
from protocols.readings import Reading
from protocols.rejects import RejectReason

_WORDS: dict[type[LinkError], str] = {
    LinkAbsent: "absent",
    LinkBusy: "busy",
    LinkDenied: "denied",
    LinkRefused: "refused",
    LinkLost: "lost",
    LinkEnded: "ended",
}
GARBLED_AFTER = 20
"""Rejects in a row, without one reading, that make a device *garbled*."""
UDEV_S = 5.0
"""How long a port may be denied before anybody is told: udev gives a new node its group late."""
STALE_STEP = 1024
"""Where cards may lie face down, how many bytes lay in a port is told in steps of so many: labels
differ in length."""
REOPEN_AFTER_SILENCES = 5
"""Silences after which the port is opened anew: a wedged adapter heals only by that (B19)."""


class SessionObserver(Protocol):
    """Who counts and logs what a session sees."""

    def decoded(self, plug: AttachedDevice, one: Decoded, *, stale: bool) -> None:
        """A frame was decoded or rejected."""

    def concealed(self, plug: AttachedDevice) -> None:
        """A frame came where the next card may be a hidden one: no more is said of it."""

    def link_changed(self, plug: AttachedDevice, word: str, error: LinkError | None) -> None:
        """The link is `connected`, `absent`, `busy`, `denied`, `refused`, `lost`, `ended`."""


class Session:
    """Keeps one device's link open and puts what it says into the table's inbox."""

    def __init__(
        self,
        plug: AttachedDevice,
        inbox: Inbox,
        clock: Clock,
        watcher: SessionObserver,
        views: LiveViews | None = None,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
        backoff: Backoff = DEVICE,
    ) -> None:
        self.plug = plug
        self.word = "starting"
        self.trouble: LinkError | None = None
        self.heard_at: Instant | None = None
        self.link: OpenLink | None = None
        self._inbox = inbox
        self._clock = clock
        self._watcher = watcher
        self._views = views
        self._uncovered = ChunkRedactor()
        self._hides = inbox.setup.game.hides(inbox.setup.profile)
        self._wait = wait
        self._backoff = backoff
        self._denied: Instant | None = None
        self._shared_with = ""
        self._silent = False
        self._rejects = 0
        self._stale_left = 0

    async def run(self) -> None:
        """Open, read, reopen; returns only when a replay has ended."""
        failures = 0
        while True:
            try:
                link = await self.plug.link.open(
                    self.plug.link_settings, self.plug.spec.wiring, self._clock
                )
            except LinkError as error:
                failures += 1
                if not self._may_yet_be_allowed(error):
                    self._down(error)
                if isinstance(error, LinkEnded):
                    return
                await self._wait(self._backoff.wait_s(failures))
                continue
            failures, self._denied = 0, None
            try:
                await self._serve(link)
            except LinkError as error:
                self._down(error)
                if isinstance(error, LinkEnded):
                    return
            finally:
                self.link = None
                await link.close()
            # A link that opens, only to be lost at once, must not keep us busy.
            await asyncio.sleep(self._backoff.wait_s(1))

    async def _serve(self, link: OpenLink) -> None:
        """Read one open link until it is lost (LinkError) or wedged (returns)."""
        self.link = link
        decoder = self.plug.spec.decoder(self.plug.settings)
        opened = self.heard_at = self._clock.now()
        self._stale_left = 0
        self._uncovered = ChunkRedactor()
        up, wire = False, await self._wire()
        while True:
            chunk = await link.read(0.0 if not up else self._patience(decoder))
            if not up:
                self._up(link, len(chunk.data) if chunk and chunk.stale else 0, wire)
                up = True
                if self.plug.spec.writes == "poll":
                    now = self._clock.now()
                    self._take(link, Chunk(now, b""), decoder.tick(now))
            now = chunk.at if chunk else self._clock.now()
            if chunk is not None:
                self._silence(now)  # of a link that was held up: it ends only now
                self._take(link, chunk, decoder.feed(chunk.at, chunk.data))
                if chunk.stale:  # a frame that began before we listened is not a live one
                    self._stale_left = len(decoder.pending)
            elif decoder.wake_at is not None and now.reached(decoder.wake_at):
                self._take(link, Chunk(now, b""), decoder.tick(now))
            if self._wedged(now, opened):
                return

    def _patience(self, decoder: Decoder) -> float | None:
        """Return how many real seconds to wait for bytes before looking at the clock again."""
        silence = self.plug.spec.silence_s
        quiet = self.heard_at.after(silence) if silence and self.heard_at else None
        if self._silent and silence is not None:
            quiet = self._clock.now().after(silence)
        wanted = earliest(decoder.wake_at, quiet)
        left = wanted.since(self._clock.now()) if wanted is not None else None
        return None if left is None else max(left, 0.0) / self._clock.scale

    def _take(self, link: OpenLink, chunk: Chunk, decoded: Sequence[Decoded]) -> None:
        self._uncovered.add(chunk)
        for one in decoded:
            # White space left over from a stale line is no part of what the next line says.
            stale = chunk.stale or bool(one.raw[: self._stale_left].strip())
            self._stale_left = max(0, self._stale_left - len(one.raw))
            # Asked for each frame, when the one before it was applied.
            hidden = bool(one.raw) and not stale and self._inbox.conceals(self.plug.role, one)
            events: tuple[Event, ...] = ()
            if stale:
                pass  # shown, never applied: nobody knows when it was said
            elif isinstance(one.body, RejectReason):
                self._rejected(link, one, one.body, hidden=hidden)
            else:
                events = self._said(link, one, one.body, hidden=hidden)
            if hidden:  # last: counting can wait
                self._watcher.concealed(self.plug)
            else:
                self._watcher.decoded(self.plug, one, stale=stale)
            self._show(one, events, stale=stale, hidden=hidden)

    def _said(
        self, link: OpenLink, one: Decoded, reading: Reading, *, hidden: bool
    ) -> tuple[Event, ...]:
        self.heard_at, self._silent, self._rejects = one.at, False, 0
        said = heard(self.plug.role, self.plug.spec.key, one, reading)
        body = HiddenSaid(Concealed(said)) if hidden else said
        reply = one.reply
        then = None if reply is None else lambda: self._send(link, reply, hidden=hidden)
        return self._inbox.put(body, one.at, then).events

    def _rejected(
        self, link: OpenLink, one: Decoded, reason: RejectReason, *, hidden: bool
    ) -> None:
        if one.reply is not None:
            # whole, but unknown to us: sending it again would not help
            self._send(link, one.reply, hidden=hidden)
        if not one.raw:
            return  # an unanswered poll: silence is judged by its length, not by counting
        self._rejects += 1
        if self.plug.spec.resent_within_s is not None:
            self._inbox.put(FrameDamaged(self.plug.role, self.plug.spec.key), one.at)
        self._inbox.reject(self.plug.spec.key, reason, one.raw, one.at, hidden=hidden)
        if self._rejects == GARBLED_AFTER:
            last = "" if hidden else f", the last for {reason}"
            detail = f"{GARBLED_AFTER} rejects in a row{last}: check baud and wiring"
            self._inbox.put(DeviceGarbled(self.plug.role, self.plug.spec.key, detail), one.at)

    def _wedged(self, now: Instant, opened: Instant) -> bool:
        silence, open_for = self._silence(now), now.since(opened)
        return bool(silence and open_for and open_for >= silence * REOPEN_AFTER_SILENCES)

    def _silence(self, now: Instant) -> float | None:
        """Tell a silence once; return its limit while it lasts."""
        silence = self.plug.spec.silence_s
        quiet = None if self.heard_at is None else now.since(self.heard_at)
        if silence is None or quiet is None or quiet < silence:
            return None
        if not self._silent:
            self._silent = True
            self._inbox.put(DeviceSilent(self.plug.role, self.plug.spec.key, round(quiet, 1)), now)
        return silence

    # --- who looks on ---------------------------------------------------------------------

    def _send(self, link: OpenLink, data: bytes, *, hidden: bool) -> None:
        link.write(data)
        if self._views is not None and not hidden:
            self._views.sent(self.plug, self._clock.now(), data)

    def _show(self, one: Decoded, events: tuple[Event, ...], *, stale: bool, hidden: bool) -> None:
        # What was said while nobody listened may have been a hidden card as well.
        hidden = hidden or (stale and self._hides)
        chunks = self._uncovered.account(len(one.raw), hidden=hidden)
        if self._views is None:
            return
        for chunk, covered in chunks:
            self._views.chunk(self.plug, chunk, hidden=covered)
        if hidden:
            self._views.concealed(self.plug, one.at)
        else:
            self._views.frame(self.plug, one, events, stale=stale)

    def shared_with(self, by: str) -> None:
        """Say who else has the port open, nobody for empty; told once, until it changes."""
        if by != self._shared_with and self.link is not None:
            self._shared_with = by
            self._inbox.put(PortShared(self.plug.role, self.plug.spec.key, by))

    def _show_link(self, word: LinkWord) -> None:
        if self._views is not None:
            self._views.link(self.plug, self._clock.now(), word)

    # --- link state ----------------------------------------------------------------------

    async def _wire(self) -> str | None:
        """Return what the open wire itself says of the device on it."""
        identify = self.plug.link.identify
        return (
            None if identify is None else await asyncio.to_thread(identify, self.plug.link_settings)
        )

    def _up(self, link: OpenLink, stale_bytes: int, wire: str | None = None) -> None:
        if self.word != "connected":
            self.word, self.trouble = "connected", None
            self._show_link("open")
            self._watcher.link_changed(self.plug, "connected", None)
            if self._hides:
                stale_bytes = -(-stale_bytes // STALE_STEP) * STALE_STEP
            self._inbox.put(
                LinkUp(self.plug.role, self.plug.spec.key, link.where, stale_bytes, wire)
            )

    def _may_yet_be_allowed(self, error: LinkError) -> bool:
        """Return whether udev may still be giving a new node its group (B49)."""
        if not isinstance(error, LinkDenied):
            self._denied = None
            return False
        now = self._clock.now()
        self._denied = self._denied or now
        denied_for = now.since(self._denied)
        return denied_for is not None and denied_for < UDEV_S * self._clock.scale

    def _down(self, error: LinkError) -> None:
        word = _WORDS[type(error)]
        self.trouble = error
        if word == self.word or (word == "absent" and self.word == "lost"):
            return  # a lost device is absent a moment later: one event tells it
        if self.word == "connected":
            self._show_link("lost")
        self.word = word
        self._silent = False
        self._watcher.link_changed(self.plug, word, error)
        self._inbox.put(LinkDown(self.plug.role, self.plug.spec.key, f"{word}: {error}"))
