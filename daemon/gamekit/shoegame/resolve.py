"""What a supervisor decides about a card: accept, burn, correct. Linked events, never an edit.

The card itself was counted out of the shoe when it left it; only what it is may be corrected.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.shoegame.rules import ShoeGame
from daemon.gamekit.shoegame.state import ShoeState, Unconfirmed, burns_for
from daemon.gamekit.shoegame.transition import Work, is_burn
from daemon.gamekit.spec import Context, Decision, Violation
from protocols.cards import Card, find_card
from protocols.commands import Refusal, ResolveViolation
from protocols.events import ResultEnteredManually
from protocols.readings import BurnCountStated, CardDrawn, Reading

_ACCEPT_DEALS: Final = frozenset(
    {
        "card_before_no_more_bets",
        "card_out_of_turn",
        "card_after_cut_card",
        "card_without_decision",
        "impossible_card",
        "hole_card_unscanned",
    }
)
"""Accepting these means: the card is the next one that is due. Accepting others: go on."""
_RESCANNED: Final = frozenset({"hole_card_unscanned", "card_unread"})
"""Accepting these where no card was read means: the card is put on the reader once more."""


def resolve(
    game: ShoeGame,
    state: ShoeState,
    violation: Violation,
    command: ResolveViolation,
    context: Context,
) -> Decision:
    """Carry out a decision other than void."""
    work = Work(game, state, context)
    match command.action:
        case "accept":
            return work.decision(_accept(work, violation))
        case "burn":
            if _lies(work, violation):
                return work.decision(Refusal.ACTION_NOT_ALLOWED)
            _burn(work, violation)
        case "correct":
            return work.decision(_correct(work, violation, command))
        case "void":
            pass  # the table's
    return work.decision()


def _accept(work: Work, violation: Violation) -> Refusal | None:
    if violation.code == "wrong_burn_count":
        return _accept_burn_count(work, violation)
    if violation.code == "shoe_not_verified":
        return _release(work, violation)
    if violation.code in _RESCANNED and not isinstance(_reading(violation), CardDrawn):
        work.set(rescan=True)
        return None
    if violation.code not in _ACCEPT_DEALS or _lies(work, violation):
        return None
    reading = _reading(violation)
    if not isinstance(reading, CardDrawn):
        return Refusal.ACTION_NOT_ALLOWED
    if is_burn(reading) and work.round_id is None:
        _burn(work, violation)
        return None
    return _deal(work, violation, reading.card)


def _accept_burn_count(work: Work, violation: Violation) -> Refusal | None:
    """Go on with the number of burned cards that there is."""
    reading = _reading(violation)
    if isinstance(reading, BurnCountStated):
        work.set(burns=burns_for("shuffle", reading.count))
        return None
    work.set(burns=())
    if isinstance(reading, CardDrawn):
        if is_burn(reading):
            work.burn(reading.card, "violation")
        elif (
            work.context.control == "device"
            and work.game.stated_slot(reading) == work.game.first_slot
        ):
            return _deal(work, violation, reading.card)
    return None


def _release(work: Work, violation: Violation) -> Refusal | None:
    """Deal from the shoe as it is: a person answers for it."""
    shoe, reading = work.state.shoe, _reading(violation)
    if shoe is None or not isinstance(reading, CardDrawn):
        return Refusal.ACTION_NOT_ALLOWED
    work.set(shoe=replace(shoe, unverified=False))
    if work.state.burns_due > 0:
        work.burn_due(reading.card)
        return None
    return _deal(work, violation, reading.card)


def _burn(work: Work, violation: Violation) -> None:
    reading = _reading(violation)
    if isinstance(reading, CardDrawn) and is_burn(reading) and work.state.burns_due > 0:
        work.one_burn()
    work.burn(_card(violation), "violation", hidden=violation.read is None)


def _correct(work: Work, violation: Violation, command: ResolveViolation) -> Refusal | None:
    card = find_card(command.card or "")
    if _lies(work, violation) or not _ready(work, violation):
        return Refusal.ACTION_NOT_ALLOWED
    due = work.due()
    if due is None or due.hidden or work.round_id is None:
        return Refusal.ACTION_NOT_ALLOWED  # nobody may say what lies face down
    if card is None:
        return Refusal.VALUE_MISSING
    named = _card(violation) if violation.read is not None else None
    if work.state.shoe is not None:
        work.set(shoe=work.state.shoe.identify(card, taken_for=named))
    work.emit(ResultEnteredManually(work.round_id, due.slot, str(card), command.who, command.why))
    _place(work, card)
    return None


def _deal(work: Work, violation: Violation, card: Card) -> Refusal | None:
    """Put the card where one is due."""
    if not _ready(work, violation):
        return Refusal.ACTION_NOT_ALLOWED
    due = work.due()
    if violation.read is None and due is not None and not due.hidden:
        if _of_a_hidden_slot(work, violation):
            return Refusal.ACTION_NOT_ALLOWED
        if _waits(work, violation):
            out = work.state.shoe.out if work.state.shoe else 0
            work.set(unconfirmed=Unconfirmed(Concealed(card), out))
            return None
        work.know(card)  # it was counted without its name
    if violation.code == "impossible_card":
        work.place(card)  # a person looked at it and insists
    else:
        _place(work, card)
    return None


def _of_a_hidden_slot(work: Work, violation: Violation) -> bool:
    """Return whether its reader gives the card to a hand that has a card face down."""
    reading = _reading(violation)
    hand = work.game.stated_hand(reading) if isinstance(reading, CardDrawn) else None
    return hand in {slot.partition(".")[0] for slot in work.game.hole_slots}


def _waits(work: Work, violation: Violation) -> bool:
    """Return whether only the next reading confirms its slot, as of any card that is due there."""
    reading = _reading(violation)
    placed = isinstance(reading, CardDrawn) and reading.target is not None
    return not placed and work.game.waits(work.state, work.profile, work.context.roles)


def _place(work: Work, card: Card) -> None:
    """Place a card, unless this shoe cannot hold it: then that is the next thing to decide."""
    shoe, due = work.state.shoe, work.due()
    open_slot = due is not None and not due.hidden
    if open_slot and shoe is not None and (why := shoe.surplus(card)) is not None:
        slot = work.due_slot()
        work.violate("impossible_card", why, slot=slot, read=card, reading=CardDrawn(card))
    else:
        work.place(card)


def _ready(work: Work, violation: Violation) -> bool:
    """Make sure of an open round with its bets closed and a card due; its first card opens it."""
    if work.round_id is None:
        reading = _reading(violation)
        slot = work.game.stated_slot(reading) if isinstance(reading, CardDrawn) else None
        first = work.game.first_slot
        if work.context.control == "server" or first is None or slot not in (None, first):
            return False
        work.open_round(work.context.next_round_id)
    if work.betting:
        work.close_bets("command" if work.context.control == "server" else "first_card")
    return work.due() is not None


def _lies(work: Work, violation: Violation) -> bool:
    """Return whether the card in question lies in its slot already: it was turned."""
    return violation.reading is None and work.state.card_in(violation.slot or "") is not None


def _reading(violation: Violation) -> Reading | None:
    return None if violation.reading is None else violation.reading.value


def _card(violation: Violation) -> Card | None:
    reading = _reading(violation)
    return reading.card if isinstance(reading, CardDrawn) else None
