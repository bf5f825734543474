"""Label scanner that plays a USB keyboard. See `layout.py` for the layout."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from protocols.device import DeviceSpec
from protocols.framing import Framing
from protocols.shoes.hid_keyboard.decoder import HidKeyboardDecoder
from protocols.shoes.hid_keyboard.layout import (
    KEY_GAP_S,
    PACKET_SIZE,
    REPORT_SIZE,
    SCAN_REPORTS_MAX,
    HidKeyboardSettings,
)
from protocols.shoes.hid_keyboard.simulator import HidKeyboardSimulator
from protocols.wiring import UsbWiring

__all__ = ["DEVICE", "HidKeyboardSettings"]


def _described(settings: HidKeyboardSettings) -> DeviceSpec:
    return replace(DEVICE, reread_within_s=settings.reread_s or None)


DEVICE: Final = DeviceSpec(
    key="hid_keyboard",
    title="USB label scanner, keyboard wedge",
    kind="shoe",
    maturity="experimental",
    source="the HID specification; a scan as a public table system reads it; verify on the scanner",
    wiring=UsbWiring(report_size=REPORT_SIZE),
    framing=Framing(
        self_starting=False,
        checksum="none",
        ends_by="mark",
        silence_s=KEY_GAP_S,
        pending_max=SCAN_REPORTS_MAX * PACKET_SIZE,
    ),
    settings=HidKeyboardSettings,
    decoder=HidKeyboardDecoder,
    simulator=HidKeyboardSimulator,
    reread_within_s=HidKeyboardSettings().reread_s,
    described=_described,
    proves=frozenset({"identity"}),
    notes=(
        "The weakest of all links: no check value, no number, no symbology. Better HID POS.",
        "It is taken from the desktop: what it scans is typed nowhere else while it is open.",
        "Set in the scanner: this layout, the terminator, no prefix and no suffix.",
        "Labels that are another label's rest are refused: a lost key would make another card.",
        "A label that no card has is a card that nobody knows: it holds.",
        "Labels of the maker's can reprogram such a scanner: lock that in the scanner.",
    ),
)
