"""A face-down card is turned: by a command, by the hole-card reader, at the end of its round."""

from __future__ import annotations

from daemon.gamekit.commitments import SealedCard
from daemon.gamekit.shoegame.state import is_burn_slot
from daemon.gamekit.shoegame.transition import AnyShoeTransition
from protocols.commands import RevealCard
from protocols.refusals import Refusal


def reveal(transition: AnyShoeTransition, command: RevealCard) -> Refusal | None:
    """Turn the card that the server names."""
    sealed = transition.state.sealed_in(command.slot)
    if sealed is None or is_burn_slot(command.slot) != (command.round_id is None):
        return Refusal.NOT_FACE_DOWN
    if not _may_turn(transition, command.slot):
        return Refusal.WRONG_PHASE
    turn(transition, sealed)
    return None


def _may_turn(transition: AnyShoeTransition, slot: str) -> bool:
    """Return whether this card may be turned now.

    A burned card may be a face-down card of the round, read once more: not while that is hidden.
    """
    if is_burn_slot(slot):
        return transition.round is None or not transition.game.deals_face_down(transition.profile)
    return transition.game.may_turn(transition.state, transition.profile, slot)


def turn(transition: AnyShoeTransition, sealed: SealedCard) -> None:
    """Turn a card. Where its shoe cannot hold it, that is the next thing to decide."""
    card = transition.turn(sealed)
    shoe = transition.state.shoe
    if shoe is not None and (why := shoe.surplus(card)) is not None:
        transition.hidden = False  # it is face up now
        transition.violate("impossible_card", why, slot=sealed.slot, read=card)
    if not is_burn_slot(sealed.slot):
        transition.game.on_card_placed(transition, sealed.slot, card)
        transition.settle()


def turn_all(transition: AnyShoeTransition) -> None:
    """Turn the cards of a round that is void: they count for nothing."""
    for sealed in transition.state.face_down:
        transition.turn(sealed, voided=True)
