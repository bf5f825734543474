"""What a host may ask of an SSI scanner. One command at a time; the answer is ACK, NAK or data."""

from __future__ import annotations

from typing import Final

from protocols.device import HostCommand
from protocols.shoes.zebra_ssi.layout import (
    AIM_OFF,
    AIM_ON,
    BEEP,
    CAPABILITIES_REQUEST,
    FLUSH_QUEUE,
    HOST,
    PARAM_REQUEST,
    PARAM_SEND,
    PERMANENT,
    REVISION_REQUEST,
    SCAN_DISABLE,
    SCAN_ENABLE,
    START_SESSION,
    STOP_SESSION,
    packet,
)

ANSWER_WITHIN_S: Final = 2.0
"""How long an answer may take; after that the command has failed and is not sent again blindly."""

NO_BEEP: Final = b"\xff"
_PACKETS: Final = b"\xee\x01\x9f\x01\xec\x00"
"""Packets with a check value (EE = 1), answered by ACK or NAK (9F = 1); EC = 0: no label may change
the scanner's settings."""
_ALWAYS_READY: Final = b"\x8a\x07\xf0\x00\x00"
"""Trigger by presentation (8A = 7), no event before a scan (F0 = 0)."""
_ASKED: Final = b"\xee\x9f\x8a\xf0"


def _command(
    name: str, meaning: str, opcode: int, data: bytes = b"", status: int = 0, *, changes: bool
) -> HostCommand:
    return HostCommand(name, meaning, packet(opcode, data, source=HOST, status=status), changes)


COMMANDS: Final = (
    _command("identify", "Ask for the firmware's revision", REVISION_REQUEST, changes=False),
    _command("capabilities", "Ask what it can do", CAPABILITIES_REQUEST, changes=False),
    _command(
        "parameters", "Ask for the four that matter here", PARAM_REQUEST, _ASKED, changes=False
    ),
    _command(
        "configure",
        "Keep for good: packets, ACK, presentation trigger, no events",
        PARAM_SEND,
        NO_BEEP + _PACKETS + _ALWAYS_READY,
        PERMANENT,
        changes=True,
    ),
    _command("enable", "Scan", SCAN_ENABLE, status=PERMANENT, changes=True),
    _command("disable", "Do not scan", SCAN_DISABLE, status=PERMANENT, changes=True),
    _command("start", "Begin a scan, as the trigger does", START_SESSION, changes=True),
    _command("stop", "End a scan", STOP_SESSION, changes=True),
    _command("flush", "Forget what is not sent yet", FLUSH_QUEUE, changes=True),
    _command("aim_on", "Show the aiming pattern", AIM_ON, changes=True),
    _command("aim_off", "Hide the aiming pattern", AIM_OFF, changes=True),
    _command("beep", "One short high beep", BEEP, b"\x00", changes=True),
)
