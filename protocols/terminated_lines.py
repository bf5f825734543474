"""Lines of printable text, each ended by the first CR or LF behind it.

Whatever terminators follow lead the raw bytes of the next line, so that a frame is the same however
its bytes were cut on their way. Bytes that no line can need any more become noise at once: what is
pending stays bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final, TypeAlias

from protocols.device import Decoded
from protocols.frame_decoder import FrameDecoder, add_noise
from protocols.instant import Instant
from protocols.readings import Reading
from protocols.rejects import RejectReason

Body: TypeAlias = Reading | RejectReason

TERMINATORS: Final = b"\r\n"
_LINES: Final = re.compile(rb"[\r\n]*[^\r\n]+[\r\n]")
_PRINTABLE: Final = re.compile(rb"[ -~]*")
_KNOWN_MAX: Final = 8192
_KNOWN_LENGTH: Final = 32


def is_printable(text: bytes) -> bool:
    """Return whether every byte is a printable ASCII character, as in every line of a wheel."""
    return _PRINTABLE.fullmatch(text) is not None


def damage(text: bytes) -> RejectReason:
    """Return why text of a wrong length says nothing."""
    return RejectReason.LENGTH if is_printable(text) else RejectReason.NOISE


class TerminatedLines(FrameDecoder):
    """Cuts the stream into lines; the device fills the two methods at the end."""

    line_max: ClassVar[int]
    """The longest line that is waited for."""
    lead_max: ClassVar[int]
    """The most terminators that are kept for the line behind them."""

    def __init__(self) -> None:
        self._known: dict[bytes, Reading] = {}

    def _scan(self, at: Instant, data: bytes, decoded: list[Decoded], *, ended: bool) -> None:  # noqa: ARG002 - lines end by their terminator, not by quiet
        stream = self.pending + data
        end = max(stream.rfind(b"\r"), stream.rfind(b"\n")) + 1
        text = len(stream[:end].rstrip(TERMINATORS))
        # On a run of bare terminators the pattern would fail at each of them in turn.
        lines: list[bytes] = _LINES.findall(stream, 0, text + 1) if text else []
        noise: list[bytes] = []
        known = self._known
        for line in lines:
            reading = known.get(line)
            if reading is None:
                self._read(at, line, decoded, noise)
                continue
            if noise:
                add_noise(at, noise, decoded)
            decoded.append(Decoded(at, line, reading))
        self.pending = self._shed(stream[text + 1 :] if lines else stream, noise)
        add_noise(at, noise, decoded)

    def _read(self, at: Instant, line: bytes, decoded: list[Decoded], noise: list[bytes]) -> None:
        for raw, body in self._pieces(line):
            if body is RejectReason.NOISE:
                noise.append(raw)
                continue
            add_noise(at, noise, decoded)
            decoded.append(Decoded(at, raw, body))
            if not isinstance(body, RejectReason) and len(raw) <= _KNOWN_LENGTH:
                if len(self._known) >= _KNOWN_MAX:
                    self._known.clear()
                self._known[raw] = body

    def _shed(self, rest: bytes, noise: list[bytes]) -> bytes:
        """Return what of an unfinished line must be kept; the rest of it becomes noise."""
        text = rest.lstrip(TERMINATORS)
        lead = len(rest) - len(text)
        if lead > self.lead_max:
            noise.append(rest[:lead])
            rest = text
        if len(text) <= self.line_max:
            return rest
        kept = self._kept(text)
        noise.append(rest[:-kept])
        return rest[-kept:]

    def _pieces(self, line: bytes) -> Iterator[tuple[bytes, Body]]:
        """Yield the stretches of a line, its terminators included, and what each says."""
        raise NotImplementedError

    def _kept(self, text: bytes) -> int:
        """Return how many of the last bytes of an endless line may belong to one that is none."""
        raise NotImplementedError
