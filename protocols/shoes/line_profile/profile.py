"""A device with a serial line of its own, as a technician describes it from its manual.

Bytes are written as text with `<STX>`, `<CR>`, `<8A>` (`protocols/bytetext.py`). Every part refuses
with SettingError what cannot be; what is allowed and protects nothing is in `limits.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from protocols.bytetext import read_bytes
from protocols.cardcodes import Labels, Scheme, labels
from protocols.cards import DECK, Card
from protocols.readings import CardTarget
from protocols.settingerror import SettingError
from protocols.shoes.line_profile.template import Template, template_of
from protocols.wiring import SerialWiring

LONGEST: Final = 256
NUMBERS_MAX: Final = 1000
REREAD_MAX_S: Final = 0.8

CheckKind = Literal[
    "xor",
    "sum8",
    "lrc",
    "crc16_ccitt",
    "crc16_kermit",
    "crc16_mcrf4xx",
    "crc16_modbus",
    "crc16_x25",
]
Meaning = Literal[
    "card", "no_read", "cut_card", "error", "warning", "error_cleared", "started", "standby"
]


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a frame begins and ends.

    start    its first bytes; empty where it has no mark of its own
    end      its last bytes, but for a check value behind them; empty where its length tells
    length   how many bytes a line has, check value not counted; 0 where the end mark tells
    longest  how many it may have, where the end mark tells
    gap_s    quiet that ends half a frame: the device sends one without a pause
    content  text: printable ASCII; anything else in a line spoils it
    """

    start: str = ""
    end: str = "<CR><LF>"
    length: int = 0
    longest: int = 64
    gap_s: float = 0.2
    content: Literal["text", "binary"] = "text"

    def __post_init__(self) -> None:
        start, end = read_bytes(self.start, "start"), read_bytes(self.end, "end")
        if not end and not self.length:
            what = "a frame ends neither by a mark nor by its length"
            raise SettingError(what, 'give "end" or "length"', "end")
        if start and end and (start in end or end in start):
            what = "the start mark cannot be told from the end mark"
            raise SettingError(what, "expected two marks, neither within the other", "start")
        if not 0 <= self.length <= LONGEST:
            raise SettingError(f"{self.length} is no length", f"expected 0 to {LONGEST}", "length")
        if not 1 <= self.longest <= LONGEST:
            raise SettingError(
                f"{self.longest} is no length", f"expected 1 to {LONGEST}", "longest"
            )
        if not 0 < self.gap_s <= 10:
            raise SettingError(f"{self.gap_s} s is no pause", "expected up to 10 s", "gap_s")


@dataclass(frozen=True, slots=True)
class Check:
    """The check value of every frame.

    kind      xor (many manuals call it BCC or LRC); sum8; lrc: the two's complement of the sum, as
              in Modbus ASCII; a CRC of 16 bits. Their values of `123456789` are 31, DD, 23 and, in
              the order of the names, 29B1, 2189, 6F91, 4B37, 906E: compare with the manual's
    first     whether it covers the frame from the start mark on, or from the line on
    last      whether it covers the end mark too
    place     whether it stands before the end mark or behind it
    mark      what stands before it and is not covered, as the * of `*5A`
    encoding  as two or four hex digits, or as bytes
    order     which byte of a CRC comes first
    """

    kind: CheckKind
    first: Literal["start", "line"] = "line"
    last: Literal["line", "end"] = "line"
    place: Literal["before_end", "after_end"] = "before_end"
    mark: str = ""
    encoding: Literal["hex_upper", "hex_lower", "raw"] = "hex_upper"
    order: Literal["high_first", "low_first"] = "high_first"

    def __post_init__(self) -> None:
        read_bytes(self.mark, "mark")
        if self.last == "end" and self.place == "before_end":
            what = "the check value stands before the end mark and cannot cover it"
            raise SettingError(what, 'expected last = "line", or place = "after_end"', "last")

    @property
    def width(self) -> int:
        """How many bytes the value has on the line."""
        return (2 if self.kind.startswith("crc16") else 1) * (1 if self.encoding == "raw" else 2)


