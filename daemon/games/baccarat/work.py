"""One application of an input in progress: the state on its way, and the effects so far."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from daemon.game import Context, Decision, Violation
from daemon.games.baccarat.rules import is_natural, is_pair, total, winner
from daemon.games.baccarat.state import BaccaratProfile, BaccaratState, Verdict
from daemon.shoe import Shoe
from protocols.cards import Card
from protocols.commands import Refusal
from protocols.events import (
    BaccaratOutcome,
    CardBurned,
    CardDealt,
    DealtCard,
    Event,
    RoundBetsClosed,
    RoundCompleted,
    RoundOpened,
    ShoeLoaded,
)
from protocols.readings import Reading


class Work:
    """Folds what happens into state and round, as the table will do after it."""

    def __init__(self, state: BaccaratState, context: Context) -> None:
        self.state = state
        self.context = context
        self.profile: BaccaratProfile = context.profile
        self.round_id = context.round.round_id if context.round else None
        self.betting = context.round is not None and context.round.phase == "betting"
        self.effects: list[Event | Violation] = []

    def decision(self, refusal: Refusal | None = None) -> Decision:
        """Return what came of it, or the refusal."""
        return Decision(self.state, tuple(self.effects), refusal)

    def set(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)

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
        expected = self.state.due() if self.round_id is not None else None
        self.emit(Violation(code, detail, slot, expected, str(read) if read else None, reading))

    @staticmethod
    def without_round(state: BaccaratState) -> BaccaratState:
        """Return the state with empty hands; a hand after the cut card was the shoe's last."""
        shoe = state.shoe
        if shoe is not None and shoe.cut_card_at is not None and state.order:
            shoe = replace(shoe, finished=True)
        return replace(state, shoe=shoe, player=(), banker=(), order=(), last=None)

    # --- the round -----------------------------------------------------------------------

    def open_round(self, round_id: str) -> None:
        """Open a round: empty hands."""
        self.round_id, self.betting = round_id, True
        self.set(player=(), banker=(), order=())
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
        slot = self.state.due()
        if slot is None or self.round_id is None:
            raise AssertionError("no card is due")
        hand: Literal["player", "banker"] = "player" if slot.startswith("player") else "banker"
        cards = (*self.state.player, card) if hand == "player" else (*self.state.banker, card)
        self.set(**{hand: cards}, order=(*self.state.order, (slot, card)), last=None)
        out = self.state.shoe.out if self.state.shoe else 0
        self.emit(CardDealt(self.round_id, slot, card.rank, card.suit, out))
        if self.state.due() is None:
            self._complete(self.round_id)

    def _complete(self, round_id: str) -> None:
        player, banker = self.state.player, self.state.banker
        verdict = Verdict(winner(player, banker), is_pair(player), is_pair(banker))
        reported = self.profile.pairs_reported
        outcome = BaccaratOutcome(
            winner=verdict.winner,
            player_total=total(player),
            banker_total=total(banker),
            natural=is_natural(player, banker),
            player_pair=reported and verdict.player_pair,
            banker_pair=reported and verdict.banker_pair,
            cards=tuple(DealtCard(slot, card.rank, card.suit) for slot, card in self.state.order),
        )
        self.emit(RoundCompleted(round_id, self.context.digest, outcome))
        self.round_id = None
        shoe = self.state.shoe
        if shoe is not None and shoe.cut_card_at is not None:
            shoe = replace(shoe, finished=True)
        self.set(shoe=shoe, player=(), banker=(), order=(), last=verdict)

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
