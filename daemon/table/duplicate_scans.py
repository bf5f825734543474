"""Tells that a card was read more than once: a label scanned again, a tag that came before. Pure.

Whether a frame is the same card once more is judged in `frame_tracking.py`. A card counts once, and
its duplicate is published once, unless that might name a hidden card.
"""

from __future__ import annotations

from daemon.table.concealment import card_may_be_hidden
from daemon.table.inputs import DeviceSaid
from daemon.table.transition import TableTransition
from protocols.events import CardDuplicateSuppressed
from protocols.readings import CardDrawn, CardTag


def tell_label(transition: TableTransition, said: DeviceSaid) -> None:
    """Publish once of a card that its label was read more than once."""
    card = said.reading.card if isinstance(said.reading, CardDrawn) else None
    if card is not None and said.role != "witness" and not transition.state.maintenance:
        reason = f"{said.device} read one label again, sooner than another card can follow"
        transition.emit(CardDuplicateSuppressed(card.rank, card.suit, reason))


def tell_tag(transition: TableTransition, said: DeviceSaid, tag: CardTag) -> None:
    """Publish that a tag came onto its reader which came before in this shoe."""
    if tag.card is None:
        return
    setup, state, reading = transition.setup, transition.state, CardDrawn(tag.card)
    if not card_may_be_hidden(setup, state, said.role, reading):
        reason = f"the same tag came onto the reader of {said.device} before in this shoe"
        transition.emit(CardDuplicateSuppressed(tag.card.rank, tag.card.suit, reason))
