"""Bytes of a Slingshot 2 to lines, and lines to readings.

A line ends at the first CR or LF after it: bare numbers were captured with LF CR. Whatever
terminator follows leads the raw bytes of the next line, so that a frame is the same however its
bytes were cut on their way. A line
that holds a later `*` was glued from pieces: only what follows its last `*` can be a frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import Reading
from protocols.rejects import RejectReason
from protocols.wheels.cammegh_ss2.grammar import Body, is_printable, read_line
from protocols.wheels.cammegh_ss2.layout import (
    LEAD_MAX,
    LINE_MAX,
    TERMINATORS,
    CammeghSs2Settings,
    pocket_field,
    pocket_texts,
)

_LINES: Final = re.compile(rb"[\r\n]*[^\r\n]+[\r\n]")
_KNOWN_MAX: Final = 8192
_KNOWN_LENGTH: Final = 32
_TORN_TAIL: Final = 8
"""Bytes of an endless line kept back, so that what ends it cannot pass for a line of its own.
No line without a star is as long."""


class CammeghSs2Decoder:
    """One open link to one wheel. It holds at most one unfinished line."""

    def __init__(self, settings: CammeghSs2Settings) -> None:
        self.wake_at: Instant | None = None
        self._pockets = {pocket_field(text): text for text in pocket_texts(settings)}
        self._held = b""
        self._known: dict[bytes, Reading] = {}

    @property
    def pending(self) -> bytes:
        """Return the bytes of the line that has not ended yet."""
        return self._held

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        """Return every line that `data` ends, and noise that no line can need any more."""
        data = self._held + data
        end = max(data.rfind(b"\r"), data.rfind(b"\n")) + 1
        text = len(data[:end].rstrip(TERMINATORS))
        decoded: list[Decoded] = []
        noise: list[bytes] = []
        # On a run of bare terminators the pattern would fail at each of them in turn.
        lines: list[bytes] = _LINES.findall(data, 0, text + 1) if text else []
        known = self._known
        for line in lines:
            reading = known.get(line)
            if reading is None:
                self._read(at, line, decoded, noise)
                continue
            if noise:
                _join(at, decoded, noise)
            decoded.append(Decoded(at, line, reading))
        self._held = self._shed(data[text + 1 :] if lines else data, noise)
        _join(at, decoded, noise)
        return decoded

    def tick(self, at: Instant) -> Sequence[Decoded]:  # noqa: ARG002 - no line ends by silence
        """Return nothing: lines end by their mark, and the wheel is not polled."""
        return ()

    def _read(self, at: Instant, line: bytes, decoded: list[Decoded], noise: list[bytes]) -> None:
        for raw, body in self._pieces(line):
            if body is RejectReason.NOISE:
                noise.append(raw)
                continue
            _join(at, decoded, noise)
            decoded.append(Decoded(at, raw, body))
            if not isinstance(body, RejectReason) and len(raw) <= _KNOWN_LENGTH:
                if len(self._known) >= _KNOWN_MAX:
                    self._known.clear()
                self._known[raw] = body

    def _pieces(self, line: bytes) -> Iterator[tuple[bytes, Body]]:
        text = line.strip(TERMINATORS)
        star = text.rfind(b"*")
        if star > 0:
            whole = is_printable(text[:star])
            cut = line.rfind(b"*")
            yield line[:cut], RejectReason.LENGTH if whole else RejectReason.NOISE
            line, text = line[cut:], text[star:]
        if len(text) <= LINE_MAX:
            yield line, read_line(text, self._pockets)
        else:
            yield line, RejectReason.LENGTH if is_printable(text) else RejectReason.NOISE

    def _shed(self, rest: bytes, noise: list[bytes]) -> bytes:
        """Return what of an unfinished line must be kept; the rest of it becomes noise."""
        text = rest.lstrip(TERMINATORS)
        lead = len(rest) - len(text)
        if lead > LEAD_MAX:
            noise.append(rest[:lead])
            rest = text
        if len(text) <= LINE_MAX:
            return rest
        star = text.rfind(b"*")
        length = len(text) - star if star > 0 else _TORN_TAIL
        if length > LINE_MAX:
            length = _TORN_TAIL
        noise.append(rest[:-length])
        return rest[-length:]


def _join(at: Instant, decoded: list[Decoded], noise: list[bytes]) -> None:
    if noise:
        decoded.append(Decoded(at, b"".join(noise), RejectReason.NOISE))
        noise.clear()
