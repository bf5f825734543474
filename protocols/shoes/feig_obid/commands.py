"""What a host may ask of an OBID reader. One command at a time; a damaged one is not answered."""

from __future__ import annotations

from typing import Final

from protocols.device import HostCommand
from protocols.shoes.feig_obid.layout import (
    CPU_RESET,
    READER_INFO,
    RF_RESET,
    SYSTEM_RESET,
    VERSION,
    FeigObidSettings,
    advanced,
    inventory,
)

_COMMANDS: Final = (
    ("inventory", "What lies on the reader", inventory(FeigObidSettings()), False),
    ("identify", "Ask for the firmware's version", advanced(VERSION), False),
    ("reader_info", "Ask what the reader is", advanced(READER_INFO, b"\x00"), False),
    ("rf_reset", "Switch the field off and on", advanced(RF_RESET), True),
    ("cpu_reset", "Start the reader anew", advanced(CPU_RESET), True),
    ("system_reset", "Start all of it anew", advanced(SYSTEM_RESET, b"\x00"), True),
)
COMMANDS: Final = tuple(HostCommand(*row) for row in _COMMANDS)
