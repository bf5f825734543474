"""A card left the shoe: which slot it is for, and whether it is due.

A card is counted out of the shoe at the moment it leaves it, whatever is decided about it later.
"""

from __future__ import annotations

from dataclasses import replace

from daemon.shoegame.work import Work
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


def is_burn(reading: CardDrawn) -> bool:
    """Return whether the shoe itself says that this card is burned."""
    return reading.target in ("burn", "burn_indicator")


def _burned(work: Work, reading: CardDrawn) -> None:
    card = reading.card
    shown = card if work.profile.burned_faces_shown else None
    if work.round_id is not None:
        detail = "a card was burned in mid-round"
        work.violate("card_out_of_turn", detail, read=shown, reading=reading)
    elif _possible(work, reading):
        if reading.target == "burn_indicator":
            work.burn(card, "indicator")
        elif work.state.burns_due == 0:
            detail = "a card was burned and none is due to be"
            work.violate("wrong_burn_count", detail, read=shown, reading=reading)
        else:
            work.burn_due(card)


def _known_already(work: Work, reading: CardDrawn) -> bool:
    """The shoe states a slot that is filled: the same card again is one card; another is not."""
    slot = work.game.stated_slot(reading)
    lies = work.state.card_in(slot) if slot and work.round_id is not None else None
    if lies is None:
        return False
    if lies == reading.card:
        detail = f"{slot} was stated again"
        work.emit(CardDuplicateSuppressed(reading.card.rank, reading.card.suit, detail))
    else:
        detail = f"{slot} holds {lies}; the shoe now states {reading.card}"
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
            detail = f"{card} left the shoe and no round is open"
            work.violate(code, detail, slot=slot, read=card, reading=reading)
            return False
        work.open_round(work.context.next_round_id)
        work.close_bets("first_card")
    elif work.betting:
        if work.profile.bets_end == "announced":
            detail = f"{card} left the shoe before the bets were closed"
            slot = work.game.first_slot
            work.violate("card_before_no_more_bets", detail, slot=slot, read=card, reading=reading)
            return False
        work.close_bets("first_card")
    return True


def _why_no_round(work: Work, reading: CardDrawn) -> str | None:
    if work.state.burns_due > 0:
        return "wrong_burn_count"
    if work.state.shoe is not None and work.state.shoe.finished:
        return "card_after_cut_card"
    if work.context.control == "server" or not work.game.may_be_for(work.game.first_slot, reading):
        return "card_not_due"
    return None


def _dealt(work: Work, reading: CardDrawn, carried: CardDrawn | None) -> None:
    card, due, stated = reading.card, work.due(), work.game.stated_slot(reading)
    shoe = work.state.shoe
    if due is None:
        work.violate("card_not_due", f"{card}: the hands are complete", read=card, reading=reading)
    elif not work.game.may_be_for(due, reading):
        detail = f"the shoe gives {card} to {stated or reading.target}; {due} is due"
        work.violate("card_out_of_turn", detail, slot=stated, read=card, reading=reading)
    elif carried is not None:
        detail = f"{carried.card} was to be the first card of this round; the shoe gives {card}"
        work.violate("card_out_of_turn", detail, slot=due, read=card, reading=reading)
    elif shoe is not None and shoe.finished:
        detail = f"{card} left the shoe after its last round"
        work.violate("card_after_cut_card", detail, slot=due, read=card, reading=reading)
    elif _possible(work, reading):
        work.place(card)


def _possible(work: Work, reading: CardDrawn) -> bool:
    shoe = work.state.shoe
    if shoe is None or (why := shoe.surplus(reading.card)) is None:
        return True
    work.violate("impossible_card", why, slot=work.due(), read=reading.card, reading=reading)
    return False


def unread(work: Work, reading: CardUnread) -> None:
    """A card left the shoe and nobody knows which: a person has to say, unless it was a burn."""
    work.meet_shoe()
    shoe = work.state.shoe
    in_round = work.round_id is not None
    slot = work.due() if in_round else None
    if shoe is not None:
        work.set(shoe=shoe.take_unknown())
    work.emit(CardUnreadSeen(slot, reading.reason))
    if in_round:
        detail = f"a card for {slot} was not read: {reading.reason}"
        work.violate("card_unread", detail, slot=slot, reading=reading)
    elif work.state.burns_due > 0:
        work.burn_due(None)
    elif shoe is not None:
        detail = f"a card left the shoe between rounds and was not read: {reading.reason}"
        work.violate("card_unread", detail, reading=reading)


def out_of_game(work: Work, reading: CardOutOfGame, device: str, role: str) -> None:
    """A card that was drawn while the shoe was locked or in error enters no hand."""
    work.take(reading.card)
    detail = f"{reading.card} was drawn while the shoe was in mode {reading.mode}"
    work.emit(DeviceFaulted(device, role, "card_out_of_game", detail))


def reassigned(work: Work, reading: CardReassigned) -> None:
    """The overdrawn card is the first of the next round, and is out of the shoe already."""
    if (carried := work.state.carried) is not None:
        if carried != reading.card:
            detail = f"{carried} is the first card of the next round; the shoe now states"
            card, slot = reading.card, work.game.first_slot
            work.violate("card_conflict", f"{detail} {card}", slot=slot, read=card)
        return
    shoe = work.state.shoe
    if shoe is not None:
        known = shoe.identify(reading.card) if work.state.overdrawn else shoe.take(reading.card)
        work.set(shoe=known)
    work.set(carried=reading.card, overdrawn=False)


def cut_card(work: Work) -> None:
    """The cut card is out: the round in play, or the next one, is the last. Twice is once."""
    work.meet_shoe()
    shoe = work.state.shoe
    if shoe is None:
        return  # nothing of a shoe that is not in play touches a round
    dealt = len(work.state.order) if work.round_id is not None else 0
    if shoe.cut_card_at is not None:
        if shoe.left <= 0 and work.round_id is not None:
            work.violate("shoe_exhausted", "the rear cut card came out: no card is left")
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
