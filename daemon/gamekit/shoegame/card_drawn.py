"""A card left the shoe: which slot it is for, and whether it is due.

A card is counted out of the shoe at the moment it leaves it, whatever is decided about it later.
Then it is judged, in this order: a burn; a slot that the shoe states again; no round that takes it;
no slot due to it; and only then, is it a card that this shoe can hold.

Where a reader knows a face-down card by counting alone, a missed card before it would show it in
clear. So the last card that is dealt face up before a hidden one waits, unconfirmed, until the next
reading shows that none was missed (docs/hidden-cards.md#the-rules, rule 6).
"""

from __future__ import annotations

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.shoe import Shoe
from daemon.gamekit.shoegame import hole_card
from daemon.gamekit.shoegame.state import Unconfirmed
from daemon.gamekit.shoegame.transition import (
    BURN_TARGETS,
    AnyShoeTransition,
    ShoeTransition,
)
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
from protocols.replace import replace
from protocols.table_terms import Role


def drawn(transition: AnyShoeTransition, reading: CardDrawn) -> None:
    """Judge a card: a burn, a duplicate, a card too many, or the one that is due."""
    if transition.state.shoe is None:
        transition.meet_shoe()
    if _is_burn(transition, reading):
        transition.hidden = transition.profile.burned_faces != "shown"
        transition.take(reading.card)
        _burned(transition, reading)
    elif not _known_already(transition, reading):
        carried = _take_or_carry(transition, reading.card)
        if _round_takes(transition, reading):
            _dealt(transition, reading, carried)


def _is_burn(transition: AnyShoeTransition, reading: CardDrawn) -> bool:
    if reading.target in BURN_TARGETS:
        return True
    return reading.target is None and transition.burn_is_due


def _burned(transition: AnyShoeTransition, reading: CardDrawn) -> None:
    card = reading.card
    if transition.round is not None and not transition.burn_is_due:
        detail = "a card was burned in mid-round"
        transition.violate("card_out_of_turn", detail, read=card, reading=reading)
    elif _unverified(transition):
        detail = f"a card was burned from a shoe that is not verified{_returned(transition)}"
        transition.violate("shoe_not_verified", detail, read=card, reading=reading)
    elif _possible(transition, reading):
        if reading.target == "burn_indicator":
            transition.burn(card, "indicator")
        elif transition.state.burns_due == 0:
            detail = "a card was burned and none is due to be"
            transition.violate("wrong_burn_count", detail, read=card, reading=reading)
        else:
            transition.burn_due(card)


def _known_already(transition: AnyShoeTransition, reading: CardDrawn) -> bool:
    """Return whether the shoe states a filled slot: the same card is a duplicate, another not."""
    slot, filled = stated_slot(transition, reading), dict(transition.state.order)
    if transition.round is None or slot is None or slot not in filled:
        return False
    placed = filled[slot]
    if placed is None:
        # Whichever it states: to hold the table for another card alone would tell which is there.
        detail = f"the shoe states a card for {slot} once more, where one lies face down"
        transition.violate("sealed_violation", detail, slot=slot, reading=reading)
        return True
    if placed == reading.card:
        detail = f"{slot} was stated again"
        transition.emit(CardDuplicateSuppressed(reading.card.rank, reading.card.suit, detail))
    else:
        detail = f"{slot} holds {placed}; the shoe now states {transition.name(reading.card)}"
        transition.violate("card_conflict", detail, slot=slot, read=reading.card, reading=reading)
    return True


def _take_or_carry(transition: AnyShoeTransition, card: Card) -> Card | None:
    """Count the card, unless it is the carried one. Return what was carried instead of it."""
    carried = transition.state.carried
    first = transition.round is None or not transition.state.order
    if carried is None or not first:
        transition.take(card)
        return None
    transition.set(carried=None)
    if carried == card:
        return None
    transition.take(card)
    return carried


