"""A simulated device made from its description: no clock, no chance; the dealer decides.

A frame takes its bytes' time on the line. A device that is polled speaks when it is asked; one that
promises signs of life sends one in half of its longest silence. What the profile has no line for
cannot be played.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from protocols.bytetext import read_bytes
from protocols.cards import Card
from protocols.instant import Instant, earliest
from protocols.readings import CardTarget
from protocols.shoes.line_profile.layout import FrameFormat
from protocols.shoes.line_profile.profile import LineProfile, Meaning
from protocols.shoes.line_profile.template import Template, template_of
from protocols.simulatedline import HURTS, SimulatedLine
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

AGAIN_S: Final = 0.03
_SAID: Final[Mapping[str, Meaning]] = {
    "no_read": "no_read",
    "error": "error",
    "warning": "warning",
    "error_cleared": "error_cleared",
}


class LineProfileSimulator:
    """See `protocols.simulator.Simulator`.

    `no_read`, `error`, `warning` and `error_cleared` are said at once; `unknown_code` is said of
    the next card; `sent_twice` sends that again, number and all; `silent` lasts until cued again.
    """

    faults: Sequence[str] = (*_SAID, "unknown_code", "sent_twice", "silent", *HURTS)

    def __init__(self, profile: LineProfile) -> None:
        self.wake_at: Instant | None = None
        self._profile = profile
        self._format = FrameFormat(profile)
        self._labels = profile.cards.labels()
        self._lines = tuple(
            (message.says, template_of(message.line)) for message in profile.message
        )
        self._numbers = profile.number.every() if profile.number else ("",)
        self._place = -1
        self._poll = read_bytes(profile.host.poll)
        self._nak = read_bytes(profile.host.nak)
        self._line = SimulatedLine(profile.wiring.baud)
        self._waiting: deque[bytes] = deque()
        self._last = b""
        self._on: set[str] = set()
        self._alive_at: Instant | None = None

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._place = -1
                self._on.clear()
                self._waiting.clear()
                self._live_on(at)
                if self._find("started"):
                    self._say(at, "started")
            case DrawCard(card, target, index):
                self._draw(at, card, target, index)
            case DrawCutCard():
                self._cut(at)
            case Fault(name):
                self._go_wrong(at, name)
            case StateResult() | SpinBall() | ThrowDice():
                raise ValueError("this device tells cards and nothing else")
        self._set_wake()

    def hear(self, at: Instant, data: bytes) -> None:
        """Take what the host sent: a poll brings what waits, a refusal the last frame again."""
        if self._poll and self._poll in data:
            if not self._waiting and self._find("standby"):
                self._say(at, "standby")
            if self._waiting:
                self._put(at, self._waiting.popleft())
        if self._nak and self._nak in data and self._last:
            self._put(at, self._last)
        self._set_wake()

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has gone out by `at`, one item per frame; a sign of life when it is due."""
        if self._alive_at is not None and at.reached(self._alive_at):
            self._say(self._alive_at, "standby")
            self._live_on(at)
        sent = self._line.speak(at)
        self._set_wake()
        return sent

    def _draw(self, at: Instant, card: Card, target: CardTarget | None, index: int | None) -> None:
        word = self._word_for(target)
        code = self._labels.codes.spell(card)
        if self._used("unknown_code"):
            code = "z" * len(code)
        fields = {"card": code, "hand": word, "place": str(index or 1)}
        twice = self._used("sent_twice")
        self._say(at, "card", fields)
        if twice:
            self._line.say(at.after(AGAIN_S), self._last)

    def _word_for(self, target: CardTarget | None) -> str:
        hands = self._profile.hands
        if not hands or target is None:
            return next(iter(hands), "")
        for word, hand in hands.items():
            if hand == target:
                return word
        raise ValueError(f"the profile has no word for {target}")

    def _cut(self, at: Instant) -> None:
        if self._find("cut_card"):
            self._say(at, "cut_card")
        elif self._labels.cut_card:
            self._say(at, "card", {"card": self._labels.cut_card[0]})
        else:
            raise ValueError("the profile has no word for the cut card")

    def _go_wrong(self, at: Instant, name: str) -> None:
        if name in HURTS:
            self._line.hurt(name)
        elif name == "no_read" and not self._find("no_read") and self._labels.no_read:
            self._say(at, "card", {"card": self._labels.no_read[0]})
        elif name in _SAID and self._find(_SAID[name]):
            self._say(at, _SAID[name], {"code": next(iter(self._profile.errors), "")})
        elif name == "silent":
            self._on ^= {name}
        elif name in ("unknown_code", "sent_twice"):
            self._on.add(name)
        else:
            raise ValueError(f"no such fault here: {name}; there are {', '.join(self.faults)}")

    def _find(self, says: Meaning) -> Template | None:
        return next((line for meaning, line in self._lines if meaning == says), None)

    def _say(self, at: Instant, says: Meaning, fields: Mapping[str, str] | None = None) -> None:
        template = self._find(says)
        if template is None:
            raise ValueError(f"the profile has no line that says {says}")
        self._place = (self._place + 1) % len(self._numbers)
        number = {"number": self._numbers[self._place]} if self._profile.number else {}
        words = {name: text for name, text in (fields or {}).items() if text}
        frame = self._format.build(template.fill({**words, **number}))
        if self._poll:
            self._waiting.append(frame)
        else:
            self._put(at, frame)

    def _put(self, at: Instant, frame: bytes) -> None:
        self._last = frame
        if "silent" not in self._on:
            self._line.say(at, frame)

    def _live_on(self, at: Instant) -> None:
        """Set when the next sign of life is due, where the device gives any by itself."""
        lives = self._profile.silence_s and not self._poll and self._find("standby")
        self._alive_at = at.after(self._profile.silence_s / 2) if lives else None

    def _used(self, name: str) -> bool:
        was_armed = name in self._on
        self._on.discard(name)
        return was_armed

    def _set_wake(self) -> None:
        self.wake_at = earliest(self._line.wake_at, self._alive_at)
