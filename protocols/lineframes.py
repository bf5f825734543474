"""Frames on a serial line, delimited as a site's settings say: the bytes between marks.

    start  …  end            from a start mark to an end mark
    start  … (length)  end   from a start mark, so many bytes; the end mark, if any, must be there
           …  end            lines: whatever ends with the end mark
           … (length)        so many bytes from the last quiet on, and so on until the next

Bytes of a check value may stand behind the end mark where there is a start mark. What is delimited
is read by the device; what it does not take for a frame gives up its start mark, and the search
goes on behind it. Lines and counted bytes have no start mark: there, a frame that is too long or
wrong spoils what follows up to the next end mark, or the next quiet. Half a frame that quiet has
ended is given up: what comes later would make another frame of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from protocols.device import Decoded
from protocols.frame_decoder import FrameDecoder
from protocols.instant import Instant
from protocols.readings import Reading
from protocols.rejects import RejectReason

_KNOWN_MAX: Final = 4096


@dataclass(frozen=True, slots=True)
class Delimiting:
    """Where a frame begins and ends.

    start    its first bytes; empty where it has no mark of its own
    end      its last bytes but `tail`; empty where its length alone ends it
    length   how many bytes stand between them; None where the end mark tells
    longest  how many may stand between them, where the end mark tells
    tail     bytes of the frame behind the end mark; only with a start mark
    gap_s    quiet that ends half a frame
    """

    start: bytes
    end: bytes
    length: int | None
    longest: int
    tail: int
    gap_s: float

    @property
    def whole_max(self) -> int:
        """Return the most bytes of a frame."""
        body = self.longest if self.length is None else self.length
        return len(self.start) + body + len(self.end) + self.tail


class Said(NamedTuple):
    """What a whole frame says, its own number and what to answer."""

    body: Reading | RejectReason
    sequence: str | None = None
    reply: bytes | None = None


_EMPTY: Final = Said(RejectReason.NOISE)
_TORN: Final = Said(RejectReason.LENGTH)

Read: TypeAlias = Callable[[bytes], Said | None]
"""What a whole frame says; None for bytes that are no frame after all. Of its bytes alone."""


class LineFrames(FrameDecoder):
    """Collects bytes and reads the frames in them. Never raises on bytes; bounded.

    wrong  why bytes are rejected that were delimited and are no frame after all
    nak    what to answer them
    """

    def __init__(
        self, how: Delimiting, read: Read, wrong: RejectReason, nak: bytes | None = None
    ) -> None:
        self.gap_s = how.gap_s
        self._how = how
        self._max = how.whole_max
        self._read = read
        self._wrong = wrong
        self._nak = nak
        self._known: dict[bytes, Said] = {}
        if how.start:
            self._cut = self._from_mark_to_mark if how.length is None else self._counted_from_mark
        else:
            self._cut = self._lines if how.end else self._counted_from_quiet

    def _scan(self, at: Instant, data: bytes, decoded: list[Decoded], *, ended: bool) -> None:
        self._cut(decoded, at, self.pending + data, ended=ended)

    # --- the four ways, each adding to `found` and leaving what is unfinished in `pending` ---

    def _from_mark_to_mark(
        self, found: list[Decoded], at: Instant, stream: bytes, *, ended: bool
    ) -> None:
        begin, end, tail, known = self._how.start, self._how.end, self._how.tail, self._known
        size = len(end)
        taken = place = 0  # everything before `taken` is in `found`
        reason = RejectReason.NOISE
        held = None
        while (stop := stream.find(end, place)) >= 0:
            start = stream.rfind(begin, place, stop)
            stop += size
            if start < 0:
                place = stop
                continue
            whole = stop + tail
            fits, there = whole - start <= self._max, whole <= len(stream)
            if fits and not there and not ended:
                held = start
                break
            if not (fits and there):
                place, reason = stop, RejectReason.LENGTH
                continue
            raw = stream[start:whole]
            said = known.get(raw) or self._whole(raw)
            if said is None:
                reason = self._wrong
                # A check value that is none may be the beginning of the next frame.
                place = stop if begin[:1] in stream[stop:whole] else whole
                continue
            if start > taken:
                self._reject(found, at, stream[taken:start], reason)
                reason = RejectReason.NOISE
            found.append(Decoded(at, raw, said.body, said.sequence, said.reply))
            taken = place = whole
        if held is None:
            held = len(stream) if ended else self._begun(stream, place)
        torn = reason is RejectReason.NOISE and begin in stream[taken:held]
        self._reject(found, at, stream[taken:held], RejectReason.LENGTH if torn else reason)
        self.pending = stream[held:]

    def _begun(self, stream: bytes, place: int) -> int:
        """Return where a frame has begun that may still end; the stream's end where none has."""
        start = stream.rfind(self._how.start, place)
        if start >= 0 and len(stream) - start < self._max:
            return start
        return len(stream) - _overlap(stream[place:], self._how.start)

    def _counted_from_mark(
        self, found: list[Decoded], at: Instant, stream: bytes, *, ended: bool
    ) -> None:
        size, begin = self._max, self._how.start
        taken = place = 0
        reason = RejectReason.NOISE
        while (start := stream.find(begin, place)) >= 0:
            stop = start + size
            if stop > len(stream) and not ended:
                break
            raw = stream[start:stop]
            fits = len(raw) == size and self._ends(raw)
            said = (self._known.get(raw) or self._whole(raw)) if fits else None
            if said is None:
                reason = RejectReason.LENGTH if len(raw) < size else self._wrong
                place = start + 1
                continue
            self._reject(found, at, stream[taken:start], reason)
            found.append(Decoded(at, raw, said.body, said.sequence, said.reply))
            taken = place = stop
            reason = RejectReason.NOISE
        if start < 0:
            start = len(stream) - (0 if ended else _overlap(stream[place:], begin))
        self._reject(found, at, stream[taken:start], reason)
        self.pending = stream[start:]

    def _lines(self, found: list[Decoded], at: Instant, stream: bytes, *, ended: bool) -> None:
        end, size, place = self._how.end, len(self._how.end), 0
        while (stop := stream.find(end, place)) >= 0:
            raw = stream[place : stop + size]
            said = None if self._spoiled else self._known.get(raw) or self._line(raw)
            if said is None:
                self._reject(found, at, raw, RejectReason.LENGTH if self._spoiled else self._wrong)
            else:
                found.append(Decoded(at, raw, said.body, said.sequence, said.reply))
            self._spoiled = False
            place = stop + size
        rest = stream[place:]
        self._spoiled = self._spoiled or len(rest) >= self._max
        kept = len(rest)
        if ended or self._spoiled:
            kept = 0 if ended else _overlap(rest, end)
        self._reject(found, at, rest[: len(rest) - kept], RejectReason.LENGTH)
        self.pending = rest[len(rest) - kept :]

    def _line(self, raw: bytes) -> Said | None:
        how, body = self._how, len(raw) - len(self._how.end)
        if body == 0:
            return _EMPTY
        fits = body <= how.longest if how.length is None else body == how.length
        return self._whole(raw) if fits else _TORN

    def _counted_from_quiet(
        self, found: list[Decoded], at: Instant, stream: bytes, *, ended: bool
    ) -> None:
        size, place = self._max, 0
        while not self._spoiled and place + size <= len(stream):
            raw = stream[place : place + size]
            said = self._known.get(raw) or self._whole(raw)
            if said is None or isinstance(said.body, RejectReason):
                self._spoiled = True  # where the next one begins, only quiet can tell
                break
            found.append(Decoded(at, raw, said.body, said.sequence, said.reply))
            place += size
        if self._spoiled or ended:
            reason = RejectReason.MALFORMED if self._spoiled else RejectReason.LENGTH
            self._reject(found, at, stream[place:], reason)
            place = len(stream)
        self.pending = stream[place:]

    def _ends(self, raw: bytes) -> bool:
        end, tail = self._how.end, self._how.tail
        return raw.endswith(end, 0, len(raw) - tail)

    def _whole(self, raw: bytes) -> Said | None:
        """Return what a whole frame says, and remember it: the same bytes say the same again."""
        said = self._read(raw)
        if said is not None:
            if len(self._known) >= _KNOWN_MAX:
                self._known.clear()
            self._known[raw] = said
        return said

    def _reject(self, found: list[Decoded], at: Instant, raw: bytes, reason: RejectReason) -> None:
        if raw:
            again = self._nak if reason is self._wrong else None
            found.append(Decoded(at, raw, reason, reply=again))


def _overlap(stream: bytes, mark: bytes) -> int:
    """Return how many bytes at the stream's end are the beginning of a mark."""
    for length in range(min(len(mark) - 1, len(stream)), 0, -1):
        if stream.endswith(mark[:length]):
            return length
    return 0
