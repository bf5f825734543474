"""The reader of the hole card: it fills the hidden slots that are its own, and nothing else.

It reads a card once more when that is turned; at any other time somebody looked at it.
"""

from __future__ import annotations

from dataclasses import replace

from daemon.gamekit.commitments import SealedCard
from daemon.gamekit.shoegame.reveal import turn
from daemon.gamekit.shoegame.transition import AnyShoeTransition
from daemon.gamekit.spec import DueCard
from protocols.readings import CardDrawn


def is_readers(transition: AnyShoeTransition, slot: str) -> bool:
    """Return whether this hidden slot is for the hole-card reader alone to fill."""
    has_reader = "hole" in transition.context.roles
    return slot in transition.game.hole_slots and has_reader and transition.input.role != "hole"


def scanned(transition: AnyShoeTransition, reading: CardDrawn) -> None:
    """Judge a card on the hole-card reader."""
    due = transition.due() if transition.dealing else None
    lies = [one for one in transition.state.face_down if one.slot in transition.game.hole_slots]
    if due is not None and due.hidden and due.slot in transition.game.hole_slots:
        _first_read(transition, reading, due, lies)
        return
    if not lies:
        transition.take(reading.card)
        detail = "a card lies on the hole-card reader and none is due there"
        transition.violate("card_out_of_turn", detail, reading=replace(reading, target="dealer"))
        return
    _read_again(transition, reading, lies)


def _first_read(
    transition: AnyShoeTransition, reading: CardDrawn, due: DueCard, lies: list[SealedCard]
) -> None:
    """The card that is due, unless it may as well be one that lies there already."""
    twin = next((one for one in lies if one.card.value == reading.card), None)
    if twin is None:
        transition.take(reading.card)
        transition.place(reading.card, due)
        return
    detail = f"the card for {due.slot} may be the one in {twin.slot}, read once more"
    transition.violate("sealed_violation", detail, slot=due.slot, reading=reading)


def _read_again(transition: AnyShoeTransition, reading: CardDrawn, lies: list[SealedCard]) -> None:
    may_turn = [
        one
        for one in lies
        if transition.game.may_turn(transition.state, transition.profile, one.slot)
    ]
    slot = (may_turn or lies)[0].slot
    if not may_turn:  # the same card or another: who is told which learns the card by trying
        detail = f"a card lies on the hole-card reader before the one in {slot} may be turned"
        transition.violate("hole_card_peek_not_allowed", detail, slot=slot, reading=reading)
    elif may_turn[0].card.value == reading.card:
        turn(transition, may_turn[0])
    else:
        detail = f"the card that was turned is not the one that lay in {slot}"
        transition.violate("hole_card_mismatch", detail, slot=slot, reading=reading)
