"""Reads a DBC file into the plain table that a decoder is given (`protocols/can_signals.py`).

    BO_ 645 CARD: 6 SHOE                                   message: identifier, name, bytes, sender
     SG_ Rank : 16|4@1+ (1,0) [0|13] "" HOST               signal: first bit|bits@order and sign,
                                                           (factor,offset) [least|most] "unit"
    VAL_ 645 Rank 0 "none" 1 "ace" ;                       texts of a signal's values

cantools reads the file, once, when a configuration is loaded that names one: nothing else needs it.
What it says is checked here as far as a card depends on it. Factor and offset serve to say which
whole numbers lie within the declared limits, exactly: 0.1 is a tenth. A least and a most of nought
declare no limits. Floating point, multiplexed signals, messages of more than eight bytes and bits
outside the message are refused where they are asked for: the rest of the file may hold them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, isfinite
from typing import TYPE_CHECKING, Final, Literal

from protocols.can_frame import DATA_MAX, EXTENDED
from protocols.can_signals import CanMessage, CanSignal

if TYPE_CHECKING:
    from cantools.database.can import Message, Signal

_SYNTAX: Final = re.compile(r"Invalid syntax at line (\d+), column (\d+)")


class DbcError(Exception):
    """A DBC that cannot be used: what is wrong, what is expected, and the line if it is known."""

    def __init__(self, what: str, expected: str, line: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.expected = expected
        self.line = line


def read_dbc(data: bytes) -> tuple[CanMessage, ...]:
    """Return the messages of a database, in the file's order. Raises DbcError."""
    return tuple(_message(message) for message in _load(_text(data)))


def _text(data: bytes) -> str:
    """Return the text of a file: UTF-8, or what Windows tools write, which knows every byte."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _load(text: str) -> Sequence[Message]:
    try:
        # An extra, and slow to load: only where a DBC is configured.
        import cantools.database  # noqa: PLC0415
        from cantools.database.can.database import Database  # noqa: PLC0415
    except ImportError as error:
        what = "a DBC is read by cantools, which is not installed"
        raise DbcError(what, "install pitwire with its extra `dbc`, or cantools itself") from error
    try:
        # Not strict: what overlaps or does not fit elsewhere in the file is no matter of ours.
        database = cantools.database.load_string(text, "dbc", strict=False, sort_signals=None)
    except Exception as error:  # a library that reads foreign text may raise anything
        raise _unreadable(error) from error
    if not isinstance(database, Database):
        raise DbcError("this DBC describes no CAN bus", "give the one of the shoe's bus")
    return database.messages


def _unreadable(error: Exception) -> DbcError:
    place = _SYNTAX.search(str(error))
    if place is not None:
        what = f"this is no DBC: unexpected at column {place[2]}"
        return DbcError(what, "put it right first", int(place[1]))
    reason = " ".join(str(getattr(error, "e_dbc", error)).split())
    return DbcError(f"this is no DBC that cantools can read: {reason}", "put it right first")


def _message(message: Message) -> CanMessage:
    identifier = message.frame_id | (EXTENDED if message.is_extended_frame else 0)
    signals = tuple(_signal(signal, message) for signal in message.signals)
    return CanMessage(identifier, message.name, message.length, signals)


def _signal(signal: Signal, message: Message) -> CanSignal:
    little = signal.byte_order == "little_endian"
    # In Motorola's order bit 7 of a byte comes first: counted so, the bits follow each other.
    first = signal.start if little else signal.start // 8 * 8 + 7 - signal.start % 8
    shift = first if little else 8 * message.length - first - signal.length
    bits, signed, refused = signal.length, signal.is_signed, _refusal(signal, message, first)
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if not refused and (limits := _limits(signal)) is not None:
        least, most = max(least, limits[0]), min(most, limits[1])
    order: Literal["little", "big"] = "little" if little else "big"
    texts = tuple((int(value), str(text)) for value, text in (signal.choices or {}).items())
    return CanSignal(signal.name, bits, max(shift, 0), order, signed, least, most, texts, refused)


def _refusal(signal: Signal, message: Message, first: int) -> str:
    """Return why the values of a signal cannot be read; empty where they can."""
    if signal.is_multiplexer or signal.multiplexer_ids:
        return "is multiplexed"
    if message.length > DATA_MAX:
        return f"is in a message of {message.length} bytes"
    if signal.is_float:
        return "is a floating-point number"
    if first + signal.length > 8 * message.length:
        return "does not fit its message"
    numbers = (signal.scale, signal.offset, signal.minimum or 0, signal.maximum or 0)
    if signal.scale == 0 or not all(map(isfinite, numbers)):
        return "has no usable scale"
    return ""


def _limits(signal: Signal) -> tuple[int, int] | None:
    """Return the declared limits as whole numbers in the frame, None where none are declared."""
    low, high = signal.minimum or 0, signal.maximum or 0
    if not (low or high):
        return None
    offset, factor = _exact(signal.offset), _exact(signal.scale)
    ends = sorted(((_exact(low) - offset) / factor, (_exact(high) - offset) / factor))
    return ceil(ends[0]), floor(ends[1])


def _exact(number: float) -> Fraction:
    """Return the decimal number that stands in the file, which a float only comes near to."""
    return Fraction(repr(number))
