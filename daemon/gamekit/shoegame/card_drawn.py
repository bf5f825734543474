"""A card left the shoe: which slot it is for, and whether it is due.

A card is counted out of the shoe at the moment it leaves it, whatever is decided about it later.
"""

from __future__ import annotations

from dataclasses import replace

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.shoe import Shoe
from daemon.gamekit.shoegame import hole_card
from daemon.gamekit.shoegame.state import Unconfirmed
from daemon.gamekit.shoegame.transition import Work, is_burn
from daemon.gamekit.spec import DueCard
from protocols.cards import Card
from protocols.events import (
    CardDuplicateSuppressed,
    CardUnreadSeen,
    DeviceFaulted,
    RoundVoidRequired,
    ShoeCutCardSeen,
)
from protocols.readings import CardDrawn, CardOutOfGame, CardReassigned, CardUnread


def drawn(work: Work, reading: CardDrawn) -> None:
    """Judge a card: a burn, a duplicate, a card too many, or the one that is due."""
    work.meet_shoe()
    if _is_burn(work, reading):
        work.hidden = work.profile.burned_faces != "shown"
        work.take(reading.card)
        _burned(work, reading)
    elif not _known_already(work, reading):
        carried = _take_or_carry(work, reading)
        if _round_takes(work, reading):
            _dealt(work, reading, carried)


def _is_burn(work: Work, reading: CardDrawn) -> bool:
    if is_burn(reading):
        return True
    return reading.target is None and work.round_id is None and work.state.burns_due > 0


def _burned(work: Work, reading: CardDrawn) -> None:
    card = reading.card
    if work.round_id is not None:
        detail = "a card was burned in mid-round"
        work.violate("card_out_of_turn", detail, read=card, reading=reading)
    elif _unverified(work):
        detail = "a card was burned from a shoe that is not verified"
        work.violate("shoe_not_verified", detail, read=card, reading=reading)
    elif _possible(work, reading):
        if reading.target == "burn_indicator":
            work.burn(card, "indicator")
        elif work.state.burns_due == 0:
            detail = "a card was burned and none is due to be"
            work.violate("wrong_burn_count", detail, read=card, reading=reading)
        else:
            work.burn_due(card)


def _known_already(work: Work, reading: CardDrawn) -> bool:
    """The shoe states a slot that is filled: the same card again is one card; another is not."""
    slot = work.game.stated_slot(reading)
    if slot is None or work.round_id is None:
        return False
    if work.state.sealed_in(slot) is not None:
        # Whichever it states: to hold another card alone would tell which one lies there.
        detail = f"the shoe states a card for {slot} once more, where one lies face down"
        work.violate("sealed_violation", detail, slot=slot, reading=reading)
        return True
    lies = work.state.card_in(slot)
    if lies is None:
        return False
    if lies == reading.card:
        detail = f"{slot} was stated again"
        work.emit(CardDuplicateSuppressed(reading.card.rank, reading.card.suit, detail))
    else:
        detail = f"{slot} holds {lies}; the shoe now states {work.name(reading.card)}"
        work.violate("card_conflict", detail, slot=slot, read=reading.card, reading=reading)
    return True


def _take_or_carry(work: Work, reading: CardDrawn) -> CardDrawn | None:
    """Count the card, unless it is the carried one. Return what was carried instead of it."""
    carried = work.state.carried
    first = work.round_id is None or not work.state.order
    if carried is None or not first:
        work.take(reading.card)
        return None
    work.set(carried=None)
    if carried == reading.card:
        return None
    work.take(reading.card)
    return CardDrawn(carried)


def _round_takes(work: Work, reading: CardDrawn) -> bool:
    """Make sure that a round is open for this card, or say what is wrong."""
    card, slot = reading.card, work.game.stated_slot(reading)
    if work.round_id is None:
        code = _why_no_round(work, reading)
        if code is not None:
            detail = f"{work.name(card)} left the shoe and no round is open"
            work.violate(code, detail, slot=slot, read=card, reading=reading)
            return False
        work.open_round(work.context.next_round_id)
        work.close_bets("first_card")
    elif work.betting:
        if work.profile.bets_end == "announced":
            detail = f"{work.name(card)} left the shoe before the bets were closed"
            slot = work.due_slot()
            work.violate("card_before_no_more_bets", detail, slot=slot, read=card, reading=reading)
            return False
        work.close_bets("first_card")
    return True


