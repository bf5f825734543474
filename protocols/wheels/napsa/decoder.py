"""Bytes of a NAPSA wheel to lines, and lines to readings.

Every whole line has nine characters, so of a longer one only its last nine can be a line: what
stands before them was torn off its own end.
"""

from __future__ import annotations

from collections.abc import Iterator

from protocols.rejects import RejectReason
from protocols.terminated_lines import TERMINATORS, Body, TerminatedLines, damage, is_printable
from protocols.wheels.napsa.grammar import read_line
from protocols.wheels.napsa.layout import LEAD_MAX, LINE, LINE_MAX, NapsaSettings, pocket_fields


class NapsaDecoder(TerminatedLines):
    """One open link to one wheel. It holds at most one unfinished line."""

    line_max = LINE_MAX
    lead_max = LEAD_MAX

    def __init__(self, settings: NapsaSettings) -> None:
        super().__init__()
        self._pockets = pocket_fields(settings)

    def _pieces(self, line: bytes) -> Iterator[tuple[bytes, Body]]:
        text = line.strip(TERMINATORS)
        last = text[-LINE:]
        if len(last) < LINE or not is_printable(last):
            yield line, damage(text)
            return
        body = read_line(last, self._pockets)
        if len(text) > LINE:
            if isinstance(body, RejectReason):
                yield line, damage(text)
                return
            cut = len(line) - LINE - 1
            yield line[:cut], damage(text[:-LINE])
            line = line[cut:]
        yield line, body

    def _kept(self, text: bytes) -> int:  # noqa: ARG002 - the length alone tells
        return LINE
