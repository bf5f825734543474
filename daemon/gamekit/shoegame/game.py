"""A game from a shoe: what a game has of its own, and how its table sees it.

A game is asked which card is due next and how the round ended, and has hooks for what only some
games have. All else is done here and beside: a card gets its slot, or a violation says why.

    a card comes        `next_card` names the slot; the card is judged (`card_drawn.py`) and placed
                        (`ShoeTransition.place`); `on_card_placed` sees it, again when it is turned
    the card is not due `explain_undue` says what that is by the game's rules
    after every card    `round_outcome`: None while anything is awaited, else the round is complete
    a command comes     `check_command` refuses it, or `apply_command` carries it out
    the round is over   `on_round_end`, completed or voided
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from daemon.gamekit.shoe import LeftPack
from daemon.gamekit.shoegame import (
    awaited,
    card_drawn,
    commands,
    hole_card,
    resolve,
    reveal,
    shoe_reports,
    verify,
)
from daemon.gamekit.shoegame.rules import PlayCommand, Undue
from daemon.gamekit.shoegame.state import Dealt
from daemon.gamekit.shoegame.transition import (
    BURN_TARGETS,
    AnyShoeTransition,
    ShoeRulesT,
    ShoeStateT,
    ShoeTransition,
)
from daemon.gamekit.shoegame.violations import SHOE_VIOLATIONS
from daemon.gamekit.spec import (
    Context,
    Decision,
    DeviceGap,
    Due,
    DueCard,
    Game,
    GameInput,
    Resumed,
    ShoeStatus,
    Violation,
)
from daemon.gamekit.violations import ViolationRule
from protocols.cards import Card
from protocols.commands import Command, GameCommand, ResolveViolation
from protocols.device import DeviceKind
from protocols.events import Outcome
from protocols.instant import Instant
from protocols.readings import (
    BurnCountStated,
    CardDrawn,
    CardOutOfGame,
    CardReassigned,
    CardTarget,
    CardUnread,
    CutCardSeen,
    Reading,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeResult,
    ShoeStarted,
)
from protocols.refusals import Refusal
from protocols.replace import replace
from protocols.table_terms import Inspected, Role

_DEFERRED = (
    CardDrawn,
    CardUnread,
    CardReassigned,
    ShoeResult,
    BurnCountStated,
    CutCardSeen,
    ShoeStarted,
)
"""What is kept while the table is held, and judged when it goes on."""


@dataclass(frozen=True, kw_only=True)
class ShoeGame(Game[ShoeStateT, ShoeRulesT]):
    """A game whose cards go one by one to slots that the rules and the server's commands decide.

    hands        what a shoe calls a hand -> what this game calls it. A shoe that states places
                 states those of its own game: its number is held against ours as it is
    most_cards   the most that a round takes; where boxes decide (`cards_needed`), as a rule
    first_slot   the slot of a round's first card, where that is always the same: only then may a
                 card open a round
    hole_slots   the slots that a hole-card reader fills, where the table has one
    shoe_judges  a shoe with rules of its own judges this game: its verdict is held against ours.
                 Else it judges another game, and its verdicts are not heard
    """

    device_kind: DeviceKind = "shoe"
    violations: Mapping[str, ViolationRule] = field(default_factory=lambda: SHOE_VIOLATIONS)
    hands: Mapping[CardTarget, str]
    most_cards: int
    first_slot: str | None
    hole_slots: frozenset[str] = frozenset()
    shoe_judges: bool = False
    inspections: tuple[Inspected, ...] = ("shoe", "discard_rack")

    # --- what a game says: pure ----------------------------------------------------------

    @abstractmethod
    def next_card(self, state: ShoeStateT, rules: ShoeRulesT) -> DueCard | None:
        """Return where the next card goes, None where no card is due now."""

    @abstractmethod
    def round_outcome(self, state: ShoeStateT, rules: ShoeRulesT) -> Outcome | None:
        """Return how the round ended, None where it has not yet."""

    def expected_verdict(self, dealt: Dealt) -> ShoeResult | None:
        """Return what the shoe's own verdict on the cards of a complete round has to be."""
        return None

    def cards_needed(self, rules: ShoeRulesT, decks: int, boxes: int) -> int:
        """Return the most cards that a round can take, with so many boxes; 0: none are named."""
        return self.most_cards

    def boxes_in_play(self, state: ShoeStateT) -> tuple[int, ...] | None:
        """Return the boxes in play, in table order; None where the game has no boxes."""
        return None

    def candidate_commands(self, state: ShoeStateT, round_id: str) -> Iterable[PlayCommand]:
        """Return what the server might send between the cards; `check_command` chooses from it."""
        return ()

    def check_command(
        self, state: ShoeStateT, rules: ShoeRulesT, command: PlayCommand
    ) -> Refusal | None:
        """Return why a command between the cards is refused now."""
        return Refusal.NOT_THIS_GAME

    def may_turn(self, state: ShoeStateT, rules: ShoeRulesT, slot: str) -> bool:
        """Return whether this face-down card may be turned now."""
        return True

    def may_look(self, state: ShoeStateT, rules: ShoeRulesT, slot: str) -> bool:
        """Return whether the dealer may look at this face-down card on its reader now."""
        return False

    def explain_undue(self, state: ShoeStateT, rules: ShoeRulesT, hand: str | None) -> Undue | None:
        """Return what a card is that is not due, where this game's rules have a word for it.

        hand  the hand that the shoe states
        """
        return None

    def needs_confirmation(
        self, state: ShoeStateT, rules: ShoeRulesT, roles: frozenset[Role]
    ) -> bool:
        """Return whether the card due now waits for the next reading to confirm its slot.

        Lest a missed card shows a hidden one (docs/hidden-cards.md#the-rules, rule 6).
        """
        return False

    def deals_face_down(self, rules: ShoeRulesT) -> bool:
        """Return whether a card of a round may be face down in this house."""
        return False

    # --- what a game does ----------------------------------------------------------------

    def on_round_open(
        self, transition: ShoeTransition[ShoeStateT, ShoeRulesT], boxes: tuple[int, ...]
    ) -> None:
        """Begin a round; these boxes are known already, if any."""

    def on_bets_close(
        self, transition: ShoeTransition[ShoeStateT, ShoeRulesT], boxes: tuple[int, ...]
    ) -> Refusal | None:
        """Settle the boxes in play by the bets, or refuse to close them; none: as before."""
        return None

    def on_card_placed(
        self, transition: ShoeTransition[ShoeStateT, ShoeRulesT], slot: str, card: Card | None
    ) -> None:
        """See a card in its slot, None where it is face down; once more when it is turned."""

    def on_look(self, transition: ShoeTransition[ShoeStateT, ShoeRulesT]) -> None:
        """Tell what a look at the face-down card that may be looked at is for, and no more."""

    def on_round_end(self, transition: ShoeTransition[ShoeStateT, ShoeRulesT]) -> None:
        """Forget what belongs to the round."""

    def apply_command(
        self, transition: ShoeTransition[ShoeStateT, ShoeRulesT], command: PlayCommand
    ) -> None:
        """Carry out a command that nothing refuses."""

    # --- as its table sees it ------------------------------------------------------------

    def apply(
        self, state: ShoeStateT, game_input: GameInput, context: Context[ShoeRulesT]
    ) -> Decision[ShoeStateT]:
        """Judge an input."""
        body = game_input.body
        if context.held and (isinstance(body, _DEFERRED) or shoe_reports.is_unread(body)):
            return Decision(state, deferred=True)
        transition = ShoeTransition(self, state, context, game_input)
        if state.unconfirmed is not None:
            if isinstance(body, CardDrawn) and card_drawn.is_waiting_twin(transition, body):
                return transition.decision()
            if isinstance(body, CardDrawn) or (
                shoe_reports.is_unread(body) and not card_drawn.hidden_is_next(transition)
            ):
                card_drawn.confirm(transition)
                if transition.held:
                    awaited.tell(transition)
                    return transition.decision(deferred=True)
        refusal, after = _play(transition, game_input), transition.state
        if after.sealed or after.asked or "device" not in self.controls:  # else it waits for none
            awaited.tell(transition)
        return transition.decision(refusal)

    def resolve(
        self,
        state: ShoeStateT,
        violation: Violation,
        command: ResolveViolation,
        context: Context[ShoeRulesT],
    ) -> Decision[ShoeStateT]:
        """Carry out a supervisor's decision about a card."""
        transition = ShoeTransition(self, state, context)
        transition.resolving = command.violation_id
        refusal = resolve.resolve(transition, violation, command)
        awaited.tell(transition)
        return transition.decision(refusal)

    def void(self, state: ShoeStateT, context: Context[ShoeRulesT]) -> Decision[ShoeStateT]:
        """Return a state with empty hands; a hand after the cut card was the shoe's last."""
        transition = ShoeTransition(self, state, context)
        card_drawn.count_unconfirmed(transition)
        reveal.turn_all(transition)
        shoe = transition.state.shoe
        if shoe is not None and shoe.cut_card_at is not None and transition.state.order:
            transition.set(shoe=replace(shoe, finished=True))
        transition.set(order=(), last=None, verdict=None, rescan=False, asked=())
        self.on_round_end(transition)
        return transition.decision()

    def misdealt(self, state: ShoeStateT, context: Context[ShoeRulesT]) -> Decision[ShoeStateT]:
        """Make the burns due that the house asks for after a misdeal."""
        return Decision(commands.with_misdeal_burns(state, context.profile))

    def due(self, state: ShoeStateT, context: Context[ShoeRulesT]) -> Due:
        """Return where the next card goes: to a burn between rounds, to a hand in a round."""
        if state.check is not None:
            return None
        rules, is_open = context.profile, context.round
        if state.burn_is_due(in_round=is_open is not None):
            return DueCard(f"burn.{state.burned + 1}", hidden=rules.burned_faces != "shown")
        if is_open is None or is_open.phase != "dealing":
            return None
        return self.next_card(state, rules)

    def legal_commands(
        self, state: ShoeStateT, context: Context[ShoeRulesT]
    ) -> tuple[Command, ...]:
        """Return the game's own commands that would be obeyed, and the cards that may be turned."""
        transition = ShoeTransition(self, state, context)
        return () if context.held else awaited.obeyed_now(transition)

    def hides(self, rules: ShoeRulesT) -> bool:
        """Return whether a card may lie face down in this house: in a round, or burned."""
        return (rules.burns and rules.burned_faces != "shown") or self.deals_face_down(rules)

    def wake_at(self, state: ShoeStateT) -> Instant | None:
        """Return None: no rule of cards depends on time."""
        return None

    def may_be_hidden(
        self,
        state: ShoeStateT,
        context: Context[ShoeRulesT],
        role: Role,
        reading: Reading | None,
    ) -> bool:
        """Return whether the next card that this device reads may be a face-down one.

        A shoe that states where its cards go may burn one when none is due.
        """
        if role == "hole":
            return True
        if state.check is not None:
            return state.counts_hidden
        rules = context.profile
        stated = isinstance(reading, CardDrawn) and reading.target in BURN_TARGETS
        if stated or state.burn_is_due(in_round=context.round is not None):
            return rules.burned_faces != "shown"
        if not self.deals_face_down(rules):
            return False
        due = self.next_card(state, rules)
        if context.held or state.unconfirmed is not None:
            return True
        if due is None and (state.face_down or context.round is None):
            return bool(state.face_down)  # whatever is read now may be one that was moved
        hidden = due is not None and due.hidden
        return hidden or self.needs_confirmation(state, rules, context.roles)

    def shoe_status(self, state: ShoeStateT) -> ShoeStatus | None:
        """Return the counts of the shoe, without a name of any card."""
        return state.shoe_status

    def last_shoe(self, state: ShoeStateT) -> LeftPack | None:
        """Return the pack that left the table last."""
        return state.packs_left[-1] if state.packs_left else None


