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
from typing import Final, TypeAlias

from protocols.device import Decoded, FrameMeaning
from protocols.frame_decoder import FrameDecoder
from protocols.instant import Instant
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


_EMPTY: Final = FrameMeaning(RejectReason.NOISE)
_TORN: Final = FrameMeaning(RejectReason.LENGTH)

FrameReader: TypeAlias = Callable[[bytes], FrameMeaning | None]
"""What a whole frame says; None for bytes that are no frame after all. Of its bytes alone."""


class LineFrames(FrameDecoder):
    """Collects bytes and reads the frames in them. Never raises on bytes; bounded.

    wrong  why bytes are rejected that were delimited and are no frame after all
    nak    what to answer them
    """

    def __init__(
        self, how: Delimiting, read: FrameReader, wrong: RejectReason, nak: bytes | None = None
    ) -> None:
        self.gap_s = how.gap_s
        self._how = how
        self._max = how.whole_max
        self._read = read
        self._wrong = wrong
        self._nak = nak
        self._known: dict[bytes, FrameMeaning] = {}
        if how.start:
            self._cut = self._from_mark_to_mark if how.length is None else self._counted_from_mark
        else:
            self._cut = self._lines if how.end else self._counted_from_quiet

    def _scan(self, at: Instant, data: bytes, decoded: list[Decoded], *, ended: bool) -> None:
        self._cut(decoded, at, self.pending + data, ended=ended)

    # --- the four ways, each adding to `found` and leaving what is unfinished in `pending` ---

    def _from_mark_to_mark(
        self, decoded: list[Decoded], at: Instant, stream: bytes, *, ended: bool
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
            meaning = known.get(raw) or self._whole(raw)
            if meaning is None:
                reason = self._wrong
                # A check value that is none may be the beginning of the next frame.
                place = stop if begin[:1] in stream[stop:whole] else whole
                continue
            if start > taken:
                self._reject(decoded, at, stream[taken:start], reason)
                reason = RejectReason.NOISE
            decoded.append(Decoded(at, raw, meaning.body, meaning.sequence, meaning.reply))
            taken = place = whole
        if held is None:
            held = len(stream) if ended else self._begun(stream, place)
        torn = reason is RejectReason.NOISE and begin in stream[taken:held]
        self._reject(decoded, at, stream[taken:held], RejectReason.LENGTH if torn else reason)
        self.pending = stream[held:]

    def _begun(self, stream: bytes, place: int) -> int:
        """Return where a frame has begun that may still end; the stream's end where none has."""
        start = stream.rfind(self._how.start, place)
        if start >= 0 and len(stream) - start < self._max:
            return start
        return len(stream) - _overlap(stream[place:], self._how.start)

    def _counted_from_mark(
        self, decoded: list[Decoded], at: Instant, stream: bytes, *, ended: bool
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
            meaning = (self._known.get(raw) or self._whole(raw)) if fits else None
            if meaning is None:
                reason = RejectReason.LENGTH if len(raw) < size else self._wrong
                place = start + 1
                continue
            self._reject(decoded, at, stream[taken:start], reason)
            decoded.append(Decoded(at, raw, meaning.body, meaning.sequence, meaning.reply))
            taken = place = stop
            reason = RejectReason.NOISE
        if start < 0:
            start = len(stream) - (0 if ended else _overlap(stream[place:], begin))
        self._reject(decoded, at, stream[taken:start], reason)
        self.pending = stream[start:]

    def _lines(self, decoded: list[Decoded], at: Instant, stream: bytes, *, ended: bool) -> None:
        end, size, place = self._how.end, len(self._how.end), 0
        while (stop := stream.find(end, place)) >= 0:
            raw = stream[place : stop + size]
            meaning = None if self._spoiled else self._known.get(raw) or self._line(raw)
            if meaning is None:
                self._reject(
                    decoded, at, raw, RejectReason.LENGTH if self._spoiled else self._wrong
                )
            else:
                decoded.append(Decoded(at, raw, meaning.body, meaning.sequence, meaning.reply))
            self._spoiled = False
            place = stop + size
        rest = stream[place:]
        self._spoiled = self._spoiled or len(rest) >= self._max
        kept = len(rest)
        if ended or self._spoiled:
            kept = 0 if ended else _overlap(rest, end)
        self._reject(decoded, at, rest[: len(rest) - kept], RejectReason.LENGTH)
        self.pending = rest[len(rest) - kept :]

    def _line(self, raw: bytes) -> FrameMeaning | None:
        how, body = self._how, len(raw) - len(self._how.end)
        if body == 0:
            return _EMPTY
        fits = body <= how.longest if how.length is None else body == how.length
        return self._whole(raw) if fits else _TORN

    def _counted_from_quiet(
        self, decoded: list[Decoded], at: Instant, stream: bytes, *, ended: bool
    ) -> None:
        size, place = self._max, 0
        while not self._spoiled and place + size <= len(stream):
            raw = stream[place : place + size]
            meaning = self._known.get(raw) or self._whole(raw)
            if meaning is None or isinstance(meaning.body, RejectReason):
                self._spoiled = True  # where the next one begins, only quiet can tell
                break
            decoded.append(Decoded(at, raw, meaning.body, meaning.sequence, meaning.reply))
            place += size
        if self._spoiled or ended:
            reason = RejectReason.MALFORMED if self._spoiled else RejectReason.LENGTH
            self._reject(decoded, at, stream[place:], reason)
            place = len(stream)
        self.pending = stream[place:]

    def _ends(self, raw: bytes) -> bool:
        end, tail = self._how.end, self._how.tail
        return raw.endswith(end, 0, len(raw) - tail)

    def _whole(self, raw: bytes) -> FrameMeaning | None:
        """Return what a whole frame says, and remember it: the same bytes say the same again."""
        meaning = self._read(raw)
        if meaning is not None:
            if len(self._known) >= _KNOWN_MAX:
                self._known.clear()
            self._known[raw] = meaning
        return meaning

    def _reject(
        self, decoded: list[Decoded], at: Instant, raw: bytes, reason: RejectReason
    ) -> None:
        if raw:
            again = self._nak if reason is self._wrong else None
            decoded.append(Decoded(at, raw, reason, reply=again))


def _overlap(stream: bytes, mark: bytes) -> int:
    """Return how many bytes at the stream's end are the beginning of a mark."""
    for length in range(min(len(mark) - 1, len(stream)), 0, -1):
        if stream.endswith(mark[:length]):
            return length
    return 0
