"""Devices under settings that make others of them: the laws hold for each description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from protocols.cards import DECK
from protocols.catalog import devices
from protocols.device import DeviceSpec
from protocols.shoes.barcode_lines import BarcodeLinesSettings
from protocols.shoes.line_profile import LineProfileSettings
from protocols.shoes.line_profile.profile import (
    Cards,
    Check,
    Frame,
    Host,
    LineProfile,
    Message,
    Number,
)

BINARY = LineProfile(
    title="Fixed length, in bytes",
    source="made up",
    frame=Frame(start="<AA><55>", end="", length=3, content="binary"),
    check=Check("crc16_modbus", first="start", encoding="raw", order="low_first"),
    message=(
        Message("card", "<01>{card:1}{any:1}"),
        Message("no_read", "<02>{any:2}"),
        Message("error", "<03>{code:1}{any:1}"),
    ),
    cards=Cards(
        codes={f"<{0x80 + place:02X}>": str(card) for place, card in enumerate(DECK)},
        cut_card=("<FF>",),
    ),
)
UNCHECKED = LineProfile(
    title="Lines without a check value",
    source="made up",
    frame=Frame(end="<CR><LF>"),
    message=(Message("card", "CARD;{card};{any}"), Message("standby", "ALIVE;{any}")),
    cards=Cards(scheme="suit_number", no_read=("??",), cut_card=("CUT",)),
    reread_s=0.08,
)
ASTERISK = LineProfile(
    title="Lines from a start mark, with a sum behind an asterisk",
    source="made up",
    frame=Frame(start="$", end="<CR><LF>"),
    check=Check("sum8", mark="*"),
    message=(Message("card", "{number:3},{card}"), Message("no_read", "{number:3}!")),
    number=Number("000", "999"),
)
POLLED = LineProfile(
    title="Speaks when it is asked",
    source="made up",
    frame=Frame(start="<STX>", end="<ETX>"),
    check=Check("lrc", place="after_end", last="end", encoding="hex_lower"),
    message=(Message("card", "C{card:2}"), Message("standby", "-"), Message("started", "S")),
    host=Host(ack="<ACK>", nak="<NAK>", poll="<ENQ>"),
    silence_s=3.0,
)

SETTINGS: Mapping[str, Any] = {
    "barcode_lines/etx": BarcodeLinesSettings(
        prefix="<STX>", terminator="<ETX>", aim="required", scheme="suit_number"
    ),
    "barcode_lines/counted": BarcodeLinesSettings(
        terminator="", length=4, scheme="filler_suit_rank", no_read=("NONE",), cut_card=()
    ),
    "line_profile/binary": LineProfileSettings(BINARY),
    "line_profile/unchecked": LineProfileSettings(UNCHECKED),
    "line_profile/asterisk": LineProfileSettings(ASTERISK),
    "line_profile/polled": LineProfileSettings(POLLED),
}


def described() -> list[DeviceSpec]:
    """Return a spec of its own for each of these settings."""
    return [_under(name, settings) for name, settings in SETTINGS.items()]


def _under(name: str, settings: Any) -> DeviceSpec:
    key, _, _ = name.partition("/")
    return replace(devices()[key].under(settings), key=name, settings=cast("Any", lambda: settings))
