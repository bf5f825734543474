"""What the server says between the cards: decisions, the end of the insurance, the peek."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, get_args

from daemon.game import DueCard
from daemon.games.blackjack.dealing import resolve
from daemon.games.blackjack.rules import VALUE, cannot_bust, splits
from daemon.games.blackjack.state import BlackjackState, Hand, with_hand
from daemon.games.blackjack.waiting import HOLE, HOLE_SLOTS, may_peek, waits_for
from daemon.shoegame import PlayCommand, Work
from protocols.commands import CloseInsurance, Decide, PeekHoleCard, PlayerAction, Refusal
from protocols.events import CardPeeked, HandSplit


def obey(work: Work, command: PlayCommand) -> Refusal | None:
    """Do what the server says, or say why not."""
    match command:
        case CloseInsurance():
            if work.state.insurance != "open":
                return Refusal.WRONG_PHASE
            work.set(insurance="closed")
            return None
        case PeekHoleCard():
            return _peek(work)
        case Decide():
            return _decide(work, command)


def _peek(work: Work) -> Refusal | None:
    """Answer whether the hole card makes a blackjack, and nothing else."""
    state: BlackjackState = work.state
    sealed = state.sealed_in(HOLE)
    if not may_peek(state, work.profile) or work.round_id is None or sealed is None:
        return Refusal.PEEK_NOT_ALLOWED
    answer = VALUE[sealed.card.value.rank] == 10
    work.set(peeked=answer)
    work.emit(CardPeeked(work.round_id, HOLE, "is_ten", answer, sealed.nonces.value.ten))
    return None


def _decide(work: Work, command: Decide) -> Refusal | None:
    state: BlackjackState = work.state
    hand = state.hand(command.box, command.hand)
    if hand is None:
        return Refusal.NOT_ITS_TURN
    if (why := _too_early(work)) is not None:
        return why
    if command.hand_cards not in (None, len(hand.cards)):
        return Refusal.HAND_DIFFERS
    if command.dark and command.action != "double":
        return Refusal.RULES_FORBID
    if command.action in _ANY_TURN:
        return _ANY_TURN[command.action](work, hand)
    if waits_for(state, work.profile) != "decision":
        return Refusal.WRONG_PHASE
    return Refusal.NOT_ITS_TURN if hand != state.playing else _play(work, hand, command)


def _play(work: Work, hand: Hand, command: Decide) -> Refusal | None:
    match command.action:
        case "hit":
            _change(work, replace(hand, asked=True))
            return None
        case "stand":
            resolve(work, hand, "stood")
            return None
        case "double":
            return _double(work, hand, dark=command.dark)
        case _:
            return _split(work, hand)


def _too_early(work: Work) -> Refusal | None:
    """No player decides before the hole card is sealed, nor while any other card is due."""
    awaited = waits_for(work.state, work.profile)
    if not isinstance(awaited, DueCard):
        return Refusal.WRONG_PHASE if awaited in ("boxes", "first_card_turned") else None
    hole_is_next = awaited.slot in HOLE_SLOTS and awaited.hidden
    return (
        Refusal.HOLE_CARD_UNSCANNED
        if hole_is_next or work.state.unconfirmed is not None
        else Refusal.WRONG_PHASE
    )


def own_commands(state: BlackjackState, round_id: str) -> Iterable[PlayCommand]:
    """Return every word that this table could hear; most are refused at most times."""
    yield CloseInsurance(round_id)
    yield PeekHoleCard(round_id)
    for hand in state.hands:
        for action in get_args(PlayerAction):
            yield Decide(round_id, hand.box, hand.number, action, len(hand.cards))
        yield Decide(round_id, hand.box, hand.number, "double", len(hand.cards), dark=True)


# --- whatever the turn ---------------------------------------------------------------------


def _insurance(work: Work, hand: Hand) -> Refusal | None:
    state: BlackjackState = work.state
    if state.insurance != "open" or _is_third(hand):
        return Refusal.WRONG_PHASE
    even_money = work.profile.even_money and hand.end in ("blackjack", "even_money")
    if hand.box in state.insured or hand.end == "surrendered" or even_money:
        return Refusal.RULES_FORBID
    work.set(insured=(*state.insured, hand.box))
    return None


def _even_money(work: Work, hand: Hand) -> Refusal | None:
    if work.state.insurance != "open":
        return Refusal.WRONG_PHASE
    if not work.profile.even_money or hand.end != "blackjack":
        return Refusal.RULES_FORBID
    resolve(work, hand, "even_money")
    return None


def _surrender(work: Work, hand: Hand) -> Refusal | None:
    state: BlackjackState = work.state
    if not work.profile.surrender or hand.box in state.insured:
        return Refusal.RULES_FORBID
    if state.third or _is_third(hand) or state.peeked:
        return Refusal.WRONG_PHASE
    if hand.end is not None:
        return Refusal.NOT_ITS_TURN
    resolve(work, hand, "surrendered")
    return None


_ANY_TURN: Final[dict[PlayerAction, Callable[[Work, Hand], Refusal | None]]] = {
    "insurance": _insurance,
    "even_money": _even_money,
    "surrender": _surrender,
}


def _is_third(hand: Hand) -> bool:
    """Whether the hand is past its first two cards."""
    return hand.split or len(hand.cards) != 2


# --- the hand that plays -------------------------------------------------------------------


def _double(work: Work, hand: Hand, *, dark: bool) -> Refusal | None:
    allowed = work.profile.double
    if allowed == "no" or len(hand.cards) != 2 or (hand.split and allowed == "first_two"):
        return Refusal.RULES_FORBID
    if dark and not (work.profile.double_dark and cannot_bust(hand.open_cards)):
        return Refusal.RULES_FORBID
    _change(work, replace(hand, asked=True, doubled=True, dark=dark))
    return None


def _split(work: Work, hand: Hand) -> Refusal | None:
    state: BlackjackState = work.state
    hands = state.of_box(hand.box)
    if len(hand.cards) != 2 or len(hands) > work.profile.splits_allowed:
        return Refusal.RULES_FORBID
    first, second = hand.open_cards
    aces = first.rank == "A"
    again = aces and hand.split and work.profile.split_aces_once
    if again or not splits(first, second, work.profile.split_on):
        return Refusal.RULES_FORBID
    new = Hand(hand.box, max(one.number for one in hands) + 1, (second,), split=True)
    moved_from, moved_to = hand.slot(2), new.slot(1)
    kept = replace(hand, cards=(first,), split=True)
    at = state.hands.index(hand)
    order = tuple((moved_to if slot == moved_from else slot, card) for slot, card in state.order)
    work.set(hands=(*state.hands[:at], kept, new, *state.hands[at + 1 :]), order=order)
    if work.round_id is not None:
        work.emit(HandSplit(work.round_id, hand.box, hand.number, new.number, moved_from, moved_to))
    return None


def _change(work: Work, hand: Hand) -> None:
    work.set(hands=with_hand(work.state.hands, hand))
