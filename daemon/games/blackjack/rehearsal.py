"""The players of the demo: they choose much as the books advise, with a liking for splits.

They look at no face-down card.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from daemon.gamekit.rehearsal import Chance, Rehearsal
from daemon.games.blackjack.placement import BOXES
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.rules import total
from daemon.games.blackjack.state import BlackjackState, Hand
from protocols.cards import Card, Rank
from protocols.commands import (
    CloseInsurance,
    Command,
    Decide,
    PeekHoleCard,
    PlayerAction,
    RevealCard,
)

_SHOWN: Final[tuple[tuple[int, Rank], ...]] = ((1, "8"), (1 + 8, "8"), (7, "A"), (15, "9"))
"""Places in the deal of a full table, from 0, and the ranks that lie there: box 2 has a pair, the
dealer an ace up and no blackjack; so come an insurance, a peek, a split and a reveal."""
_ALWAYS_SPLIT: Final = frozenset({"8", "A"})
_SPLITS: Final = 0.75
"""How often another pair is split."""
_INSURES: Final = 0.2
_STANDS_FROM: Final = 17
_DOUBLES: Final = frozenset({9, 10, 11})


class BlackjackRehearsal(Rehearsal[BlackjackState, BlackjackProfile]):
    """Boxes with bets, and what their players decide."""

    def arrange_shoe(self, shoe: list[Card], profile: BlackjackProfile) -> None:
        """Exchange cards so that the first round of a full table shows what the game has."""
        for place, rank in _SHOWN:
            at = len(shoe) - 1 - profile.burn_after_shuffle - place
            spare = next(spot for spot, card in enumerate(shoe) if card.rank == rank)
            shoe[at], shoe[spare] = shoe[spare], shoe[at]

    def bets(self, chance: Chance, *, first_round: bool) -> tuple[int, ...]:
        """Return the boxes that have a bet: all of them at first."""
        boxes = range(1, BOXES + 1)
        if first_round:
            return tuple(boxes)
        return tuple(sorted(chance.sample(boxes, chance.randint(3, 6))))

    def next_command(
        self, legal: Sequence[Command], state: BlackjackState, chance: Chance
    ) -> Command | None:
        """Return the table server's next command, None when it waits for a card."""
        decisions = [command for command in legal if isinstance(command, Decide)]
        if (closing := _first(legal, CloseInsurance)) is not None:
            offers = [decision for decision in decisions if decision.action == "insurance"]
            return chance.choice(offers) if offers and chance.random() < _INSURES else closing
        if (peek := _first(legal, PeekHoleCard)) is not None:
            return peek
        hand = state.playing
        if hand is None:
            return _first(legal, RevealCard)
        own = {
            decision.action: decision
            for decision in decisions
            if (decision.box, decision.hand, decision.dark) == (hand.box, hand.number, False)
        }
        return own.get(_action(hand, own, chance)) if own else None


def _action(hand: Hand, own: Container[str], chance: Chance) -> PlayerAction:
    points, soft = total(hand.open_cards)
    ranks = {card.rank for card in hand.open_cards}
    if "split" in own and (ranks <= _ALWAYS_SPLIT or chance.random() < _SPLITS):
        return "split"
    if "double" in own and points in _DOUBLES and not soft:
        return "double"
    return "stand" if points >= _STANDS_FROM and not (soft and points == _STANDS_FROM) else "hit"


def _first(legal: Sequence[Command], kind: type[Command]) -> Command | None:
    return next((command for command in legal if isinstance(command, kind)), None)
