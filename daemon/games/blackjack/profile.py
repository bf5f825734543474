"""What a house decides at blackjack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from daemon.gamekit.shoegame import ShoeRules


@dataclass(frozen=True, slots=True)
class BlackjackProfile(ShoeRules):
    """The house's rules (docs/rules/blackjack.md#profile).

    dealer_first_card        up, or dealt down and turned before the insurance
    hole_card                whether the dealer's second card is dealt before the boxes play
    peek                     ace_up: the hole card is asked for a blackjack under an ace
    soft_17                  what the dealer does at a seventeen with an ace counted eleven
    insurance                whether it is offered under an ace
    even_money               whether a box with blackjack is offered that instead of insurance
    blackjacks_paid_at_once  unless the dealer shows a ten or an ace
    surrender                whether it is offered, until the first third card of the table
    auto_stand_on_21         a hand of 21 is asked nothing
    double                   on which hands
    double_split_21          a split hand of 21 in two cards may be doubled, although it stands by
                             itself
    double_dark              face down on request, where the hand cannot go bust
    splits_allowed           how often a box may split: 1 makes two hands
    split_on                 cards of equal value (ten and king), or of equal rank only
    split_aces_once          aces from a split are not split again
    split_aces_one_card      split aces get one card each and stand
    after_split              both hands get their second card, or the first is played out before
    pick_up                  dealer_first: at the end, the dealer's cards, then the boxes from the
                             last to the first; dealer_last: bust hands at once, at the end the
                             boxes, then the dealer's. A hand that was split out before the first
    """

    dealer_first_card: Literal["up", "down_then_revealed"]
    hole_card: bool
    peek: Literal["none", "ace_up"]
    soft_17: Literal["stand", "draw"]
    insurance: bool
    even_money: bool
    blackjacks_paid_at_once: bool
    surrender: bool
    auto_stand_on_21: bool
    double: Literal["no", "first_two", "first_two_and_split"]
    double_split_21: bool
    double_dark: bool
    splits_allowed: int
    split_on: Literal["value", "rank"]
    split_aces_once: bool
    split_aces_one_card: bool
    after_split: Literal["both_then_play", "hand_by_hand"]
    pick_up: Literal["dealer_first", "dealer_last"]

    @property
    def doubles_split_21(self) -> bool:
        """Return whether a split hand of 21 is asked, where other hands of 21 are not."""
        after_split = self.double == "first_two_and_split"
        return self.auto_stand_on_21 and self.double_split_21 and after_split