def _round_takes(transition: AnyShoeTransition, reading: CardDrawn) -> bool:
    """Make sure that a round is open for this card, or raise what is wrong."""
    card = reading.card
    if transition.round is None:
        code = _why_no_round(transition, reading)
        if code is not None:
            slot = stated_slot(transition, reading)
            detail = f"{transition.name(card)} left the shoe and no round is open"
            if code == "shoe_not_verified":
                detail = f"{transition.name(card)} left a shoe that is not verified"
                detail += _returned(transition)
            transition.violate(code, detail, slot=slot, read=card, reading=reading)
            return False
        transition.open_round(transition.context.next_round_id)
        transition.close_bets("first_card")
    elif transition.round.phase == "betting":
        if transition.profile.bets_end == "announced":
            detail = f"{transition.name(card)} left the shoe before the bets were closed"
            slot = transition.due_slot()
            transition.violate(
                "card_before_no_more_bets", detail, slot=slot, read=card, reading=reading
            )
            return False
        if transition.due() is None:  # no box has a bet yet: the card is nobody's
            _undue(transition, reading)
            return False
        transition.close_bets("first_card")
    return True


def _why_no_round(transition: AnyShoeTransition, reading: CardDrawn) -> str | None:
    if transition.state.burns_due > 0:
        return "wrong_burn_count"
    shoe = transition.state.shoe
    if shoe is not None and shoe.finished:
        return "card_after_cut_card"
    first = transition.game.first_slot
    if transition.context.control == "server" or first is None:
        return "card_not_due"
    if not _may_be_for(transition, first, reading):
        return "card_not_due"
    if shoe is not None and shoe.unverified:
        return "shoe_not_verified"
    before = shoe and replace(shoe, out=shoe.out - 1)  # this card has left it already
    return "cut_card_missing" if before and transition.cut_card_missing(before) else None


def _unverified(transition: AnyShoeTransition) -> bool:
    return transition.state.shoe is not None and transition.state.shoe.unverified


def _returned(transition: AnyShoeTransition) -> str:
    """Return why a shoe has to be verified that the house deals from without that."""
    shoe = transition.state.shoe
    if shoe is None or shoe.returned is None:
        return ""
    how = {"whole": "", "failed": ", and its count failed", "not_made": ", and was not counted"}
    return f": pack {shoe.shoe_id} left this table before{how[shoe.returned]}"


def _dealt(transition: AnyShoeTransition, reading: CardDrawn, carried: Card | None) -> None:
    game, state, rules = transition.game, transition.state, transition.profile
    card, due, shoe = reading.card, game.next_card(state, rules), state.shoe
    if due is None or not _may_be_for(transition, due.slot, reading):
        _undue(transition, reading)
    elif carried is not None:
        first, name = transition.name(carried), transition.name(card)
        detail = f"{first} was to be the first card of this round; the shoe gives {name}"
        transition.violate("card_out_of_turn", detail, slot=due.slot, read=card, reading=reading)
    elif shoe is not None and shoe.finished:
        detail = f"{transition.name(card)} left the shoe after its last round"
        transition.violate("card_after_cut_card", detail, slot=due.slot, read=card, reading=reading)
    elif due.hidden and hole_card.is_readers(transition, due.slot):
        detail = f"{due.slot} is due on the hole-card reader, and the shoe gave a card"
        transition.violate("hole_card_unscanned", detail, slot=due.slot, read=card, reading=reading)
    elif due.hidden:
        transition.place(card, due)
    elif reading.target is None and game.needs_confirmation(state, rules, transition.context.roles):
        transition.set(unconfirmed=Unconfirmed(Concealed(card), shoe.out if shoe else 0))
    else:
        _open_card(transition, card, due)


def _open_card(
    transition: AnyShoeTransition, card: Card, due: DueCard, position: int | None = None
) -> None:
    """Place a counted card face up, unless its shoe cannot hold it."""
    if transition.hidden:
        transition.know(card)
        transition.hidden = False
    if _possible(transition, CardDrawn(card)):
        transition.place(card, due, position)


def confirm(transition: AnyShoeTransition) -> None:
    """Place the card that waits: another left the shoe, so it is in the slot that was due."""
    waiting, due = transition.state.unconfirmed, transition.due()
    if waiting is not None and due is not None:
        hidden, transition.hidden = transition.hidden, True
        transition.set(unconfirmed=None)
        _open_card(transition, waiting.card.value, due, waiting.position)
        transition.hidden = hidden


