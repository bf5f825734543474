"""Bytes as a technician writes them: text, and `<STX>`, `<CR>` or `<8A>` for what cannot be typed.

    <STX>D12<ETX>      02 44 31 32 03
    <AA><55>           AA 55
    A<3C>B             41 3C 42: the sign < itself is written so

The names are those of ASCII's control characters, as manuals of serial devices have them; but
<FF> is the byte FF, and the form feed is <0C>.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from protocols.settingerror import SettingError

_CONTROLS: Final = (
    *("NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL"),
    *("BS", "HT", "LF", "VT", "0C", "CR", "SO", "SI"),
    *("DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB"),
    *("CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"),
)
_NAMES: Final[Mapping[str, int]] = {
    **{name: number for number, name in enumerate(_CONTROLS)},
    "DEL": 0x7F,
}
_SPELLED: Final = {number: f"<{name}>" for name, number in _NAMES.items()}
_SYMBOL: Final = re.compile(r"<([^<>]*)>|[ -;=-~]")
_HEX: Final = re.compile(r"[0-9A-Fa-f]{2}")
_EXPECTED: Final = "write text, <CR>, <STX> and their like, or two hex digits as <8A>"


def read_bytes(text: str, *key: str) -> bytes:
    """Return the bytes that a text stands for. Raises SettingError for a symbol that means none.

    `key` is where the text stands in the settings, for people.
    """
    data = bytearray()
    place = 0
    while place < len(text):
        symbol = _SYMBOL.match(text, place)
        if symbol is None:
            what = f"{text!r} cannot be bytes at {text[place : place + 8]!r}"
            raise SettingError(what, _EXPECTED, *key)
        data.append(ord(symbol[0]) if symbol[1] is None else _byte(symbol[1], key))
        place = symbol.end()
    return bytes(data)


def spell_bytes(data: bytes) -> str:
    """Return the text that stands for these bytes."""
    return "".join(
        chr(byte)
        if 0x20 <= byte <= 0x7E and byte != ord("<")
        else _SPELLED.get(byte, f"<{byte:02X}>")
        for byte in data
    )


def _byte(name: str, key: tuple[str, ...]) -> int:
    named = _NAMES.get(name.upper())
    if named is not None:
        return named
    if _HEX.fullmatch(name) is None:
        raise SettingError(f"<{name}> names no byte", _EXPECTED, *key)
    return int(name, 16)
