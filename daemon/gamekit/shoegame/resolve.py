"""What a supervisor decides about a card: accept, burn, correct. Linked events, never an edit.

The card itself was counted out of the shoe when it left it; only what it is may be corrected.
"""

from __future__ import annotations

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.shoegame import card_drawn, verify
from daemon.gamekit.shoegame.state import Unconfirmed, burns_for
from daemon.gamekit.shoegame.transition import BURN_TARGETS, AnyShoeTransition
from daemon.gamekit.spec import DueCard, Violation
from protocols.cards import Card, find_card
from protocols.commands import ResolveViolation
from protocols.events import ResultEnteredManually
from protocols.readings import BurnCountStated, CardDrawn, Reading
from protocols.refusals import Refusal
from protocols.replace import replace


def resolve(
    transition: AnyShoeTransition, violation: Violation, command: ResolveViolation
) -> Refusal | None:
    """Carry out a decision other than void, which is the table's."""
    match command.action:
        case "accept":
            return _accept(transition, violation)
        case "burn":
            if _is_placed(transition, violation):
                return Refusal.ACTION_NOT_ALLOWED
            _burn(transition, violation)
        case "correct":
            return _correct(transition, violation, command)
        case "void":
            pass
    return None


def _accept(transition: AnyShoeTransition, violation: Violation) -> Refusal | None:
    if violation.code == "wrong_burn_count":
        return _accept_burn_count(transition, violation)
    if violation.code == "shoe_not_verified":
        return _release(transition, violation)
    if violation.code == "pack_not_whole":
        return verify.let_go(transition)
    if violation.code == "hole_card_unscanned" and not isinstance(_reading(violation), CardDrawn):
        transition.set(rescan=True)  # the card is put on the reader once more
        return None
    rule = transition.game.rule_of(violation.code)
    if "burn" not in rule.resolutions or _is_placed(transition, violation):
        return None
    reading = _reading(violation)
    if not isinstance(reading, CardDrawn):
        return Refusal.ACTION_NOT_ALLOWED
    if reading.target in BURN_TARGETS and transition.round is None:
        _burn(transition, violation)
        return None
    return _deal(transition, violation, reading.card)


def _accept_burn_count(transition: AnyShoeTransition, violation: Violation) -> Refusal | None:
    """Go on with the number of burned cards that there is."""
    reading = _reading(violation)
    if isinstance(reading, BurnCountStated):
        transition.set(burns=burns_for("shuffle", reading.count))
        return None
    transition.set(burns=())
    if isinstance(reading, CardDrawn):
        if reading.target in BURN_TARGETS:
            transition.burn(reading.card, "violation")
        elif (
            transition.context.control == "device"
            and card_drawn.stated_slot(transition, reading) == transition.game.first_slot
        ):
            return _deal(transition, violation, reading.card)
    return None


def _release(transition: AnyShoeTransition, violation: Violation) -> Refusal | None:
    """Deal from the shoe as it is: a person answers for it."""
    shoe, reading = transition.state.shoe, _reading(violation)
    if shoe is None or not isinstance(reading, CardDrawn):
        return Refusal.ACTION_NOT_ALLOWED
    transition.set(shoe=replace(shoe, unverified=False))
    if transition.state.burns_due > 0:
        transition.burn_due(reading.card)
        return None
    return _deal(transition, violation, reading.card)


def _burn(transition: AnyShoeTransition, violation: Violation) -> None:
    reading = _reading(violation)
    burned = isinstance(reading, CardDrawn) and reading.target in BURN_TARGETS
    if burned and transition.state.burns_due > 0:
        transition.one_burn()
    transition.burn(_card(violation), "violation", hidden=violation.read is None)


