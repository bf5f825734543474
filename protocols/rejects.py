"""Why bytes said nothing. The names are the metric labels and the words of `decode`."""

from __future__ import annotations

from enum import StrEnum


class RejectReason(StrEnum):
    """Why a stretch of bytes is not a reading. Every rejected byte keeps its raw form."""

    NOISE = "noise"
    """Bytes outside any frame."""
    LENGTH = "length"
    """A frame that is too long, too short or torn by the next one."""
    CHECKSUM = "checksum"
    """A whole frame whose check value is wrong."""
    MALFORMED = "malformed"
    """A delimited frame that does not fit the grammar of its kind."""
    VALUE = "value"
    """A well-formed frame with a field out of range."""
    UNSUPPORTED = "unsupported"
    """A well-formed frame of a kind we do not know; shown raw, never guessed."""
    BUS_ERROR = "bus_error"
    """An error that the bus reports in place of a frame: whatever else it carries is no data."""
    SILENCE = "silence"
    """Nothing where an answer was due: it has no bytes, and carries the question asked anew."""
    ASKED = "asked"
    """Nothing is wrong: it has no bytes, and carries a question that was due. Not counted."""
