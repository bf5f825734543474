"""How the simulated controller answers the host: the reply rules, the mode and the parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from protocols.wheels.cammegh_ss2.layout import CLOSED, CammeghSs2Settings
from protocols.wheels.cammegh_ss2.motion import SENSOR, Wheel

REVERSES: Final = 1
NO_BARE_NUMBER: Final = 16
AUTO_STATUS: Final = 128

_VERSION: Final = "V2.50"
_FIELD_VALUES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "d": "15",
        "c": "8465",
        "p": "50",
        "q": "800",
        "k": "1900",
        "i": "10",
        "j": "6705 3386 26 1",
        "r": "23000 23000",
        "s": "16.0 18.0",
        "t": "1475",
        "n": "2920",
        "m": "2.0",
        "h": "161",
        "g": "0",
    }
)
_SET: Final = re.compile(r"T ([a-z])((?: -?\d+(?:\.\d+)?){1,4})")
_GET: Final = re.compile(r"T ([A-Z])")
_MODE: Final = re.compile(r"o (\d{1,5})")


class Firmware:
    """What the controller remembers beside the wheel, and what it says when spoken to.

    `actions` (launch, power_on, power_off, restart) are called when a command really does that.
    """

    def __init__(
        self,
        wheel: Wheel,
        settings: CammeghSs2Settings,
        actions: Mapping[str, Callable[[], None]],
    ) -> None:
        self.mode = 135
        self.talks = True
        self._wheel = wheel
        self._act = actions
        self._flash = {**_FIELD_VALUES, "z": str(settings.pockets)}
        self._parameters = dict(self._flash)

    def mains_cycle(self) -> None:
        """Lose what was only in RAM: parameters never saved, and the silence of `*q 0`."""
        self._parameters = dict(self._flash)
        self.talks = True

    def answer(self, text: str) -> str | None:
        """Obey a host's line without its star and return the answer without its star."""
        if not text:
            return None
        known = self._fixed().get(text)
        if known is not None:
            return known()
        if text.startswith("T"):
            return self._parameter(text)
        mode = _MODE.fullmatch(text)
        return f"{text[0]} NO" if mode is None else self._set_mode(int(mode[1]))

    def _fixed(self) -> Mapping[str, Callable[[], str]]:
        closed = self._wheel.state == CLOSED
        return {
            "P 1": lambda: self._do("power_on", "P", closed),
            "P 0": lambda: self._do("power_off", "P", not closed),
            "R": lambda: self._do("restart", "R", not closed),
            "u 1": self._launch,
            "u 3": self._launch,
            "S": lambda: f"S {_VERSION}",
            "V": lambda: f"V {_VERSION} simulated Slingshot 2 roulette wheel",
            "v": lambda: "v V1.0",  # the real text was never captured
            "o": lambda: f"o {self.mode}",
            "O": lambda: f"O {self._wheel.state} 1 {self._parameters['h']} {self.mode}",
            "q 0": lambda: self._talk(on=False),
            "q 1": lambda: self._talk(on=True),
            "F": self._self_test,
            "I 4": lambda: "I 4",
            "I 0": lambda: "I 0",
            "A": lambda: f"A {self._wheel.spin % 37}",
            "w": lambda: "w 36.0 50.0" if self._wheel.state in {5, CLOSED} else "w BUSY",
        }

    def _do(self, action: str, command: str, allowed: bool) -> str:
        if not allowed:
            return f"{command} NO"
        self._act[action]()
        return f"{command} OK"

    def _launch(self) -> str:
        # Acknowledged in every state, but only a wheel that waits in state 2 starts a game.
        if self._wheel.waiting and not self._wheel.balls:
            self._act["launch"]()
        return "u OK"

    def _talk(self, *, on: bool) -> str:
        self.talks = on
        return "q OK"

    def _self_test(self) -> str:
        if self._wheel.state != CLOSED:
            return "F BUSY"
        return "F 11" if self._wheel.flags & SENSOR else "F 0"

    def _set_mode(self, mode: int) -> str:
        if self._wheel.state != CLOSED:
            return "o BUSY"
        self.mode = mode
        self._wheel.reverses = bool(mode & REVERSES)
        return f"o {mode}"

    def _parameter(self, text: str) -> str:
        asked = _GET.fullmatch(text)
        if asked is not None and asked[1].lower() in self._parameters:
            letter = asked[1].lower()
            return f"T {letter} {self._parameters[letter]}"
        if text == "T f":
            self._flash = dict(self._parameters)
        change = _SET.fullmatch(text)
        if change is not None and change[1] in self._parameters:
            self._parameters[change[1]] = change[2].strip()
        # As the real one: a malformed command is answered OK and changes nothing.
        return "T OK"
