"""The words of a Slingshot 2 as data: states, flags, pockets, fault codes, and the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from protocols.readings import Direction, WheelFlag, WheelPhase

Pockets = Literal[37, 38, 39, 40]

END: Final = b"\r\n"
LINE_MAX: Final = 320
"""Longest line in characters. The longest known is a result log page, `*s r`, of about 270."""
LEAD_MAX: Final = 64
"""Most terminators without a line between them that are kept for the next line's raw bytes."""

CLOSED: Final = 6
SPIN_MAX: Final = 256
"""The spin counter's last value; that 1 follows it is the guide's "1 to 256", never captured."""
SPEED_MAX: Final = 999
"""Above 99.9 rpm the field reads 000."""

PHASES: Final[Mapping[bytes, WheelPhase]] = MappingProxyType(
    {
        b"1": "before_game",
        b"2": "place_bets",
        b"3": "ball_in_rim",
        b"4": "no_more_bets",
        b"5": "winning_number",
        b"6": "closed",
        b"7": "ball_off_track",
    }
)
DIRECTIONS: Final[Mapping[bytes, Direction]] = MappingProxyType(
    {b"0": "clockwise", b"1": "counter_clockwise"}
)
FLAG_BITS: Final[Mapping[int, WheelFlag]] = MappingProxyType(
    {1: "ball_not_detected", 2: "ball_wrong_way", 4: "sensor_or_motor", 8: "launch_failed"}
)
FLAGS: Final[Mapping[bytes, frozenset[WheelFlag]]] = MappingProxyType(
    {
        b"%X" % mask: frozenset(flag for bit, flag in FLAG_BITS.items() if mask & bit)
        for mask in range(16)
    }
)
FAULTS: Final[Mapping[int, str]] = MappingProxyType(
    {
        0: "no fault",
        1: "hardware",
        2: "no ball",
        3: "no ball position",
        4: "ball runs the wrong way",
        5: "motor",
        6: "encoder, or not calibrated",
        7: "cannot play clockwise: no air or no calibration",
        8: "cannot play counter-clockwise",
        11: "sensor 1 stuck on",
        12: "sensor 2 stuck on",
        13: "sensor 3 stuck on",
        21: "sensor 1 cannot see the ball",
        22: "sensor 2 cannot see the ball",
        23: "sensor 3 cannot see the ball",
        100: "timed out",
    }
)
ZEROES: Final[Mapping[Pockets, tuple[str, ...]]] = MappingProxyType(
    {37: (), 38: ("00",), 39: ("00", "38"), 40: ("00", "38", "39")}
)
"""Pockets beyond 0 to 36: double zero, triple zero (`38`) and quadruple zero (`39`)."""


@dataclass(frozen=True, slots=True)
class CammeghSs2Settings:
    """How many pockets the wheel has: the `*T z` it is set to."""

    pockets: Pockets = 37


def pocket_texts(settings: CammeghSs2Settings) -> tuple[str, ...]:
    """Return every legal pocket of this wheel, as its text: `0` and `00` are two pockets."""
    return (*(str(number) for number in range(37)), *ZEROES[settings.pockets])


def pocket_field(pocket: str | None) -> bytes:
    """Return the two characters of a pocket on the line; two spaces before the first result."""
    return f"{pocket or '':>2}".encode("ascii")
