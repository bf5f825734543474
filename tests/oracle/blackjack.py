"""An oracle for blackjack, written from the rulebook alone: what is due now, what is legal now.

Nothing is remembered but what lies on the table. After every step the whole table is asked again,
in the order of the rulebook: which card is due, whose decision is due, which choices a server has.
Where the rulebook is silent, the A-numbers of tests/oracle/DISAGREEMENTS.md say how it is read.
"""

from collections import Counter
from fractions import Fraction
from math import perm
from typing import Final, Literal

from oracle.blackjack_hands import VALUE, Hand, HandResult, Pile, Result, dealer_must_draw, verdict
from oracle.blackjack_house import CLOSE_INSURANCE, NOTHING, PEEK, Choice, House, decide, reveal

from protocols.cards import RANKS, Card

DealerOutcome = Literal["17", "18", "19", "20", "21", "blackjack", "bust"]


class Round:
    """One round from its first card: cards to `due`, choices out of `legal`, until it is over."""

    def __init__(self, house: House, boxes: tuple[int, ...]) -> None:
        if not boxes or len(set(boxes)) < len(boxes) or not set(boxes) <= set(range(1, 8)):
            raise ValueError(f"boxes {boxes} are not one to seven different boxes of a table")
        self.house = house
        self.hands = {box: [Hand(box=box)] for box in sorted(boxes)}  # a box's, in table order
        self.dealer = Pile()
        self.insured: set[int] = set()
        self._up_turned = house.dealer_first_card == "up"
        self._hole_turned = False
        self._insurance_closed = False
        self._peeked = False
        self._third_card_dealt = False
        once_round = [hands[0] for hands in self.hands.values()]
        self._legal: frozenset[Choice] | None = None  # of this moment, once asked
        self._card_for: Pile | None = None
        self._turn: Hand | None = None
        self._initial: list[Pile] = [*once_round, self.dealer, *once_round][::-1]
        self._look()

    # -- what a player of the round may ask

    def due(self) -> str | None:
        """Return the slot of the card that must come now; None while none may."""
        return self._card_for.next_slot() if self._card_for else None

    def hidden(self) -> bool:
        """Tell whether the due card is dealt face down."""
        pile = self._card_for
        if isinstance(pile, Hand):
            return pile.dark
        if pile is None:
            return False
        first = self.house.dealer_first_card == "down_then_revealed" and not pile.cards
        return first or (self.house.hole_card and len(pile.cards) == 1)

    def legal(self) -> frozenset[Choice]:
        """Return every choice that is legal now: all others are refused."""
        if self._legal is None:
            self._legal = self._choices()
        return self._legal

    @property
    def dealing(self) -> bool:
        """The boxes and the dealer still wait for their first cards."""
        return bool(self._initial)

    @property
    def over(self) -> bool:
        """Nothing is due any more, and no card lies face down."""
        return (
            self._open
            and self._card_for is None
            and self._turn is None
            and (self._hole_turned or not self.house.hole_card)
            and not any(hand.dark for hand in self._all())
        )

    # -- what happens

    def card(self, card: Card) -> None:
        """Deal this card to the slot that is due."""
        pile = self._card_for
        if pile is None:
            raise ValueError(f"no card is due, {card} came")
        pile.take(card)
        if self._initial:
            self._initial.pop()
        elif isinstance(pile, Hand):
            pile.asked = False
            self._third_card_dealt = True
        self._look()

    def choose(self, choice: Choice) -> None:
        """Obey this choice."""
        if choice not in self.legal():
            raise ValueError(f"{choice} is refused")
        if choice == CLOSE_INSURANCE:
            self._insurance_closed = True
        elif choice == PEEK:
            self._peeked = True
        elif choice.slot == "dealer.1":
            self._up_turned = True
        elif choice.slot == "dealer.2":
            self._hole_turned = True
        elif choice.kind == "card.reveal":
            next(hand for hand in self._all() if reveals(hand) == choice).dark = False
        else:
            hands = self.hands[choice.box]
            self._decide(choice, next(hand for hand in hands if hand.number == choice.hand))
        self._look()

    def _decide(self, choice: Choice, hand: Hand) -> None:
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
            case "surrender" | "even_money":
                hand.gone = choice.action
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
        self._legal = None
        if (
            self.house.blackjacks_paid_at_once
            and self._dealt
            and VALUE[self._up.rank] in range(2, 10)
        ):
            for hand in self._all():
                if hand.blackjack:
                    hand.gone = "blackjack"
        self._card_for = self._turn = None
        if self._initial:
            self._card_for = self._initial[-1]
        elif self.house.hole_card and len(self.dealer.cards) == 1:
            self._card_for = self.dealer
        elif self._open and not self._peek_said_yes:
            self._look_at_boxes()
            if self._card_for is None and self._turn is None and self._dealer_draws():
                self._card_for = self.dealer

    def _look_at_boxes(self) -> None:
        for hands in self.hands.values():
            if self.house.after_split == "both_then_play":
                self._card_for = next((hand for hand in hands if len(hand.cards) == 1), None)
                if self._card_for:
                    return
            for hand in hands:
                if hand.asked or len(hand.cards) == 1:
                    self._card_for = hand
                    return
                if not self._finished(hand):
                    self._turn = hand
                    return

    def _finished(self, hand: Hand) -> bool:
        """Tell whether a hand of two cards or more gets neither card nor decision any more."""
        if hand.gone or hand.stood or hand.doubled or hand.blackjack:
            return True
        if hand.total > 21 or (hand.total == 21 and self.house.auto_stand_on_21):
            return True
        one_card = self.house.split_aces_one_card and is_split_ace(hand)
        return one_card and not self._may_split(hand)

    def _dealer_draws(self) -> bool:
        """Tell whether the dealer's next card is due, the boxes being done."""
        if self.house.hole_card and not self._hole_turned:
            return False
        undecided = any(hand.undecided for hand in self._all())
        if len(self.dealer.cards) == 1:
            may_be_blackjack = VALUE[self._up.rank] in (1, 10)
            waits = may_be_blackjack and any(hand.live for hand in self._all())
            return undecided or waits or bool(self.insured)
        return undecided and dealer_must_draw(self.dealer, self.house.soft_17)

    # -- where the round stands

    def _all(self) -> list[Hand]:
        return [hand for hands in self.hands.values() for hand in hands]

    @property
    def _up(self) -> Card:
        return self.dealer.cards[0]

    @property
    def _dealt(self) -> bool:
        """The boxes have their two cards and the dealer's up card is seen."""
        return not self._initial and self._up_turned

    @property
    def _insurance_time(self) -> bool:
        ace_up = self._dealt and self._up.rank == "A"
        return ace_up and self.house.insurance and not self._insurance_closed

    @property
    def _open(self) -> bool:
        """The first deal is complete and no insurance time holds the round up."""
        return self._dealt and self._hole_sealed and not self._insurance_time

    @property
    def _peek_due(self) -> bool:
        peeks = self.house.hole_card and self.house.peek == "ace_up"
        unseen = not self._peeked and not self._hole_turned
        return peeks and unseen and self._open and self._up.rank == "A"

    @property
    def _peek_said_yes(self) -> bool:
        return self._peeked and self.dealer.blackjack

    # -- what is legal

    def _choices(self) -> frozenset[Choice]:
        if self._initial or self.over:
            return NOTHING
        if not self._up_turned:
            return frozenset([reveal("dealer.1")])
        if self._peek_said_yes:
            return frozenset([reveal("dealer.2")])
        found = [reveals(hand) for hand in self._all() if hand.dark and not hand.asked]
        if self._insurance_time:
            found += [CLOSE_INSURANCE, *self._insurances()]
        if self.house.surrender and not self._third_card_dealt:
            found += self._surrenders()
        if self._peek_due:
            found.append(PEEK)
        elif self._turn:
            found += self._decisions(self._turn)
        if self._hole_due:
            found.append(reveal("dealer.2"))
        return frozenset(found)

    @property
    def _hole_due(self) -> bool:
        lies = self.house.hole_card and not self._hole_turned
        return lies and self._open and self._card_for is None and self._turn is None

    @property
    def _hole_sealed(self) -> bool:
        """No player decides before the hole card lies there, read."""
        return len(self.dealer.cards) > 1 or not self.house.hole_card

    def _insurances(self) -> list[Choice]:
        if not self._hole_sealed:
            return []
        found = []
        for box, (hand,) in self.hands.items():
            if hand.gone or box in self.insured:
                continue
            offered = self.house.even_money and hand.blackjack
            found.append(decide("even_money" if offered else "insurance", box))
        return found

    def _surrenders(self) -> list[Choice]:
        """Any box that has not played, insured or won."""
        if not self._hole_sealed:
            return []
        return [
            decide("surrender", box)
            for box, hands in self.hands.items()
            if box not in self.insured
            and not hands[0].split
            and not hands[0].asked
            and not self._finished(hands[0])
        ]

    def _decisions(self, hand: Hand) -> list[Choice]:
        """Return what the hand whose turn it is may be told."""
        box, number = hand.box, hand.number
        found = [decide("stand", box, number)]
        if self._may_split(hand):
            found.append(decide("split", box, number))
        if self.house.split_aces_one_card and is_split_ace(hand):
            return found
        found.append(decide("hit", box, number))
        if self._may_double(hand):
            found.append(decide("double", box, number))
            if self.house.double_dark and hand.low <= 11:
                found.append(decide("double", box, number, dark=True))
        return found

    def _may_split(self, hand: Hand) -> bool:
        if len(hand.cards) != 2 or len(self.hands[hand.box]) > self.house.splits_allowed:
            return False
        if self.house.split_aces_once and is_split_ace(hand):
            return False
        one, other = hand.cards[0].rank, hand.cards[1].rank
        return one == other or (self.house.split_on == "value" and VALUE[one] == VALUE[other])

    def _may_double(self, hand: Hand) -> bool:
        if len(hand.cards) != 2 or self.house.double == "no":
            return False
        return not hand.split or self.house.double == "first_two_and_split"

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
            for hand in self._all()
        )
        return Result(tuple(dealer.cards), dealer.total, dealer.blackjack, hands)


