"""The reports of a bar code scanner as USB's Point of Sale page (8C) has it, as data.

A packet is the endpoint's address, then 64 bytes. Report 02 is scanned data, in one of two layouts:

    EE 02 LL AA AA AA dd .. (56) .. dd SS 00 CC       `aim`
    EE 02 LL dd .. (56) .. dd -- -- -- -- SS --       `plain`

    LL  how many of the data bytes count; the others may be left from the scan before
    AA  AIM identifier of the symbology (ISO/IEC 15424): `]C0`
    SS  the maker's own letter for the symbology; not used
    CC  01 where the scan goes on in the next report

An answer to a command is a report as well: its text under `]X0`, in parts, then under `]Z6` the
command as it was heard, 06 (done), 15 (refused) or 05 (not understood), and a full stop.

Source: real reports of one maker's scanner, and two public readers. The standard names the fields
and leaves their places to the maker.
Not understood: models whose report is one byte later (`]` in fourth place); the maker's letters;
what is in the reserved bytes; whether the second byte of a command is its length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from protocols.cardcodes import CardMap, Scheme, labels

IN: Final = 0x80
"""Bit of an endpoint that sends to the host."""
REPORT_SIZE: Final = 64
PACKET_SIZE: Final = 1 + REPORT_SIZE
SCANNED: Final = 0x02
DATA_MAX: Final = 56
LENGTH_AT: Final = 2
AIM_AT: Final = 3
AIM_SIZE: Final = 3
ZERO_AT: Final = 63
MORE_AT: Final = 64

ANSWER_TEXT: Final = b"]X0"
ANSWER_END: Final = b"]Z6"

SCAN_GAP_S: Final = 0.1
"""Quiet that ends a scan whose rest does not come: a report follows the other within a poll."""
REREAD_MAX_S: Final = 0.8
"""A dealer can draw two equal cards within so little more."""
PARTS_MAX: Final = 32
SYMBOL_MAX: Final = PARTS_MAX * PACKET_SIZE

FEATURE: Final = 0x03
OUTPUT: Final = 0x02
ENABLE: Final = bytes([FEATURE, 0xFE, 0x01])
"""Feature report FE = 01: one maker's scanners say nothing before it, each time they start."""

Layout = Literal["aim", "plain"]
Symbology = Literal[
    "code_39",
    "code_128",
    "codabar",
    "code_93",
    "ean_upc",
    "interleaved_2_of_5",
    "pdf417",
    "data_matrix",
    "qr",
    "aztec",
]
SYMBOLOGIES: Final[Mapping[Symbology, bytes]] = {
    "code_39": b"]A",
    "code_128": b"]C",
    "codabar": b"]F",
    "code_93": b"]G",
    "ean_upc": b"]E",
    "interleaved_2_of_5": b"]I",
    "pdf417": b"]L",
    "data_matrix": b"]d",
    "qr": b"]Q",
    "aztec": b"]z",
}
"""How the AIM identifiers of a symbology begin; what follows says how it was read."""


@dataclass(frozen=True, slots=True)
class HidPosSettings:
    """What differs between sites. Raises ValueError for a map that is incomplete or ambiguous.

    scheme       how the labels are spelled (`protocols/cardcodes.py`)
    card_map     the house's own table in its place: pairs of code and card, each card at least once
    layout       of the reports: `aim`, or `plain` for models that send no symbology
    symbologies  in which cards are printed; a label in any other is no card. Not seen in `plain`
    no_read      what the scanner sends when it could not read a label
    cut_card     labels of the cut card
    enable       send feature report FE = 01 at each opening, as some models want it
    reread_s     within so long an equal report is the same card scanned twice: no two cards can
                 pass the scanner in it. 0 where every scan is a card
    """

    scheme: Scheme = "rank_suit"
    card_map: CardMap = ()
    layout: Layout = "aim"
    symbologies: tuple[Symbology, ...] = ("code_128",)
    no_read: tuple[str, ...] = ("NR", "NOREAD", "?")
    cut_card: tuple[str, ...] = ("CUT",)
    enable: bool = False
    reread_s: float = 0.08

    def __post_init__(self) -> None:
        if not self.symbologies:
            raise ValueError("no symbology is allowed: no card could be read")
        if unknown := set(self.symbologies) - set(get_args(Symbology)):
            raise ValueError(f"there is no symbology {min(unknown)!r}")
        if not 0 <= self.reread_s <= REREAD_MAX_S:
            raise ValueError(f"within {self.reread_s} s a dealer draws two equal cards")
        labels(self.scheme, self.card_map, self.no_read, self.cut_card)


def aim_packet(aim: bytes, data: bytes, *, more: bool = False, endpoint: int = 0x81) -> bytes:
    """Return a packet in the layout `aim`. Raises ValueError for more data than a report holds."""
    if len(data) > DATA_MAX:
        raise ValueError(f"{len(data)} bytes in a report for {DATA_MAX}")
    head = bytes([endpoint, SCANNED, len(data)]) + aim
    return head + data.ljust(DATA_MAX, b"\0") + bytes([0, 0, more])


def plain_packet(data: bytes, *, endpoint: int = 0x81) -> bytes:
    """Return a packet in the layout `plain`. Raises ValueError for more than a report holds."""
    if len(data) > DATA_MAX:
        raise ValueError(f"{len(data)} bytes in a report for {DATA_MAX}")
    return (bytes([endpoint, SCANNED, len(data)]) + data).ljust(PACKET_SIZE, b"\0")