def _why_no_round(work: Work, reading: CardDrawn) -> str | None:
    if work.state.burns_due > 0:
        return "wrong_burn_count"
    if work.state.shoe is not None and work.state.shoe.finished:
        return "card_after_cut_card"
    first = work.game.first_slot
    if work.context.control == "server" or first is None:
        return "card_not_due"
    if not work.game.may_be_for(first, reading):
        return "card_not_due"
    return "shoe_not_verified" if _unverified(work) else None


def _unverified(work: Work) -> bool:
    return work.state.shoe is not None and work.state.shoe.unverified


def _dealt(work: Work, reading: CardDrawn, carried: CardDrawn | None) -> None:
    card, due, shoe = reading.card, work.due(), work.state.shoe
    name, placed = work.name(card), reading.target is not None
    if due is None or not work.game.may_be_for(due.slot, reading):
        _undue(work, reading)
    elif carried is not None:
        first = work.name(carried.card)
        detail = f"{first} was to be the first card of this round; the shoe gives {name}"
        work.violate("card_out_of_turn", detail, slot=due.slot, read=card, reading=reading)
    elif shoe is not None and shoe.finished:
        detail = f"{name} left the shoe after its last round"
        work.violate("card_after_cut_card", detail, slot=due.slot, read=card, reading=reading)
    elif hole_card.is_readers(work, due):
        detail = f"{due.slot} is due on the hole-card reader, and the shoe gave a card"
        work.violate("hole_card_unscanned", detail, slot=due.slot, read=card, reading=reading)
    elif due.hidden:
        work.place(card)
    elif not placed and work.game.waits(work.state, work.profile, work.context.roles):
        work.set(unconfirmed=Unconfirmed(Concealed(card), shoe.out if shoe else 0))
    else:
        open_card(work, card)


def open_card(work: Work, card: Card, position: int | None = None) -> None:
    """Place a counted card face up, unless its shoe cannot hold it."""
    if work.hidden:
        work.know(card)
        work.hidden = False
    if _possible(work, CardDrawn(card)):
        work.place(card, position)


def confirm(work: Work) -> None:
    """A further card left the shoe: the one before it lies where we thought. Now it is told."""
    waiting = work.state.unconfirmed
    if waiting is not None:
        hidden, work.hidden = work.hidden, True
        work.set(unconfirmed=None)
        open_card(work, waiting.card.value, waiting.position)
        work.hidden = hidden


def _due_behind(work: Work) -> DueCard | None:
    """Return where the next card goes, if the one that waits lies where we think."""
    if work.state.unconfirmed is None:
        return work.due()
    trial = Work(work.game, work.state, work.context)
    confirm(trial)
    return trial.due()


def hidden_is_next(work: Work) -> bool:
    """Return whether a card waits that an unread one does not confirm.

    Behind it a face-down card is due. If a card was missed it is that card itself, and something
    unread, which may be no card at all, must not tell it.
    """
    behind = _due_behind(work)
    return work.state.unconfirmed is not None and behind is not None and behind.hidden


def is_waiting_twin(work: Work, reading: CardDrawn) -> bool:
    """Hold a card that is scanned again and may as well be the one that waits, read once more."""
    waiting = work.state.unconfirmed
    if waiting is None or not work.state.rescan or waiting.card.value != reading.card:
        return False
    detail = "the card that is scanned again may be the one before it, read once more"
    work.violate("sealed_violation", detail, reading=reading)
    return True


def give_up(work: Work) -> None:
    """The round is void: the card that waited was what it was."""
    waiting = work.state.unconfirmed
    if waiting is not None:
        work.set(unconfirmed=None)
        work.know(waiting.card.value)


def _undue(work: Work, reading: CardDrawn) -> None:
    """No card is due, or not to this hand: say what it is by the rules."""
    due, hand = work.due(), work.game.stated_hand(reading)
    slot, name = work.game.stated_slot(reading), work.name(reading.card)
    why = work.game.undue(work.state, work.profile, hand)
    if why is not None:
        code, detail = why.code, f"{name}: {why.detail}"
    elif due is None:
        code, detail = "card_not_due", f"{name}: the hands are complete"
    else:
        code = "card_out_of_turn"
        detail = f"the shoe gives {name} to {slot or reading.target}; {due.slot} is due"
    work.violate(code, detail, slot=slot, read=reading.card, reading=reading)


