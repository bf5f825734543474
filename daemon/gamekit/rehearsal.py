"""How a game is rehearsed: its table in the demo, and who plays at it. Never money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from protocols.cards import Card
from protocols.commands import Command, RevealCard

T = TypeVar("T")
StateT = TypeVar("StateT")
ProfileT = TypeVar("ProfileT")


class Chance(Protocol):
    """Where a simulated player's choices come from: a seeded `random.Random`."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""

    def randint(self, least: int, most: int, /) -> int:
        """Return a whole number, both ends included."""

    def choice(self, values: Sequence[T], /) -> T:
        """Return one of the values."""

    def sample(self, values: Sequence[T], count: int, /) -> list[T]:
        """Return so many different ones of the values."""


@dataclass(frozen=True, kw_only=True)
class Rehearsal(Generic[StateT, ProfileT]):
    """A game's table in the demo; a game with boxes and decisions overrides who plays there.

    table       id of the table
    device      key of the device that is simulated there
    decks       in its shoe, where it has one
    by_default  whether the demo plays it when no game is named
    rules       what its house decides otherwise than the default profile
    """

    table: str
    device: str
    decks: int | None = None
    by_default: bool = False
    rules: Mapping[str, float] = field(default_factory=dict)

    def arrange_shoe(self, shoe: list[Card], profile: ProfileT) -> None:
        """Exchange cards of the first shoe, so that its first round shows what the game has.

        The last card of the list leaves the shoe first.
        """

    def bets(self, chance: Chance, *, first_round: bool) -> tuple[int, ...]:
        """Return the boxes that have a bet in the next round; none where the game has no boxes."""
        return ()

    def next_command(
        self, legal: Sequence[Command], state: StateT, chance: Chance
    ) -> Command | None:
        """Return the table server's next command, None when it waits for a card.

        legal  what the game waits for (`Game.legal_commands`)
        """
        return next((command for command in legal if isinstance(command, RevealCard)), None)
