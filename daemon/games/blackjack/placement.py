"""A card is in its slot: what becomes of its hand."""

from __future__ import annotations

from typing import TypeAlias

from daemon.gamekit.shoegame import ShoeTransition
from daemon.games.blackjack.hand_rules import is_asked
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.rules import BEST, VALUE, is_natural
from daemon.games.blackjack.state import BlackjackState, Hand, with_hand
from protocols.cards import Card
from protocols.events import HandEnd, HandResolved, InsuranceOpened
from protocols.refusals import Refusal
from protocols.replace import replace

BOXES = 7
BlackjackTransition: TypeAlias = ShoeTransition[BlackjackState, BlackjackProfile]

_EMPTY: dict[str, object] = {
    "hands": (),
    "dealer": (),
    "begun": False,
    "third": False,
    "insurance": "none",
    "insured": (),
    "peeked": None,
    "looked": False,
    "gone": (),
}


def open_boxes(transition: BlackjackTransition, boxes: tuple[int, ...]) -> None:
    """A round begins; the boxes may be known already, or only when the bets are closed."""
    transition.set(**{**_EMPTY, "hands": _hands_of(boxes)})


def settle_boxes(transition: BlackjackTransition, boxes: tuple[int, ...]) -> Refusal | None:
    """The bets decide the boxes: a card goes to each that has one, from the dealer's left.

    DK blackjack 3.4, LV blackjack 3.4, GR blackjack 3.4, RU blackjack dealing.
    """
    if boxes:
        transition.set(hands=_hands_of(boxes))
    return None if transition.state.hands else Refusal.BOXES_NOT_STATED


def _hands_of(boxes: tuple[int, ...]) -> tuple[Hand, ...]:
    return tuple(Hand(box) for box in sorted(boxes))


def clear_boxes(transition: BlackjackTransition) -> None:
    """The round is over."""
    transition.set(**_EMPTY)


def place(transition: BlackjackTransition, slot: str, card: Card | None) -> None:
    """Put a card into its hand, or turn it there; None: it is face down."""
    holder, _, rest = slot.partition(".")
    if holder == "dealer":
        transition.set(dealer=_put(transition.state.dealer, int(rest), card))
    else:
        hand_number, _, place = rest.removeprefix("hand").partition(".card")
        hand = transition.state.hand(int(holder.removeprefix("box")), int(hand_number))
        if hand is None:
            raise AssertionError(f"no hand has the slot {slot}")
        _box_card(transition, hand, int(place), card)
    _begin(transition)


def _put(cards: tuple[Card | None, ...], place: int, card: Card | None) -> tuple[Card | None, ...]:
    return (*cards[: place - 1], card, *cards[place:])


def _box_card(transition: BlackjackTransition, hand: Hand, place: int, card: Card | None) -> None:
    turned = place <= len(hand.cards)
    hand = replace(hand, cards=_put(hand.cards, place, card), asked=False, dark=False)
    transition.set(hands=with_hand(transition.state.hands, hand))
    state: BlackjackState = transition.state
    if state.begun and not turned:
        transition.set(third=True)
    if turned or len(hand.cards) < 2:
        return
    if not state.begun:
        end: HandEnd | None = "blackjack" if is_natural(hand.open_cards) else None
    else:
        end = _end(transition, hand)
    if end is not None:
        resolve(transition, hand, end)


def _end(transition: BlackjackTransition, hand: Hand) -> HandEnd | None:
    """Return why a hand is over with the card it just got."""
    if hand.points > BEST:
        return "bust"
    if hand.doubled:
        return "doubled"
    return None if is_asked(transition.state, transition.profile, hand) else "stood"


def resolve(transition: BlackjackTransition, hand: Hand, end: HandEnd) -> None:
    """Nothing more is decided for this hand; what the house settles at once leaves the table."""
    hand = replace(hand, end=end)
    transition.set(hands=with_hand(transition.state.hands, hand))
    if end == "even_money" or (end == "bust" and transition.profile.pick_up == "dealer_last"):
        transition.set(gone=(*transition.state.gone, *hand.slots))
    if transition.round is not None:
        points = None if None in hand.cards else hand.points
        transition.emit(HandResolved(transition.round.round_id, hand.box, hand.number, end, points))


def _begin(transition: BlackjackTransition) -> None:
    """The boxes have their two cards and the dealer shows one: what is offered, what is paid."""
    state: BlackjackState = transition.state
    up = state.up_card
    if state.begun or up is None or any(len(hand.cards) < 2 for hand in state.hands):
        return
    insured = transition.profile.insurance and up.rank == "A"
    transition.set(begun=True, insurance="open" if insured else "none")
    if insured and transition.round is not None:
        transition.emit(InsuranceOpened(transition.round.round_id))
    if transition.profile.blackjacks_paid_at_once and VALUE[up.rank] not in (1, 10):
        paid = [hand for hand in reversed(state.hands) if hand.end == "blackjack"]
        transition.set(gone=(*state.gone, *(slot for hand in paid for slot in hand.slots)))
