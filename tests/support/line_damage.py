"""What happens to lines on their way: lost, bent, doubled, held up, cut off. Every kind is seeded.

A line is damaged by itself, or the link or the daemon goes away around it. A damage never reaches
beyond the lines that it is given: what it holds up arrives at the latest with the last of them.

What a byte may become is anything; but a character of a field becomes as often another that may
stand there, so that the line is another valid one, and the lines beside a change of state are hit
as often as all others together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from support.true_spins import Line

What: TypeAlias = Literal["bytes", "stale", "open", "lost", "killed", "started"]


class Delivery(NamedTuple):
    """What the host meets: bytes of the line, or what becomes of its link or of itself."""

    at: float
    what: What
    data: bytes = b""


_PLAIN: Final = tuple(range(0x20, 0x7F))
_DIGITS: Final = b"0123456789"
FIELDS: Final[Mapping[bytes, Mapping[int, bytes]]] = {
    b"*X": {
        3: b"1234567",
        5: b"012",
        6: _DIGITS,
        7: _DIGITS,
        9: b" 0123",
        10: _DIGITS,
        12: b"0123456789ABCDEF",
        14: b"0123",
        15: _DIGITS,
        16: _DIGITS,
        18: b"01",
    },
    b"NS": {2: b"0123", 3: _DIGITS, 4: b"123456", 5: b"0123", 6: _DIGITS, 7: b"0123", 8: _DIGITS},
    b"NN": {2: b"0123", 3: _DIGITS},
}
"""Which characters may stand where, by how a line begins; the state's and the pocket's among them.
A bare number of two characters begins as none of these."""
_BARE: Final[Mapping[int, bytes]] = {0: b" 0123", 1: _DIGITS}
_WEIGHTY: Final[Mapping[bytes, tuple[int, ...]]] = {
    b"*X": (3, 3, 3, 7, 9, 10, 12, 12),
    b"NS": (2, 3, 4, 4, 4, 7, 8),
}
"""The places that a result hangs on."""


def lose(_line: bytes, _other: bytes, _random: Random) -> tuple[bytes, ...]:
    return ()


def change_byte(line: bytes, _other: bytes, random: Random) -> tuple[bytes, ...]:
    bent = bytearray(line)
    bent[random.randrange(len(bent))] = random.randrange(256)
    return (bytes(bent),)


def flip_bit(line: bytes, _other: bytes, random: Random) -> tuple[bytes, ...]:
    bent = bytearray(line)
    bent[random.randrange(len(bent))] ^= 1 << random.randrange(8)
    return (bytes(bent),)


def change_field(line: bytes, _other: bytes, random: Random) -> tuple[bytes, ...]:
    """Another character that may stand there."""
    allowed = FIELDS.get(line[:2], _BARE)
    places = _WEIGHTY.get(line[:2], tuple(allowed)) if random.random() < 0.7 else tuple(allowed)
    place = random.choice([one for one in places if one < len(line)] or [0])
    bent = bytearray(line)
    bent[place] = random.choice(allowed.get(place, bytes(_PLAIN)))
    return (bytes(bent),)


def flip_field(line: bytes, _other: bytes, random: Random) -> tuple[bytes, ...]:
    """One bit, and still a character that may stand there."""
    allowed = FIELDS.get(line[:2], _BARE)
    flips = [
        (place, line[place] ^ 1 << bit)
        for place, characters in allowed.items()
        if place < len(line)
        for bit in range(7)
        if line[place] ^ 1 << bit in characters
    ]
    weighty = [one for one in flips if one[0] in _WEIGHTY.get(line[:2], ())]
    if not flips:
        return flip_bit(line, _other, random)
    place, byte = random.choice(weighty if weighty and random.random() < 0.7 else flips)
    bent = bytearray(line)
    bent[place] = byte
    return (bytes(bent),)


def take_over(line: bytes, other: bytes, random: Random) -> tuple[bytes, ...]:
    """What a line nearby says in one of the places that a result hangs on."""
    places = _WEIGHTY.get(line[:2], ())
    if line[:2] != other[:2] or not places:
        return flip_bit(line, other, random)
    place = random.choice(places)
    bent = bytearray(line)
    bent[place] = other[place]
    return (bytes(bent),)


def double(line: bytes, _other: bytes, _random: Random) -> tuple[bytes, ...]:
    return line, line


def cut_out(line: bytes, _other: bytes, random: Random) -> tuple[bytes, ...]:
    """Some bytes are lost; with the end of the line, the next one is glued to it."""
    begin = random.randrange(len(line))
    rest = line[:begin] + line[begin + random.randint(1, len(line)) :]
    return (rest,) if rest else ()


def put_nul(line: bytes, _other: bytes, random: Random) -> tuple[bytes, ...]:
    """A byte comes as NUL, as a port hands over one whose framing was wrong."""
    place = random.randrange(len(line))
    return (line[:place] + b"\0" + line[place + 1 :],)


def lose_byte(line: bytes, _other: bytes, random: Random) -> tuple[bytes, ...]:
    place = random.randrange(len(line))
    rest = line[:place] + line[place + 1 :]
    return (rest,) if rest else ()


def glue(line: bytes, other: bytes, random: Random) -> tuple[bytes, ...]:
    """A piece of another line stands before it, behind it or in it."""
    begin = random.randrange(len(other))
    piece = other[begin : begin + random.randint(1, max(1, len(other) - 1))]
    place = random.choice((0, len(line), random.randrange(len(line) + 1)))
    return (line[:place] + piece + line[place:],)


OF_A_LINE: Final[Mapping[str, Callable[[bytes, bytes, Random], tuple[bytes, ...]]]] = {
    "lost": lose,
    "byte": change_byte,
    "bit": flip_bit,
    "field": change_field,
    "field_bit": flip_field,
    "taken_over": take_over,
    "doubled": double,
    "cut": cut_out,
    "glued": glue,
}
OF_A_FRAME: Final[Mapping[str, Callable[[bytes, bytes, Random], tuple[bytes, ...]]]] = {
    "lost": lose,
    "byte": change_byte,
    "bit": flip_bit,
    "nul": put_nul,
    "byte_lost": lose_byte,
    "doubled": double,
    "cut": cut_out,
    "glued": glue,
}
"""The same for a frame of any device: nothing is known of its fields."""
BLIND: Final = ("lost", "byte", "bit", "doubled", "cut", "glued")
"""Those of them that know nothing of what a line says: as noise makes them."""
OF_THE_LINE: Final = ("held_up", "stretch_lost")
"""Damages that begin at a line and go on for some time."""
OF_THE_LINK: Final = ("link_lost", "restarted")
ANY: Final = (*OF_A_LINE, *OF_THE_LINE, *OF_THE_LINK)


def no_damage(_lines: Sequence[Line], _random: Random) -> dict[int, str]:
    """Leave every line as it is."""
    return {}


def one_damage(lines: Sequence[Line], random: Random) -> dict[int, str]:
    """Choose one line and what happens to it."""
    if random.random() < 0.5:
        edges = [
            index
            for index, line in enumerate(lines)
            if any(other.state != line.state for other in lines[max(0, index - 2) : index + 3])
        ]
    else:
        edges = []
    place = random.choice(edges) if edges else random.randrange(len(lines))
    return {place: random.choice(ANY)}


def many_damages(
    lines: Sequence[Line], random: Random, *, rate: float, kinds: Sequence[str] = ANY
) -> dict[int, str]:
    """Damage each line with this probability."""
    return {place: random.choice(kinds) for place in range(len(lines)) if random.random() < rate}


def deliver(lines: Sequence[Line], damages: Mapping[int, str], random: Random) -> list[Delivery]:
    """Return what the host meets of these lines, in the order of time."""
    if not damages:
        return [Delivery(line.at, "bytes", line.data) for line in lines]
    way = _Way(lines[-1].at, random)
    for place, line in enumerate(lines):
        kind = damages.get(place)
        way.pass_time(line.at)
        if kind is not None and kind in OF_A_LINE:
            nearby = [*lines[max(0, place - 3) : place], *lines[place + 1 : place + 4]]
            other = random.choice(nearby or [line]).data
            for data in OF_A_LINE[kind](line.data, other, random):
                way.send(line.at, data)
            continue
        if kind is not None:
            way.begin(kind, line)
        if kind not in OF_THE_LINK:
            way.send(line.at, line.data)
    way.pass_time(math.inf)
    return way.met


@dataclass
class _Way:
    """The way of the lines: what holds them up just now.

    ends        nothing is held up for longer
    free_at     what is sent arrives then, or later: one line every `gap` until none waits
    lost_until  lines are lost until then
    up_at       when the link is open again; None while it is open
    kept        what lies in the port meanwhile; None: it is lost
    """

    ends: float
    random: Random
    met: list[Delivery] = field(default_factory=list)
    free_at: float = 0.0
    gap: float = 0.0
    lost_until: float = 0.0
    up_at: float | None = None
    back: What = "open"
    kept: bytes | None = None

    def pass_time(self, at: float) -> None:
        """Let the link come back, if that is due."""
        if self.up_at is None or at < self.up_at:
            return
        back_at, stale = min(self.up_at, self.ends), self.kept or b""
        self.met.append(Delivery(back_at, self.back, stale))
        if stale:
            self.met.append(Delivery(back_at, "stale", stale))
        self.up_at = self.kept = None

    def send(self, at: float, data: bytes) -> None:
        """Send bytes now."""
        if at < self.lost_until:
            return
        if self.up_at is None:
            arrives = min(max(at, self.free_at), self.ends)
            self.free_at = arrives + self.gap if arrives > at else 0.0
            self.met.append(Delivery(arrives, "bytes", data))
        elif self.kept is not None:
            self.kept += data

    def begin(self, kind: str, line: Line) -> None:
        """Begin a damage that lasts."""
        random, at = self.random, line.at
        seconds = random.uniform(*random.choice(((0.05, 1.0), (1.0, 2.0), (0.5, 8.0))))
        if kind == "held_up":
            self.free_at = at + seconds
            self.gap = random.choice((0.0, random.uniform(0.001, 0.03), random.uniform(0.4, 0.48)))
        elif kind == "stretch_lost":
            self.lost_until = at + random.choice((0.6, 1.1, 1.6, seconds))
        elif self.up_at is None:
            self.met = [one for one in self.met if one.at <= at]  # what is on its way is lost
            cut = random.randrange(len(line.data) + 1)
            if cut and self.free_at <= at:
                self.met.append(Delivery(at, "bytes", line.data[:cut]))
            self.free_at = 0.0
            self.met.append(Delivery(at, "killed" if kind == "restarted" else "lost"))
            self.up_at, self.back = at + seconds, "started" if kind == "restarted" else "open"
            self.kept = line.data[cut:] if random.random() < 0.5 else None
