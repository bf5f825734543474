"""An oracle for blackjack, written from the rulebook alone: what is due now, what is legal now.

Nothing is remembered but what lies on the table (`blackjack_table`). After every step the whole
table is asked again, in the order of the rulebook: which card is due, whose decision is due, which
choices a server has (`blackjack_choices`). Where the rulebook is silent, the A-numbers of
tests/oracle/DISAGREEMENTS.md say how it is read; `rulings` says which newer readings are played.
"""

from typing import Literal

from oracle.blackjack_choices import choices, finished, reveals
from oracle.blackjack_hands import VALUE, Hand, HandResult, Result, dealer_must_draw, verdict
from oracle.blackjack_house import (
    CLOSE_INSURANCE,
    PEEK,
    TURN_HOLE_CARD,
    TURN_UP_CARD,
    Choice,
    House,
)
from oracle.blackjack_table import Table
from oracle.rulings import BOOKS, Rulings

from protocols.cards import Card

HoleReading = Literal["turned", "checked", "hole_card_mismatch", "hole_card_peek_not_allowed"]


class Round(Table):
    """One round from its first card: cards to `due`, choices out of `legal`, until it is over."""

    def __init__(self, house: House, boxes: tuple[int, ...], rulings: Rulings = BOOKS) -> None:
        super().__init__(house, boxes, rulings)
        self._look()

    # -- what a player of the round may ask

    def due(self) -> str | None:
        """Return the slot of the card that must come now; None while none may."""
        return self.card_for.next_slot() if self.card_for else None

    def hidden(self) -> bool:
        """Tell whether the due card is dealt face down."""
        pile = self.card_for
        if isinstance(pile, Hand):
            return pile.dark
        if pile is None:
            return False
        first = self.house.dealer_first_card == "down_then_revealed" and not pile.cards
        return first or (self.house.hole_card and len(pile.cards) == 1)

    def legal(self) -> frozenset[Choice]:
        """Return every choice that is legal now: all others are refused."""
        if self.known_legal is None:
            self.known_legal = choices(self)
        return self.known_legal

    def may_check(self) -> bool:
        """Tell whether the dealer may look at the hole card on its reader, to learn one bit.

        Once, before a hand decides; where the card may be turned, a reading of it turns it.
        """
        if not self.rulings.dealer_checks or self.checked or self.played:
            return False
        return self.peek_time and TURN_HOLE_CARD not in self.legal()

    def hole_reading(self, card: Card) -> HoleReading | None:
        """Say what a reading on the hole card's reader is, while that card lies there face down.

        None: another card, at a moment at which the hole card may not be read either.
        """
        same = card == self.dealer.cards[1]
        if TURN_HOLE_CARD in self.legal():
            return "turned" if same else "hole_card_mismatch"
        if self.may_check():
            return "checked" if same else "hole_card_mismatch"
        return "hole_card_peek_not_allowed" if same else None

    # -- what happens

    def card(self, card: Card) -> None:
        """Deal this card to the slot that is due."""
        pile = self.card_for
        if pile is None:
            raise ValueError(f"no card is due, {card} came")
        pile.take(card)
        if self.initial:
            self.initial.pop()
        elif isinstance(pile, Hand):
            pile.asked = False
            self.third_card_dealt = True
            if pile.total > 21 and self.house.pick_up == "dealer_last":
                self.taken.append(pile)
        self._look()

    def choose(self, choice: Choice) -> None:
        """Obey this choice."""
        if choice not in self.legal():
            raise ValueError(f"{choice} is refused")
        if choice == CLOSE_INSURANCE:
            self.insurance_closed = True
        elif choice == PEEK:
            self.peeked = True
        elif choice == TURN_UP_CARD:
            self.up_turned = True
        elif choice == TURN_HOLE_CARD:
            self.hole_turned = True
        elif choice.kind == "card.reveal":
            next(hand for hand in self.all_hands() if reveals(hand) == choice).dark = False
        else:
            hands = self.hands[choice.box]
            self._decide(choice, next(hand for hand in hands if hand.number == choice.hand))
        self._look()

    def check(self) -> bool:
        """Let the dealer look at the hole card on its reader. Return the bit: a blackjack?"""
        if not self.may_check():
            raise ValueError("the hole card may not be looked at now")
        self.checked = self.peeked = True
        self._look()
        return self.dealer.blackjack

    def _decide(self, choice: Choice, hand: Hand) -> None:
        self.played = self.played or choice.action in ("hit", "stand", "double", "split")
        match choice.action:
            case "hit":
                hand.asked = True
            case "stand":
                hand.stood = True
            case "double":
                hand.asked = hand.doubled = True
                hand.dark = choice.dark
            case "split":
                self._split(hand)
            case "insurance":
                self.insured.add(hand.box)
            case "surrender":
                hand.gone = "surrender"
            case "even_money":
                hand.gone = "even_money"
                self.taken.append(hand)
            case "":
                raise AssertionError("a decision names its action")

    def _split(self, hand: Hand) -> None:
        """Number by order of making; lay the new hand, and play it, directly after its parent."""
        hands = self.hands[hand.box]
        new = Hand(box=hand.box, number=len(hands) + 1, split=True)
        stays, goes = hand.cards
        hand.cards, hand.low, hand.ace, hand.split = [], 0, False, True
        hand.take(stays)
        new.take(goes)
        hands.insert(hands.index(hand) + 1, new)

    # -- what is due

    def _look(self) -> None:
        """Look at the table: blackjacks paid at once leave, then the next card or decision."""
        self.known_legal = None
        if self.house.blackjacks_paid_at_once and self.dealt and 1 < VALUE[self.up.rank] < 10:
            self._pay_blackjacks()
        self.card_for = self.turn = None
        if self.initial:
            self.card_for = self.initial[-1]
        elif self.house.hole_card and len(self.dealer.cards) == 1:
            self.card_for = self.dealer
        elif self.open and not self.peek_said_yes:
            self._look_at_boxes()
            if self.card_for is None and self.turn is None and self._dealer_draws():
                self.card_for = self.dealer

    def _pay_blackjacks(self) -> None:
        """Pay from right to left; the cards are taken."""
        for hand in reversed(self.all_hands()):
            if hand.blackjack and not hand.gone:
                hand.gone = "blackjack"
                self.taken.append(hand)

    def _look_at_boxes(self) -> None:
        for hands in self.hands.values():
            if self.house.after_split == "both_then_play":
                self.card_for = next((hand for hand in hands if len(hand.cards) == 1), None)
                if self.card_for:
                    return
            for hand in hands:
                if hand.asked or len(hand.cards) == 1:
                    self.card_for = hand
                    return
                if not finished(self, hand):
                    self.turn = hand
                    return

    def _dealer_draws(self) -> bool:
        """Tell whether the dealer's next card is due, the boxes being done."""
        if self.house.hole_card and not self.hole_turned:
            return False
        undecided = any(hand.undecided for hand in self.all_hands())
        if len(self.dealer.cards) == 1:
            may_be_blackjack = VALUE[self.up.rank] in (1, 10)
            waits = may_be_blackjack and any(hand.live for hand in self.all_hands())
            return undecided or waits or bool(self.insured)
        return undecided and dealer_must_draw(self.dealer, self.house.soft_17)

    # -- how it ended

    def result(self) -> Result:
        """Return how the round ended; only when it is over."""
        if not self.over:
            raise ValueError("the round is not over")
        dealer = self.dealer
        hands = tuple(
            HandResult(
                hand.box,
                hand.number,
                tuple(hand.cards),
                hand.total,
                hand.soft,
                hand.doubled,
                verdict(hand, dealer),
            )
            for hand in self.all_hands()
        )
        return Result(tuple(dealer.cards), dealer.total, dealer.blackjack, hands)