def _possible(work: Work, reading: CardDrawn) -> bool:
    shoe = work.state.shoe
    if work.hidden or shoe is None or (why := shoe.surplus(reading.card)) is None:
        return True
    slot = work.due_slot()
    work.violate("impossible_card", why, slot=slot, read=reading.card, reading=reading)
    return False


def unread(work: Work, reading: CardUnread) -> None:
    """A card left the shoe and nobody knows which: a person has to say, unless it was a burn."""
    work.meet_shoe()
    shoe = work.state.shoe
    in_round = work.round_id is not None
    due = _due_behind(work) if in_round else None
    slot = due.slot if due is not None else None
    if shoe is not None and not work.state.rescan:
        work.set(shoe=shoe.take_unknown())
    work.set(rescan=False)
    reason = work.why_unread(reading.reason)
    work.emit(CardUnreadSeen(slot, reason))
    if due is not None and due.hidden:
        detail = f"the card for {slot} was not read: {reason}"
        code = "hole_card_unscanned" if slot in work.game.hole_slots else "card_unread"
        work.violate(code, detail, slot=slot, reading=reading)
    elif in_round:
        detail = f"a card for {slot} was not read: {reason}"
        work.violate("card_unread", detail, slot=slot, reading=reading)
    elif work.state.burns_due > 0 and not _unverified(work):
        work.burn_due(None)
    elif shoe is not None:
        detail = f"a card left the shoe between rounds and was not read: {reason}"
        work.violate("card_unread", detail, reading=reading)


def out_of_game(work: Work, reading: CardOutOfGame, device: str, role: str) -> None:
    """A card that was drawn while the shoe was locked or in error enters no hand."""
    work.take(reading.card)
    detail = f"{work.name(reading.card)} was drawn while the shoe was in mode {reading.mode}"
    work.emit(DeviceFaulted(device, role, "card_out_of_game", detail))


def reassigned(work: Work, reading: CardReassigned) -> None:
    """The overdrawn card is the first of the next round, and is out of the shoe already."""
    if (carried := work.state.carried) is not None:
        if carried != reading.card:
            card, slot = reading.card, work.game.first_slot
            first, now = work.name(carried), work.name(card)
            detail = f"{first} is the first card of the next round; the shoe now states {now}"
            work.violate("card_conflict", detail, slot=slot, read=card)
        return
    if not work.state.overdrawn:
        work.take(reading.card)
    elif not work.hidden:
        work.know(reading.card)
    work.set(carried=reading.card, overdrawn=False)


def cut_card(work: Work) -> None:
    """The cut card is out: the round in play, or the next one, is the last. Twice is once."""
    work.meet_shoe()
    shoe = work.state.shoe
    if shoe is None:
        return  # nothing of a shoe that is not in play touches a round
    dealt = len(work.state.order) if work.round_id is not None else 0
    dealt += work.state.unconfirmed is not None
    if shoe.cut_card_at is not None:
        _cut_card_again(work, shoe, shoe.cut_card_at)
        return
    now = work.profile.cut_card_first_out == "shuffle_now" and dealt == 0
    work.set(shoe=replace(shoe, cut_card_at=shoe.out, finished=now))
    work.emit(ShoeCutCardSeen(shoe.shoe_id, shoe.out, shoe.left))
    if now and work.round_id is not None:
        detail = "the cut card came before the first card: shuffle now"
        work.emit(RoundVoidRequired(work.round_id, detail))
    wanted, allowed = work.profile.cut_card_from_back, work.profile.cut_card_tolerance
    if shoe.from_start and abs(shoe.left - wanted) > allowed:
        detail = f"{shoe.left} cards are left behind the cut card; the house places it at {wanted}"
        work.violate("cut_card_misplaced", detail)
    if shoe.left + dealt < work.game.most_cards:
        detail = f"{shoe.left} cards are left: too few to finish a round"
        work.violate("shoe_exhausted", detail)


def _cut_card_again(work: Work, shoe: Shoe, first_at: int) -> None:
    """It is the rear one, behind the last card, or the marker once more."""
    if shoe.left <= 0:
        work.set(shoe=replace(shoe, finished=True))
        if work.round_id is not None:
            work.violate("shoe_exhausted", "the rear cut card came out: no card is left")
    elif shoe.out > first_at and shoe.from_start:
        detail = f"a second cut card came out and {shoe.left} cards should lie before it"
        work.violate("cut_card_misplaced", detail)