@dataclass(frozen=True, slots=True)
class Message:
    """A line that the device sends: what it says, and how it is spelled (`template.py`)."""

    says: Meaning
    line: str

    def __post_init__(self) -> None:
        names = template_of(self.line).names
        if self.says == "card" and "card" not in names:
            raise SettingError(
                f'"{self.line}" says a card and has no {{card}}', "put it in", "line"
            )
        if self.says != "card" and (more := names & {"card", "hand", "place"}):
            what = f'"{self.line}" has {{{min(more)}}} and does not say a card'
            raise SettingError(what, 'expected says = "card", or {any}', "line")
        if "code" in names and self.says not in ("error", "warning", "error_cleared"):
            what = f'"{self.line}" has {{code}} and does not say an error'
            raise SettingError(what, 'expected says = "error", or {any}', "line")


@dataclass(frozen=True, slots=True)
class Cards:
    """How cards are spelled.

    scheme    a public scheme (`protocols/cardcodes.py`)
    codes     the device's own table in its place: a card for each code, each card at least once
    no_read   what stands in a card's place when it was not read
    cut_card  what stands in its place for the cut card
    """

    scheme: Scheme = "rank_suit"
    codes: Mapping[str, str] = field(default_factory=dict)
    no_read: tuple[str, ...] = ()
    cut_card: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        try:
            self.labels()
        except SettingError:
            raise
        except ValueError as error:
            expected = "each of the 52 cards has a code, and no code says two things"
            raise SettingError(str(error), expected, "codes") from error

    def labels(self) -> Labels:
        """Return what each code says. Raises ValueError where the table is incomplete."""
        codes = tuple((_text(code, "codes"), card) for code, card in self.codes.items())
        no_read = tuple(_text(label, "no_read") for label in self.no_read)
        cut_card = tuple(_text(label, "cut_card") for label in self.cut_card)
        return labels(self.scheme, codes, no_read, cut_card)


@dataclass(frozen=True, slots=True)
class Number:
    """The device's own number of its frames, in decimal: `first` to `last`, then `first` again.

    repeat_s  within which an equal frame of the same number is that frame sent again
    """

    first: str
    last: str
    repeat_s: float = 1.0

    def __post_init__(self) -> None:
        width = len(self.first)
        good = all(number.isascii() and number.isdecimal() for number in (self.first, self.last))
        if not good or len(self.last) != width or not 0 < self.count() <= NUMBERS_MAX:
            what = f'"{self.first}" to "{self.last}" are no numbers to count by'
            expected = f'expected as many digits in both, as "000" and "999"; at most {NUMBERS_MAX}'
            raise SettingError(what, expected, "first")
        if not 0 < self.repeat_s <= 60:
            raise SettingError(f"{self.repeat_s} s is no time", "expected up to 60 s", "repeat_s")

    def count(self) -> int:
        """Return how many numbers there are."""
        return int(self.last) - int(self.first) + 1

    def every(self) -> tuple[str, ...]:
        """Return the numbers in order."""
        start, width = int(self.first), len(self.first)
        return tuple(f"{start + step:0{width}d}" for step in range(self.count()))


@dataclass(frozen=True, slots=True)
class Host:
    """What the device wants to hear.

    ack     answer to a whole frame, once what it says is durable
    nak     answer to a frame whose check value is wrong
    poll    the question for what is new; empty where the device speaks by itself
    poll_s  how often it is asked
    """

    ack: str = ""
    nak: str = ""
    poll: str = ""
    poll_s: float = 0.5

    def __post_init__(self) -> None:
        for name in ("ack", "nak", "poll"):
            read_bytes(getattr(self, name), name)
        if not 0.02 <= self.poll_s <= 60:
            raise SettingError(f"{self.poll_s} s is no pause", "expected 0.02 to 60 s", "poll_s")


@dataclass(frozen=True, slots=True)
class LineProfile:
    """The whole description.

    title      what the device is, for people
    source     the document that this was written from
    message    its lines; the first that fits a frame tells what it says
    hands      what {hand} says: player, banker, burn, burn_indicator
    errors     what {code} means, for people
    number     the frames' own number, where they have one
    silence_s  the longest silence of a healthy device; 0 where silence is normal
    reread_s   within so long an equal frame is the same card read again: no two cards can pass the
               reader in it. 0 where every frame is another
    """

    title: str
    source: str
    frame: Frame
    message: tuple[Message, ...]
    wiring: SerialWiring = field(default_factory=SerialWiring)
    check: Check | None = None
    cards: Cards = field(default_factory=Cards)
    hands: Mapping[str, CardTarget] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    number: Number | None = None
    host: Host = field(default_factory=Host)
    silence_s: float = 0.0
    reread_s: float = 0.0

    def __post_init__(self) -> None:
        if not any(message.says == "card" for message in self.message):
            raise SettingError(
                "no message says a card", 'expected one with says = "card"', "message"
            )
        for code in (*self.hands, *self.errors):
            _text(code, "hands" if code in self.hands else "errors")
        if self.check is not None:
            _check_fits(self.frame, self.check)
        _times_fit(self)
        for position, message in enumerate(self.message):
            _message_fits(self, template_of(message.line), position)


