"""Whole shoes at the product's own tables beside the oracle's: burns, cut card, who may open.

What is dealt is chance; the rules of play are compared elsewhere. One reader, so the hole card is
dealt before anything is said (`as_one_reader_hears_it`).
"""

from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from oracle.baccarat import play as play_baccarat
from oracle.blackjack import Round
from oracle.blackjack_player import Check, Deal, Shoe, Step, play
from oracle.blackjack_translation import as_one_reader_hears_it, cards_of, command_of
from oracle.most_cards import BACCARAT
from oracle.rulings import TODAYS_PRODUCT, Rulings
from oracle.shoe import SHOES, DecksError, Opening, Reason, ShoeHouse, ShoeInPlay
from support.baccarat_bench import BaccaratBench, profile
from support.blackjack_bench import BlackjackBench
from support.table_bench import ROUND

from daemon.gamekit.spec import DueCard
from protocols.cards import RANKS, Card
from protocols.commands import (
    BurnCards,
    ChangeDealer,
    CloseBets,
    CloseShoe,
    Command,
    LoadShoe,
    OpenRound,
    ResolveViolation,
    VoidRound,
)
from protocols.events import Event, RoundCompleted, ViolationRaised
from protocols.readings import CardDrawn, CutCardSeen, Reading
from protocols.refusals import Refusal

DECKS: Final = (1, 2, 4, 5, 6, 7, 8)
USUAL_DECKS: Final = 8
REASONS: Final[tuple[Reason, ...]] = ("misdeal", "dealer_change", "discretion")
MOST_BOXES: Final = 3
CARDS_OF_BOXES: Final = 60  # with fewer, one box plays alone
CARDS_OF_A_BOX: Final = 26  # with fewer, it may not come to its end
BURNS: Final = 12  # that may come between two rounds and in one


class DiffersError(AssertionError):
    """The product and the oracle do not say the same."""


Bench: TypeAlias = BaccaratBench | BlackjackBench


@dataclass(slots=True)
class Product:
    """A product's table of either game; a command says whether it was refused."""

    bench: Bench

    def obey(self, command: Command) -> tuple[list[Event], Refusal | None]:
        """Let the server say something."""
        return self.bench.ask(command), self.bench.refusal

    def read(self, reading: Reading) -> list[Event]:
        """Let the shoe say something."""
        return self.bench.hear(reading)

    @property
    def burn_due(self) -> bool:
        """The next card is a burn."""
        due = self.bench.due
        return isinstance(due, DueCard) and due.slot.startswith("burn")


@dataclass(slots=True)
class Seen:
    """What a run has met."""

    rounds: int = 0
    shoes: int = 0
    refused_shoes: int = 0
    refused_rounds: int = 0
    burns: int = 0
    early_cards: int = 0
    cut_cards: int = 0
    misplaced: int = 0


