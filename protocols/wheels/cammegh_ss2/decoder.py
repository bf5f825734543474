"""Bytes of a Slingshot 2 to lines, and lines to readings.

Bare numbers were captured with LF CR: hence a line ends at the first of them. A line that holds a
later `*` was glued from pieces: only what follows its last `*` can be a frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from protocols.terminated_lines import TERMINATORS, Body, TerminatedLines, damage
from protocols.wheels.cammegh_ss2.grammar import read_line
from protocols.wheels.cammegh_ss2.layout import (
    LEAD_MAX,
    LINE_MAX,
    CammeghSs2Settings,
    pocket_field,
    pocket_texts,
)

_TORN_TAIL: Final = 8
"""Bytes of an endless line kept back, so that what ends it cannot pass for a line of its own.
No line without a star is as long."""


class CammeghSs2Decoder(TerminatedLines):
    """One open link to one wheel. It holds at most one unfinished line."""

    line_max = LINE_MAX
    lead_max = LEAD_MAX

    def __init__(self, settings: CammeghSs2Settings) -> None:
        super().__init__()
        self._pockets = {pocket_field(text): text for text in pocket_texts(settings)}

    def _pieces(self, line: bytes) -> Iterator[tuple[bytes, Body]]:
        text = line.strip(TERMINATORS)
        star = text.rfind(b"*")
        if star > 0:
            cut = line.rfind(b"*")
            yield line[:cut], damage(text[:star])
            line, text = line[cut:], text[star:]
        yield line, read_line(text, self._pockets) if len(text) <= LINE_MAX else damage(text)

    def _kept(self, text: bytes) -> int:
        star = text.rfind(b"*")
        length = len(text) - star if star > 0 else _TORN_TAIL
        return length if length <= LINE_MAX else _TORN_TAIL