def _check_fits(frame: Frame, check: Check) -> None:
    counted = bool(frame.start) and frame.length > 0
    if check.place == "after_end" and frame.end and not frame.start:
        what = "a check value behind the end mark belongs to no line that has no start mark"
        raise SettingError(what, "give the start mark, or let the end mark be behind it", "check")
    if check.place == "before_end" and check.encoding == "raw" and frame.end and not counted:
        what = "a check value in bytes before the end mark can look like that mark"
        raise SettingError(what, "give start mark and length, if all lines have one", "check")


def _times_fit(profile: LineProfile) -> None:
    if not 0 <= profile.silence_s <= 86_400:
        raise SettingError(
            f"{profile.silence_s} s is no silence", "expected 0 or more", "silence_s"
        )
    if not 0 <= profile.reread_s <= REREAD_MAX_S:
        what = f"within {profile.reread_s} s a dealer draws two equal cards"
        raise SettingError(what, f"expected 0 to {REREAD_MAX_S} s", "reread_s")
    if profile.reread_s and profile.number is not None:
        what = "the frames have numbers, which tell one card from another"
        raise SettingError(what, "leave reread_s out", "reread_s")
    if profile.host.nak and profile.check is None:
        what = "there is no check value that could be wrong"
        raise SettingError(what, "leave nak out, or give [check]", "host", "nak")


def _message_fits(profile: LineProfile, line: Template, position: int) -> None:
    at = ("message", position, "line")
    length = profile.frame.length
    if length and line.size not in (None, length):
        what = f"this line has {line.size} bytes, and every line has {length}"
        raise SettingError(what, "put either right; the check value is not counted", *at)
    if line.size is not None and not length and line.size > profile.frame.longest:
        what = f"this line has {line.size} bytes, and the longest has {profile.frame.longest}"
        raise SettingError(what, "expected a greater frame.longest", *at)
    if ("number" in line.names) != (profile.number is not None):
        what = (
            "this line has no {number}" if profile.number else "[number] does not say how to count"
        )
        raise SettingError(what, "a device numbers all its lines or none", *at)
    if profile.number is not None:
        _width_fits(
            line, "number", frozenset({len(profile.number.first)}), "[number] counts with", at
        )
    if "card" in line.names:
        _width_fits(line, "card", _card_widths(profile.cards), "a card's code has", at)
    if profile.hands and "hand" in line.names:
        widths = frozenset(len(_text(hand, "hands")) for hand in profile.hands)
        _width_fits(line, "hand", widths, "a word of [hands] has", at)
    if "hand" in line.names and not profile.hands:
        raise SettingError("[hands] does not say what {hand} means", "give it, or {any}", *at)


def _width_fits(
    line: Template, name: str, widths: frozenset[int], whose: str, at: tuple[str | int, ...]
) -> None:
    """Refuse a width that nothing which may stand there has: no frame would ever fit."""
    width = line.width_of(name)
    if width is not None and width not in widths:
        known = " or ".join(str(width) for width in sorted(widths))
        what = f"{{{name}:{width}}} is {width} wide, and {whose} {known}"
        raise SettingError(what, f"expected {{{name}:{max(widths)}}}, or put the other right", *at)


def _card_widths(cards: Cards) -> frozenset[int]:
    """Return the widths in which every one of the 52 cards has a code."""
    codes = cards.labels().codes
    extra = codes.skip + bool(codes.decks)
    sizes: dict[int, set[Card]] = {}
    for code, card in codes.cards.items():
        sizes.setdefault(len(code) + extra, set()).add(card)
    whole = frozenset(size for size, named in sizes.items() if len(named) == len(DECK))
    return whole or frozenset(sizes)


def _text(text: str, key: str) -> str:
    return read_bytes(text, key).decode("latin-1")
