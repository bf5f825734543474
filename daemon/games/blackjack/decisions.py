"""Between the cards: decisions, the end of the insurance, the peek and the dealer's look."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from daemon.gamekit.shoegame import PlayCommand
from daemon.gamekit.spec import DueCard
from daemon.games.blackjack.hand_rules import (
    has_its_one_card,
    is_asked,
    may_double,
    may_hit,
    may_split,
)
from daemon.games.blackjack.next_action import HOLE, HOLE_SLOTS, Awaited, may_peek, waits_for
from daemon.games.blackjack.placement import BlackjackTransition, resolve
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.rules import VALUE
from daemon.games.blackjack.state import BlackjackState, Hand, with_hand
from protocols.commands import CloseInsurance, Decide, PeekHoleCard, PlayerAction
from protocols.events import CardPeeked, DecisionMade, HandSplit, InsuranceClosed
from protocols.refusals import Refusal
from protocols.replace import replace


def check_command(
    state: BlackjackState, rules: BlackjackProfile, command: PlayCommand
) -> Refusal | None:
    """Return why a command between the cards is refused now. Pure."""
    match command:
        case CloseInsurance():
            return None if state.insurance == "open" else Refusal.WRONG_PHASE
        case PeekHoleCard():
            return None if may_peek(state, rules) else Refusal.PEEK_NOT_ALLOWED
        case Decide():
            return _refuses_decision(state, rules, command)


def apply_command(transition: BlackjackTransition, command: PlayCommand) -> None:
    """Carry out a command that nothing refuses."""
    match command:
        case CloseInsurance(round_id=round_id):
            transition.set(insurance="closed")
            transition.emit(InsuranceClosed(round_id))
        case PeekHoleCard():
            _peek(transition)
        case Decide(box=box, hand=number):
            hand = transition.state.hand(box, number)
            if hand is None:
                raise AssertionError("no such hand: check_command refuses it")
            made = DecisionMade(command.round_id, box, number, command.action, command.dark)
            transition.emit(made)
            _decide(transition, hand, command)


def candidate_commands(state: BlackjackState, round_id: str) -> Iterable[PlayCommand]:
    """Return what this table could hear after the first deal; most of it is refused mostly."""
    if not state.begun:
        return
    yield CloseInsurance(round_id)
    yield PeekHoleCard(round_id)
    playing = state.playing
    if playing is not None and not playing.waits_for_card:
        box, number, seen = playing.box, playing.number, len(playing.cards)
        for action in _OWN_TURN:
            yield Decide(round_id, box, number, action, seen)
        yield Decide(round_id, box, number, "double", seen, dark=True)
    if not state.third:
        for hand in state.hands:
            for action in _ANY_TURN:
                yield Decide(round_id, hand.box, hand.number, action, len(hand.cards))


def look(transition: BlackjackTransition) -> None:
    """The dealer looked at the hole card on its reader: one bit is told, if it is not known yet."""
    transition.set(looked=True)
    if transition.state.peeked is None:
        _peek(transition)


def _peek(transition: BlackjackTransition) -> None:
    """Answer whether the hole card makes a blackjack, and nothing else."""
    sealed = transition.state.sealed_in(HOLE)
    if sealed is None:
        raise AssertionError("no hole card: no peek, no look")
    answer = VALUE[sealed.card.value.rank] == 10
    transition.set(peeked=answer)
    if transition.round is not None:
        transition.emit(
            CardPeeked(transition.round.round_id, HOLE, "is_ten", answer, sealed.nonces.value.ten)
        )


def _decide(transition: BlackjackTransition, hand: Hand, command: Decide) -> None:
    match command.action:
        case "insurance":
            transition.set(insured=(*transition.state.insured, hand.box))
        case "even_money":
            resolve(transition, hand, "even_money")
        case "surrender":
            resolve(transition, hand, "surrendered")
        case "hit":
            _change(transition, replace(hand, asked=True))
        case "stand":
            resolve(transition, hand, "stood")
        case "double":
            _change(transition, replace(hand, asked=True, doubled=True, dark=command.dark))
        case "split":
            _split(transition, hand)


# --- why not -------------------------------------------------------------------------------


def _refuses_decision(
    state: BlackjackState, rules: BlackjackProfile, command: Decide
) -> Refusal | None:
    hand = state.hand(command.box, command.hand)
    if hand is None:
        return Refusal.NOT_ITS_TURN
    awaited = waits_for(state, rules)
    if (why := _too_early(state, awaited, command.action)) is not None:
        return why
    if command.hand_cards not in (None, len(hand.cards)):
        return Refusal.HAND_DIFFERS
    if command.dark and command.action != "double":
        return Refusal.RULES_FORBID
    if command.action in _ANY_TURN:
        return _ANY_TURN[command.action](state, rules, hand)
    if awaited != "decision":
        return Refusal.WRONG_PHASE
    if hand != state.playing:
        return Refusal.NOT_ITS_TURN
    return Refusal.RULES_FORBID if _forbidden(state, rules, hand, command) else None


def _too_early(
    state: BlackjackState, awaited: DueCard | Awaited, action: PlayerAction
) -> Refusal | None:
    """No hand is played before the hole card is sealed, nor while any other card is due.

    Insurance, and even money in its place, are open from the boxes' second cards on: the hole card
    may come before or after them. A box may surrender until the table's first third card is dealt:
    also while that is due.
    """
    if not isinstance(awaited, DueCard):
        return Refusal.WRONG_PHASE if awaited in ("boxes", "first_card_turned") else None
    hole_is_next = awaited.slot in HOLE_SLOTS and awaited.hidden
    if hole_is_next or state.unconfirmed is not None:
        insures = action in ("insurance", "even_money") and state.insurance == "open"
        return None if insures else Refusal.HOLE_CARD_UNSCANNED
    return None if action == "surrender" and state.begun else Refusal.WRONG_PHASE


def _no_insurance(state: BlackjackState, rules: BlackjackProfile, hand: Hand) -> Refusal | None:
    if state.insurance != "open" or _is_third(hand):
        return Refusal.WRONG_PHASE
    even_money = rules.even_money and hand.end in ("blackjack", "even_money")
    if hand.box in state.insured or hand.end == "surrendered" or even_money:
        return Refusal.RULES_FORBID
    return None


def _no_even_money(state: BlackjackState, rules: BlackjackProfile, hand: Hand) -> Refusal | None:
    if state.insurance != "open":
        return Refusal.WRONG_PHASE
    return None if rules.even_money and hand.end == "blackjack" else Refusal.RULES_FORBID


def _no_surrender(state: BlackjackState, rules: BlackjackProfile, hand: Hand) -> Refusal | None:
    if not rules.surrender:
        return Refusal.RULES_FORBID
    if state.third or _is_third(hand) or state.peeked:
        return Refusal.WRONG_PHASE
    return Refusal.NOT_ITS_TURN if hand.end is not None or hand.asked else None


_ANY_TURN: Final[
    dict[PlayerAction, Callable[[BlackjackState, BlackjackProfile, Hand], Refusal | None]]
] = {
    "insurance": _no_insurance,
    "even_money": _no_even_money,
    "surrender": _no_surrender,
}
_OWN_TURN: Final[tuple[PlayerAction, ...]] = ("hit", "stand", "double", "split")


def _is_third(hand: Hand) -> bool:
    """Whether the hand is past its first two cards."""
    return hand.split or len(hand.cards) != 2


def _forbidden(state: BlackjackState, rules: BlackjackProfile, hand: Hand, command: Decide) -> bool:
    """Whether the house does not allow this to the hand that plays."""
    match command.action:
        case "hit":
            return not may_hit(rules, hand)
        case "double":
            return not may_double(rules, hand, dark=command.dark)
        case "split":
            return not may_split(state, rules, hand)
        case _:
            return False


# --- what becomes of it --------------------------------------------------------------------


def _split(transition: BlackjackTransition, hand: Hand) -> None:
    state: BlackjackState = transition.state
    first, second = hand.open_cards
    number = 1 + max(other.number for other in state.of_box(hand.box))
    new = Hand(hand.box, number, (second,), split=True)
    moved_from, moved_to = hand.slot(2), new.slot(1)
    kept = replace(hand, cards=(first,), split=True)
    at = state.hands.index(hand)
    order = tuple((moved_to if slot == moved_from else slot, card) for slot, card in state.order)
    transition.set(hands=(*state.hands[:at], kept, new, *state.hands[at + 1 :]), order=order)
    if transition.round is not None:
        transition.emit(
            HandSplit(
                transition.round.round_id, hand.box, hand.number, new.number, moved_from, moved_to
            )
        )
    for ace in transition.state.of_box(hand.box):  # two aces for which no split is left now
        done = has_its_one_card(transition.profile, ace) and ace.end is None
        if done and not is_asked(transition.state, transition.profile, ace):
            resolve(transition, ace, "stood")


def _change(transition: BlackjackTransition, hand: Hand) -> None:
    transition.set(hands=with_hand(transition.state.hands, hand))