def _due_behind(transition: AnyShoeTransition) -> DueCard | None:
    """Return where the next card goes, if the card that waits is in the slot that was due."""
    if transition.state.unconfirmed is None:
        return transition.due()
    trial = ShoeTransition(transition.game, transition.state, transition.context)
    confirm(trial)
    return trial.due()


def hidden_is_next(transition: AnyShoeTransition) -> bool:
    """Return whether a card waits that an unread one does not confirm.

    Behind it a face-down card is due. If a card was missed, the card that waits is the face-down
    one itself, and something unread, which may be no card at all, must not publish it.
    """
    behind = _due_behind(transition)
    return transition.state.unconfirmed is not None and behind is not None and behind.hidden


def is_waiting_twin(transition: AnyShoeTransition, reading: CardDrawn) -> bool:
    """Hold a card that is scanned again, if it may be the card that waits, read once more."""
    waiting = transition.state.unconfirmed
    if waiting is None or not transition.state.rescan or waiting.card.value != reading.card:
        return False
    detail = "the card that is scanned again may be the one before it, read once more"
    transition.violate("sealed_violation", detail, reading=reading)
    return True


def count_unconfirmed(transition: AnyShoeTransition) -> None:
    """The round is void: the card that waited for its slot is counted by its name."""
    waiting = transition.state.unconfirmed
    if waiting is not None:
        transition.set(unconfirmed=None)
        transition.know(waiting.card.value)


def _undue(transition: AnyShoeTransition, reading: CardDrawn) -> None:
    """No card is due, or not to this hand: name what it is by the rules."""
    due, hand = transition.due(), stated_hand(transition, reading)
    slot, name = stated_slot(transition, reading), transition.name(reading.card)
    why = transition.game.explain_undue(transition.state, transition.profile, hand)
    if why is not None:
        code, detail = why.code, f"{name}: {why.detail}"
    elif due is None:
        code, detail = "card_not_due", f"{name}: the hands are complete"
    else:
        code = "card_out_of_turn"
        detail = f"the shoe gives {name} to {slot or reading.target}; {due.slot} is due"
    transition.violate(code, detail, slot=slot, read=reading.card, reading=reading)


def stated_slot(transition: AnyShoeTransition, reading: CardDrawn) -> str | None:
    """Return the slot that the shoe itself states, if it does."""
    hand = stated_hand(transition, reading)
    return f"{hand}.{reading.index}" if hand and reading.index is not None else None


def stated_hand(transition: AnyShoeTransition, reading: CardDrawn) -> str | None:
    """Return the hand that the shoe itself states, if it does."""
    return None if reading.target is None else transition.game.hands.get(reading.target)


def _may_be_for(transition: AnyShoeTransition, slot: str, reading: CardDrawn) -> bool:
    """Return whether the shoe does not give the card elsewhere: it may name a hand alone."""
    if reading.target is None:
        return True
    hand, _, number = slot.partition(".")
    if stated_hand(transition, reading) != hand:
        return False
    return reading.index is None or not number.isdigit() or reading.index == int(number)


def _possible(transition: AnyShoeTransition, reading: CardDrawn) -> bool:
    shoe = transition.state.shoe
    if transition.hidden or shoe is None or (why := shoe.surplus(reading.card)) is None:
        return True
    slot = transition.due_slot()
    transition.violate("impossible_card", why, slot=slot, read=reading.card, reading=reading)
    return False


