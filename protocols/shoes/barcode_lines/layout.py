"""The text of a label scanner that sends each label as a line, as data.

    prefix  ]cm  label  suffix  terminator

    prefix, suffix   what the scanner is set to send around every label
    ]cm              the AIM identifier, where it is set to send one: c is the symbology, m a digit
    terminator       what ends a line; where there is none, every label has the same length

    ]C Code 128   ]A Code 39   ]E EAN and UPC   ]I interleaved 2 of 5   ]d Data Matrix   ]Q QR

All of it is set in the scanner by labels of its maker, hence all of it is a setting here. There is
no check value, no number, no sign of life.

Source: the settings that makers of such scanners publish; the AIM identifiers from their standard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from protocols.bytetext import read_bytes
from protocols.cardcodes import CardMap, Scheme, labels
from protocols.lineframes import Delimiting
from protocols.settingerror import SettingError

LABEL_MAX: Final = 64
"""Most characters of a line between prefix and suffix."""
REREAD_MAX_S: Final = 0.8
"""A dealer can draw two equal cards within so little more."""
AIM_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class BarcodeLinesSettings:
    """What is set in the scanner, and what its labels say. Raises SettingError for what cannot be.

    Bytes are written as text with `<CR>`, `<STX>`, `<8A>` (`protocols/bytetext.py`).

    terminator  what ends a line; empty where the scanner sends none: `length` is needed then
    prefix      what stands before every label, beside an AIM identifier
    suffix      what stands after every label, before the terminator
    length      how many characters stand between them; 0 where the terminator tells
    shortest    fewer characters than this are no card's label, but a torn one
    aim         whether the scanner sends an AIM identifier
    aim_codes   the letters in it that cards are printed in; a label in any other is no card
    scheme      how the labels are spelled (`protocols/cardcodes.py`)
    card_map    the house's own table in its place: pairs of code and card, each card at least once
    no_read     what the scanner sends when it could not read a label
    no_card     what it sends when no card lies before it
    cut_card    labels of the cut card
    gap_s       quiet that ends half a line: the scanner sends one without a pause
    reread_s    within so long an equal label is the same card scanned twice: no two cards can pass
                the scanner in it. 0 where every scan is a card
    """

    terminator: str = "<CR><LF>"
    prefix: str = ""
    suffix: str = ""
    length: int = 0
    shortest: int = 1
    aim: Literal["none", "optional", "required"] = "none"
    aim_codes: tuple[str, ...] = ("C",)
    scheme: Scheme = "rank_suit"
    card_map: CardMap = ()
    no_read: tuple[str, ...] = ("NR", "NOREAD", "?")
    no_card: tuple[str, ...] = ()
    cut_card: tuple[str, ...] = ("CUT",)
    gap_s: float = 0.2
    reread_s: float = 0.08

    def __post_init__(self) -> None:
        end = read_bytes(self.suffix, "suffix") + read_bytes(self.terminator, "terminator")
        start = read_bytes(self.prefix, "prefix")
        if not end and not self.length:
            what = "a label ends neither by a terminator nor by its length"
            raise SettingError(what, 'give "terminator" or "length"', "terminator")
        if start and end and (start in end or end in start):
            what = "the prefix cannot be told from what ends a line"
            raise SettingError(what, "set another prefix in the scanner", "prefix")
        if not 0 <= self.length <= LABEL_MAX:
            raise SettingError(
                f"{self.length} is no length", f"expected 0 to {LABEL_MAX}", "length"
            )
        if not 1 <= self.shortest <= (self.length or LABEL_MAX):
            what = f"no label has at least {self.shortest} characters"
            raise SettingError(what, f"expected 1 to {self.length or LABEL_MAX}", "shortest")
        if not self.aim_codes or any(
            len(letter) != 1 or letter not in AIM_LETTERS for letter in self.aim_codes
        ):
            expected = 'expected the letter behind "]", as "C" for Code 128'
            raise SettingError(f"{list(self.aim_codes)} are no symbologies", expected, "aim_codes")
        if not 0 < self.gap_s <= 10:
            raise SettingError(f"{self.gap_s} s is no pause", "expected up to 10 s", "gap_s")
        if not 0 <= self.reread_s <= REREAD_MAX_S:
            what = f"within {self.reread_s} s a dealer draws two equal cards"
            raise SettingError(what, f"expected 0 to {REREAD_MAX_S} s", "reread_s")
        read = labels(self.scheme, self.card_map, self.no_read, self.cut_card)
        for token in self.no_card:
            if not token or read.codes.find(token) or token in (*self.no_read, *self.cut_card):
                what = f"{token!r} cannot say that no card is there: it says something else"
                raise SettingError(what, "expected a text of its own", "no_card")

    def delimiting(self) -> Delimiting:
        """Return where a line begins and ends."""
        return Delimiting(
            start=read_bytes(self.prefix),
            end=read_bytes(self.suffix) + read_bytes(self.terminator),
            length=self.length or None,
            longest=LABEL_MAX,
            tail=0,
            gap_s=self.gap_s,
        )


def line(settings: BarcodeLinesSettings, label: str) -> bytes:
    """Return a label as the scanner sends it, in the first of the cards' symbologies."""
    how = settings.delimiting()
    aim = f"]{settings.aim_codes[0]}0" if settings.aim != "none" else ""
    return how.start + (aim + label).encode("latin-1") + how.end
