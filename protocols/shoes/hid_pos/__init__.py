"""Bar code scanner on USB's Point of Sale page. See `layout.py` for the layout."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.shoes.hid_pos.commands import COMMANDS
from protocols.shoes.hid_pos.decoder import HidPosDecoder
from protocols.shoes.hid_pos.layout import REPORT_SIZE, SCAN_GAP_S, SYMBOL_MAX, HidPosSettings
from protocols.shoes.hid_pos.simulator import HidPosSimulator
from protocols.wiring import UsbWiring

__all__ = ["DEVICE", "HidPosSettings"]


def _described(settings: HidPosSettings) -> DeviceSpec:
    return replace(DEVICE, reread_within_s=settings.reread_s or None)


DEVICE: Final = DeviceSpec(
    key="hid_pos",
    title="USB label scanner (HID POS)",
    kind="shoe",
    maturity="experimental",
    source="real reports of one maker's scanner and two public readers; verify on the scanner",
    wiring=UsbWiring(report_size=REPORT_SIZE),
    framing=Framing(
        self_starting=True,
        checksum="none",
        ends_by="length",
        silence_s=SCAN_GAP_S,
        pending_max=SYMBOL_MAX,
    ),
    settings=HidPosSettings,
    decoder=HidPosDecoder,
    simulator=HidPosSimulator,
    commands=COMMANDS,
    proves=frozenset({"identity"}),
    writes="poll",
    reread_within_s=HidPosSettings().reread_s,
    described=_described,
    notes=(
        "Set the scanner to USB HID POS (Honeywell: USB HID), not to keyboard.",
        "If it says nothing at all, set enable = true: some models want it at each start.",
        "A label in an allowed symbology that no card has is a card that nobody knows: it holds.",
        "The layout `plain` names no symbology: every label is taken for a card's.",
        "Print no symbol of more than 56 characters whose rest is a card's code.",
        "Of a symbol in two reports the last looks like a scan where the first was lost.",
    ),
)
