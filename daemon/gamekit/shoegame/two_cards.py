"""Games of two cards: one card to each of two hands, the higher rank wins, the suit never does.

A third card is a violation: the round is complete with the second, so the third finds no slot due.

A baccarat shoe that states places calls the first hand its player and the second its banker. It
deals its own game: unless it is reset after each round it gives the next card to its player's
second place, and that holds the table. Its verdicts are on a baccarat and are not heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from daemon.gamekit.sentence import Sentence
from daemon.gamekit.shoegame.game import ShoeGame
from daemon.gamekit.shoegame.rules import ShoeRules
from daemon.gamekit.shoegame.sentences import shoe_sentences
from daemon.gamekit.shoegame.state import ShoeState, listed
from daemon.gamekit.spec import DueCard
from protocols.cards import Rank
from protocols.events import DealtCard, Outcome


@dataclass(frozen=True, kw_only=True)
class TwoCardGame(ShoeGame[ShoeState, ShoeRules]):
    """A game of two cards, as data.

    first_slot    where the first card goes, `second_slot` where the second
    ranks_upward  the ranks from the lowest to the highest
    conclude      (by how many ranks the first card is higher, both cards) -> the outcome
    says          how the cards are dealt, then who wins: a sentence each
    """

    first_slot: str
    second_slot: str
    most_cards: int = 2
    ranks_upward: Sequence[Rank]
    conclude: Callable[[int, DealtCard, DealtCard], Outcome]
    says: tuple[str, str]

    def next_card(self, state: ShoeState, rules: ShoeRules) -> DueCard | None:
        """Return where the next card goes."""
        match len(state.order):
            case 0:
                return DueCard(self.first_slot)
            case 1:
                return DueCard(self.second_slot)
            case _:
                return None

    def round_outcome(self, state: ShoeState, rules: ShoeRules) -> Outcome | None:
        """Return who won."""
        if len(state.order) < self.most_cards:
            return None
        first, second = listed(state.turned)
        higher = self.ranks_upward.index(first.rank) - self.ranks_upward.index(second.rank)
        return self.conclude(higher, first, second)

    def sentences(self, profile: ShoeRules) -> Iterator[Sentence]:
        """Yield what these rules enforce, a sentence each."""
        yield from shoe_sentences(profile)
        yield from map(Sentence, ("deal", "result"), self.says)
