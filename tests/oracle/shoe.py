"""An oracle for a shoe in play, of either game: burns, cut card, and whether a round may open.

Written from the rulebooks: the cut card and the burns of each house, with their clauses, and what
follows from them for the next card and the next round. Where the books are silent, the C-numbers of
tests/oracle/DISAGREEMENTS.md say how they are read here.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from oracle.blackjack_house import HOUSES, House
from oracle.most_cards import BACCARAT, most_cards
from oracle.rulings import BOOKS, Rulings

ALL_BOXES: Final = 7
BY_EYE: Final = 10  # cards; ours: how far an eye may be off one deck from the back
BY_EYE_FOUR: Final = 20  # and four decks

Opening: TypeAlias = Literal["opens", "last_round_played", "cut_card_missing", "too_few_cards"]
Reason: TypeAlias = Literal["misdeal", "dealer_change", "discretion"]


@dataclass(frozen=True, slots=True)
class ShoeHouse:
    """What a house does with its shoe.

    decks           as its book states; None where it states none
    cut_from_back   cards behind the cut card
    cut_tolerance   how many more or fewer may lie there where an eye places it
    cut_is_minimum  the book says no fewer, and does not say how many
    burn_...        cards that are burned then
    blackjack       its game, where it is not baccarat
    """

    decks: int | None
    cut_from_back: int
    cut_tolerance: int = 0
    cut_is_minimum: bool = False
    burn_after_shuffle: int = 0
    burn_after_misdeal: int = 0
    burn_after_dealer_change: int = 0
    burn_at_discretion: bool = False
    blackjack: House | None = None


SHOES: Final = {
    "baccarat-dk": ShoeHouse(decks=8, cut_from_back=7),  # 1.3.1, 3.3.4
    "baccarat-lv": ShoeHouse(decks=8, cut_from_back=7),  # 1.3.1, 3.3.3, 3.3.4
    "baccarat-gr": ShoeHouse(
        decks=8,  # 1.3.1
        cut_from_back=52,  # 3.3.3, 3.3.5
        cut_tolerance=BY_EYE,
        burn_after_shuffle=6,  # this and the next: 3.4
        burn_after_misdeal=3,
        burn_after_dealer_change=1,
        burn_at_discretion=True,
    ),
    "blackjack-dk": ShoeHouse(
        decks=None,
        cut_from_back=208,  # 3.3 i
        cut_tolerance=BY_EYE_FOUR,
        blackjack=HOUSES["blackjack-dk"],
    ),
    "blackjack-lv": ShoeHouse(
        decks=None,
        cut_from_back=208,  # 3.3 i
        cut_tolerance=BY_EYE_FOUR,
        blackjack=HOUSES["blackjack-lv"],
    ),
    "blackjack-gr": ShoeHouse(
        decks=None,
        cut_from_back=52,  # 3.3.1
        cut_tolerance=BY_EYE,
        burn_after_shuffle=6,  # this and the next: 3.5
        burn_after_misdeal=3,
        burn_at_discretion=True,
        blackjack=HOUSES["blackjack-gr"],
    ),
    "blackjack-ru": ShoeHouse(
        decks=6,  # RU blackjack general, as the next two
        cut_from_back=52,
        cut_is_minimum=True,
        burn_after_shuffle=3,
        blackjack=HOUSES["blackjack-ru"],
    ),
}


class DecksError(ValueError):
    """A shoe of so many decks is none of this house's."""


def check_decks(house: ShoeHouse, decks: int) -> None:
    """Refuse a number of decks that the book does not state, or that leaves no card to deal."""
    if house.decks is not None and decks != house.decks:
        raise DecksError(f"{decks} decks, the book states {house.decks}")
    if 52 * decks <= house.cut_from_back:
        raise DecksError(f"{decks} decks: nothing lies before the cut card")


