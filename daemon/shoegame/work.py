"""One application of an input in progress: the state on its way, and the effects so far."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from daemon.game import Context, Decision, Violation
from daemon.shoe import Shoe
from daemon.shoegame.rules import ShoeGame, ShoeRules
from daemon.shoegame.state import ShoeState
from protocols.cards import Card
from protocols.commands import Refusal
from protocols.events import (
    CardBurned,
    CardDealt,
    Event,
    RoundBetsClosed,
    RoundCompleted,
    RoundOpened,
    ShoeLoaded,
)
from protocols.readings import Reading


class Work:
    """Folds what happens into state and round, as the table will do after it."""

    def __init__(self, game: ShoeGame, state: ShoeState, context: Context) -> None:
        self.game = game
        self.state = state
        self.context = context
        self.profile: ShoeRules = context.profile
        self.round_id = context.round.round_id if context.round else None
        self.betting = context.round is not None and context.round.phase == "betting"
        self.effects: list[Event | Violation] = []

    def decision(self, refusal: Refusal | None = None) -> Decision:
        """Return what came of it, or the refusal."""
        return Decision(self.state, tuple(self.effects), refusal)

    def set(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)

    def due(self) -> str | None:
        """Return the slot that the next card of the round goes to."""
        return self.game.due(self.state.order)

    def emit(self, effect: Event | Violation) -> None:
        """Let something have happened."""
        self.effects.append(effect)

    def violate(
        self,
        code: str,
        detail: str,
        *,
        slot: str | None = None,
        read: Card | None = None,
        reading: Reading | None = None,
    ) -> None:
        """Name what is against the rules; the table holds the round."""
        expected = self.due() if self.round_id is not None else None
        self.emit(Violation(code, detail, slot, expected, str(read) if read else None, reading))

    # --- the round -----------------------------------------------------------------------

    def open_round(self, round_id: str) -> None:
        """Open a round: empty hands."""
        self.round_id, self.betting = round_id, True
        self.set(order=())
        self.emit(RoundOpened(round_id, self.context.digest))

    def close_bets(self, by: Literal["command", "device", "first_card"]) -> None:
        """No more bets."""
        self.betting = False
        if self.round_id is not None:
            self.emit(RoundBetsClosed(self.round_id, by))

    def meet_shoe(self) -> None:
        """Where nobody announces shoes, let the one that speaks first be a shoe in play."""
        if self.state.shoe is None and self.context.control == "device":
            decks = self.profile.decks or 8
            self.set(shoe=Shoe("unknown", decks, from_start=False))
            self.emit(ShoeLoaded("unknown", decks, "device"))

    def take(self, card: Card) -> None:
        """Count a card out of the shoe."""
        if self.state.shoe is not None:
            self.set(shoe=self.state.shoe.take(card))

    def place(self, card: Card) -> None:
        """Put a counted card into the slot that is due; complete the round when it was the last."""
        slot = self.due()
        if slot is None or self.round_id is None:
            raise AssertionError("no card is due")
        self.set(order=(*self.state.order, (slot, card)), last=None)
        out = self.state.shoe.out if self.state.shoe else 0
        self.emit(CardDealt(self.round_id, slot, card.rank, card.suit, out))
        if self.due() is None:
            self._complete(self.round_id)

    def _complete(self, round_id: str) -> None:
        dealt, verdict = self.state.order, self.game.verdict
        outcome = self.game.outcome(dealt, self.profile)
        self.emit(RoundCompleted(round_id, self.context.digest, outcome))
        self.round_id = None
        shoe = self.state.shoe
        if shoe is not None and shoe.cut_card_at is not None:
            shoe = replace(shoe, finished=True)
        self.set(shoe=shoe, order=(), last=verdict(dealt) if verdict else None)

    # --- burns ---------------------------------------------------------------------------

    def burn_due(self, card: Card | None) -> None:
        """Burn a counted card that is due to be burned."""
        self.set(burns_due=self.state.burns_due - 1)
        self.burn(card, self.state.burn_reason)

    def burn(self, card: Card | None, reason: str) -> None:
        """Burn a counted card; its face stays hidden unless the house shows it."""
        shown = card if self.profile.burned_faces_shown else None
        number = self.state.burned + 1
        self.set(burned=number)
        out = self.state.shoe.out if self.state.shoe else 0
        rank, suit = (shown.rank, shown.suit) if shown else (None, None)
        self.emit(CardBurned(f"burn.{number}", rank, suit, reason, out))
