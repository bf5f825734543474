"""The bytes of the Angel Eye II-EX, as data: shared by its decoder, commands and simulator.

    report    05 SS CC dd .. 03 BB BB        shoe to host, unasked
    reply     02 dd .. 03 BB BB  |  06  |  15 NN
    command   02 'O' 'P' TT TT DD DD 03 BB BB    host to shoe

    SS  frame number, an ASCII digit     CC  report code, an ASCII letter
    dd  payload, bit 7 set in every byte (ASCII in the preset report 'M' and in replies)
    BB  xor as two upper-case hex digits: of SS..03 in reports; in commands with or without the 02

Source: a public bridge's restatement of the private specification; verify on site.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from protocols.cards import Card, Rank, Suit
from protocols.checks import xor8
from protocols.device import SequenceRule
from protocols.readings import CardTarget, Winner

STX: Final = 0x02
ETX: Final = 0x03
ENQ: Final = 0x05
ACK: Final = 0x06
NAK: Final = 0x15

BODY_MAX: Final = 60
"""Most bytes between a start byte and ETX. The longest documented body has eight."""
FRAME_MAX: Final = 1 + BODY_MAX + 1 + 2
FRAME_GAP_S: Final = 1.0
"""Quiet that ends a half frame: long enough for a serial server's network retransmission."""

SUITS: Final[Mapping[int, Suit]] = {1: "D", 2: "C", 3: "S", 4: "H"}
RANKS: Final[Mapping[int, Rank]] = {
    1: "A", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7",
    8: "8", 9: "9", 10: "T", 11: "J", 12: "Q", 13: "K",
}  # fmt: skip
FACES: Final[Mapping[int, Card]] = {
    0x80 | suit_bits << 4 | rank_bits: Card(rank, suit)
    for suit_bits, suit in SUITS.items()
    for rank_bits, rank in RANKS.items()
}
FACE_BYTES: Final[Mapping[Card, int]] = {card: byte for byte, card in FACES.items()}
NO_FACE: Final = 0x80

TARGETS: Final[Mapping[int, tuple[CardTarget, range]]] = {
    0: ("player", range(1, 4)),
    1: ("banker", range(1, 4)),
    2: ("burn", range(11)),
    4: ("burn_indicator", range(11)),
}
"""Target bits: what they name, and the index values that make sense there."""
TARGET_BITS: Final[Mapping[CardTarget, int]] = {name: bits for bits, (name, _) in TARGETS.items()}
BURN_COUNT_BITS: Final = 5

WINNERS: Final[Mapping[int, Winner]] = {1: "player", 2: "tie", 4: "banker", 7: "aborted"}
WINNER_BITS: Final[Mapping[Winner, int]] = {name: bits for bits, name in WINNERS.items()}

MODES: Final[Mapping[int, Literal["locked", "error", "setting"]]] = {
    0: "locked",
    1: "error",
    2: "setting",
}

ERRORS: Final[Mapping[int, str]] = {
    1: "cannot read the card",
    2: "overdraw: too many cards",
    3: "button mishandled",
    4: "reverse run at the exit",
    5: "reverse run midway",
    6: "card code error",
    7: "drawing time-out",
}
NAKS: Final[Mapping[int, str]] = {
    0x01: "overrun, framing or parity error",
    0x02: "check value wrong",
    0x03: "no end mark",
    0x11: "telegram format or length",
    0x12: "address",
    0x13: "command",
    0x14: "type",
    0x21: "busy",
    0x22: "write in progress",
    0xFF: "other",
}
NAKS_BUSY: Final = frozenset({0x21, 0x22})


@dataclass(frozen=True, slots=True)
class AngelEyeSettings:
    """What differs between sites.

    seq_wrap                    what follows frame number 9; `auto` takes both
    acknowledge                 answer every good report with ACK once it is durable
    command_bcc_includes_start  whether a command's check value covers its start byte
    """

    seq_wrap: Literal["auto", "0-9", "1-9"] = "auto"
    acknowledge: bool = False
    command_bcc_includes_start: bool = True


def sequence_rule(settings: AngelEyeSettings) -> SequenceRule:
    """Return how this site's shoe numbers its reports. A power-up may start anywhere."""
    digits = "123456789" if settings.seq_wrap == "1-9" else "0123456789"
    wraps = {"auto": "01", "0-9": "0", "1-9": "1"}[settings.seq_wrap]
    return SequenceRule(digits=digits, wraps_to=frozenset(wraps), repeat_s=1.0)


def bcc(covered: bytes) -> bytes:
    """Return the two check characters of `covered`."""
    return b"%02X" % xor8(covered)


def report(sequence: str, code: str, data: bytes = b"") -> bytes:
    """Return a whole report frame."""
    covered = sequence.encode("ascii") + code.encode("ascii") + data + bytes([ETX])
    return bytes([ENQ]) + covered + bcc(covered)


def command(kind: str, data: str, *, includes_start: bool) -> bytes:
    """Return a whole host command, such as `LK` `02`, under either check rule."""
    covered = f"OP{kind}{data}".encode("ascii") + bytes([ETX])
    start = bytes([STX])
    return start + covered + bcc(start + covered if includes_start else covered)
