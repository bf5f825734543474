"""What the table server asks of a table that deals from a shoe, and why it may be refused."""

from __future__ import annotations

from typing import assert_never

from daemon.gamekit.shoe import CARDS_PER_DECK, FactoryOrderRun, Shoe
from daemon.gamekit.shoegame import reveal, shoe_reports, verify
from daemon.gamekit.shoegame.rules import ShoeRules
from daemon.gamekit.shoegame.state import burns_for
from daemon.gamekit.shoegame.transition import AnyShoeTransition, ShoeStateT
from protocols.commands import (
    AnnounceResult,
    BurnCards,
    ChangeDealer,
    CloseBets,
    CloseInsurance,
    CloseShoe,
    Decide,
    FinishVerify,
    GameCommand,
    LoadShoe,
    OpenRound,
    PeekHoleCard,
    ReplaceCard,
    RevealCard,
    StartVerify,
)
from protocols.events import ShoeLoaded, ShoeReturned
from protocols.refusals import Refusal
from protocols.replace import replace


def obey(transition: AnyShoeTransition, command: GameCommand) -> Refusal | None:
    """Carry out a command, or return why it is refused."""
    match command:
        case OpenRound():
            return open_round(transition, command)
        case CloseBets(boxes=boxes):
            return close_bets(transition, boxes)
        case LoadShoe():
            return load_shoe(transition, command)
        case StartVerify() | ReplaceCard() | FinishVerify():
            return verify.obey(transition, command)
        case CloseShoe():
            return close_shoe(transition)
        case BurnCards():
            return burn(transition, command)
        case ChangeDealer():
            return change_dealer(transition)
        case RevealCard():
            refusal = reveal.reveal(transition, command)
            shoe_reports.judge_kept_verdict(transition)
            return refusal
        case AnnounceResult():
            return Refusal.NOT_THIS_GAME
        case Decide() | CloseInsurance() | PeekHoleCard():
            game = transition.game
            refusal = game.check_command(transition.state, transition.profile, command)
            if refusal is None:
                game.apply_command(transition, command)
                transition.settle()
            return refusal
        case _:
            assert_never(command)


def open_round(transition: AnyShoeTransition, command: OpenRound) -> Refusal | None:
    """Open a round where a shoe is ready for one."""
    shoe = transition.state.shoe
    if shoe is None:
        return Refusal.NO_SHOE
    if transition.state.check is not None:
        return Refusal.VERIFYING
    if shoe.finished:
        return Refusal.LAST_ROUND_PLAYED
    if shoe.unverified:
        return Refusal.SHOE_NOT_VERIFIED if shoe.returned is None else Refusal.PACK_RETURNED
    if transition.state.burns_due > 0:
        return Refusal.WRONG_PHASE
    if transition.cut_card_missing(shoe):
        return Refusal.CUT_CARD_MISSING
    if shoe.left < _cards_needed(transition, shoe, command.boxes):
        return Refusal.TOO_FEW_CARDS
    transition.game.on_round_open(transition, command.boxes)
    transition.open_round(command.round_id)
    return None


def close_bets(transition: AnyShoeTransition, boxes: tuple[int, ...]) -> Refusal | None:
    """Close the bets. Where they name more boxes than the round opened with, the shoe has to do."""
    refusal = transition.game.on_bets_close(transition, boxes)
    if refusal is not None:
        return refusal
    shoe = transition.state.shoe
    if boxes and shoe is not None and shoe.left < _cards_needed(transition, shoe, boxes):
        return Refusal.TOO_FEW_CARDS
    transition.close_bets("command")
    return None


def _cards_needed(transition: AnyShoeTransition, shoe: Shoe, boxes: tuple[int, ...]) -> int:
    """Return with how many cards left a round may be dealt to these boxes; none: to any.

    The most that it can take, or fewer where the house deals its last round from fewer: what lies
    behind its cut card. There the two rules of the books conflict, and theirs is followed
    (docs/rules/blackjack.md#a-shoe-that-may-not-be-enough).
    """
    rules = transition.profile
    most = transition.game.cards_needed(rules, shoe.decks, len(boxes))
    return min(most, rules.fewest_behind_cut)


