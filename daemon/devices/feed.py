"""What a device says, on its way to the table: one feed for every listener. Pure, no I/O.

Bytes and the passing of time go in, each with its instant. Out comes one `Heard` for each frame,
each stretch of bytes that is none, and each silence: what the table is told, what the device is
answered, what may be shown. The daemon's session, the replay of a file, `watch` and `capture` on a
free port, and `detect` all listen through it. It opens nothing, and knows no clock.

Its rules, in the order in which they apply:

* poll        a device that speaks only when asked is asked as soon as its link is open
* silence     a device that is never quiet for longer than `silence_s` and is, is *silent*: told
              once, at its time, or before what ends it where the link itself was held up. Only a
              reading ends a silence: bytes that say nothing do not
* wedge       a link that stays silent for `REOPEN_AFTER_SILENCES` times as long is to be opened
              anew: a wedged adapter recovers only by that
* stale       what lay in the port when it was opened was said at an unknown time, and so was a
              frame that began with it: it is shown, and never applied. White space that a stale
              line left is no part of the next line, and does not make that one stale
* conceal     whether a frame may be a hidden card is asked when the frame before it was applied:
              `daemon/table/concealment.py`. Hence an iterator: take one item, apply it, take the
              next
* damage      live bytes that say nothing and may have been a card, and what the link itself lost,
              are told to the table, which judges whether they matter: `daemon/table/damage.py`
* garble      a device is *garbled* when more than half of its last frames were not understood
              (`daemon/devices/pace.py`), an unread card among them. So is one whose bytes come and
              never make a reading: that is no silence. It is told once, until a reading ends it

A chunk is shown whole or held back whole: when the frames that account for all of its bytes are
known, and only where none of them is hidden (`ChunkRedactor`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from daemon.devices.pace import FEW_CARDS, MANY_LINES, Pace
from daemon.gamekit.commitments import Concealed
from daemon.runtime.inbox import Inbox
from daemon.table.concealment import any_card_may_be_hidden, frame_may_be_hidden
from daemon.table.inputs import (
    DeviceGarbled,
    DeviceSaid,
    DeviceSilent,
    FrameDamaged,
    HiddenSaid,
    InputBody,
)
from daemon.table.state import TableSetup, TableState
from drivers.link import Chunk
from protocols.device import Decoded, DeviceSpec, Settings
from protocols.events import Event
from protocols.instant import Instant, earliest
from protocols.readings import CardUnread, Reading
from protocols.rejects import RejectReason
from protocols.table_terms import Role
from protocols.wiring import SerialWiring

REOPEN_AFTER_SILENCES: Final = 5
_CHECK: Final = "check baud and wiring"


class TableView(Protocol):
    """The table as it is now: whether a card may be hidden depends on it."""

    setup: TableSetup
    state: TableState


@dataclass(frozen=True, slots=True)
class Heard:
    """A frame, a stretch of bytes that is none, or a silence; and what it comes to.

    inputs  what the table is told, in order
    frame   what was decoded, None for a silence. One without bytes is a question that is due
    stale   it was said before anybody listened
    hidden  nobody but the table may see it
    reply   what the device is answered: when the reading is durable, at once where there is none
    lost    what the link says it lost, for people; empty where it lost nothing
    chunks  the chunks whose last bytes these are, and whether each is hidden; none where nobody
            looks on
    """

    at: Instant
    inputs: tuple[InputBody, ...] = ()
    frame: Decoded | None = None
    stale: bool = False
    hidden: bool = False
    reply: bytes | None = None
    lost: str = ""
    chunks: tuple[tuple[Chunk, bool], ...] = ()

    @property
    def reject(self) -> RejectReason | None:
        """Return why live bytes say nothing; None where they say something, or there are none."""
        frame = self.frame
        if frame is None or self.stale or not isinstance(frame.body, RejectReason):
            return None
        return frame.body


def tell(
    inbox: Inbox, device: str, heard: Heard, answer: Callable[[], None] | None = None
) -> tuple[Event, ...]:
    """Tell the table what was heard of its device; return what it made of that.

    answer  sends the reply
    """
    events: tuple[Event, ...] = ()
    reject = heard.reject
    if reject is not None:
        if answer is not None:
            answer()  # whole, but unknown to us: sending it again would not help
            answer = None
        if heard.frame is not None and heard.frame.raw:
            inbox.reject(device, reject, heard.frame.raw, heard.at, hidden=heard.hidden)
    for body in heard.inputs:
        events += inbox.put(body, heard.at, answer).events
    return events


class DeviceFeed:
    """One device, over every link that it is heard through.

    table  whose device it is; None where nobody plays: then nothing is hidden
    """

    def __init__(
        self,
        spec: DeviceSpec,
        settings: Settings,
        role: Role = "primary",
        table: TableView | None = None,
    ) -> None:
        self.heard_at: Instant | None = None
        """When the device said something last, or its link was opened."""
        self.understood = self.rejected = 0
        """Live frames so far; those that may be of a hidden card are in neither."""
        self._spec = spec
        self._settings = settings
        self._role: Role = role
        self._table = table
        self._decoder = spec.decoder(settings)
        self._redactor: ChunkRedactor | None = None
        self._opened_at: Instant | None = None
        self._looked_at: Instant | None = None
        self._understood_at: Instant | None = None
        self._silent = False
        self._bytes_at: Instant | None = None
        self._may_hide = table is not None and any_card_may_be_hidden(table.setup, role)
        self._pace = Pace(FEW_CARDS if spec.silence_s is None else MANY_LINES)
        self._stale_left = 0

    @property
    def pending(self) -> bytes:
        """Return the bytes that belong to no frame yet."""
        return self._decoder.pending

    @property
    def wake_at(self) -> Instant | None:
        """Return when `tick` is due, if nothing is heard before."""
        silence, since = self._spec.silence_s, self._looked_at
        quiet = None if silence is None or since is None else since.after(silence)
        return earliest(self._decoder.wake_at, quiet)

    def open(self, at: Instant) -> Iterator[Heard]:
        """Begin with a link that is open now; return what the device is asked at once."""
        self._decoder = self._spec.decoder(self._settings)
        self._redactor, self._stale_left = None, 0
        self.heard_at = self._opened_at = self._looked_at = at
        self._understood_at = None
        asked = self._decoder.tick(at) if self._spec.writes == "poll" else ()
        return self._frames(asked, stale=False)

    def lost(self) -> None:
        """Take note that the link is gone, and with it what was half said."""
        self._decoder = self._spec.decoder(self._settings)
        self._looked_at, self._silent, self._bytes_at = None, False, None
        self._pace.forget()

    def take(self, chunk: Chunk, *, watched: bool = False) -> Iterator[Heard]:
        """Take bytes that were read.

        watched  somebody looks at chunks
        """
        yield from self._silence(chunk.at)  # of a link that was held up: it ends only now
        if chunk.lost and not chunk.stale:
            yield self._lost(chunk)
        if not chunk.data:
            return
        if not chunk.stale:
            self._bytes_at = chunk.at
        self._watch(chunk, watched=watched)
        decoded = self._decoder.feed(chunk.at, chunk.data)
        yield from self._frames(decoded, stale=chunk.stale)
        if chunk.stale:  # a frame that began before we listened is not a live one
            self._stale_left = len(self._decoder.pending)

    def tick(self, at: Instant) -> Iterator[Heard]:
        """Let time pass."""
        due = self._decoder.wake_at
        if due is not None and at.reached(due):
            yield from self._frames(self._decoder.tick(at), stale=False)
        yield from self._silence(at)

    def is_wedged(self, at: Instant) -> bool:
        """Return whether the link has said nothing for so long that it is to be opened anew."""
        silence, opened = self._spec.silence_s, self._opened_at
        if silence is None or opened is None or not self._is_quiet(at, silence):
            return False
        return at.reached(opened.after(silence * REOPEN_AFTER_SILENCES))

    # --- silence ---------------------------------------------------------------------------

    def _is_quiet(self, at: Instant, silence_s: float) -> bool:
        return self.heard_at is not None and at.reached(self.heard_at.after(silence_s))

    def _silence(self, at: Instant) -> Iterator[Heard]:
        silence = self._spec.silence_s
        if silence is None or self._looked_at is None or not self._is_quiet(at, silence):
            return
        self._looked_at = at
        if self._silent or self.heard_at is None:
            return
        quiet = round(at.since(self.heard_at) or 0.0, 1)
        if self._bytes_at is not None and not at.reached(self._bytes_at.after(silence / 2)):
            if self._pace.make_garbled():
                detail = f"bytes come, and for {quiet} s none of them said anything: {_CHECK}"
                yield Heard(at, (DeviceGarbled(self._role, self._spec.key, detail),))
            return
        self._silent = True
        yield Heard(at, (DeviceSilent(self._role, self._spec.key, quiet),))

    # --- frames ----------------------------------------------------------------------------

    def _frames(self, decoded: Sequence[Decoded], *, stale: bool) -> Iterator[Heard]:
        for frame in decoded:
            began_stale = bool(frame.raw[: self._stale_left].strip())
            self._stale_left = max(0, self._stale_left - len(frame.raw))
            if stale or began_stale:
                hidden = self._table is not None and self._table.setup.hides
                chunks = self._shown(frame, hidden=hidden)
                yield Heard(frame.at, (), frame, stale=True, hidden=hidden, chunks=chunks)
            elif isinstance(frame.body, RejectReason):
                yield self._rejected(frame, frame.body)
            else:
                yield self._read(frame, frame.body)

    def _read(self, frame: Decoded, reading: Reading) -> Heard:
        self.heard_at = self._looked_at = frame.at
        self._silent = False
        said = DeviceSaid(
            role=self._role,
            device=self._spec.key,
            reading=reading,
            sequence=frame.sequence,
            raw=frame.raw.hex(),
            repeats=None if frame.repeats is None else frame.repeats.hex(),
            heard_before=self._understood_at,
        )
        self._understood_at = frame.at
        hidden = self._may_be_hidden(frame.at, said)
        inputs: list[InputBody] = [HiddenSaid(Concealed(said)) if hidden else said]
        unread = isinstance(reading, CardUnread) and not hidden
        self._count(understood=not unread, hidden=hidden, reason="an unread card", inputs=inputs)
        chunks = self._shown(frame, hidden=hidden)
        return Heard(
            frame.at, tuple(inputs), frame, hidden=hidden, reply=frame.reply, chunks=chunks
        )

    def _rejected(self, frame: Decoded, reason: RejectReason) -> Heard:
        if not frame.raw:  # a question of ours: silence is judged by its length, not by counting
            return Heard(frame.at, (), frame, reply=frame.reply)
        hidden = self._may_be_hidden(frame.at, None)
        inputs: list[InputBody] = []
        if may_have_been_a_result(self._spec, reason):
            inputs.append(FrameDamaged(self._role, self._spec.key))
        self._count(understood=False, hidden=hidden, reason=reason, inputs=inputs)
        chunks = self._shown(frame, hidden=hidden)
        return Heard(
            frame.at, tuple(inputs), frame, hidden=hidden, reply=frame.reply, chunks=chunks
        )

    def _lost(self, chunk: Chunk) -> Heard:
        """Return what the table is told of bytes that the link lost."""
        inputs = (FrameDamaged(self._role, self._spec.key, chunk.lost),)
        hidden = self._may_be_hidden(chunk.at, None)
        return Heard(chunk.at, inputs, hidden=hidden, lost=chunk.lost)

    def _count(
        self, *, understood: bool, hidden: bool, reason: str, inputs: list[InputBody]
    ) -> None:
        """Count a live frame, and add what that makes of its device to what the table is told."""
        if not hidden:
            self.understood += understood
            self.rejected += not understood
        if self._pace.count(understood=understood):
            last = "" if hidden else f", the last one for {reason}"
            many, few = self._pace.seen, self._pace.rejected
            detail = f"{few} of the last {many} frames were not understood{last}: {_CHECK}"
            inputs.append(DeviceGarbled(self._role, self._spec.key, detail))

    # --- what may be shown -----------------------------------------------------------------

    def _may_be_hidden(self, at: Instant, said: DeviceSaid | None) -> bool:
        table = self._table
        if table is None or not self._may_hide:
            return False
        return frame_may_be_hidden(table.setup, table.state, at, self._role, said)

    def _watch(self, chunk: Chunk, *, watched: bool) -> None:
        if not watched:
            self._redactor = None
            return
        if self._redactor is None:
            self._redactor = ChunkRedactor(len(self._decoder.pending))
        self._redactor.add(chunk)

    def _shown(self, frame: Decoded, *, hidden: bool) -> tuple[tuple[Chunk, bool], ...]:
        if self._redactor is None:
            return ()
        return tuple(self._redactor.account(len(frame.raw), hidden=hidden))


def may_have_been_a_result(spec: DeviceSpec, reason: RejectReason) -> bool:
    """Return whether bytes that say nothing, for this reason, may have been a card or a result.

    A frame of an unknown kind is none where a check value shows that it came over whole: its own,
    or that of a bus. Without one, a damaged frame may look like another kind. An error of a CAN bus
    is none: the sender's controller sends the destroyed frame again until it arrives.
    """
    if reason is RejectReason.BUS_ERROR:
        return False
    if reason is not RejectReason.UNSUPPORTED:
        return True
    return spec.framing.checksum == "none" and isinstance(spec.wiring, SerialWiring)


class ChunkRedactor:
    """Which chunks may be shown: those of which every byte belongs to a frame that may be.

    The bytes of frames and the bytes that are pending are, in order, the bytes of chunks.

    unseen  bytes that are pending of chunks before the first one
    """

    def __init__(self, unseen: int = 0) -> None:
        self._unseen = unseen
        self._chunks: deque[Chunk] = deque()
        self._left = 0  # bytes of the first chunk that no frame has accounted for
        self._hidden = False

    def add(self, chunk: Chunk) -> None:
        """Take a chunk that was read; its frames come later. An empty one is none."""
        if not chunk.data:
            return
        if not self._chunks:
            self._left = len(chunk.data)
        self._chunks.append(chunk)

    def account(self, size: int, *, hidden: bool) -> list[tuple[Chunk, bool]]:
        """Take a frame of so many bytes; return the chunks it completes, and which are hidden."""
        unseen = min(size, self._unseen)
        self._unseen -= unseen
        size -= unseen
        done: list[tuple[Chunk, bool]] = []
        while self._chunks and size:
            taken = min(size, self._left)
            size, self._left = size - taken, self._left - taken
            self._hidden = self._hidden or hidden
            if not self._left:
                done.append((self._chunks.popleft(), self._hidden))
                self._hidden = False
                self._left = len(self._chunks[0].data) if self._chunks else 0
        return done
