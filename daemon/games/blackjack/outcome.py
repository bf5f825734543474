"""How a round of blackjack ended, hand by hand, without money."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from daemon.gamekit.shoegame import listed
from daemon.games.blackjack.next_action import waits_for
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.rules import BEST, is_natural, total
from daemon.games.blackjack.state import BlackjackState, Hand
from protocols.events import DealtCard, Outcome

Result = Literal["win", "lose", "push", "blackjack", "surrender", "even_money"]


@dataclass(frozen=True, slots=True)
class BlackjackHand:
    """A hand at the end of its round.

    total    its points
    doubled  it was doubled, and has one card more for it
    result   against the dealer's hand, without money; blackjack: it won with its first two cards,
             or was paid before the dealer played
    """

    box: int
    hand: int
    total: int
    doubled: bool
    result: Literal["win", "lose", "push", "blackjack", "surrender", "even_money"]


@dataclass(frozen=True, slots=True)
class BlackjackOutcome(Outcome):
    """How a round of blackjack ended.

    dealer_total      points of the dealer's hand
    dealer_blackjack  the dealer has 21 with the first two cards
    hands             every hand, box by box; one that was split off stands after the one it came
                      from
    insured           the boxes that took insurance
    cards             the cards in deal order
    pick_up           their slots in the order in which the house's dealer picks them up
    """

    dealer_total: int
    dealer_blackjack: bool
    hands: tuple[BlackjackHand, ...]
    insured: tuple[int, ...]
    cards: tuple[DealtCard, ...]
    pick_up: tuple[str, ...]
    game: Literal["blackjack"] = "blackjack"


def outcome(state: BlackjackState, rules: BlackjackProfile) -> BlackjackOutcome | None:
    """Return how the round ended, None while anything is awaited."""
    if waits_for(state, rules) != "nothing":
        return None
    dealer = tuple(card for card in state.dealer if card is not None)
    points, natural = total(dealer)[0], is_natural(dealer)
    return BlackjackOutcome(
        dealer_total=points,
        dealer_blackjack=natural,
        hands=tuple(
            BlackjackHand(
                hand.box, hand.number, hand.points, hand.doubled, _result(hand, points, natural)
            )
            for hand in state.hands
        ),
        insured=tuple(sorted(state.insured)),
        cards=listed(state.turned),
        pick_up=pick_up(state, rules),
    )


def _result(hand: Hand, dealer: int, dealer_natural: bool) -> Result:
    match hand.end:
        case "surrendered":
            return "surrender"
        case "even_money":
            return "even_money"
        case "blackjack":
            return "push" if dealer_natural else "blackjack"
        case _:
            pass
    if hand.points > BEST or dealer_natural:
        return "lose"
    if dealer > BEST or hand.points > dealer:
        return "win"
    return "push" if hand.points == dealer else "lose"


def pick_up(state: BlackjackState, rules: BlackjackProfile) -> tuple[str, ...]:
    """Return the slots in pick-up order (rule G13): what left during the round comes first.

    Then the boxes against the direction of the deal: the last box first, in each box the hand that
    played last. Within a hand no book states an order; it is that of the deal.
    """
    dealer = tuple(f"dealer.{number}" for number in range(1, len(state.dealer) + 1))
    boxes = tuple(
        slot for hand in reversed(state.hands) for slot in hand.slots if slot not in state.gone
    )
    if rules.pick_up == "dealer_last":
        return (*state.gone, *boxes, *dealer)
    return (*state.gone, *dealer, *boxes)
