"""The reader of the hole card: it fills the hidden slots that are its own, and nothing else.

It reads a card a second time when that card is turned, or when the dealer looks at it where the
house's book has him look (`ShoeGame.may_look`). A second reading at any other time means that
somebody looked at it. Only where the card may be turned or looked at is what is read compared with
it: another card there voids the round, so nobody can try one card after another.
"""

from __future__ import annotations

from daemon.gamekit.commitments import SealedCard
from daemon.gamekit.shoegame.reveal import turn
from daemon.gamekit.shoegame.transition import AnyShoeTransition
from daemon.gamekit.spec import DueCard
from protocols.readings import CardDrawn
from protocols.replace import replace


def is_readers(transition: AnyShoeTransition, slot: str) -> bool:
    """Return whether this hidden slot is for the hole-card reader alone to fill."""
    has_reader = "hole" in transition.context.roles
    return slot in transition.game.hole_slots and has_reader and transition.input.role != "hole"


def scanned(transition: AnyShoeTransition, reading: CardDrawn) -> None:
    """Judge a card on the hole-card reader."""
    due = transition.due() if transition.dealing else None
    hole_slots = transition.game.hole_slots
    sealed = [card for card in transition.state.face_down if card.slot in hole_slots]
    if due is not None and due.hidden and due.slot in hole_slots:
        _first_read(transition, reading, due, sealed)
        return
    if not sealed:
        transition.take(reading.card)
        detail = "a card lies on the hole-card reader and none is due there"
        transition.violate("card_out_of_turn", detail, reading=replace(reading, target="dealer"))
        return
    _read_again(transition, reading, sealed)


def _first_read(
    transition: AnyShoeTransition, reading: CardDrawn, due: DueCard, sealed: list[SealedCard]
) -> None:
    """Place the card that is due, unless it may be a card that was sealed before."""
    twin = next((other for other in sealed if other.card.value == reading.card), None)
    if twin is None:
        transition.take(reading.card)
        transition.place(reading.card, due)
        return
    detail = f"the card for {due.slot} may be the one in {twin.slot}, read once more"
    transition.violate("sealed_violation", detail, slot=due.slot, reading=reading)


def _read_again(
    transition: AnyShoeTransition, reading: CardDrawn, sealed: list[SealedCard]
) -> None:
    game, state, rules = transition.game, transition.state, transition.profile
    may_turn = [card for card in sealed if game.may_turn(state, rules, card.slot)]
    may_look = [card for card in sealed if game.may_look(state, rules, card.slot)]
    expected = next(iter(may_turn or may_look), None)
    if expected is None:  # equal or not: to answer that would make the reader an oracle
        slot = sealed[0].slot
        detail = f"a card lies on the hole-card reader before the one in {slot} may be turned"
        transition.violate("hole_card_peek_not_allowed", detail, slot=slot, reading=reading)
    elif expected.card.value != reading.card:
        done = "turned" if may_turn else "looked at"
        detail = f"the card that was {done} is not the one that lay in {expected.slot}"
        transition.violate("hole_card_mismatch", detail, slot=expected.slot, reading=reading)
    elif may_turn:
        turn(transition, expected)
    else:
        game.on_look(transition)
