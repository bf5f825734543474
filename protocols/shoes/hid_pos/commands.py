"""What a host may ask of a scanner of the maker whose commands are known; others have their own."""

from __future__ import annotations

from typing import Final

from protocols.device import HostCommand
from protocols.shoes.hid_pos.layout import ENABLE, OUTPUT

COMMAND: Final = 0xFD
_MENU: Final = b"\x0f\x16M\x0d"
_SHORT: Final = b"\x03\x16"


def _command(name: str, meaning: str, data: bytes, *, changes: bool) -> HostCommand:
    return HostCommand(name, meaning, bytes([OUTPUT, COMMAND]) + data, changes)


COMMANDS: Final = (
    _command("identify", "Ask for its model and firmware", _MENU + b"REVINF.", changes=False),
    HostCommand("enable", "Send scans from now on", ENABLE, changes_device=True),
    _command("trigger_on", "Begin a scan, as the trigger does", _SHORT + b"T\x0d", changes=True),
    _command("trigger_off", "End a scan", _SHORT + b"U\x0d", changes=True),
    _command("beep", "One short beep", _SHORT + b"\x07\x0d", changes=True),
)
