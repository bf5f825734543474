"""A simulated shoe that tells each card in one message of its DBC: no clock, no chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Final

from protocols.can_frame import ERROR, EXTENDED, HEAD, packet
from protocols.can_signals import CanSignal
from protocols.instant import Instant, earliest
from protocols.shoes.dbc_profile.layout import DbcProfileSettings, ShoeEvent, layout_of
from protocols.simulator import Cue, DrawCard, DrawCutCard, Fault, PowerOn

FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "unread": "a card passes unread",
        "error": "the shoe reports an error",
        "burn": "the next card is burned",
        "no_card": "the next card has the rank and suit of none",
        "resent": "the next message is sent twice, as after a lost acknowledgement on the bus",
        "lost": "the next message is lost",
        "short": "the next message loses its last byte",
        "second_speaker": "another node speaks under the same identifier, with a count of its own",
        "error_frame": "the bus reports an error, with data like a card's",
        "foreign": "a 29-bit frame that ends like the identifier",
    }
)


class DbcProfileSimulator:
    """See `protocols.simulator.Simulator`. Deaf: the host sends this shoe nothing."""

    faults: Sequence[str] = tuple(FAULTS)

    def __init__(self, settings: DbcProfileSettings) -> None:
        self.wake_at: Instant | None = None
        self._layout = layout = layout_of(settings)
        self._cards = {card: values for values, card in layout.cards.items()}
        self._events = {event: value for value, event in layout.events.items()}
        # A card that goes to no hand in particular has the value nought.
        self._targets = {target: value for value, target in layout.targets.items()}
        self._count = 0
        self._armed: set[str] = set()
        self._line: list[tuple[Instant, bytes]] = []

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._armed.clear()
                self._count = 0
                self._say(at, "started")
            case DrawCard(card, target):
                rank, suit = self._cards[card] if not self._used("no_card") else (0, 0)
                what: ShoeEvent = "burned" if self._used("burn") else "drawn"
                self._say(at, what, rank, suit, self._targets.get(target, 0) if target else 0)
            case DrawCutCard():
                self._say(at, "cut_card")
            case Fault(name) if name in FAULTS:
                self._go_wrong(at, name)
            case _:
                raise ValueError(f"this shoe cannot play {cue.kind}")
        self._set_wake()

    def hear(self, at: Instant, data: bytes) -> None:
        """Ignore what the host sent."""

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has been sent by `at`, one packet each."""
        sent = [data for due, data in self._line if at.reached(due)]
        self._line = [entry for entry in self._line if not at.reached(entry[0])]
        self._set_wake()
        return sent

    def _go_wrong(self, at: Instant, name: str) -> None:
        layout = self._layout
        rank, suit = next(iter(layout.cards))
        card = self._message("drawn", rank, suit, 0, self._count + 100)
        match name:
            case "unread" | "error":
                self._say(at, "unread" if name == "unread" else "error")
            case "second_speaker":
                self._line.append((at, packet(layout.message.identifier, card)))
            case "error_frame":
                self._line.append((at, packet(ERROR | 0x80, card.ljust(HEAD, b"\0"))))
            case "foreign":
                identifier = EXTENDED ^ layout.message.identifier
                self._line.append((at, packet(identifier, card)))
            case _:
                self._armed.add(name)

    def _say(
        self, at: Instant, event: ShoeEvent, rank: int = 0, suit: int = 0, target: int = 0
    ) -> None:
        """Send a message, hurt as cued. Raises ValueError for an event that the DBC has not."""
        data = self._message(event, rank, suit, target, self._count)
        self._count += 1
        if self._used("short"):
            data = data[:-1]
        copies = 0 if self._used("lost") else 2 if self._used("resent") else 1
        self._line += [(at, packet(self._layout.message.identifier, data))] * copies

    def _message(self, event: ShoeEvent, rank: int, suit: int, target: int, count: int) -> bytes:
        layout = self._layout
        if layout.event is not None and event not in self._events:
            raise ValueError(f"this shoe has no message for {event}")
        parts: list[tuple[CanSignal | None, int]] = [
            (layout.rank, rank),
            (layout.suit, suit),
            (layout.event, self._events.get(event, 0)),
            (layout.target, target),
            (layout.sequence, count),
        ]
        length = layout.message.length
        placed = (
            int.from_bytes(signal.write(value, length), "big")
            for signal, value in parts
            if signal is not None
        )
        return reduce(or_, placed, 0).to_bytes(length, "big")

    def _used(self, name: str) -> bool:
        was_armed = name in self._armed
        self._armed.discard(name)
        return was_armed

    def _set_wake(self) -> None:
        self.wake_at = earliest(*(due for due, _ in self._line))