def _play(transition: AnyShoeTransition, game_input: GameInput) -> Refusal | None:  # noqa: C901 - one line for each kind of input
    device, role = game_input.device or "", game_input.role or "primary"
    body = game_input.body
    if isinstance(body, GameCommand):
        return commands.obey(transition, body)
    check = transition.state.check
    if check is not None and verify.takes(transition, check, game_input):
        return None
    match body:
        case CardDrawn() if role == "hole":
            hole_card.scanned(transition, body)
        case CardDrawn():
            card_drawn.drawn(transition, body)
        case CardUnread():
            card_drawn.unread(transition, body)
        case CardOutOfGame():
            card_drawn.out_of_game(transition, body, device, role)
        case CardReassigned():
            card_drawn.reassigned(transition, body)
        case CutCardSeen():
            card_drawn.cut_card(transition)
        case ShoeErrorRaised():
            shoe_reports.error_raised(transition, body, device, role)
        case ShoeErrorCleared():
            shoe_reports.error_cleared(transition, body, device, role)
        case ShoeResult():
            shoe_reports.result(transition, body)
        case BurnCountStated():
            shoe_reports.burn_count(transition, body)
        case ShoeStarted():
            shoe_reports.started(transition)
        case DeviceGap():
            shoe_reports.gap(transition)
        case Resumed():
            transition.settle()
        case _:
            pass  # nothing about the cards
    return None
