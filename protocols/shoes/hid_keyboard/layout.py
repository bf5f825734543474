"""The reports of a scanner that plays a USB keyboard (boot keyboard), as data.

    EE MM 00 K1 K2 K3 K4 K5 K6

    EE  the endpoint's address
    MM  modifiers held: 01 control, 02 shift, 04 alt, 08 system; 10 to 80 the same on the right
    K1  keys held, by usage, each once, in any order; 01 in them: too many at once

A report is sent when keys go down or up. A key types when it goes down; whoever reads every held
key of every report reads characters twice. The end of a label is a key, Enter or Tab.

Source: the HID specification, appendix B, and its usage tables; which layout, terminator and
letters' case a scanner plays is set in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from protocols.cardcodes import CardCodes, CardMap, Labels, Scheme, labels
from protocols.shoes.hid_keyboard.keys import ENTER, KEYPAD_ENTER, LAYOUTS, TAB, Layout

IN: Final = 0x80
"""Bit of an endpoint that sends to the host."""
REPORT_SIZE: Final = 8
PACKET_SIZE: Final = 1 + REPORT_SIZE
MODIFIERS_AT: Final = 1
ZERO_AT: Final = 2
KEYS_AT: Final = 3
ERRORS: Final = frozenset({0x01, 0x02, 0x03})
"""Too many keys, failed self test, undefined error: what is held is not known."""
LEFT_SHIFT: Final = 0x02
RIGHT_SHIFT: Final = 0x20
ALT_GR: Final = 0x40

KEY_GAP_S: Final = 0.1
"""Quiet that ends half a scan: a scanner types without a pause, a hand does not."""
SCAN_REPORTS_MAX: Final = 4 * 64
"""Of a scan of 64 characters: a shift, a key, and both let go for each."""
REREAD_MAX_S: Final = 0.8
"""A dealer can draw two equal cards within so little more."""

Terminator = Literal["enter", "tab"]
TERMINATORS: Final[dict[Terminator, frozenset[int]]] = {
    "enter": frozenset({ENTER, KEYPAD_ENTER}),
    "tab": frozenset({TAB}),
}


@dataclass(frozen=True, slots=True)
class HidKeyboardSettings:
    """What is set in the scanner, and what its labels say.

    A keyboard has neither a check value nor a number: what is lost on the way goes unnoticed. Hence
    no label may be the rest of another. Raises ValueError for such labels, for labels that the
    layout cannot type, and for a map that is incomplete or ambiguous.

    scheme      how the labels are spelled (`protocols/cardcodes.py`)
    card_map    the house's own table in its place: pairs of code and card, each card at least once
    layout      the keyboard that the scanner is set to play
    terminator  the key at the end of every label
    upper_case  read every letter as a capital, whatever the scanner makes of caps lock
    no_read     what the scanner types when it could not read a label
    cut_card    labels of the cut card
    reread_s    within so long an equal label is the same card scanned twice: no two cards can pass
                the scanner in it. 0 where every scan is a card
    """

    scheme: Scheme = "rank_suit"
    card_map: CardMap = ()
    layout: Layout = "us"
    terminator: Terminator = "enter"
    upper_case: bool = True
    no_read: tuple[str, ...] = ("NR", "NOREAD", "?")
    cut_card: tuple[str, ...] = ("CUT",)
    reread_s: float = 0.25

    def __post_init__(self) -> None:
        if not 0 <= self.reread_s <= REREAD_MAX_S:
            raise ValueError(f"within {self.reread_s} s a dealer draws two equal cards")
        read = self.labels()
        if (rest := read.codes.fragile()) is not None:
            label, other = rest
            raise ValueError(
                f"{other!r}, another card's label, is what is left of {label!r} when a key is lost:"
                f" such labels cannot be read from a keyboard"
            )
        typed = set(LAYOUTS[self.layout].values())
        for label in _every_label(read.codes):
            for letter in label:
                if letter not in typed or (self.upper_case and letter != letter.upper()):
                    how = "in upper case " if self.upper_case else ""
                    raise ValueError(f"{letter!r} in {label!r} is never typed {how}so")

    def labels(self) -> Labels:
        """Return what the labels say."""
        return labels(self.scheme, self.card_map, self.no_read, self.cut_card)


def _every_label(codes: CardCodes) -> Iterator[str]:
    for code in codes.cards:
        yield code + codes.decks


def report(*keys: int, modifiers: int = 0, endpoint: int = 0x81) -> bytes:
    """Return a packet with these keys held. Raises ValueError for more than six."""
    if len(keys) > REPORT_SIZE - 2:
        raise ValueError(f"{len(keys)} keys in a report for six")
    return (bytes([endpoint, modifiers, 0, *keys])).ljust(PACKET_SIZE, b"\0")
