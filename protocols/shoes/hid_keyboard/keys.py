"""Which key types what, by the keyboard layout that a scanner is set to play.

Keys go by their usage (HID usage tables, page 07), which names a place on the board: what is typed
there is the layout's. Only what a label can hold is here; every other key spoils a scan.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Layout = Literal["us", "de", "fr"]
Level = Literal["plain", "shift", "alt_gr"]
Key: TypeAlias = tuple[int, Level]

ENTER: Final = 0x28
TAB: Final = 0x2B
KEYPAD_ENTER: Final = 0x58

_LETTERS: Final = range(0x04, 0x1E)
_DIGITS: Final = range(0x1E, 0x28)
_KEYPAD: Final = range(0x59, 0x63)
_KEYPAD_SIGNS: Final[Mapping[Key, str]] = {
    (0x54, "plain"): "/", (0x55, "plain"): "*", (0x56, "plain"): "-", (0x57, "plain"): "+",
}  # fmt: skip
_A_TO_Z: Final = "abcdefghijklmnopqrstuvwxyz"
_1_TO_0: Final = "1234567890"


def _layout(
    letters: str, digits: str, shifted_digits: str, others: Mapping[Key, str]
) -> Mapping[Key, str]:
    """Return what each key types; a blank among the digits' row is a key left out."""
    keys: dict[Key, str] = {(0x2C, "plain"): " ", **_KEYPAD_SIGNS}
    for usage, letter in zip(_LETTERS, letters, strict=True):
        keys |= {(usage, "plain"): letter, (usage, "shift"): letter.upper()}
    for usage, plain, shifted in zip(_DIGITS, digits, shifted_digits, strict=True):
        keys |= {(usage, "plain"): plain, (usage, "shift"): shifted}
    keys |= {(usage, "plain"): digit for usage, digit in zip(_KEYPAD, _1_TO_0, strict=True)}
    return {key: text for key, text in (keys | dict(others)).items() if text != "\0"}


_US: Final = _layout(
    _A_TO_Z,
    _1_TO_0,
    "!@#$%^&*()",
    {
        (0x2D, "plain"): "-", (0x2D, "shift"): "_", (0x2E, "plain"): "=", (0x2E, "shift"): "+",
        (0x31, "plain"): "\\", (0x31, "shift"): "|", (0x33, "plain"): ";", (0x33, "shift"): ":",
        (0x36, "plain"): ",", (0x37, "plain"): ".", (0x38, "plain"): "/", (0x38, "shift"): "?",
    },
)  # fmt: skip
_DE: Final = _layout(
    "abcdefghijklmnopqrstuvwxzy",
    _1_TO_0,
    '!"\0$%&/()=',
    {
        (0x2D, "shift"): "?", (0x36, "plain"): ",", (0x36, "shift"): ";", (0x37, "plain"): ".",
        (0x37, "shift"): ":", (0x38, "plain"): "-", (0x38, "shift"): "_", (0x64, "alt_gr"): "|",
    },
)  # fmt: skip
# Its digits are the shifted level of their row; `m` is where others have the semicolon.
_FR: Final = _layout(
    "qbcdefghijkl\0noparstuvzxyw",
    "&\0\"'(-\0_\0\0",
    _1_TO_0,
    {
        (0x33, "plain"): "m", (0x33, "shift"): "M", (0x10, "plain"): ",", (0x10, "shift"): "?",
        (0x36, "plain"): ";", (0x36, "shift"): ".", (0x37, "plain"): ":", (0x37, "shift"): "/",
        (0x23, "alt_gr"): "|",
    },
)  # fmt: skip

LAYOUTS: Final[Mapping[Layout, Mapping[Key, str]]] = {"us": _US, "de": _DE, "fr": _FR}
