"""A simulated Bee-Tek shoe: no clock, no chance; the dealer decides, it only speaks.

A token takes its characters' time at 9600 baud, and begins after the one before it has ended. The
shoe knows neither hands nor results, so a cue's target is not said; its own start and its cutting
card it does not report in any way that is public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from protocols.cards import Card
from protocols.instant import Instant, earliest
from protocols.shoes.beetek.layout import GAME, GAME_ALARM, MANUAL_BURN, BeetekSettings, token
from protocols.simulator import (
    Cue,
    DrawCard,
    DrawCutCard,
    Fault,
    PowerOn,
    SpinBall,
    StateResult,
    ThrowDice,
)

FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "unreadable": "the next card is reported as <Game>",
        "not_read_alarm": "the next card is reported as alarm E3",
        "other_alarm": "an alarm; its number and text are made up",
        "warning": "two warning codes",
        "mode_button": "the shoe changes to Manual Burn Cards; again, back to Game",
        "ten_in_digits": "tens are said as 10; again, as T",
        "suit_first": "cards are said suit first; again, rank first",
        "line_ends": "each token ends with CR LF; again, it does not",
        "shared_space": "tokens have no space of their own before them; again, they do",
        "noise": "garbage stands before the next token",
        "torn": "the next token loses its end",
        "bit_flip": "a bit of the next card's suit flips: another valid card",
        "jam": "the next token is held back and sent with the one behind it",
    }
)
CHARACTER_S: Final = 10 / 9600
_TOGGLES: Final = frozenset(
    {"mode_button", "ten_in_digits", "suit_first", "line_ends", "shared_space"}
)
_SAID: Final[Mapping[str, bytes]] = MappingProxyType(
    {
        "other_alarm": token(GAME_ALARM, "Alarm:E7 Simulated Alarm"),
        "warning": b"<W0x01>\r\n<W0x02>\r\n",
    }
)
_NOISE: Final = b"\x00\xfe"
_SUIT_FLIPPED: Final = {"S": "C", "C": "S", "H": "L", "D": "L"}
"""One bit: S and C become each other; H and D become the L that no card has."""


class BeetekSimulator:
    """See `protocols.simulator.Simulator`. Deaf: no public host sends this shoe anything."""

    faults: Sequence[str] = tuple(FAULTS)

    def __init__(self, _settings: BeetekSettings) -> None:
        self.wake_at: Instant | None = None
        self._on: set[str] = set()
        self._line: list[tuple[Instant, bytes]] = []
        self._free_at: Instant | None = None
        self._jammed = b""

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._on.clear()
                self._jammed = b""
            case DrawCard(card):
                self._draw(at, card)
            case Fault(name):
                self._go_wrong(at, name)
            case DrawCutCard():
                raise ValueError("what this shoe says of its cutting card is not public")
            case StateResult():
                raise ValueError("this shoe knows no results")
            case SpinBall() | ThrowDice():
                raise ValueError("a card shoe has no ball and no dice")
        self.wake_at = earliest(*(due for due, _ in self._line))

    def hear(self, at: Instant, data: bytes) -> None:
        """Ignore what the host sent."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per token."""
        sent = [data for due, data in self._line if at.reached(due)]
        self._line = [entry for entry in self._line if not at.reached(entry[0])]
        self.wake_at = earliest(*(due for due, _ in self._line))
        return sent

    def _draw(self, at: Instant, card: Card) -> None:
        operation = MANUAL_BURN if "mode_button" in self._on else GAME
        if self._used("unreadable"):
            self._say(at, token(operation, GAME))
        elif self._used("not_read_alarm"):
            self._say(at, token(GAME_ALARM, "Alarm:E3 Card Not Read"))
        else:
            self._say(at, token(operation, f"Card:{self._spell(card)}"))

    def _spell(self, card: Card) -> str:
        rank = "10" if card.rank == "T" and "ten_in_digits" in self._on else str(card.rank)
        suit = _SUIT_FLIPPED[card.suit] if self._used("bit_flip") else str(card.suit)
        return suit + rank if "suit_first" in self._on else rank + suit

    def _go_wrong(self, at: Instant, name: str) -> None:
        if name not in FAULTS:
            raise ValueError(f"no fault is called {name}; there are {', '.join(FAULTS)}")
        if name in _SAID:
            self._say(at, _SAID[name])
        elif name in _TOGGLES:
            self._on ^= {name}
        else:
            self._on.add(name)

    def _say(self, at: Instant, data: bytes) -> None:
        """Put a token on the line, hurt as cued."""
        if "shared_space" in self._on:
            data = data.lstrip(b" ")
        if self._used("torn"):
            data = data.rstrip(b" ")[:-2]
        if "line_ends" in self._on:
            data += b"\r\n"
        if self._used("noise"):
            data = _NOISE + data
        data, self._jammed = self._jammed + data, b""
        if self._used("jam"):
            self._jammed = data
            return
        busy = self._free_at is not None and self._free_at.boot == at.boot
        start = self._free_at if busy and self._free_at and not at.reached(self._free_at) else at
        self._free_at = start.after(len(data) * CHARACTER_S)
        self._line.append((self._free_at, data))

    def _used(self, name: str) -> bool:
        was_armed = name in self._on
        self._on.discard(name)
        return was_armed
