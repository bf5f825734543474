"""A face-down card is turned: by the server's word, by the hole-card reader, at the round's end."""

from __future__ import annotations

from daemon.gamekit.commitments import SealedCard
from daemon.gamekit.shoegame.state import is_burn_slot
from daemon.gamekit.shoegame.transition import Work
from protocols.commands import Refusal, RevealCard


def reveal(work: Work, command: RevealCard) -> Refusal | None:
    """Turn the card that the server names."""
    sealed = work.state.sealed_in(command.slot)
    if sealed is None or is_burn_slot(command.slot) != (command.round_id is None):
        return Refusal.NOT_FACE_DOWN
    if not _may_turn(work, command.slot):
        return Refusal.WRONG_PHASE
    turn(work, sealed)
    return None


def _may_turn(work: Work, slot: str) -> bool:
    """Return whether this card may be turned now.

    A burned one may be the card that lies face down, read once more: not while that is hidden.
    """
    if is_burn_slot(slot):
        return work.round_id is None or not work.game.hides(work.profile)
    return work.game.may_turn(work.state, work.profile, slot)


def turn(work: Work, sealed: SealedCard) -> None:
    """Turn a card. Where its shoe cannot hold it, that is the next thing to decide."""
    card = work.turn(sealed)
    shoe = work.state.shoe
    if shoe is not None and (why := shoe.surplus(card)) is not None:
        work.hidden = False  # it lies face up now
        work.violate("impossible_card", why, slot=sealed.slot, read=card)
    if not is_burn_slot(sealed.slot):
        work.game.laid(work, sealed.slot, card)
        work.settle()


def turn_all(work: Work) -> None:
    """Turn the cards of a round that is void: they count for nothing."""
    for sealed in work.state.face_down:
        work.turn(sealed, voided=True)