class ShoeRun:
    """Shoes of one house, one after the other, at both tables."""

    def __init__(self, key: str, seed: int, rulings: Rulings = TODAYS_PRODUCT) -> None:
        self.house: ShoeHouse = SHOES[key]
        self.chance = Random(seed)
        self.rulings = rulings
        self.seen = Seen()
        self.product = Product(table_of(key))
        self.shoe = ShoeInPlay(self.house, self.house.decks or USUAL_DECKS, TODAYS_PRODUCT)
        self.cards = Shoe(USUAL_DECKS, self.chance)
        self.cut_at: int | None = None
        self.heard: list[Event] = []
        self.product.obey(CloseShoe())

    # --- a shoe ----------------------------------------------------------------------------

    def play_shoe(self) -> None:
        """Load a shoe, play it until no round opens or its cards run low, and close it."""
        if not self._load():
            return
        burns = BURNS if self.house.burn_at_discretion else 0
        enough = CARDS_OF_A_BOX if self.house.blackjack else BACCARAT
        while len(self.cards) >= enough + burns:
            self._between_rounds()
            if not self._open_round():
                break
            self.seen.rounds += 1
        self._obeyed(CloseShoe())

    def _load(self) -> bool:
        decks = self.chance.choice((*[self.house.decks or USUAL_DECKS] * len(DECKS), *DECKS))
        try:
            self.shoe = ShoeInPlay(self.house, decks, self.rulings)
        except DecksError:
            self._refused(LoadShoe("S1", decks))
            self.seen.refused_shoes += 1
            return False
        self._obeyed(LoadShoe(f"S{self.seen.shoes + 2}", decks))  # a pack of its own each
        self.cards = Shoe(decks, self.chance)
        self.cards.refill()
        place, off = self.house.cut_from_back, self.chance.choice((0, 1, 5, 12, 30))
        self.cut_at = self.chance.choice((place, place, place + off, place - off, None))
        self.seen.shoes += 1
        self._compare()
        return True

    def _between_rounds(self) -> None:
        if self.chance.random() < 0.1:
            self._obeyed(ChangeDealer("another"))
            self.shoe.change_dealer()
        self._burn_due()
        if self.chance.random() < 0.2:
            self._try_burn()
            self._burn_due()
        if self.chance.random() < 0.5:
            self._cut_card()

    def _burn_due(self) -> None:
        """Burn what is due, card by card."""
        self._compare()
        while self.shoe.burns_due:
            self._draw()
            self.seen.burns += 1

    def _try_burn(self) -> None:
        count, reason = self.chance.randint(1, 6), self.chance.choice(REASONS)
        if reason == "misdeal" and self.chance.random() < 0.5:
            count = 3
        command = BurnCards(count, reason)
        if self.shoe.may_burn(count, reason):
            self._obeyed(command)
            self.shoe.burn(count, reason)
        else:
            self._refused(command)
        self._compare()

    # --- a round ---------------------------------------------------------------------------

    def _open_round(self) -> bool:
        """Open a round and play it. Return whether it may open."""
        most = MOST_BOXES if len(self.cards) >= CARDS_OF_BOXES else 1
        boxes = tuple(sorted(self.chance.sample(range(1, 8), self.chance.randint(1, most))))
        command = OpenRound(ROUND, boxes if self.house.blackjack else ())
        opening = self.shoe.opening(len(boxes))
        if opening != "opens":
            self._refused_round(command, opening)
            return False
        self.product.bench.events.clear()
        self._obeyed(command)
        self.shoe.open(len(boxes))
        announced = self.product.bench.setup.profile.bets_end == "announced"
        if announced and self.chance.random() < 0.03:
            self._early_card()
            return True
        if announced:
            self._obeyed(CloseBets(ROUND))
        done = self._deal_blackjack(boxes) if self.house.blackjack else self._deal_baccarat()
        if not done:
            self._obeyed(VoidRound(ROUND, "the server's"))
        if self.product.bench.state.round is not None:
            raise DiffersError("the product's round is not over")
        self.shoe.end()
        return True

    def _refused_round(self, command: OpenRound, opening: Opening) -> None:
        """No round opens: the product refuses it, or holds the table until somebody decides."""
        refusal = self._refused(command)
        if (opening == "last_round_played") != (refusal == Refusal.LAST_ROUND_PLAYED):
            raise DiffersError(f"{opening}, and the product refuses with {refusal}")
        for held in self.product.bench.state.open:
            if held.violation.code != opening:
                raise DiffersError(f"{opening}, and the product is held by {held}")
            self._obeyed(
                ResolveViolation(held.violation_id, "accept", "anna", "the shoe is changed")
            )
        self.seen.refused_rounds += 1

    def _early_card(self) -> None:
        """A card before "no more bets": the pit boss voids the round as misdealt."""
        self._draw(early=True)
        held = self.product.bench.state.open[0]
        self._obeyed(ResolveViolation(held.violation_id, "void", "anna", "misdealt"))
        self.shoe.end()
        self.shoe.misdeal()
        self.seen.early_cards += 1
        self._compare()

    def _deal_baccarat(self) -> bool:
        values: list[int] = []
        used = 4
        while len(values) < used:
            if self._is_broken_off():
                return False
            values.append(baccarat_value(self._draw()))
            if len(values) >= 4:
                used, _ = play_baccarat((*values, 0, 0))
        _, winner = play_baccarat(tuple(values))
        told = [event.outcome for event in self.heard if isinstance(event, RoundCompleted)]
        if [getattr(outcome, "winner", None) for outcome in told] != [winner]:
            raise DiffersError(f"the {winner} wins, the product says {told}")
        return True

    def _deal_blackjack(self, boxes: tuple[int, ...]) -> bool:
        house = self.house.blackjack
        assert house is not None
        played = Round(house, boxes, self.rulings)
        steps = as_one_reader_hears_it(tuple(play(played, self.cards, self.chance)))
        told = Round(house, boxes, self.rulings)
        for step in steps:
            if self._is_broken_off():
                return False
            self._step(told, step)
        return True

    def _step(self, told: Round, step: Step) -> None:
        assert not isinstance(step, Check)
        if isinstance(step, Deal):
            self._draw(step.card)
            told.card(step.card)
        else:
            self._obeyed(command_of(step, cards_of(told, step)))
            told.choose(step)

    def _is_broken_off(self) -> bool:
        """The round is voided here, or a burn is tried in it."""
        if self.shoe.dealt and self.chance.random() < 0.01:
            self._try_burn()
            self._burn_due()
        return self.chance.random() < 0.003

    # --- cards and words -------------------------------------------------------------------

    def _draw(self, card: Card | None = None, *, early: bool = False) -> Card:
        """Let a card leave the shoe, the cut card before it where it lies there."""
        self._cut_card()
        drawn = card or self.cards.draw()
        to_burn = self.product.burn_due
        if (self.shoe.card(early=early) == "burn") != to_burn:
            raise DiffersError(f"the product burns the next card: {to_burn}")
        self.heard = self.product.read(CardDrawn(drawn))
        raised = codes(self.heard)
        if raised != (["card_before_no_more_bets"] if early else []):
            raise DiffersError(f"{raised} at a card, early: {early}")
        return drawn

    def _cut_card(self) -> None:
        if self.cut_at != self.shoe.left:
            return
        self.cut_at = None
        self.seen.cut_cards += 1
        in_place = self.shoe.cut_card()
        self.seen.misplaced += not in_place
        raised = codes(self.product.read(CutCardSeen()))
        if raised != ([] if in_place else ["cut_card_misplaced"]):
            raise DiffersError(f"{raised} at a cut card with {self.shoe.left} cards behind it")

    def _obeyed(self, command: Command) -> None:
        _, refusal = self.product.obey(command)
        if refusal is not None:
            raise DiffersError(f"{command} is refused: {refusal}")

    def _refused(self, command: Command) -> Refusal:
        _, refusal = self.product.obey(command)
        if refusal is None:
            raise DiffersError(f"{command} is not refused")
        return refusal

    def _compare(self) -> None:
        if self.product.bench.state.open:
            raise DiffersError(f"the product is held: {self.product.bench.state.open}")
        if self.product.burn_due != (self.shoe.burns_due > 0):
            raise DiffersError(f"burns due: oracle {self.shoe.burns_due}")


def play_shoes(key: str, seed: int, count: int) -> tuple[Seen, str | None]:
    """Play so many shoes of a house. Return what was met, and the first difference if any."""
    run = ShoeRun(key, seed)
    try:
        for _ in range(count):
            run.play_shoe()
    except DiffersError as differs:
        return run.seen, str(differs)
    return run.seen, None


def table_of(key: str) -> Bench:
    """Return a product's table of a house."""
    if SHOES[key].blackjack is not None:
        return BlackjackBench(key, decks=SHOES[key].decks or USUAL_DECKS)
    return BaccaratBench(profile(key))


def codes(events: list[Event]) -> list[str]:
    """Return the codes of the violations among events."""
    return [event.code for event in events if isinstance(event, ViolationRaised)]


def baccarat_value(card: Card) -> int:
    """Return what a card counts at baccarat."""
    return min(RANKS.index(card.rank) + 1, 10) % 10
