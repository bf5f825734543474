"""DBC, the customary file that says which bits of a CAN frame mean what.

    BO_ 645 CARD: 6 SHOE                                   message: identifier, name, bytes, sender
     SG_ Rank : 16|4@1+ (1,0) [0|13] "" HOST               signal: first bit|bits@order and sign,
                                                           (factor,offset) [least|most] "unit"
    VAL_ 645 Rank 0 "none" 1 "ace" ;                       texts of a signal's values

Order 1 counts bits from the lowest of the first byte; order 0 names the highest bit and goes down
from there, through the bytes (Motorola). An identifier of 29 bits has bit 31 set, as in a packet.

Only whole numbers are read, as they are in the frame: factor and offset serve to say which of them
lie within the declared limits, exactly. A least and a most of nought declare no limits.

Source: the format as public databases and readers have it. Not understood, and refused where it
is asked for: floating point, multiplexed signals, messages of more than eight bytes.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor
from typing import Final, Literal

from protocols.can_frame import DATA_MAX

_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_HELD: Final = re.compile(r'(-?\d+)\s*"(\d+)"')
_NUMBER: Final = r"\s*([-+]?[\d.]+(?:[eE][-+]?\d{1,3})?)\s*"
_MESSAGE: Final = re.compile(r"BO_\s+(\d+)\s+(\w+)\s*:\s*(\d+)\s+\w+")
_SIGNAL: Final = re.compile(
    r"SG_\s+(\w+)\s*(M|m\d+M?)?\s*:\s*(\d+)\s*\|\s*(\d+)\s*@\s*([01])\s*([-+])"
    rf"\s*\({_NUMBER},{_NUMBER}\)\s*\[{_NUMBER}\|{_NUMBER}\]"
)
_TEXTS: Final = re.compile(r'^\s*VAL_\s+(\d+)\s+(\w+)\s+((?:-?\d+\s*"\d+"\s*)*);', re.MULTILINE)
_FLOAT: Final = re.compile(r"^\s*SIG_VALTYPE_\s+(\d+)\s+(\w+)\s*:?\s*[12]\s*;", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Signal:
    """Some bits of a message, and which whole numbers they may be.

    shift    how far its lowest bit lies from the lowest of the message, in its byte order
    refused  why its values cannot be read; empty where they can
    """

    name: str
    bits: int
    shift: int
    order: Literal["little", "big"]
    signed: bool
    least: int
    most: int
    texts: Mapping[int, str] = field(default_factory=dict)
    refused: str = ""

    def read(self, data: bytes) -> int | None:
        """Return the number in a whole message, None where it is out of the declared limits."""
        value = int.from_bytes(data, self.order) >> self.shift & (1 << self.bits) - 1
        if self.signed and value >> self.bits - 1:
            value -= 1 << self.bits
        return value if self.least <= value <= self.most else None

    def write(self, value: int, length: int) -> bytes:
        """Return a message of this number and noughts."""
        placed = (value & (1 << self.bits) - 1) << self.shift
        return placed.to_bytes(length, self.order)


@dataclass(frozen=True, slots=True)
class Message:
    """A frame with one identifier. It has `length` bytes, not more and not fewer."""

    identifier: int
    name: str
    length: int
    signals: Mapping[str, Signal]


def read_dbc(text: str) -> Mapping[str, Message]:
    """Return the messages of a database by name. Raises ValueError with the line at fault."""
    strings: list[str] = []

    def hold(found: re.Match[str]) -> str:
        # A comment may hold anything; without its line ends the lines would lose their numbers.
        strings.append(found[1])
        return f'"{len(strings) - 1}"' + "\n" * found[1].count("\n")

    held = _STRING.sub(hold, text)
    texts = {
        (int(identifier), name): {
            int(value): strings[int(at)] for value, at in _HELD.findall(pairs)
        }
        for identifier, name, pairs in _TEXTS.findall(held)
    }
    floats = {(int(identifier), name) for identifier, name in _FLOAT.findall(held)}
    return {one.name: _completed(one, texts, floats) for one in _messages(held)}


def _messages(text: str) -> Iterator[Message]:
    head: tuple[int, str, int] | None = None
    signals: dict[str, Signal] = {}
    for number, line in enumerate(text.split("\n"), 1):
        word = line.split(maxsplit=1)[:1]
        if word == ["BO_"]:
            if head is not None:
                yield Message(*head, signals)
            found = _MESSAGE.match(line.strip())
            if found is None:
                raise ValueError(f"line {number} of the DBC is no message: {line.strip()!r}")
            head, signals = (int(found[1]), found[2], int(found[3])), {}
        elif word == ["SG_"]:
            found = _SIGNAL.match(line.strip())
            if found is None or head is None:
                raise ValueError(f"line {number} of the DBC is no signal: {line.strip()!r}")
            signals[found[1]] = _signal(found, head[2], number)
    if head is not None:
        yield Message(*head, signals)


def _signal(found: re.Match[str], length: int, number: int) -> Signal:
    name, multiplexed, *places = found.groups()[:4]
    start, bits = map(int, places)
    little, signed = found[5] == "1", found[6] == "-"
    # In order 0 bit 7 of a byte comes first: counted so, the bits follow each other.
    first = start if little else start // 8 * 8 + 7 - start % 8
    shift = first if little else 8 * length - first - bits
    if bits < 1 or first + bits > 8 * length:
        raise ValueError(f"line {number} of the DBC: {name} does not fit its message")
    refused = ""
    if multiplexed:
        refused = "is multiplexed"
    elif length > DATA_MAX:
        refused = f"is in a message of {length} bytes"
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    try:
        factor, offset, low, high = (Fraction(found[group]) for group in range(7, 11))
        if low or high:
            ends = sorted(((low - offset) / factor, (high - offset) / factor))
            least, most = max(least, ceil(ends[0])), min(most, floor(ends[1]))
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"line {number} of the DBC: {name} has no usable scale") from error
    order: Literal["little", "big"] = "little" if little else "big"
    return Signal(name, bits, shift, order, signed, least, most, refused=refused)


def _completed(
    message: Message,
    texts: Mapping[tuple[int, str], Mapping[int, str]],
    floats: Container[tuple[int, str]],
) -> Message:
    """Return the message with what a database says of its signals further down."""
    signals = {}
    for name, signal in message.signals.items():
        key = message.identifier, name
        refused = "is a floating-point number" if key in floats else signal.refused
        signals[name] = replace(signal, texts=texts.get(key, {}), refused=refused)
    return replace(message, signals=signals)
