"""The reader of the hole card: it fills the hidden slots that are its own, and nothing else.

It reads a card once more when that is turned; at any other time somebody looked at it.
"""

from __future__ import annotations

from daemon.game import DueCard
from daemon.shoegame.turning import turn
from daemon.shoegame.work import Work
from protocols.readings import CardDrawn


def is_readers(work: Work, due: DueCard) -> bool:
    """Return whether this slot is for the hole-card reader alone to fill."""
    has_reader = "hole" in work.context.roles
    return due.hidden and due.slot in work.game.hole_slots and has_reader and work.role != "hole"


def scanned(work: Work, reading: CardDrawn) -> None:
    """Judge a card on the hole-card reader."""
    due = work.due() if work.round_id is not None and not work.betting else None
    if due is not None and due.hidden and due.slot in work.game.hole_slots:
        work.take(reading.card)
        work.place(reading.card)
        return
    lies = [one for one in work.state.face_down if one.slot in work.game.hole_slots]
    if not lies:
        work.take(reading.card)
        detail = "a card lies on the hole-card reader and none is due there"
        work.violate("card_out_of_turn", detail, reading=reading)
        return
    may_turn = [one for one in lies if work.game.may_turn(work.state, work.profile, one.slot)]
    same = [one for one in lies if one.card.value == reading.card]
    if may_turn and may_turn[0] in same:
        turn(work, may_turn[0])
    elif may_turn:
        slot = may_turn[0].slot
        detail = f"the card that was turned is not the one that lay in {slot}"
        work.violate("hole_card_mismatch", detail, slot=slot, reading=reading)
    elif same:
        slot = same[0].slot
        detail = f"the card in {slot} was read again before it may be turned"
        work.violate("hole_card_peek_not_allowed", detail, slot=slot, reading=reading)
    else:
        slot = lies[0].slot
        detail = f"another card than the one in {slot} lies on the hole-card reader"
        work.violate("sealed_violation", detail, slot=slot, reading=reading)
