"""The lines of a NAPSA wheel, as data: shared by its decoder and its simulator.

    pos     0 1   2 3   4   5 6   7   8     then CR LF: always 9 characters
    status  N S   W W   S   R R   D   E
    number  N N   W W   sp  sp sp sp  C

    W  last winning number, 00 to 36; 37 on a wheel of 38 pockets
    S  state: 1 before game, 2 place bets, 3 finish betting, 4 no more bets, 5 winning number,
       6 closed, 0 undefined
    R  rotor speed, whole revolutions per minute
    D  rotor direction: 0 counter-clockwise, 1 clockwise (the reverse of a Slingshot), 2 unknown
    E  error, a code and not a mask: 0 none to 9
    C  called a checksum; every public simulator sends N, so N is all that is believed

The wheel speaks unasked, twice a second, and takes no command.

Source: field rules of one public host program and its simulators; no bytes of a real wheel.

Not understood: what C is computed from; that 37 is the double zero (it is read so because a wheel
of 38 pockets has no other use for it); what W holds before the first result (two spaces are read
as none yet); what R says above 99; what state 0 means (it is shown raw, as unsupported); why a
sample line built from the same rules has D = 3 while the rotor speeds up (unknown, as 2 is).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from protocols.readings import Direction, WheelFlag, WheelPhase

Pockets = Literal[37, 38]

END: Final = b"\r\n"
LINE: Final = 9
"""Characters of every line, without its end."""
LINE_MAX: Final = 64
"""Most characters of a line that has not ended, damage included, that are kept."""
LEAD_MAX: Final = 16
"""Most terminators without a line between them that are kept for the next line's raw bytes."""

UNDEFINED: Final = "0"
PHASES: Final[Mapping[str, WheelPhase]] = MappingProxyType(
    {
        "1": "before_game",
        "2": "place_bets",
        "3": "ball_in_rim",
        "4": "no_more_bets",
        "5": "winning_number",
        "6": "closed",
    }
)
DIRECTIONS: Final[Mapping[str, Direction | None]] = MappingProxyType(
    {"0": "counter_clockwise", "1": "clockwise", "2": None, "3": None}
)
NO_ERROR: Final = 0
ERRORS: Final[Mapping[int, str]] = MappingProxyType(
    {
        0: "no error",
        1: "strobe: encoder marks",
        2: "rotation",
        3: "ball gate",
        4: "ball reading",
        5: "error n/c",
        6: "launch",
        7: "multiple detection",
        8: "ball extraction",
        9: "initialisation",
    }
)
FLAGS: Final[Mapping[int, frozenset[WheelFlag]]] = MappingProxyType(
    {
        0: frozenset(),
        1: frozenset({"sensor_or_motor"}),
        2: frozenset({"sensor_or_motor"}),
        4: frozenset({"ball_not_detected"}),
        6: frozenset({"launch_failed"}),
    }
)
"""The errors that a warning flag means as well. The others have no such word."""


@dataclass(frozen=True, slots=True)
class NapsaSettings:
    """How many pockets the wheel has: 37, or 38 with the double zero."""

    pockets: Pockets = 37


def pocket_fields(settings: NapsaSettings) -> Mapping[str, str]:
    """Return the two characters of each pocket of this wheel on the line, and its text."""
    fields = {f"{number:02}": str(number) for number in range(37)}
    return fields | ({"37": "00"} if settings.pockets == 38 else {})
