"""Bytes of a NAPSA wheel to lines, and lines to readings.

A line ends at the first CR or LF; what terminator follows leads the raw bytes of the next line.
Every whole line has nine characters, so of a longer one only its last nine can be a line: what
stands before them was torn off its own end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.rejects import RejectReason
from protocols.wheels.napsa.grammar import Body, is_printable, read_line
from protocols.wheels.napsa.layout import (
    LEAD_MAX,
    LINE,
    LINE_MAX,
    TERMINATORS,
    NapsaSettings,
    pocket_fields,
)

_LINES: Final = re.compile(rb"[\r\n]*[^\r\n]+[\r\n]")
_KNOWN_MAX: Final = 8192


class NapsaDecoder:
    """One open link to one wheel. It holds at most one unfinished line."""

    def __init__(self, settings: NapsaSettings) -> None:
        self.wake_at: Instant | None = None
        self._pockets = pocket_fields(settings)
        self._held = b""
        self._known: dict[bytes, Body] = {}

    @property
    def pending(self) -> bytes:
        """Return the bytes of the line that has not ended yet."""
        return self._held

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        """Return every line that `data` ends, and noise that no line can need any more."""
        data = self._held + data
        end = max(data.rfind(b"\r"), data.rfind(b"\n")) + 1
        text = len(data[:end].rstrip(TERMINATORS))
        # On a run of bare terminators the pattern would fail at each of them in turn.
        lines: list[bytes] = _LINES.findall(data, 0, text + 1) if text else []
        decoded: list[Decoded] = []
        noise: list[bytes] = []
        for line in lines:
            for raw, body in self._pieces(line):
                if body is RejectReason.NOISE:
                    noise.append(raw)
                    continue
                _join(at, decoded, noise)
                decoded.append(Decoded(at, raw, body))
        self._held = _shed(data[text + 1 :] if lines else data, noise)
        _join(at, decoded, noise)
        return decoded

    def tick(self, at: Instant) -> Sequence[Decoded]:  # noqa: ARG002 - no line ends by silence
        """Return nothing: lines end by their mark, and the wheel is not polled."""
        return ()

    def _pieces(self, line: bytes) -> Iterator[tuple[bytes, Body]]:
        text = line.strip(TERMINATORS)
        body = self._read(text[-LINE:])
        if len(text) > LINE and not isinstance(body, RejectReason):
            cut = len(line) - LINE - 1
            yield line[:cut], _damage(text[:-LINE])
            line, text = line[cut:], text[-LINE:]
        yield line, body if len(text) == LINE else _damage(text)

    def _read(self, text: bytes) -> Body:
        body = self._known.get(text)
        if body is None:
            if len(text) != LINE or not is_printable(text):
                return _damage(text)
            if len(self._known) >= _KNOWN_MAX:
                self._known.clear()
            body = self._known[text] = read_line(text, self._pockets)
        return body


def _damage(text: bytes) -> RejectReason:
    return RejectReason.LENGTH if is_printable(text) else RejectReason.NOISE


def _shed(rest: bytes, noise: list[bytes]) -> bytes:
    """Return what of an unfinished line must be kept; the rest of it becomes noise."""
    text = rest.lstrip(TERMINATORS)
    lead = len(rest) - len(text)
    if lead > LEAD_MAX:
        noise.append(rest[:lead])
        rest = text
    if len(text) <= LINE_MAX:
        return rest
    noise.append(rest[:-LINE])
    return rest[-LINE:]


def _join(at: Instant, decoded: list[Decoded], noise: list[bytes]) -> None:
    if noise:
        decoded.append(Decoded(at, b"".join(noise), RejectReason.NOISE))
        noise.clear()
