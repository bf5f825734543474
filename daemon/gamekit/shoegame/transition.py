"""One input on its way through a table that deals from a shoe: its round, its cards, its shoe."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from daemon.gamekit.commitments import SealedCard
from daemon.gamekit.shoe import ALARMS_AT, FactoryOrderRun, LeftPack, Shoe, compose
from daemon.gamekit.shoegame.rules import ShoeRules
from daemon.gamekit.shoegame.state import ShoeState, burns_for
from daemon.gamekit.spec import DueCard, Violation, evidence
from daemon.gamekit.transition import GameTransition
from protocols.cards import Card
from protocols.commands import BurnReason
from protocols.events import (
    BurnedFor,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardSealed,
    ShoeClosed,
    ShoeLoaded,
)
from protocols.readings import Reading
from protocols.replace import replace

if TYPE_CHECKING:
    from daemon.gamekit.shoegame.game import ShoeGame

ShoeStateT = TypeVar("ShoeStateT", bound=ShoeState)
ShoeStateT_co = TypeVar("ShoeStateT_co", bound=ShoeState, covariant=True)
ShoeRulesT = TypeVar("ShoeRulesT", bound=ShoeRules)
ShoeRulesT_co = TypeVar("ShoeRulesT_co", bound=ShoeRules, covariant=True)

BURN_TARGETS: Final = frozenset({"burn", "burn_indicator"})
"""What a shoe calls the place of a card that is burned."""


class ShoeTransition(GameTransition[ShoeStateT_co, ShoeRulesT_co]):
    """The state of a table that deals from a shoe, on its way through one input.

    hidden  the card of this input may be a face-down one, by the state that it met: nothing names
            it until it is dealt face up, and the shoe counts it without its name until then
    """

    game: ShoeGame[ShoeStateT_co, ShoeRulesT_co]

    @cached_property
    def hidden(self) -> bool:
        """Return whether nothing names the card of this input yet."""
        role = self.input.role or "primary"
        if self.input.hidden or not (self.context.hides or role == "hole"):
            return self.input.hidden
        return self.game.may_be_hidden(self.before, self.context, role, None)

    def cut_card_missing(self, shoe: Shoe) -> bool:
        """Return whether the cut card should have come, wherever the house cuts."""
        return shoe.cut_card_at is None and shoe.left < self.profile.fewest_behind_cut

    @property
    def burn_is_due(self) -> bool:
        """Return whether the next card is to be burned."""
        return self.state.burn_is_due(in_round=self.round is not None)

    def due(self) -> DueCard | None:
        """Return where the next card of the round goes."""
        return self.game.next_card(self.state, self.profile)

    def due_slot(self) -> str | None:
        """Return the slot that the next card of the round goes to."""
        due = self.due()
        return due.slot if due is not None else None

    def violate(
        self,
        code: str,
        detail: str,
        *,
        slot: str | None = None,
        read: Card | None = None,
        reading: Reading | None = None,
    ) -> None:
        """Name what is against the rules; the table holds the round. A hidden card is not shown."""
        expected = self.due_slot() if self.round is not None else None
        shown = str(read) if read is not None and not self.hidden else None
        self.raise_violation(Violation(code, detail, slot, expected, shown, evidence(reading)))

    def name(self, card: Card) -> str:
        """Return the card for a sentence: its code, or that it is a card."""
        return "a card" if self.hidden else str(card)

    def why_unread(self, reason: str) -> str:
        """Return why a card was not read: its reader may quote a label that is a hidden card's."""
        return "its reader did not identify it" if self.hidden else reason

    # --- the round -----------------------------------------------------------------------

    @property
    def boxes(self) -> tuple[int, ...] | None:
        """Return the boxes in play, in table order; None where the game has no boxes."""
        return self.game.boxes_in_play(self.state)

    def open_round(self, round_id: str) -> None:
        """Open a round: empty hands."""
        super().open_round(round_id)
        self.set(order=(), verdict=None, asked=())

    def meet_shoe(self) -> None:
        """Take a shoe that no command has loaded into play, where the device controls rounds."""
        if self.state.shoe is None and self.context.control == "device":
            decks = self.profile.decks or 8
            self.set(shoe=Shoe("unknown", decks, from_start=False))
            self.emit(ShoeLoaded("unknown", decks, "device"))

    def close_shoe(self) -> None:
        """The shoe leaves play, and its burned cards with it: they are never turned."""
        shoe = self.state.shoe
        if shoe is not None:
            surplus = compose(shoe.decks, shoe.copies).surplus
            closed = (shoe.shoe_id, shoe.out, shoe.copies, shoe.unknown, surplus, shoe.verified)
            left = LeftPack(shoe.shoe_id, shoe.end_check, shoe.end_counted)
            self.emit(ShoeClosed(*closed, left.end_check, left.counted))
            self.set(packs_left=self.state.with_left(left))
        self.set(
            shoe=None, check=None, run=FactoryOrderRun(), burns=(), sealed=self.state.face_down
        )
        self.set(carried=None, overdrawn=False)

    def take(self, card: Card) -> None:
        """Count a card out of the shoe: by name, unless it may be a face-down one."""
        shoe = self.state.shoe
        if self.state.rescan:
            self.state = replace(self.state, rescan=False)
        elif shoe is not None:
            left = shoe.take_unknown() if self.hidden else shoe.take(card)
            self.state = replace(self.state, shoe=left)

    def know(self, card: Card) -> None:
        """Give its name to a card that left the shoe without one."""
        if self.state.shoe is not None:
            self.set(shoe=self.state.shoe.identify(card))

    def place(self, card: Card, due: DueCard, position: int | None = None) -> None:
        """Put a counted card into the slot that is due; the round is complete if it was the last.

        position  cards out of the shoe with it, where another has left it since
        """
        if self.round is None:
            raise AssertionError("no card is due between rounds")
        slot, round_id = due.slot, self.round.round_id
        if position is None:
            position = self.state.shoe.out if self.state.shoe else 0
        face = None if due.hidden else card
        if face is None:
            sealed = self._seal(card, round_id, slot, position).commitments
            self.emit(CardSealed(round_id, slot, self._shoe_id(), sealed, position))
        else:
            self.emit(CardDealt(round_id, slot, face.rank, face.suit, position))
        self.state = replace(self.state, order=(*self.state.order, (slot, face)), last=None)
        self.game.on_card_placed(self, slot, face)
        self._watch_order(face)
        self.settle()

    def settle(self) -> None:
        """Complete the round, if nothing more is due in it."""
        if self.round is None or self.held or not self.state.order:
            return
        outcome = self.game.round_outcome(self.state, self.profile)
        if outcome is None:
            return
        verdict = self.game.expected_verdict(self.state.turned)
        self.complete_round(outcome)
        shoe = self.state.shoe
        if shoe is not None and shoe.cut_card_at is not None:
            shoe = replace(shoe, finished=True)
        self.set(shoe=shoe, order=(), last=verdict, asked=())
        self.game.on_round_end(self)

    # --- face down -----------------------------------------------------------------------

    def _shoe_id(self) -> str:
        return self.state.shoe.shoe_id if self.state.shoe else ""

    def _seal(self, card: Card, round_id: str, slot: str, position: int) -> SealedCard:
        vault = self.context.vault
        place = vault.place(self._shoe_id(), round_id, slot, self.context.digest)
        sealed = vault.seal(card, place, position)
        self.set(sealed=(*self.state.sealed, sealed))
        return sealed

    def turn(self, sealed: SealedCard, *, voided: bool = False) -> Card:
        """Turn a face-down card: it is face up in its slot, and the shoe counts it by its name."""
        card, nonces = sealed.card.value, sealed.nonces.value
        order = tuple(
            (slot, card if slot == sealed.slot else face) for slot, face in self.state.order
        )
        left = tuple(other for other in self.state.sealed if other is not sealed)
        self.set(order=order, sealed=left)
        self.know(card)
        self.emit(
            CardRevealed(
                self.round.round_id if self.round else None,
                sealed.slot,
                card.rank,
                card.suit,
                nonces.card,
                nonces.ten,
                nonces.ace,
                voided,
            )
        )
        return card

    # --- burns ---------------------------------------------------------------------------

    def burn_due(self, card: Card | None) -> None:
        """Burn a counted card that is due to be burned."""
        self.burn(card, self.one_burn())

    def one_burn(self) -> BurnReason:
        """Take one off the burns that are due; return what it was due for."""
        (reason, count), *later = self.state.burns
        self.set(burns=(*burns_for(reason, count - 1), *later))
        return reason

    def burn(self, card: Card | None, reason: BurnedFor, *, hidden: bool = False) -> None:
        """Burn a counted card; its face stays hidden unless the house shows it.

        hidden  it may be a face-down card that was read once more: no house shows it now
        """
        rules = self.profile
        number = self.state.burned + 1
        slot = f"burn.{number}"
        self.set(burned=number)
        out = self.state.shoe.out if self.state.shoe else 0
        if card is None or (rules.burned_faces == "shown" and not hidden):
            rank, suit = (card.rank, card.suit) if card else (None, None)
            self.emit(CardBurned(slot, rank, suit, reason, out))
            self._watch_order(card)
            return
        kept = self.state.sealed
        sealed = self._seal(card, "", slot, out)
        if rules.burned_faces == "never":
            self.set(sealed=kept)
        shown = sealed.commitments if self.context.vault.key else None  # 52 tries without a key
        self.emit(CardBurned(slot, None, None, reason, out, self._shoe_id(), shown))
        self._watch_order(None)

    def _watch_order(self, card: Card | None) -> None:
        """Raise it where cards come as they lie in a new deck; None: a card that has no name."""
        run = self.state.run.then(card)
        self.state = replace(self.state, run=run)
        if run.successors == ALARMS_AT:  # once a run, however long it gets
            detail = f"{run.successors + 1} cards up to {card} came in factory order"
            self.violate("factory_order", detail, read=card)


AnyShoeTransition: TypeAlias = ShoeTransition[ShoeState, ShoeRules]
"""The transition of any game from a shoe, as far as all of them share it."""
