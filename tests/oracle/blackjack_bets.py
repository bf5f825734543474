"""Which boxes are in play: the bets decide.

A card goes to each player who has made a bet (DK blackjack 3.4, LV blackjack 3.4, GR blackjack
3.4), and bets are made before the first card, until "no more bets" (2.1.1 and 2.1.3 of the same).
So the boxes are known when the bets are closed, and what was said of them when the round was opened
counts only where nothing is said then. RU has no call, the first card ends the bets; one to seven
boxes (RU blackjack dealing, RU blackjack general).
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Boxes: TypeAlias = tuple[int, ...]
BetsEnd: TypeAlias = Literal["announced", "first_card"]

BETS_END: dict[str, BetsEnd] = {
    "blackjack-dk": "announced",
    "blackjack-lv": "announced",
    "blackjack-gr": "announced",
    "blackjack-ru": "first_card",
}


class BoxesError(ValueError):
    """Boxes that no table has, one named twice, or none at all where they are needed."""


class EarlyCardError(ValueError):
    """A card left the shoe before "no more bets"."""


@dataclass(slots=True)
class Bets:
    """The bets of one round: opened, then closed by a word or, where the house does, by a card.

    opened  the boxes that `round.open` names; none where the bets are to tell
    boxes   the boxes in play, in table order, once the bets are closed
    """

    end: BetsEnd
    opened: Boxes = ()
    boxes: Boxes | None = None

    def __post_init__(self) -> None:
        check_boxes(self.opened)

    def close(self, stated: Boxes = ()) -> Boxes:
        """Close the bets: the stated boxes are in play, or the opened ones where none is stated."""
        check_boxes(stated)
        boxes = stated or self.opened
        if not boxes:
            raise BoxesError("no box has a bet")
        self.boxes = tuple(sorted(boxes))
        return self.boxes

    def first_card(self) -> Boxes:
        """Let the first card leave the shoe, in a house where it ends the bets."""
        if self.boxes is None and self.end == "announced":
            raise EarlyCardError("a card before 'no more bets'")
        return self.boxes or self.close()


def check_boxes(boxes: Boxes) -> None:
    """Refuse boxes that a table has not (DK blackjack 1.2.1: seven), and one named twice."""
    if len(set(boxes)) < len(boxes) or not set(boxes) <= set(range(1, 8)):
        raise BoxesError(f"boxes {boxes} are not different boxes of a table")
