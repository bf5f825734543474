"""The packets of Zebra's (Symbol's) Simple Serial Interface, as data.

    LL OO SS TT dd .. CC CC

    LL  length from LL through the last dd, 04 to FF (the check value is not counted)
    OO  opcode             SS  00 scanner, 04 host
    TT  bit 0 sent again, bit 1 more packets follow, bit 3 parameters are kept (host)
    CC  two's complement of the sum of LL .. dd, high byte first

    F3 DECODE_DATA   dd = symbology, then the label with the prefix and suffix set in the scanner
    F6 EVENT         dd = event; 01 announces the scan that follows
    D0 CMD_ACK       no dd             D1 CMD_NAK   dd = cause

Both sides answer a packet with ACK or NAK within the response time; the scanner sends it again at
most twice, with bit 0 set, then gives up. An ACK or NAK is never answered.

Source: the maker's manuals; opcodes and replies checked against published traffic.
Not understood: events other than 01; what symbology byte a "no read" message carries; whether the
parts of a symbol that needs several packets each repeat the symbology byte (taken as yes).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from protocols.cardcodes import CardMap, Scheme, labels
from protocols.checks import sum16_negated

HEAD: Final = 4
CHECK: Final = 2
LENGTH_MAX: Final = 0xFF
PACKET_MAX: Final = LENGTH_MAX + CHECK
SCANNER: Final = 0x00
HOST: Final = 0x04

AGAIN: Final = 0x01
CONTINUED: Final = 0x02
PERMANENT: Final = 0x08

REVISION_REQUEST: Final = 0xA3
REVISION_REPLY: Final = 0xA4
AIM_OFF: Final = 0xC4
AIM_ON: Final = 0xC5
PARAM_SEND: Final = 0xC6
PARAM_REQUEST: Final = 0xC7
PARAM_DEFAULTS: Final = 0xC8
CMD_ACK: Final = 0xD0
CMD_NAK: Final = 0xD1
FLUSH_QUEUE: Final = 0xD2
CAPABILITIES_REQUEST: Final = 0xD3
CAPABILITIES_REPLY: Final = 0xD4
START_SESSION: Final = 0xE4
STOP_SESSION: Final = 0xE5
BEEP: Final = 0xE6
SCAN_ENABLE: Final = 0xE9
SCAN_DISABLE: Final = 0xEA
SLEEP: Final = 0xEB
DECODE_DATA: Final = 0xF3
EVENT: Final = 0xF6

RESEND: Final = 0x01
BAD_CONTEXT: Final = 0x02
DENIED: Final = 0x06
DECODE_EVENT: Final = 0x01

RESPONSE_S: Final = 2.0
"""The scanner's response time-out as it is delivered."""
RESENDS: Final = 2
RESENT_WITHIN_S: Final = RESPONSE_S * RESENDS + 1.0
"""How long after its first copy a packet may still come again, with a second to spare."""
PACKET_GAP_S: Final = 0.5
"""Quiet that ends a half packet: well below the response time, after which it comes again."""
CONTINUED_S: Final = RESENT_WITHIN_S
"""How long the rest of a symbol may keep us waiting: a lost packet of it has come again by then."""
REREAD_MAX_S: Final = 0.8
"""A dealer can draw two equal cards within so little more."""

Symbology = Literal[
    "code_39",
    "codabar",
    "code_128",
    "discrete_2_of_5",
    "interleaved_2_of_5",
    "code_93",
    "upc_a",
    "upc_e",
    "ean_8",
    "ean_13",
    "gs1_128",
    "pdf417",
    "data_matrix",
    "qr",
]
SYMBOLOGIES: Final[Mapping[Symbology, int]] = {
    "code_39": 0x01,
    "codabar": 0x02,
    "code_128": 0x03,
    "discrete_2_of_5": 0x04,
    "interleaved_2_of_5": 0x06,
    "code_93": 0x07,
    "upc_a": 0x08,
    "upc_e": 0x09,
    "ean_8": 0x0A,
    "ean_13": 0x0B,
    "gs1_128": 0x0F,
    "pdf417": 0x11,
    "data_matrix": 0x1B,
    "qr": 0x1C,
}
"""01, 03, 04, 06, 0B and 1C were seen in working code; the others are background knowledge."""


@dataclass(frozen=True, slots=True)
class ZebraSsiSettings:
    """What differs between sites. Raises ValueError for a map that is incomplete or ambiguous.

    scheme       how the labels are spelled (`protocols/cardcodes.py`)
    card_map     the house's own table in its place: pairs of code and card, each card at least once
    symbologies  in which cards are printed; a label in any other is no card
    no_read      what the scanner sends when it could not read a label
    cut_card     labels of the cut card
    acknowledge  answer packets, as the scanner's parameter 9F = 1 wants
    reread_s     within so long an equal label is the same card scanned twice: no two cards can pass
                 the scanner in it. 0 where every scan is a card
    """

    scheme: Scheme = "rank_suit"
    card_map: CardMap = ()
    symbologies: tuple[Symbology, ...] = ("code_128",)
    no_read: tuple[str, ...] = ("NR", "NOREAD", "?")
    cut_card: tuple[str, ...] = ("CUT",)
    acknowledge: bool = True
    reread_s: float = 0.08

    def __post_init__(self) -> None:
        if not 0 <= self.reread_s <= REREAD_MAX_S:
            raise ValueError(f"within {self.reread_s} s a dealer draws two equal cards")
        if not self.symbologies:
            raise ValueError("no symbology is allowed: no card could be read")
        if unknown := set(self.symbologies) - set(get_args(Symbology)):
            raise ValueError(f"there is no symbology {min(unknown)!r}")
        labels(self.scheme, self.card_map, self.no_read, self.cut_card)


def packet(opcode: int, data: bytes = b"", *, source: int = SCANNER, status: int = 0) -> bytes:
    """Return a whole packet. Raises ValueError for more data than a packet holds."""
    covered = bytes([HEAD + len(data), opcode, source, status]) + data
    return covered + sum16_negated(covered).to_bytes(CHECK, "big")


def is_whole(raw: bytes) -> bool:
    """Return whether a packet's check value is right."""
    return sum16_negated(raw[:-CHECK]) == int.from_bytes(raw[-CHECK:], "big")


def sent_again(raw: bytes) -> bytes:
    """Return a packet as the scanner sends it again."""
    return packet(raw[1], raw[HEAD:-CHECK], source=raw[2], status=raw[3] | AGAIN)


def first_sent(raw: bytes) -> bytes:
    """Return a packet that was sent again as it was sent the first time."""
    return packet(raw[1], raw[HEAD:-CHECK], source=raw[2], status=raw[3] & ~AGAIN)
