"""Verify mode: the cards of a shoe pass the scanner to be counted, and fill no slot (rule G3).

In any order, or deck by deck: factory order is how cards are inspected, and never an alarm here.
What counts is each card's face, never a number: 51 cards and a foreign one are 52 as well.

A count before play that fails goes on: the shoe is not released. One after play (`end`) that fails
holds the table as `pack_not_whole`, since rounds were played from those cards: a supervisor lets
the pack go as it is (accept), or says that the count goes on (void). Where the house verifies shoes
`shoe.close` begins this count, if nobody has made it, and the shoe leaves play when it is over.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from daemon.gamekit.shoe import Composition, Shoe, compose, with_card
from daemon.gamekit.shoegame.shoe_reports import is_unread, report
from daemon.gamekit.shoegame.state import CompositionCheck
from daemon.gamekit.shoegame.transition import AnyShoeTransition
from daemon.gamekit.spec import DeviceGap, GameInput
from protocols.cards import find_card
from protocols.commands import FinishVerify, ReplaceCard, StartVerify, VerifyShoe
from protocols.events import (
    CardUnreadSeen,
    EndCheck,
    ShoeCardReplaced,
    ShoeCompositionFailed,
    ShoeVerified,
    ShoeVerifyStarted,
)
from protocols.readings import (
    BurnCountStated,
    CardDrawn,
    CardOutOfGame,
    CardReassigned,
    CardUnread,
    CutCardSeen,
    ShoeErrorRaised,
    ShoeResult,
    ShoeStarted,
)
from protocols.refusals import Refusal
from protocols.replace import replace

_CARDS: Final = (CardDrawn, CardOutOfGame, CardReassigned)
_OF_NO_ROUND: Final = (CutCardSeen, ShoeResult, BurnCountStated, ShoeStarted, DeviceGap)
"""What a shoe reports that takes the cards for a game; what it lost is missing from the count."""


def obey(transition: AnyShoeTransition, command: VerifyShoe) -> Refusal | None:
    """Carry out a command of the count."""
    match command:
        case StartVerify():
            return _start(transition, command)
        case ReplaceCard():
            return _replace(transition, command)
        case FinishVerify():
            return _finish(transition, command)


def _start(transition: AnyShoeTransition, command: StartVerify) -> Refusal | None:
    """Begin to count, or begin anew. A shoe whose cards have left it is dealt from no more."""
    shoe = transition.state.shoe
    if shoe is None:
        return Refusal.NO_SHOE
    check = CompositionCheck(command.cards, "end" if shoe.out else "start", transition.at)
    finished = replace(shoe.without_end_check(), finished=shoe.finished or shoe.out > 0)
    transition.set(check=check, shoe=finished)
    transition.emit(ShoeVerifyStarted(shoe.shoe_id, shoe.decks, check.when, check.counted))
    return None


def close(transition: AnyShoeTransition, shoe: Shoe) -> None:
    """Let the shoe leave play when its cards are counted; begin that, where nobody has."""
    transition.set(shoe=replace(shoe, closing=True))
    if transition.state.check is None:
        _start(transition, StartVerify("rest"))


def let_go(transition: AnyShoeTransition) -> Refusal | None:
    """End a count after play that failed: a person answers for the pack as it is."""
    check, shoe = transition.state.check, transition.state.shoe
    if check is None or shoe is None:
        return Refusal.ACTION_NOT_ALLOWED
    _end(transition, check, shoe, "failed")
    return None


def _end(
    transition: AnyShoeTransition, check: CompositionCheck, shoe: Shoe, result: EndCheck
) -> None:
    transition.set(check=None, shoe=replace(shoe, end_check=result, end_counted=check.counted))
    if shoe.closing:
        transition.close_shoe()


def takes(transition: AnyShoeTransition, check: CompositionCheck, game_input: GameInput) -> bool:
    """Count a card that passes the scanner. Return whether the input is of the count, or of none.

    Of the count is also what a shoe reports that takes the cards for a game: it is of no round.
    """
    body = game_input.body
    if game_input.role == "hole":
        return isinstance(body, CardDrawn | CardUnread)  # one scanner counts: no card counts twice
    if isinstance(body, ShoeErrorRaised):
        report(transition, body, game_input.device or "", game_input.role or "primary")
    if isinstance(body, _CARDS):
        transition.set(check=replace(check, copies=with_card(check.copies, body.card)))
    elif is_unread(body):
        reason = body.reason if isinstance(body, CardUnread) else "the shoe cannot read the card"
        transition.set(check=replace(check, unread=check.unread + 1))
        transition.emit(CardUnreadSeen(None, transition.why_unread(reason)))
    return isinstance(body, (*_CARDS, CardUnread, ShoeErrorRaised, *_OF_NO_ROUND))


def _replace(transition: AnyShoeTransition, command: ReplaceCard) -> Refusal | None:
    """Put on record that a card is replaced; its replacement is counted when it passes."""
    check, shoe = transition.state.check, transition.state.shoe
    if check is None or shoe is None:
        return Refusal.WRONG_PHASE
    removed, added = command.removed, command.added
    if removed is None and added is None:
        return Refusal.VALUE_MISSING
    copies = check.copies
    if removed is not None and transition.state.counts_hidden:
        return Refusal.RULES_FORBID  # whether it was counted shows which card is face down
    if removed is not None:
        out = find_card(removed)
        if out is None or not copies.get(removed):
            return Refusal.VALUE_MISSING
        copies = with_card(copies, out, -1)
    if added is not None and find_card(added) is None:
        return Refusal.VALUE_MISSING
    transition.set(check=replace(check, copies=copies, replaced=check.replaced + 1))
    transition.emit(ShoeCardReplaced(shoe.shoe_id, removed, added, command.who, command.why))
    return None


def _finish(transition: AnyShoeTransition, command: FinishVerify) -> Refusal | None:
    """Hold the count against the decks. Where it fails it goes on: the shoe is not released."""
    check, shoe = transition.state.check, transition.state.shoe
    if check is None or shoe is None:
        return Refusal.WRONG_PHASE
    dealer, pit_boss = (name.strip().casefold() for name in command.names)
    if not dealer or not pit_boss or dealer == pit_boss:
        return Refusal.TWO_NAMES
    cards = _composition(shoe, check)
    count = (
        shoe.shoe_id,
        shoe.decks,
        check.when,
        check.counted,
        sum(check.copies.values()),
        shoe.unknown,
        check.unread,
        check.replaced,
        command.names,
        transition.at.since(check.since),
    )
    if not cards.whole:
        differs = (cards.expected, cards.accounted, cards.missing, cards.surplus)
        transition.emit(ShoeCompositionFailed(*count, *differs))
        if check.when == "end":
            transition.violate("pack_not_whole", f"pack {shoe.shoe_id}: {cards.difference}")
        return None
    verified = tuple(dict.fromkeys((*shoe.verified, check.when)))
    shoe = replace(shoe, unverified=False, verified=verified)
    transition.set(check=None, shoe=shoe)
    transition.emit(ShoeVerified(*count))
    if check.when == "end":
        _end(transition, check, shoe, "whole")
    return None


def _composition(shoe: Shoe, check: CompositionCheck) -> Composition:
    """Return what there is. Nothing is missing by name where a face-down card may be what is."""
    if check.counted == "rest":
        copies = dict(Counter(shoe.copies) + Counter(check.copies))
        return compose(shoe.decks, copies, shoe.unknown)
    composition = compose(shoe.decks, check.copies)
    return replace(composition, missing={}) if shoe.unknown else composition
