"""What the round waits for now: a card, a command, a card to be turned. Pure.

`waits_for` is the one place that decides it, in the order of a round: the deal, what comes before
play (the first card turned, insurance, peek), the boxes in their order, the dealer, the cards that
were doubled in the dark. All else here follows from it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from daemon.gamekit.shoegame import Undue
from daemon.gamekit.spec import DueCard
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.rules import VALUE, dealer_draws
from daemon.games.blackjack.state import BlackjackState, Hand
from protocols.table_terms import Role

Awaited: TypeAlias = Literal[
    "boxes",
    "first_card_turned",
    "insurance_closed",
    "peek",
    "decision",
    "hole_card_turned",
    "dark_card_turned",
    "nothing",
]
HOLE = "dealer.2"
HOLE_SLOTS = frozenset({"dealer.1", HOLE})

_NOT_DUE_BECAUSE: dict[Awaited, str] = {
    "boxes": "no box is in play",
    "first_card_turned": "the dealer's first card is to be turned first",
    "insurance_closed": "the insurance is still open",
    "peek": "the hole card was not yet asked for a blackjack",
    "decision": "no decision was made",
    "hole_card_turned": "the hole card is to be turned first",
    "dark_card_turned": "a card that was doubled in the dark is to be turned first",
    "nothing": "the round is over",
}


def waits_for(state: BlackjackState, rules: BlackjackProfile) -> DueCard | Awaited:
    """Return what comes next."""
    if not state.hands:
        return "boxes"
    return (
        _deal(state, rules)
        or _before_play(state, rules)
        or _boxes(state, rules)
        or _dealer(state, rules)
        or ("dark_card_turned" if state.face_down else "nothing")
    )


def due(state: BlackjackState, rules: BlackjackProfile) -> DueCard | None:
    """Return where the next card goes."""
    awaited = waits_for(state, rules)
    return awaited if isinstance(awaited, DueCard) else None


def _deal(state: BlackjackState, rules: BlackjackProfile) -> DueCard | None:
    """The initial deal: one card up to each box, the dealer, a second to each, the hole card."""
    if not state.begun:
        for round_of_cards in (1, 2):
            for hand in state.hands:
                if len(hand.cards) < round_of_cards:
                    return DueCard(hand.next_slot)
            if not state.dealer:
                return DueCard("dealer.1", rules.dealer_first_card == "down_then_revealed")
    if rules.hole_card and len(state.dealer) < 2:
        return DueCard(HOLE, hidden=True)
    return None


def _before_play(state: BlackjackState, rules: BlackjackProfile) -> Awaited | None:
    if not state.begun:
        return "first_card_turned"
    if state.insurance == "open":
        return "insurance_closed"
    if state.peeked:
        return "hole_card_turned" if state.dealer[1] is None else "nothing"
    return "peek" if may_peek(state, rules) else None


def may_peek(state: BlackjackState, rules: BlackjackProfile) -> bool:
    """Return whether the hole card may be asked now: under an ace, once, the insurance over."""
    return state.peeked is None and _is_checked_now(state, rules)


def may_look(state: BlackjackState, rules: BlackjackProfile, slot: str) -> bool:
    """Return whether the dealer may look at the hole card on its reader, to learn that one bit.

    Under an ace, once, when the insurance is over and until a hand is played: DK blackjack 3.7, LV
    blackjack 3.7, GR blackjack 3.8. The server's question is the sign to look and no look itself.
    """
    open_to_look = not (state.looked or any(hand.played for hand in state.hands))
    return slot == HOLE and open_to_look and _is_checked_now(state, rules)


def _is_checked_now(state: BlackjackState, rules: BlackjackProfile) -> bool:
    up = state.up_card
    under_ace = rules.peek == "ace_up" and up is not None and up.rank == "A"
    return under_ace and state.insurance != "open" and state.sealed_in(HOLE) is not None


def _boxes(state: BlackjackState, rules: BlackjackProfile) -> DueCard | Awaited | None:
    hand = state.playing
    if rules.after_split == "both_then_play":
        hand = next((split for split in state.hands if len(split.cards) == 1), hand)
    if hand is None:
        return None
    if len(hand.cards) == 1:
        return DueCard(hand.next_slot)
    return DueCard(hand.next_slot, hand.dark) if hand.asked else "decision"


def _dealer(state: BlackjackState, rules: BlackjackProfile) -> DueCard | Awaited | None:
    undecided = any(hand.undecided for hand in state.hands)
    if len(state.dealer) == 1:
        return DueCard(HOLE) if undecided or _second_decides(state) else None
    dealt = tuple(card for card in state.dealer if card is not None)
    if len(dealt) < len(state.dealer):
        return "hole_card_turned"
    if undecided and dealer_draws(dealt, rules.soft_17):
        return DueCard(f"dealer.{len(dealt) + 1}")
    return None


def _second_decides(state: BlackjackState) -> bool:
    """Whether a house without a hole card owes the second: to a blackjack, or to an insurance."""
    up = state.up_card
    may_be_natural = up is not None and VALUE[up.rank] in (1, 10)
    decides = may_be_natural and any(hand.end == "blackjack" for hand in state.hands)
    return decides or bool(state.insured)


def may_turn(state: BlackjackState, rules: BlackjackProfile, slot: str) -> bool:
    """Return whether this face-down card may be turned now; a doubled card at any time."""
    awaited = waits_for(state, rules)
    if slot == HOLE:  # where no hand is to play, nothing depends on the peek
        return awaited == "hole_card_turned" or (awaited == "peek" and state.playing is None)
    if slot == "dealer.1":
        return all(len(hand.cards) >= 2 for hand in state.hands)
    return True


def needs_confirmation(
    state: BlackjackState, rules: BlackjackProfile, roles: frozenset[Role]
) -> bool:
    """Return whether the card due now is published only when the next one was read.

    A single reader knows a face-down card by counting alone: with a card missed before it, it would
    be published in clear as the last card that goes up. Before any box has a bet, the first that is
    read may be the dealer's, where that is dealt down.
    """
    if "hole" in roles or state.begun:
        return False
    awaited = waits_for(state, rules)
    first_down = rules.dealer_first_card == "down_then_revealed"
    if not isinstance(awaited, DueCard):
        return awaited == "boxes" and first_down
    if awaited.hidden:
        return False
    return rules.hole_card if state.dealer else first_down


def explain_undue(
    state: BlackjackState, rules: BlackjackProfile, stated: str | None
) -> Undue | None:
    """Return what a card is that is not due, by the rulebooks."""
    awaited = waits_for(state, rules)
    hands = state.of_box(int(stated[3:])) if stated and stated.startswith("box") else ()
    if hands and isinstance(awaited, DueCard) and awaited.hidden and awaited.slot in HOLE_SLOTS:
        detail = f"{awaited.slot} is due, and the deal goes on to {stated}"
        return Undue("hole_card_unscanned", detail)
    if hands and all(hand.end is not None for hand in hands):
        return Undue("card_not_due", f"{stated} takes no card: {_over(hands[-1])}")
    if isinstance(awaited, DueCard):
        return None
    if awaited in ("decision", "insurance_closed", "peek"):
        if hands and state.playing not in hands:
            return Undue("card_out_of_turn", f"{stated} is not to play yet")
        hand = state.playing
        where = f" for {hand.slot(1).rpartition('.')[0]}" if hand and awaited == "decision" else ""
        return Undue("card_without_decision", _NOT_DUE_BECAUSE[awaited] + where)
    return Undue("card_not_due", _NOT_DUE_BECAUSE[awaited])


def _over(hand: Hand) -> str:
    if hand.end == "stood" and hand.points == 21:
        return "it has 21"
    if hand.end == "doubled":
        return "its double has its one card"
    return f"it is over ({hand.end})"
