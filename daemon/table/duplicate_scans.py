"""Cards read more than once: a label scanned again, a tag that is still on its reader. Pure.

Whether a frame is the same card once more is judged in `frame_tracking.py`; here it is told. A card
counts once, and its duplicate is published once, unless that might name a hidden card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from daemon.table.concealment import card_may_be_hidden
from daemon.table.frame_tracking import track_tags
from daemon.table.inputs import DeviceSaid
from daemon.table.transition import TableTransition
from protocols.events import CardDuplicateSuppressed
from protocols.readings import CardDrawn, CardsPresent, CardTag, CardUnread
from protocols.table_terms import Role


def label(transition: TableTransition, said: DeviceSaid) -> None:
    """Publish once of a card that its label was read more than once."""
    card = said.reading.card if isinstance(said.reading, CardDrawn) else None
    if card is not None and _counts(transition, said):
        reason = f"{said.device} read one label again, sooner than another card can follow"
        transition.emit(CardDuplicateSuppressed(card.rank, card.suit, reason))


def tags(
    transition: TableTransition, said: DeviceSaid, present: CardsPresent, gone_after_s: float
) -> None:
    """Let a tag that comes onto the reader be a card drawn.

    Several that come at once have no order: each is a card that a person has to name.
    """
    last = transition.state.tags.get(said.role)
    now, coming = track_tags(gone_after_s, last, transition.at, present)
    if now == last:
        return
    transition.state = replace(transition.state, tags={**transition.state.tags, said.role: now})
    if transition.state.maintenance:
        return
    if said.role == "witness":
        _witnessed(transition, said, coming.new)
        return
    for tag in coming.again:
        if tag.card is not None and not _hidden(transition, said.role, CardDrawn(tag.card)):
            reason = f"the same tag came onto the reader of {said.device} before in this shoe"
            transition.emit(CardDuplicateSuppressed(tag.card.rank, tag.card.suit, reason))
    for tag in coming.new:
        reading = _drawn(tag, alone=len(coming.new) == 1)
        hidden = _hidden(transition, said.role, reading)
        transition.hear(reading, said.role, said.device, hidden=hidden)


def _witnessed(transition: TableTransition, said: DeviceSaid, tags: Sequence[CardTag]) -> None:
    """Let a witness state each card that it knows: their order does not matter."""
    for tag in tags:
        if tag.card is not None:
            transition.hear(CardDrawn(tag.card), said.role, said.device)


def _drawn(tag: CardTag, *, alone: bool) -> CardDrawn | CardUnread:
    if not alone:
        return CardUnread("it came onto the reader together with another: nobody knows their order")
    if tag.card is None:
        return CardUnread(f"no card is enrolled under the tag {tag.uid}")
    return CardDrawn(tag.card)


def _hidden(transition: TableTransition, role: Role, reading: CardDrawn | CardUnread) -> bool:
    return card_may_be_hidden(transition.setup, transition.state, role, reading)


def _counts(transition: TableTransition, said: DeviceSaid) -> bool:
    return said.role != "witness" and not transition.state.maintenance