def unread(transition: AnyShoeTransition, reading: CardUnread) -> None:
    """A card left the shoe and is not known: a person has to name it, unless it was a burn."""
    transition.meet_shoe()
    shoe = transition.state.shoe
    in_round = transition.round is not None
    to_burn = transition.burn_is_due and not _unverified(transition)
    due = _due_behind(transition) if in_round and not to_burn else None
    slot = due.slot if due is not None else None
    if shoe is not None and not transition.state.rescan:
        transition.set(shoe=shoe.take_unknown())
    transition.set(rescan=False)
    reason = transition.why_unread(reading.reason)
    transition.emit(CardUnreadSeen(slot, reason))
    if to_burn:
        transition.burn_due(None)
    elif due is not None and due.hidden:
        detail = f"the card for {slot} was not read: {reason}"
        code = "hole_card_unscanned" if slot in transition.game.hole_slots else "card_unread"
        transition.violate(code, detail, slot=slot, reading=reading)
    elif transition.betting and transition.profile.bets_end == "announced":
        detail = f"a card left the shoe before the bets were closed, and was not read: {reason}"
        transition.violate("card_before_no_more_bets", detail, slot=slot, reading=reading)
    elif in_round:
        detail = f"a card for {slot or 'no hand'} was not read: {reason}"
        transition.violate("card_unread", detail, slot=slot, reading=reading)
    elif shoe is not None:
        detail = f"a card left the shoe between rounds and was not read: {reason}"
        transition.violate("card_unread", detail, reading=reading)


def out_of_game(
    transition: AnyShoeTransition, reading: CardOutOfGame, device: str, role: Role
) -> None:
    """A card that was drawn while the shoe was locked or in error enters no hand."""
    transition.take(reading.card)
    detail = f"{transition.name(reading.card)} was drawn while the shoe was in mode {reading.mode}"
    transition.emit(DeviceFaulted(device, role, "card_out_of_game", detail))


def reassigned(transition: AnyShoeTransition, reading: CardReassigned) -> None:
    """The overdrawn card is the first of the next round, and is out of the shoe already."""
    if (carried := transition.state.carried) is not None:
        if carried != reading.card:
            card, slot = reading.card, transition.game.first_slot
            first, now = transition.name(carried), transition.name(card)
            detail = f"{first} is the first card of the next round; the shoe now states {now}"
            transition.violate("card_conflict", detail, slot=slot, read=card)
        return
    if not transition.state.overdrawn:
        transition.take(reading.card)
    elif not transition.hidden:
        transition.know(reading.card)
    transition.set(carried=reading.card, overdrawn=False)


def cut_card(transition: AnyShoeTransition) -> None:
    """The cut card is out: the round in play, or the next, is the last. A repeat counts once."""
    transition.meet_shoe()
    shoe = transition.state.shoe
    if shoe is None:
        return  # nothing of a shoe that is not in play touches a round
    dealt = len(transition.state.order) if transition.round is not None else 0
    dealt += transition.state.unconfirmed is not None
    if shoe.cut_card_at is not None:
        _cut_card_again(transition, shoe, shoe.cut_card_at)
        return
    now = transition.profile.cut_card_first_out == "shuffle_now" and dealt == 0
    transition.set(shoe=replace(shoe, cut_card_at=shoe.out, finished=now))
    transition.emit(ShoeCutCardSeen(shoe.shoe_id, shoe.out, shoe.left))
    if now and transition.round is not None:
        detail = "the cut card came before the first card: shuffle now"
        transition.emit(RoundVoidRequired(transition.round.round_id, detail))
    rules = transition.profile
    if shoe.from_start and not rules.may_lie_behind_cut(shoe.left):
        least = "" if rules.cut_card_min_from_back is None else "least "
        detail = (
            f"{shoe.left} cards are left behind the cut card; the house places it at"
            f" {least}{rules.cut_card_place}"
        )
        transition.violate("cut_card_misplaced", detail)
    if shoe.left + dealt < transition.game.most_cards:
        detail = f"{shoe.left} cards are left: too few to finish a round"
        transition.violate("shoe_exhausted", detail)


def _cut_card_again(transition: AnyShoeTransition, shoe: Shoe, first_at: int) -> None:
    """A cut card after the first: the rear one, behind the last card, or the marker again."""
    if shoe.left <= 0:
        transition.set(shoe=replace(shoe, finished=True))
        if transition.round is not None:
            transition.violate("shoe_exhausted", "the rear cut card came out: no card is left")
    elif shoe.out > first_at and shoe.from_start:
        detail = f"a second cut card came out and {shoe.left} cards should lie before it"
        transition.violate("cut_card_misplaced", detail)
