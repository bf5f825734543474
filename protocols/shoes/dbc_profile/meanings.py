"""What a message of the mapped shoe says, from its bytes alone."""

from __future__ import annotations

from collections.abc import Mapping

from protocols.can_frame import DataReader
from protocols.device import FrameMeaning
from protocols.readings import (
    CardDrawn,
    CardUnread,
    CutCardSeen,
    Reading,
    ShoeErrorRaised,
    ShoeStarted,
)
from protocols.rejects import RejectReason
from protocols.shoes.dbc_profile.layout import (
    ERROR_BASE,
    DbcProfileSettings,
    Layout,
    ShoeEvent,
    layout_of,
)


def meanings(settings: DbcProfileSettings) -> Mapping[int, DataReader]:
    """Return what this shoe says under its one identifier."""
    layout = layout_of(settings)
    return {layout.message.identifier: _Card(layout).say}


class _Card:
    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        signals = (layout.rank, layout.suit, layout.event, layout.target, layout.sequence)
        self._read = tuple(_nought if signal is None else signal.read for signal in signals)

    def say(self, data: bytes) -> FrameMeaning:
        if len(data) != self._layout.message.length:
            return FrameMeaning(RejectReason.LENGTH)
        rank, suit, event, target, count = [read(data) for read in self._read]
        if event is None or target is None or count is None:
            return FrameMeaning(RejectReason.VALUE)
        body = self._body(rank, suit, event, target)
        return FrameMeaning(body, None if self._layout.sequence is None else str(count))

    def _body(
        self, rank: int | None, suit: int | None, event: int, target: int
    ) -> Reading | RejectReason:
        layout = self._layout
        what: ShoeEvent | None = layout.events.get(event) if layout.event else "drawn"
        match what:
            case "drawn" | "burned":
                card = None if rank is None or suit is None else layout.cards.get((rank, suit))
                if card is None:  # it left the shoe all the same
                    return CardUnread(f"no card has rank {_shown(rank)} and suit {_shown(suit)}")
                return CardDrawn(card, "burn" if what == "burned" else layout.targets.get(target))
            case "cut_card":
                return CutCardSeen()
            case "unread":
                return CardUnread(self._name(event))
            case "error":
                return ShoeErrorRaised(ERROR_BASE + event, self._name(event), blocking=True)
            case "started":
                return ShoeStarted()
            case None:
                return RejectReason.UNSUPPORTED

    def _name(self, event: int) -> str:
        signal = self._layout.event
        return signal.text(event) if signal else ""


def _shown(value: int | None) -> str:
    return "out of limits" if value is None else str(value)


def _nought(_data: bytes) -> int | None:
    """Return what a signal says that the house's message has not."""
    return 0