def _correct(
    transition: AnyShoeTransition, violation: Violation, command: ResolveViolation
) -> Refusal | None:
    due = None if _is_placed(transition, violation) else _due_for_it(transition, violation)
    if due is None or due.hidden or transition.round is None:
        return Refusal.ACTION_NOT_ALLOWED  # no person may say what a face-down card is
    card = find_card(command.card or "")
    if card is None:
        return Refusal.VALUE_MISSING
    if violation.code == "reading_damaged" and transition.state.shoe is not None:
        transition.set(shoe=transition.state.shoe.take_unknown())  # nothing has counted it out
    named = _card(violation) if violation.read is not None else None
    if transition.state.shoe is not None:
        transition.set(shoe=transition.state.shoe.identify(card, taken_for=named))
    transition.emit(
        ResultEnteredManually(
            transition.round.round_id,
            due.slot,
            str(card),
            command.who,
            command.why,
            command.second_who,
        )
    )
    _place(transition, card, due)
    return None


def _deal(transition: AnyShoeTransition, violation: Violation, card: Card) -> Refusal | None:
    """Put the card where one is due."""
    due = _due_for_it(transition, violation)
    if due is None:
        return Refusal.ACTION_NOT_ALLOWED
    if violation.read is None and not due.hidden:
        if _of_a_hidden_slot(transition, violation):
            return Refusal.ACTION_NOT_ALLOWED
        if _waits(transition, violation):
            out = transition.state.shoe.out if transition.state.shoe else 0
            transition.set(unconfirmed=Unconfirmed(Concealed(card), out))
            return None
        transition.know(card)  # it was counted without its name
    if violation.code == "impossible_card":
        transition.place(card, due)  # a person looked at it and insists
    else:
        _place(transition, card, due)
    return None


def _of_a_hidden_slot(transition: AnyShoeTransition, violation: Violation) -> bool:
    """Return whether its reader gives the card to a hand that has a card face down."""
    reading = _reading(violation)
    hand = card_drawn.stated_hand(transition, reading) if isinstance(reading, CardDrawn) else None
    return hand in {slot.partition(".")[0] for slot in transition.game.hole_slots}


def _waits(transition: AnyShoeTransition, violation: Violation) -> bool:
    """Return whether only the next reading confirms its slot, as of any card that is due there."""
    reading = _reading(violation)
    placed = isinstance(reading, CardDrawn) and reading.target is not None
    return not placed and transition.game.needs_confirmation(
        transition.state, transition.profile, transition.context.roles
    )


def _place(transition: AnyShoeTransition, card: Card, due: DueCard) -> None:
    """Place a card, unless this shoe cannot hold it: then that is the next thing to decide."""
    shoe = transition.state.shoe
    if shoe is None or due.hidden or (why := shoe.surplus(card)) is None:
        transition.place(card, due)
    else:
        reading = CardDrawn(card)
        transition.violate("impossible_card", why, slot=due.slot, read=card, reading=reading)


def _due_for_it(transition: AnyShoeTransition, violation: Violation) -> DueCard | None:
    """Return the due card of an open round with its bets closed; a first card opens its round."""
    if transition.round is None:
        reading = _reading(violation)
        slot = (
            card_drawn.stated_slot(transition, reading) if isinstance(reading, CardDrawn) else None
        )
        first = transition.game.first_slot
        if transition.context.control == "server" or first is None or slot not in (None, first):
            return None
        transition.open_round(transition.context.next_round_id)
    if transition.betting:
        rules, by_device = transition.profile, transition.context.control == "device"
        if by_device or rules.bets_end == "first_card":
            transition.close_bets("first_card")
        elif rules.before_no_more_bets == "supervisor":
            transition.close_bets("supervisor")
        else:
            return None  # nothing counts that came before "no more bets"
    return transition.due()


def _is_placed(transition: AnyShoeTransition, violation: Violation) -> bool:
    """Return whether the card in question is in its slot: it was turned there."""
    return violation.reading is None and transition.state.card_in(violation.slot or "") is not None


def _reading(violation: Violation) -> Reading | None:
    return None if violation.reading is None else violation.reading.value


def _card(violation: Violation) -> Card | None:
    reading = _reading(violation)
    return reading.card if isinstance(reading, CardDrawn) else None
