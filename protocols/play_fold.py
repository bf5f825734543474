"""The fold of a table's events: how a consumer knows what `table.status` would answer.

A consumer keeps a `PlayState` for each table and takes every event into it, in order::

    state = PlayState()
    for seq, event in events:             # of one table, by (epoch, sequence)
        state = after(state, event, seq)  # `table.started` begins it anew

`round`, `violations`, `decided`, `spin`, `maintenance` and `dealer` of `table.status` are the
fields of this state after the event whose sequence is the answer's `seq`. So a consumer that comes
late takes the answer and goes on with the events that follow, and knows all that one knows who has
listened from the start. Between two events of one cause (`more`) the state is one in which the
table never was.

It knows no rules of any game: which card is due next, and what a hand counts, is not folded. An
event that it does not know changes nothing. It is small so that a table server can port it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from protocols.events import (
    CardDealt,
    CardOnTable,
    CardPeeked,
    CardRevealed,
    CardSealed,
    DealerChanged,
    DecisionMade,
    Event,
    FaceDownCard,
    FaceUpCard,
    HandResolved,
    HandSplit,
    HoldingViolation,
    InsuranceClosed,
    InsuranceOpened,
    MaintenanceFinished,
    MaintenanceStarted,
    OpenHand,
    PlayState,
    RoundBetsClosed,
    RoundCommandsAwaited,
    RoundCompleted,
    RoundHeld,
    RoundOpened,
    RoundResumed,
    RoundState,
    RoundVoided,
    RoundVoidRequired,
    RunningSpin,
    SpinAbandoned,
    SpinBallInRim,
    SpinInvalid,
    SpinLanded,
    SpinNoMoreBets,
    SpinStarted,
    TableRecovered,
    TableStarted,
    ViolationRaised,
    ViolationResolved,
    WaitingDecision,
)
from protocols.replace import replace

NOTHING_TOLD: Final = PlayState()


def after(state: PlayState, event: Event, seq: int) -> PlayState:
    """Return what is known after one more event of the table; seq: the event's own."""
    match event:
        case TableStarted(play=play):
            return _retold(play or NOTHING_TOLD, seq)
        case TableRecovered(play=play) if play is not None:
            return _retold(play, seq)
        case RoundOpened(round_id=round_id, profile=profile, boxes=boxes):
            return replace(state, round=_with_boxes(RoundState(round_id, profile), boxes))
        case RoundCompleted():
            return replace(state, round=None)
        case RoundVoided():
            return replace(state, round=None, spin=None)
        case MaintenanceStarted() | MaintenanceFinished():
            return replace(state, maintenance=isinstance(event, MaintenanceStarted))
        case DealerChanged(badge=badge):
            return replace(state, dealer=badge)
        case _:
            pass
    state = replace(_held(state, event), spin=spin_after(state.spin, event))
    if state.round is None:
        return state
    return replace(state, round=_hands(_cards(_phase(state.round, event), event, seq), event))


def all_after(state: PlayState, events: Iterable[tuple[int, Event]]) -> PlayState:
    """Return what is known after these events; each with its seq."""
    for seq, event in events:
        state = after(state, event, seq)
    return state


def spin_after(spin: RunningSpin | None, event: Event) -> RunningSpin | None:
    """Return the run of the ball that is under way after one more event."""
    match event:
        case SpinStarted(spin=number):
            return RunningSpin(number, "started")
        case SpinBallInRim(spin=number):
            return RunningSpin(number, "ball_in_rim")
        case SpinNoMoreBets(spin=number):
            return RunningSpin(number, "no_more_bets")
        case SpinLanded(spin=number) | SpinInvalid(spin=number) | SpinAbandoned(spin=number):
            # A result that waited for a witness may leave when the next spin is under way.
            return None if spin is None or spin.spin == number else spin
        case _:
            return spin


def _held(state: PlayState, event: Event) -> PlayState:
    match event:
        case ViolationRaised() if event.holds:
            raised = HoldingViolation(
                event.violation_id,
                event.code,
                event.rule,
                event.detail,
                event.round_id,
                event.slot,
                event.expected,
                event.read,
                event.resolutions,
            )
            return replace(state, violations=(*state.violations, raised))
        case ViolationResolved(violation_id=violation_id, action=action, card=card):
            left = tuple(one for one in state.violations if one.violation_id != violation_id)
            waiting = (*state.decided, WaitingDecision(violation_id, action, card))
            return replace(state, violations=left, decided=() if action == "void" else waiting)
        case RoundHeld(decided=decided):
            return replace(state, decided=decided)
        case RoundResumed():
            return replace(state, decided=())
        case _:
            return state


