"""Blackjack: boxes, decisions, splits, the hole card, the dealer's draw.

    rules.py        what cards are worth
    profile.py      what a house decides; sentences.py the same in words
    violations.py   what is against the rules, and what dealers do wrong
    state.py        what is remembered
    next_action.py  what the round waits for: the one place that decides it
    hand_rules.py   what a house allows a hand
    placement.py    what becomes of a hand when a card is placed
    decisions.py    the commands between the cards
    outcome.py      how a round ends; longest_round.py the most cards that it takes
    rehearsal.py    the players of the demo

The rest is every shoe game's: `daemon/gamekit/shoegame`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from daemon.gamekit.sentence import Sentence
from daemon.gamekit.shoegame import PlayCommand, ShoeGame, Undue
from daemon.gamekit.spec import DueCard
from daemon.games.blackjack import decisions, next_action, placement
from daemon.games.blackjack.longest_round import longest_round
from daemon.games.blackjack.outcome import BlackjackOutcome, outcome
from daemon.games.blackjack.placement import BOXES, BlackjackTransition
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.rehearsal import BlackjackRehearsal
from daemon.games.blackjack.sentences import sentences
from daemon.games.blackjack.state import BlackjackState
from daemon.games.blackjack.violations import DEALER_ERRORS, VIOLATIONS
from protocols.cards import Card
from protocols.refusals import Refusal
from protocols.table_terms import Role


class Blackjack(ShoeGame[BlackjackState, BlackjackProfile]):
    """Cards go to boxes and dealer, by the rules and by the server's decisions."""

    def next_card(self, state: BlackjackState, rules: BlackjackProfile) -> DueCard | None:
        """Return where the next card goes."""
        return next_action.due(state, rules)

    def round_outcome(
        self, state: BlackjackState, rules: BlackjackProfile
    ) -> BlackjackOutcome | None:
        """Return how the round ended, None while anything is awaited."""
        return outcome(state, rules)

    def cards_needed(self, rules: BlackjackProfile, decks: int, boxes: int) -> int:
        """Return the most cards that a round can take; with all boxes where none is named."""
        return longest_round(rules, decks, boxes or BOXES)

    def boxes_in_play(self, state: BlackjackState) -> tuple[int, ...]:
        """Return the boxes in play, in table order."""
        return tuple(dict.fromkeys(hand.box for hand in state.hands))

    def candidate_commands(self, state: BlackjackState, round_id: str) -> Iterable[PlayCommand]:
        """Return what a table could hear after the first deal."""
        return decisions.candidate_commands(state, round_id)

    def check_command(
        self, state: BlackjackState, rules: BlackjackProfile, command: PlayCommand
    ) -> Refusal | None:
        """Return why a command between the cards is refused now."""
        return decisions.check_command(state, rules, command)

    def apply_command(self, transition: BlackjackTransition, command: PlayCommand) -> None:
        """Carry out a command that nothing refuses."""
        decisions.apply_command(transition, command)

    def may_turn(self, state: BlackjackState, rules: BlackjackProfile, slot: str) -> bool:
        """Return whether this face-down card may be turned now."""
        return next_action.may_turn(state, rules, slot)

    def may_look(self, state: BlackjackState, rules: BlackjackProfile, slot: str) -> bool:
        """Return whether the dealer may look at the hole card on its reader now."""
        return next_action.may_look(state, rules, slot)

    def explain_undue(
        self, state: BlackjackState, rules: BlackjackProfile, hand: str | None
    ) -> Undue | None:
        """Return what a card is that is not due, by the rulebooks."""
        return next_action.explain_undue(state, rules, hand)

    def needs_confirmation(
        self, state: BlackjackState, rules: BlackjackProfile, roles: frozenset[Role]
    ) -> bool:
        """Return whether the card due now is published only when the next one was read."""
        return next_action.needs_confirmation(state, rules, roles)

    def deals_face_down(self, rules: BlackjackProfile) -> bool:
        """Return whether the dealer has a card face down, or a hand may double in the dark."""
        turned_later = rules.dealer_first_card == "down_then_revealed"
        return rules.hole_card or rules.double_dark or turned_later

    def on_round_open(self, transition: BlackjackTransition, boxes: tuple[int, ...]) -> None:
        """Begin a round; the boxes may be known already."""
        placement.open_boxes(transition, boxes)

    def on_bets_close(
        self, transition: BlackjackTransition, boxes: tuple[int, ...]
    ) -> Refusal | None:
        """Settle the boxes in play by the bets."""
        return placement.settle_boxes(transition, boxes)

    def on_card_placed(self, transition: BlackjackTransition, slot: str, card: Card | None) -> None:
        """See a card in its slot, or turned in it."""
        placement.place(transition, slot, card)

    def on_look(self, transition: BlackjackTransition) -> None:
        """Tell whether the hole card makes a blackjack."""
        decisions.look(transition)

    def on_round_end(self, transition: BlackjackTransition) -> None:
        """Forget the boxes."""
        placement.clear_boxes(transition)

    def sentences(self, profile: BlackjackProfile) -> Iterable[Sentence]:
        """Return what these rules enforce, in plain English."""
        return sentences(profile)


GAME: Final = Blackjack(
    key="blackjack",
    title="Blackjack",
    source="rulebooks",
    default_profile="blackjack-lv",
    profile_type=BlackjackProfile,
    state_type=BlackjackState,
    outcome_type=BlackjackOutcome,
    violations=VIOLATIONS,
    dealer_errors=DEALER_ERRORS,
    rehearsal=BlackjackRehearsal(table="BJ-1", device="zebra_ssi", decks=8),
    controls=("server",),
    hands={
        "dealer": "dealer",
        "box1": "box1",
        "box2": "box2",
        "box3": "box3",
        "box4": "box4",
        "box5": "box5",
        "box6": "box6",
        "box7": "box7",
    },
    boxes=BOXES,
    most_cards=3 * BOXES + 5,  # ours: seven boxes and a dealer as they usually end
    first_slot=None,
    hole_slots=next_action.HOLE_SLOTS,
)
