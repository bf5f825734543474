"""What a host may send to a Slingshot 2. Never `*s e`: it erases the result log for good."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from protocols.device import HostCommand
from protocols.wheels.cammegh_ss2.layout import END


def _asks(name: str, meaning: str, data: bytes) -> HostCommand:
    return HostCommand(name, meaning, data, changes_device=False)


def _does(name: str, meaning: str, data: bytes) -> HostCommand:
    return HostCommand(name, meaning, data, changes_device=True)


COMMANDS: Final[Sequence[HostCommand]] = (
    _asks("status", "send one status line now; at most 10 a second", b"*X\r\n"),
    _does("power_on", "start the rotor; only in state 6", b"*P 1\r\n"),
    _does("power_off", "stop the rotor; refused in state 6", b"*P 0\r\n"),
    _does(
        "start_game", "start a game; only in state 2: state 1 answers OK and loses it", b"*u 1\r\n"
    ),
    _does(
        "start_game_counter_clockwise",
        "start a game counter-clockwise; firmware V2.52 with extra mode 16",
        b"*u 3\r\n",
    ),
    _does("restart_game", "void the game and go back to state 1", b"*R\r\n"),
    _asks("version", "firmware version", b"*S\r\n"),
    _asks("version_text", "firmware version and model", b"*V\r\n"),
    _asks("coprocessor_version", "version of the co-processor", b"*v\r\n"),
    _asks("mode", "read the mode", b"*o\r\n"),
    _asks("extra_info", "state, protocol, games an hour, mode", b"*O\r\n"),
    _does("status_on", "send status lines again", b"*q 1\r\n"),
    _does("status_off", "send no status line: silences the wheel", b"*q 0\r\n"),
    _does("self_test", "self test, up to 5 minutes; only in state 6", b"*F\r\n"),
    _does("raw_sensors_on", "send raw sensor events; port 1 only", b"*I 4\r\n"),
    _does("raw_sensors_off", "send no raw sensor events", b"*I 0\r\n"),
    _asks("rotor_position", "pockets passed since the datum", b"*A\r\n"),
    _asks("chi_squared", "spread of the results; states 5 and 6", b"*w\r\n"),
)

PARAMETERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "d": "stopping distance before the shot",
        "c": "firing position for pocket 0; 20000 takes the current one",
        "p": "delay from puffer to rim jet, ms",
        "q": "delay from rim jet to rotor start, ms",
        "k": "keep-in-rim lap time, 1/2048 s",
        "i": "sensor-off timeout in state 4, half seconds",
        "j": "the three sensor positions and their order",
        "r": "rim jet, least and most",
        "s": "rotor speed, least and most, rpm",
        "t": "deceleration distance, 9999 is one turn",
        "n": "lap time that ends betting, 1/2048 s",
        "m": "greatest rotor speed change after betting, rpm",
        "h": "games an hour",
        "z": "pockets: 37, 38, 39 or 40",
        "g": "extra modes: 8 no retry, 16 direction options, 32 state 7",
    }
)
_VALUE: Final = re.compile(r"-?\d{1,9}(\.\d{1,9})?")


def get_parameter(letter: str) -> HostCommand:
    """Return the command that reads parameter `letter`; ValueError for an unknown one."""
    data = b"*T " + letter.upper().encode("ascii") + END
    return _asks(f"get_parameter_{letter}", f"read: {_meaning(letter)}", data)


def set_parameter(letter: str, *values: str) -> HostCommand:
    """Return the command that sets parameter `letter`, in RAM only, until the next mains cycle.

    `values` are decimal numbers. ValueError for an unknown letter or a value that is none. The
    answer `*T OK` proves nothing: a malformed command gets it too, so read the value back.
    """
    meaning = f"set: {_meaning(letter)}"
    if not 1 <= len(values) <= 4 or not all(_VALUE.fullmatch(value) for value in values):
        raise ValueError(f"parameter {letter!r} takes one to four decimal numbers, not {values!r}")
    data = f"*T {letter} {' '.join(values)}".encode("ascii") + END
    return _does(f"set_parameter_{letter}", meaning, data)


def _meaning(letter: str) -> str:
    meaning = PARAMETERS.get(letter)
    if meaning is None:
        raise ValueError(f"no parameter {letter!r}: known are {' '.join(PARAMETERS)}")
    return meaning