def _phase(open_round: RoundState, event: Event) -> RoundState:
    match event:
        case RoundBetsClosed(by=by, boxes=boxes):
            closed = replace(open_round, phase="dealing", bets_closed_by=by)
            return closed if boxes == closed.boxes else _with_boxes(closed, boxes)
        case RoundCommandsAwaited(commands=commands):
            return replace(open_round, awaited=commands)
        case RoundVoidRequired(reason=reason):
            return replace(open_round, void_required=reason)
        case InsuranceOpened() | InsuranceClosed():
            is_open = isinstance(event, InsuranceOpened)
            return replace(open_round, insurance="open" if is_open else "closed")
        case _:
            return open_round


def _with_boxes(open_round: RoundState, boxes: tuple[int, ...] | None) -> RoundState:
    hands = tuple(OpenHand(box, 1) for box in boxes or ())
    return replace(open_round, boxes=boxes, hands=hands)


def _cards(open_round: RoundState, event: Event, seq: int) -> RoundState:
    """Fold what lies where. A burned card lies in no slot of the round."""
    cards, changed = open_round.cards, dict[str, CardOnTable]()
    match event:
        case CardDealt(slot=slot, rank=rank, suit=suit):
            changed = {slot: FaceUpCard(rank, suit, seq)}
        case CardSealed(slot=slot, commitments=commitments):
            changed = {slot: FaceDownCard(commitments, seq)}
        case CardPeeked(slot=slot, question=question, answer=answer):
            if not isinstance(card := cards.get(slot), FaceDownCard):
                return open_round
            changed = {slot: replace(card, seq=seq, peeked={question: answer})}
        case CardRevealed(slot=slot, rank=rank, suit=suit) if slot in cards:
            changed = {slot: FaceUpCard(rank, suit, seq)}
        case HandSplit(moved_from=moved_from, moved_to=moved_to) if moved_from in cards:
            changed = {moved_to: cards[moved_from]}
            cards = {slot: card for slot, card in cards.items() if slot != moved_from}
        case _:
            return open_round
    return replace(open_round, cards={**cards, **changed})


def _hands(open_round: RoundState, event: Event) -> RoundState:
    match event:
        case CardDealt(slot=slot) | CardSealed(slot=slot):
            place = slot.rpartition(".")[0]
            drawn = (one for one in open_round.hands if f"box{one.box}.hand{one.hand}" == place)
            return _with(open_round, *(replace(one, card_due=None) for one in drawn))
        case DecisionMade(box=box, action="insurance"):
            return replace(open_round, insured=(*open_round.insured, box))
        case DecisionMade(action="hit"):
            return _with(open_round, replace(_hand(open_round, event), card_due="up"))
        case DecisionMade(action="double", dark=dark):
            doubled = replace(_hand(open_round, event), doubled=True)
            return _with(open_round, replace(doubled, card_due="down" if dark else "up"))
        case HandSplit(box=box, new_hand=new_hand):
            kept, new = (
                replace(_hand(open_round, event), split=True),
                OpenHand(box, new_hand, split=True),
            )
            hands = _with(open_round, kept).hands
            at = hands.index(kept) + 1
            return replace(open_round, hands=(*hands[:at], new, *hands[at:]))
        case HandResolved(end=end):
            return _with(open_round, replace(_hand(open_round, event), end=end))
        case _:
            return open_round


def _hand(open_round: RoundState, event: DecisionMade | HandSplit | HandResolved) -> OpenHand:
    place = (event.box, event.hand)
    found = (one for one in open_round.hands if (one.box, one.hand) == place)
    return next(found, OpenHand(*place))


def _with(open_round: RoundState, *changed: OpenHand) -> RoundState:
    """Return the round with some of its hands changed."""
    by_place = {(hand.box, hand.hand): hand for hand in (*open_round.hands, *changed)}
    return replace(open_round, hands=tuple(by_place.values()))


def _retold(play: PlayState, seq: int) -> PlayState:
    """Return a state that one event tells as a whole: each card is told by that event."""
    if play.round is None:
        return play
    cards = {slot: replace(card, seq=seq) for slot, card in play.round.cards.items()}
    return replace(play, round=replace(play.round, cards=cards))
