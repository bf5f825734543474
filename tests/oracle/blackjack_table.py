"""What lies on a blackjack table during a round, and what that means: nothing happens here."""

from oracle.blackjack_hands import Hand, Pile
from oracle.blackjack_house import Choice, House
from oracle.rulings import Rulings

from protocols.cards import Card


class Table:
    """The cards and decisions of one round.

    taken     hands whose cards left the table during the round, in order
    turn      the hand that is to decide
    card_for  the pile that gets the next card
    played    a hand has decided
    checked   the dealer has looked at the hole card on its reader
    """

    def __init__(self, house: House, boxes: tuple[int, ...], rulings: Rulings) -> None:
        if not boxes or len(set(boxes)) < len(boxes) or not set(boxes) <= set(range(1, 8)):
            raise ValueError(f"boxes {boxes} are not one to seven different boxes of a table")
        self.house = house
        self.rulings = rulings
        self.hands = {box: [Hand(box=box)] for box in sorted(boxes)}  # a box's, in table order
        self.dealer = Pile()
        self.insured: set[int] = set()
        self.taken: list[Hand] = []
        self.turn: Hand | None = None
        self.card_for: Pile | None = None
        self.up_turned = house.dealer_first_card == "up"
        self.hole_turned = False
        self.third_card_dealt = False
        self.insurance_closed = False
        self.peeked = False
        self.checked = False
        self.played = False
        firsts = [hands[0] for hands in self.hands.values()]
        self.initial: list[Pile] = [*firsts, self.dealer, *firsts][::-1]
        self.known_legal: frozenset[Choice] | None = None  # of this moment, once asked

    def all_hands(self) -> list[Hand]:
        """Return the hands of all boxes in table order."""
        return [hand for hands in self.hands.values() for hand in hands]

    @property
    def dealing(self) -> bool:
        """The boxes and the dealer still wait for their first cards."""
        return bool(self.initial)

    @property
    def over(self) -> bool:
        """Nothing is due any more, and no card lies face down."""
        return (
            self.open
            and self.card_for is None
            and self.turn is None
            and (self.hole_turned or not self.house.hole_card)
            and not any(hand.dark for hand in self.all_hands())
        )

    @property
    def up(self) -> Card:
        """The dealer's first card."""
        return self.dealer.cards[0]

    @property
    def dealt(self) -> bool:
        """The boxes have their two cards and the dealer's up card is seen."""
        return not self.initial and self.up_turned

    @property
    def open(self) -> bool:
        """The first deal is complete and no insurance time holds the round up."""
        return self.dealt and self.hole_sealed and not self.insurance_time

    @property
    def insurance_time(self) -> bool:
        """Insurance is offered and not closed yet."""
        ace_up = self.dealt and self.up.rank == "A"
        return ace_up and self.house.insurance and not self.insurance_closed

    @property
    def hole_sealed(self) -> bool:
        """The hole card lies there, read: no hand plays before it does."""
        return len(self.dealer.cards) > 1 or not self.house.hole_card

    @property
    def hole_due(self) -> bool:
        """The hole card is to be turned: every card that the boxes asked for was dealt."""
        lies = self.house.hole_card and not self.hole_turned
        return lies and self.open and self.card_for is None and self.turn is None

    @property
    def peek_time(self) -> bool:
        """An ace is up, the insurance time is over and the hole card lies face down."""
        peeks = self.house.hole_card and self.house.peek == "ace_up"
        return peeks and not self.hole_turned and self.open and self.up.rank == "A"

    @property
    def peek_due(self) -> bool:
        """The hole card is to be asked before a hand decides."""
        return self.peek_time and not self.peeked

    @property
    def peek_said_yes(self) -> bool:
        """The dealer is known to have a blackjack."""
        return self.peeked and self.dealer.blackjack
