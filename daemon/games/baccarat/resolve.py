"""What a supervisor decides about a card: accept, burn, correct. Linked events, never an edit."""

from __future__ import annotations

from typing import Final

from daemon.game import Context, Decision, Violation
from daemon.games.baccarat.state import BaccaratState
from daemon.games.baccarat.work import Work
from protocols.cards import Card, find_card
from protocols.commands import Refusal, ResolveViolation
from protocols.events import ResultEnteredManually
from protocols.readings import CardDrawn

_ACCEPT_DEALS: Final = frozenset(
    {"card_before_no_more_bets", "card_out_of_turn", "card_after_cut_card", "impossible_card"}
)
"""Accepting these means: the card is the next one that is due. Accepting others: go on."""
_COUNTED: Final = frozenset({"card_unread", "wrong_burn_count"})
"""Raised about a card that was counted out of the shoe when it came."""


def resolve(
    state: BaccaratState, violation: Violation, command: ResolveViolation, context: Context
) -> Decision:
    """Carry out a decision other than void."""
    work = Work(state, context)
    match command.action:
        case "accept":
            return work.decision(_accept(work, violation))
        case "burn":
            _burn(work, violation)
        case "correct":
            return work.decision(_correct(work, violation, command))
        case "void":
            pass  # the table's
    return work.decision()


def _accept(work: Work, violation: Violation) -> Refusal | None:
    if violation.code == "wrong_burn_count":
        work.set(burns_due=0)
    if violation.code not in _ACCEPT_DEALS:
        return None
    card = _card(violation)
    return Refusal.ACTION_NOT_ALLOWED if card is None else _deal(work, violation, card)


def _burn(work: Work, violation: Violation) -> None:
    card = _card(violation)
    if violation.code not in _COUNTED:
        _count(work, card)
    work.burn(card, "violation")


def _correct(work: Work, violation: Violation, command: ResolveViolation) -> Refusal | None:
    card = find_card(command.card or "")
    if card is None:
        return Refusal.VALUE_MISSING
    slot = work.state.due()
    if slot is not None and work.round_id is not None:
        entered = ResultEnteredManually(work.round_id, slot, str(card), command.who, command.why)
        if work.betting:
            work.close_bets("command")
        work.emit(entered)
    return _deal(work, violation, card)


def _deal(work: Work, violation: Violation, card: Card) -> Refusal | None:
    """Put the card where one is due."""
    if work.round_id is None or work.state.due() is None:
        return Refusal.ACTION_NOT_ALLOWED
    if work.betting:
        work.close_bets("command")
    if violation.code not in _COUNTED:
        _count(work, card)
    work.place(card)
    return None


def _count(work: Work, card: Card | None) -> None:
    if card is not None:
        work.take(card)
    elif work.state.shoe is not None:
        work.set(shoe=work.state.shoe.take_unknown())


def _card(violation: Violation) -> Card | None:
    return violation.reading.card if isinstance(violation.reading, CardDrawn) else None
