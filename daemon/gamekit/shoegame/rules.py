"""What a game from a shoe has of its own, and what a house decides in any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from daemon.gamekit.shoegame.state import Dealt, ShoeState
from daemon.gamekit.spec import DueCard, Role
from protocols.cards import Card
from protocols.commands import CloseInsurance, Decide, OpenRound, PeekHoleCard, Refusal
from protocols.events import Outcome
from protocols.readings import CardDrawn, CardTarget, ShoeResult

if TYPE_CHECKING:
    from daemon.gamekit.shoegame.transition import ShoeTransition

PlayCommand: TypeAlias = Decide | CloseInsurance | PeekHoleCard
"""What the table server says between the cards of a round."""


@dataclass(frozen=True, slots=True)
class ShoeRules:
    """The house's rules (rules.md section 0 and the burns of section 1).

    decks                     None: `shoe.load` has to say
    verify                    required: no card is dealt from a shoe before all its cards passed the
                              scanner and are whole decks; optional: who counts them is not ours
    cut_card_from_back        cards behind the marker; `cut_card_tolerance` either way
    cut_card_first_out        what a cut card that comes before a round's first card means
    burn_*                    how many cards are burned, and when
    burn_at_discretion        whether the house burns any number between rounds
    burned_faces              shown: a burned card's face is published; on_request: it stays hidden
                              until `card.reveal`; never: it stays hidden
    bets_end                  announced: no card before `bets.close`; first_card: it closes them
    """

    decks: int | None = field(default=None, kw_only=True)
    verify: Literal["required", "optional"]
    cut_card_from_back: int
    cut_card_tolerance: int
    cut_card_first_out: Literal["this_round_is_last", "shuffle_now"]
    burn_after_shuffle: int
    burn_after_misdeal: int
    burn_after_dealer_change: int
    burn_at_discretion: bool
    burned_faces: Literal["shown", "on_request", "never"]
    bets_end: Literal["announced", "first_card"]


@dataclass(frozen=True, slots=True)
class Undue:
    """Why a card may not go where it went, in the words of rules.md section 5."""

    code: str
    detail: str


def _nothing_to_open(_work: ShoeTransition, _command: OpenRound) -> Refusal | None:
    return None


def _nothing_to_lay(_work: ShoeTransition, _slot: str, _card: Card | None) -> None:
    return None


def _nothing_to_empty(_work: ShoeTransition) -> None:
    return None


def _refuses_all(_state: Any, _rules: Any, _command: PlayCommand) -> Refusal | None:
    return Refusal.NOT_THIS_GAME


def _nothing_to_obey(_work: ShoeTransition, _command: PlayCommand) -> None:
    return None


def _no_commands(_state: Any, _round_id: str) -> Iterable[PlayCommand]:
    return ()


def _any_time(_state: Any, _rules: Any, _slot: str) -> bool:
    return True


def _nothing_special(_state: Any, _rules: Any, _hand: str | None) -> Undue | None:
    return None


def _never_waits(_state: Any, _rules: Any, _roles: frozenset[Role]) -> bool:
    return False


def _hides_nothing(_rules: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ShoeGame:
    """A game whose cards go one by one to slots that the rules and the server's commands decide.

    due         (state, rules) -> the next card's slot, None: no card is due now. Pure
    outcome     (state, rules) -> how the round ended, None: it has not yet
    hands       what a shoe calls a hand -> what this game calls it. A shoe that states places
                states those of its own game: its number is held against ours as it is
    most_cards  the most that a round can take; fewer left means that it may not be finished
    first_slot  the slot of a round's first card, where that is always the same: only then may a
                card open a round
    state       what is remembered; a game's own adds to ShoeState
    verdict     the cards of a complete round -> what the shoe's own verdict has to be; None: the
                shoe judges by the rules of another game, and its verdicts are not heard
    opened      a round was opened: what the game makes of the command
    emptied     the round is over: what the game forgets of it
    laid        a card lies in a slot, face down (None) or face up; once more when it is turned
    refuses     (state, rules, command) -> why what the server says between the cards is not
                obeyed now. Pure
    obey        what it says and nothing refuses
    own_commands  (state, round id) -> what the server might say, for the game to choose from
    may_turn    (state, rules, slot) -> may this face-down card be turned now?
    undue       (state, rules, the hand that the shoe states) -> what a card is that is not due
                there; None: a card too many, or out of turn
    waits       (state, rules, roles) -> must the card due now wait for the next reading to
                confirm its slot, lest a missed card shows a hidden one (integrity.md 3, 6)?
    hides       rules -> may a card of a round lie face down?
    hole_slots  the slots that a hole-card reader fills, where the table has one
    """

    due: Callable[[Any, Any], DueCard | None]
    outcome: Callable[[Any, Any], Outcome | None]
    hands: Mapping[CardTarget, str]
    most_cards: int
    first_slot: str | None
    state: type[ShoeState] = ShoeState
    verdict: Callable[[Dealt], ShoeResult] | None = None
    opened: Callable[[ShoeTransition, OpenRound], Refusal | None] = _nothing_to_open
    emptied: Callable[[ShoeTransition], None] = _nothing_to_empty
    laid: Callable[[ShoeTransition, str, Card | None], None] = _nothing_to_lay
    refuses: Callable[[Any, Any, PlayCommand], Refusal | None] = _refuses_all
    obey: Callable[[ShoeTransition, PlayCommand], None] = _nothing_to_obey
    own_commands: Callable[[Any, str], Iterable[PlayCommand]] = _no_commands
    may_turn: Callable[[Any, Any, str], bool] = _any_time
    undue: Callable[[Any, Any, str | None], Undue | None] = _nothing_special
    waits: Callable[[Any, Any, frozenset[Role]], bool] = _never_waits
    hides: Callable[[Any], bool] = _hides_nothing
    hole_slots: frozenset[str] = frozenset()

    def stated_slot(self, reading: CardDrawn) -> str | None:
        """Return the slot that the shoe itself states, if it does."""
        hand = self.stated_hand(reading)
        return f"{hand}.{reading.index}" if hand and reading.index is not None else None

    def stated_hand(self, reading: CardDrawn) -> str | None:
        """Return the hand that the shoe itself states, if it does."""
        return self.hands.get(reading.target) if reading.target is not None else None

    def may_be_for(self, slot: str, reading: CardDrawn) -> bool:
        """Return whether the shoe does not give the card elsewhere: it may name a hand alone."""
        if reading.target is None:
            return True
        hand, _, number = slot.partition(".")
        counted = number.isdigit() and reading.index is not None
        return self.stated_hand(reading) == hand and not (counted and reading.index != int(number))
