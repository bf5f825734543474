"""A reader of tagged cards lists what lies on it: here that becomes cards drawn. Pure.

What came onto it is judged in `frame_tracking.py` (`track_tags`); a tag that came before in this
shoe is told in `duplicate_scans.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from daemon.table import duplicate_scans
from daemon.table.concealment import card_may_be_hidden
from daemon.table.frame_tracking import track_tags
from daemon.table.inputs import DeviceSaid
from daemon.table.transition import TableTransition
from protocols.readings import CardDrawn, CardsPresent, CardTag, CardUnread
from protocols.replace import replace


def draw(
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
        _state(transition, said, coming.new)
        return
    for tag in coming.again:
        duplicate_scans.tell_tag(transition, said, tag)
    for tag in coming.new:
        reading = _drawn(tag, alone=len(coming.new) == 1)
        hidden = card_may_be_hidden(transition.setup, transition.state, said.role, reading)
        transition.hear(reading, said.role, said.device, hidden=hidden)


def _state(transition: TableTransition, said: DeviceSaid, tags: Sequence[CardTag]) -> None:
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
