"""What a host may ask of an Angel Eye II-EX. One command at a time; the answer is ACK or NAK."""

from __future__ import annotations

from typing import Final

from protocols.device import HostCommand
from protocols.shoes.angel_eye_ii_ex.layout import command

ANSWER_WITHIN_S: Final = 3.0
"""How long an answer may take; after that the command has failed and is not sent again blindly."""

_COMMANDS: Final = (
    ("lock", "LK", "02", "Lock the shoe; the key's own report need not follow", True),
    ("unlock", "LK", "01", "Unlock the shoe", True),
    ("cancel_error", "EC", "00", "Cancel any error except an overdraw", True),
    ("keep_overdrawn", "EC", "01", "Cancel an overdraw: its card opens the next round", True),
    ("discard_overdrawn", "EC", "02", "Cancel an overdraw: its card is discarded", True),
    ("confirm_game", "GP", "00", "Ask the shoe to confirm the game process", False),
)


def host_commands(*, includes_start: bool) -> tuple[HostCommand, ...]:
    """Return every command under one check rule; a shoe of the other rule answers NAK 02."""
    return tuple(
        HostCommand(name, meaning, command(kind, data, includes_start=includes_start), changes)
        for name, kind, data, meaning, changes in _COMMANDS
    )