def is_split_ace(hand: Hand) -> bool:
    """A split hand that begins with an ace comes out of two aces."""
    return hand.split and hand.cards[0].rank == "A"


def reveals(hand: Hand) -> Choice:
    """Return the command that turns this hand's doubled card: always its third."""
    return reveal(f"box{hand.box}.hand{hand.number}.card3")


# -- the dealer alone, exactly

ONE_OF_EACH_VALUE: Final = {VALUE[rank]: Card(rank, "S") for rank in RANKS}


def dealer_distribution(decks: int) -> dict[DealerOutcome, Fraction]:
    """Return how often a dealer who draws out ends where, from a full shoe, exactly.

    Every order of card values is played through `dealer_must_draw`, all standing on 17; an order of
    n cards has (ways to take them) out of perm(52 x decks, n).
    """
    left = Counter(VALUE[rank] for rank in RANKS for _ in range(4 * decks))
    ways: Counter[tuple[DealerOutcome, int]] = Counter()

    def deal(dealer: Pile, count: int) -> None:
        if len(dealer.cards) > 1 and not dealer_must_draw(dealer, "stand"):
            ways[dealer_outcome(dealer), len(dealer.cards)] += count
            return
        for value, card in ONE_OF_EACH_VALUE.items():
            if left[value]:
                longer = Pile([*dealer.cards], dealer.low, dealer.ace)
                longer.take(card)
                left[value] -= 1
                deal(longer, count * (left[value] + 1))
                left[value] += 1

    deal(Pile(), 1)
    found: dict[DealerOutcome, Fraction] = {}
    for (outcome, length), count in ways.items():
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(count, perm(52 * decks, length))
    return found


def dealer_outcome(dealer: Pile) -> DealerOutcome:
    """Name where a dealer who has stopped stands; 21 is one of three cards or more."""
    if dealer.blackjack:
        return "blackjack"
    names: dict[int, DealerOutcome] = {17: "17", 18: "18", 19: "19", 20: "20", 21: "21"}
    return names.get(dealer.total, "bust")
