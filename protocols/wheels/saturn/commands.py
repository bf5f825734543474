"""What a host may ask of a Saturn. The public host sends fire twice, since one can be missed."""

from __future__ import annotations

from typing import Final

from protocols.device import HostCommand
from protocols.wheels.saturn.layout import ERROR, FIRE, QUERY, STATUS

_COMMANDS: Final = (
    ("query", "What the public host asks first; what it says is not known", QUERY, False),
    ("status", "Ask for the status, with the error flag in it", STATUS, False),
    ("error", "Ask what the error is", ERROR, False),
    ("fire", "Launch the ball", FIRE, True),
)
COMMANDS: Final = tuple(HostCommand(*row) for row in _COMMANDS)