def load_shoe(transition: AnyShoeTransition, command: LoadShoe) -> Refusal | None:
    """Take a shoe into play; its burns become due."""
    if transition.state.shoe is not None:
        return Refusal.SHOE_LOADED
    decks = transition.profile.decks if command.decks is None else command.decks
    if decks is None:
        return Refusal.DECKS_NOT_STATED
    if decks < 1:
        return Refusal.MALFORMED
    stated = transition.profile.decks
    if stated not in (None, decks) or decks * CARDS_PER_DECK <= transition.profile.cut_card_place:
        return Refusal.DECKS_DIFFER
    due = burns_for("shuffle", transition.profile.burn_after_shuffle)
    returned = transition.state.left_with(command.shoe_id)
    asked = transition.profile.verify == "required" or returned is not None
    shoe = Shoe(command.shoe_id, decks, from_start=True, unverified=asked, returned=returned)
    transition.set(shoe=shoe, run=FactoryOrderRun(), burns=due, burned=0)
    transition.set(carried=None, overdrawn=False)
    transition.emit(ShoeLoaded(command.shoe_id, decks, "command"))
    if returned is not None:
        transition.emit(ShoeReturned(command.shoe_id, returned))
    return None


def close_shoe(transition: AnyShoeTransition) -> Refusal | None:
    """Take the shoe out of play, when its cards are counted where the house asks for that."""
    shoe = transition.state.shoe
    if shoe is None:
        return Refusal.NO_SHOE
    if shoe.closing:
        return Refusal.VERIFYING
    if transition.profile.verify == "required" and shoe.out > 0 and shoe.end_check == "not_made":
        verify.close(transition, shoe)
    else:
        transition.close_shoe()
    return None


def burn(transition: AnyShoeTransition, command: BurnCards) -> Refusal | None:
    """Make burns due, where the house burns for this reason and this many."""
    profile, shoe = transition.profile, transition.state.shoe
    if transition.round is not None and not _misdealt(transition, command):
        return Refusal.ROUND_OPEN
    if shoe is None:
        return Refusal.NO_SHOE
    if transition.state.check is not None:
        return Refusal.VERIFYING
    allowed = {  # the burns after a shuffle are due by shoe.load itself
        "misdeal": profile.burn_after_misdeal,
        "dealer_change": profile.burn_after_dealer_change,
    }
    any_number = command.reason == "discretion" and profile.burn_at_discretion
    if not 1 <= command.count <= shoe.left - transition.state.burns_due:
        return Refusal.BURN_NOT_ALLOWED
    if not (any_number or allowed.get(command.reason) == command.count):
        return Refusal.BURN_NOT_ALLOWED
    transition.set(burns=(*transition.state.burns, *burns_for(command.reason, command.count)))
    return None


def _misdealt(transition: AnyShoeTransition, command: BurnCards) -> bool:
    """Return whether cards may be burned in the round: for a misdeal, once one was dealt."""
    state = transition.state
    return command.reason == "misdeal" and bool(state.order or state.unconfirmed)


def with_misdeal_burns(state: ShoeStateT, rules: ShoeRules) -> ShoeStateT:
    """Return the state with the burns due that the house asks for when a round was misdealt."""
    due = () if state.shoe is None else burns_for("misdeal", rules.burn_after_misdeal)
    return replace(state, burns=(*state.burns, *due))


def change_dealer(transition: AnyShoeTransition) -> Refusal | None:
    """Another dealer: the house may burn for it. Between rounds only."""
    if transition.round is not None:
        return Refusal.ROUND_OPEN
    if transition.state.shoe is not None:
        due = burns_for("dealer_change", transition.profile.burn_after_dealer_change)
        transition.set(burns=(*transition.state.burns, *due))
    return None