class ShoeInPlay:
    """A shoe from its shuffle on: how many cards are left, what the next one is, who may open.

    burns_due  the next so many cards are burned
    """

    def __init__(self, house: ShoeHouse, decks: int, rulings: Rulings = BOOKS) -> None:
        if rulings.decks_as_stated:
            check_decks(house, decks)
        self.house = house
        self.decks = decks
        self.rulings = rulings
        self.left = 52 * decks
        self.burns_due = house.burn_after_shuffle
        self.in_round = False
        self.dealt = 0  # cards of the open round
        self._cut_card_out = False
        self._last_round_played = False

    # -- the cards

    def card(self, *, early: bool = False) -> Literal["burn", "round", "not_due"]:
        """Let a card leave the shoe. Return where it goes.

        early  bets still run, and the house ends them with a call: the card is no round's
        """
        if not self.left:
            raise ValueError("the shoe is empty")
        self.left -= 1
        if self.burns_due:
            self.burns_due -= 1
            return "burn"
        if early or not self.in_round:
            return "not_due"
        self.dealt += 1
        return "round"

    def cut_card(self) -> bool:
        """Let the cut card come out. Return whether it lay where the house places it."""
        self._cut_card_out = True
        least, most = self.cut_places
        return least <= self.left <= most

    @property
    def cut_places(self) -> tuple[int, int]:
        """Between how many and how many cards lie behind the cut card."""
        house = self.house
        if not house.cut_is_minimum:
            return (
                house.cut_from_back - house.cut_tolerance,
                house.cut_from_back + house.cut_tolerance,
            )
        if self.rulings.cut_is_minimum:
            return house.cut_from_back, 52 * self.decks
        return house.cut_from_back - BY_EYE, house.cut_from_back + BY_EYE

    # -- the rounds

    def opening(self, boxes: int = ALL_BOXES) -> Opening:
        """Say whether a round with so many boxes may open, or why it may not."""
        if self._last_round_played:
            return "last_round_played"
        overdue = not self._cut_card_out and self.left < self.cut_places[0]
        if overdue and self.rulings.cut_card_overdue:
            return "cut_card_missing"
        return "opens" if self.left >= self.needed(boxes) else "too_few_cards"

    def needed(self, boxes: int = ALL_BOXES) -> int:
        """Return how many cards a round needs at least to open."""
        game = self.house.blackjack
        most = most_cards(game, boxes, self.decks) if game else BACCARAT
        match self.rulings.enough_cards:
            case "worst_case":
                return most
            case "as_cut":
                return min(most, self.cut_places[0])
            case "off":
                return 0

    def open(self, boxes: int = ALL_BOXES) -> None:
        """Open a round."""
        if self.in_round or self.opening(boxes) != "opens":
            raise ValueError("no round may open")
        self.in_round, self.dealt = True, 0

    def end(self) -> None:
        """End the round, completed or void: one of which a card was dealt was a round."""
        self.in_round = False
        self._last_round_played = self._cut_card_out and self.dealt > 0

    # -- the burns

    def misdeal(self) -> None:
        """The pit boss decides that the round, open or just voided, was misdealt."""
        if self.rulings.misdeal_burns:
            self.burns_due += self.house.burn_after_misdeal

    def change_dealer(self) -> None:
        """Another dealer takes the table, between rounds."""
        self.burns_due += self.house.burn_after_dealer_change

    def may_burn(self, count: int, reason: Reason) -> bool:
        """Tell whether so many cards may be burned for this reason when the house says so now."""
        match reason:
            case "misdeal":
                now = not self.in_round or (self.rulings.misdeal_burns and self.dealt > 0)
                return now and count == self.house.burn_after_misdeal > 0
            case "dealer_change":
                return not self.in_round and count == self.house.burn_after_dealer_change > 0
            case "discretion":
                return not self.in_round and count > 0 and self.house.burn_at_discretion

    def burn(self, count: int, reason: Reason) -> None:
        """Make so many burns due."""
        if not self.may_burn(count, reason):
            raise ValueError(f"{count} cards are not burned for {reason} now")
        self.burns_due += count
