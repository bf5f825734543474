"""Tables that hide cards, for each kind of reader: with and without places, numbers and replies."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from nacl.public import PrivateKey
from support.hidden_bench import MASTER, TABLE
from support.secrecy_bench import House, Reader
from support.shoe_line import card_report

from daemon.service.sealing_keys import SealingKeys
from protocols.catalog import devices
from protocols.checks import xor8
from protocols.shoes.line_profile import LineProfileSettings
from protocols.shoes.line_profile.profile import Cards, Check, Frame, LineProfile, Message, Number
from protocols.shoes.zebra_ssi.layout import DECODE_DATA, SYMBOLOGIES, packet

_HANDS: Final = {"dealer": "D", "burn": "X", **{f"box{box}": str(box) for box in range(1, 8)}}


def label(card: str) -> str:
    """Return a card's label: the ten is longer than any other (`10H`, `9H`)."""
    return card.replace("T", "10")


def _line(_number: int, card: str, _place: str) -> bytes:
    return f"{label(card)}\r\n".encode()


def _ssi(_number: int, card: str, _place: str) -> bytes:
    return packet(DECODE_DATA, bytes([SYMBOLOGIES["code_128"]]) + label(card).encode())


def _stated(number: int, card: str, place: str) -> bytes:
    hand, _, at = place.partition(".")
    text = f"C{(number - 1) % 9 + 1}{_HANDS[hand]}{at or 0}{label(card)}\x03".encode()
    return b"\x02" + text + f"{xor8(text):02X}".encode()


def _angel(number: int, card: str, place: str) -> bytes:
    return card_report(number, f"{card}>{place}")


def _reader(key: str, frame: Any, settings: Any = None) -> Reader:
    spec = devices()[key]
    return Reader(spec, settings if settings is not None else spec.settings(), frame)


_STATING: Final = LineProfile(
    title="Shoe that states places and numbers its frames (made up)",
    source="made up for these tests",
    silence_s=12.0,
    frame=Frame(start="<STX>", end="<ETX>", longest=16),
    check=Check(kind="xor", last="end", place="after_end"),
    message=(
        Message("card", "C{number:1}{hand:1}{place:1}{card}"),
        Message("no_read", "N{number:1}"),
        Message("started", "S{number:1}"),
    ),
    cards=Cards(scheme="rank_suit"),
    hands={key: hand for hand, key in _HANDS.items()},  # type: ignore[misc] # they are card targets
    number=Number(first="1", last="9"),
)

SCANNER = _reader("barcode_lines", _line)
SSI = _reader("zebra_ssi", _ssi)
STATING = _reader("line_profile", _stated, LineProfileSettings(_STATING))
ANGEL = _reader("angel_eye_ii_ex", _angel)

_SERVER = PrivateKey(bytes(range(32)))
TO_THE_SERVER: Final = SealingKeys([MASTER]).of(
    TABLE, base64.b64encode(bytes(_SERVER.public_key)).decode()
)


def blackjack(profile: str, *readers: Reader, **rules: Any) -> House:
    """Return a blackjack table; the second reader is that of the hole card."""
    roles: Mapping[Any, Reader] = dict(zip(("primary", "hole"), readers, strict=False))
    return House("blackjack", f"blackjack-{profile}", roles, rules)


ONE = blackjack("lv", SCANNER)
ONE_SHOWN = blackjack("lv", SCANNER, burned_faces="shown")
ONE_SSI = blackjack("lv", SSI)
ONE_STATING = blackjack("lv", STATING)
TWO = blackjack("lv", SCANNER, SCANNER)
TWO_STATING = blackjack("lv", STATING, SCANNER)
DARK = blackjack("ru", SCANNER)
DARK_STATING = blackjack("ru", STATING)
GREEK = blackjack("gr", SCANNER, burn_after_shuffle=1)
GREEK_TWO = blackjack("gr", SCANNER, SCANNER, burn_after_shuffle=1)
TWO_SHOWN = blackjack("lv", SCANNER, SCANNER, burned_faces="shown")
FIRST_DOWN = blackjack("lv", SCANNER, dealer_first_card="down_then_revealed")
FIRST_DOWN_TWO = replace(
    blackjack("lv", SCANNER, SCANNER, dealer_first_card="down_then_revealed"), keys=TO_THE_SERVER
)
BURNING = House("baccarat", "baccarat-gr", {"primary": ANGEL}, {"burned_faces": "on_request"})
BURNING_NEVER = House("baccarat", "baccarat-gr", {"primary": SCANNER}, {"burned_faces": "never"})
SQUEEZE = House("baccarat", "baccarat-dk", {"primary": ANGEL}, {"concealed": "until_reveal"})
SQUEEZE_SCANNED = replace(SQUEEZE, readers={"primary": SCANNER})
SQUEEZE_ALONE = replace(SQUEEZE, control="device")


def witnessed(house: House, wait_s: float = 2.0) -> House:
    """Return a table with a second reader of all its cards, whose word its results wait for."""
    return replace(house, readers={**house.readers, "witness": SCANNER}, witness_wait_s=wait_s)


ONE_WITNESSED = witnessed(ONE)
TWO_WITNESSED = witnessed(TWO)
SQUEEZE_WITNESSED = witnessed(SQUEEZE_SCANNED)
