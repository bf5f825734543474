"""A second device that states the same result: it supplies none, and holds one that it contradicts.

A table may have a witness: a second wheel sensor, a second reader of the shoe, a second look at the
dice. What it says goes to no game. It is held against the result that the table's own devices make,
when that is to be published, and after:

* it agrees        the result leaves at once, or has left
* it states        `result_conflict` holds the table, with both values. Where the result has not
  another one      left, it stays until a person lets it leave (`accept`) or voids the round
* nothing yet      the result waits for it, `witness_wait` seconds at most, by default not at all.
                   Then it leaves, and `device.faulted` (`no_statement`) says without what; the next
                   result that the witness confirms ends that (`device.recovered`)
* it is not there  the result leaves at once, and that is said in the same way. An absent witness
                   keeps no round from opening

While a result waits, its round is open and the table is as if held: cards that are read meanwhile
are kept, and judged when it has left. A wait that a restart interrupts begins anew, since nobody
listened.

What is a statement, and of which result:

* a pocket, a throw or a winner is a statement of the open round once its bets are closed, and until
  then of the result before it. It has to be new: a wheel's ball has run, or the dice were shaken,
  since the witness stated something. So an old spin's number, said over and over, is none
* an equal statement is sure at once. Another one has to be sure by itself: twice the same, or in a
  frame with a check value. One that stands alone when the wait is over holds the result as well
* cards are compared by name, in whatever order, when the round is complete: with the cards that its
  outcome lists. The table's own readers say how many there are, so cards that are never shown are
  counted and not compared: an answer to "is it the same card?" would make the witness an oracle
* a card that it could not identify is no statement; a late one is of the last result, as long as it
  has said fewer cards of that than the table's own readers

A result that a person enters is held against nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.spec import Violation
from daemon.table.state import (
    NO_CARDS,
    ResultPart,
    TableSetup,
    TableState,
    WitnessedResult,
    WitnessState,
)
from protocols.events import (
    DeviceFaulted,
    DeviceRecovered,
    DiceLanded,
    Event,
    ResultEnteredManually,
    RoundCompleted,
    SpinLanded,
    WheelDriftSuspected,
)
from protocols.faces import spelled
from protocols.instant import Instant
from protocols.readings import (
    CardDrawn,
    CardOutOfGame,
    CardUnread,
    DiceRead,
    DiceShaken,
    Reading,
    ShoeResult,
    WheelFlag,
    WheelNumber,
    WheelStatus,
    Winner,
)
from protocols.replace import replace

Effects: TypeAlias = tuple[Event | Violation, ...]
Change: TypeAlias = tuple[TableState, Effects]

NO_STATEMENT: Final = "no_statement"
"""The condition in `device.faulted`."""
CARDS_KEPT: Final = 64
"""More than any round has; a witness may say more of them than anybody asks for."""
_SPOILED: Final[frozenset[WheelFlag]] = frozenset({"sensor_or_motor", "ball_wrong_way"})
_A_CARD: Final = (CardDrawn, CardUnread, CardOutOfGame)


def wake_at(state: TableState) -> Instant | None:
    """Return when the wait for the witness ends."""
    result = state.witness.result
    return None if result is None else result.until


# --- what is said ------------------------------------------------------------------------------


def count(state: TableState, reading: Reading) -> TableState:
    """Count a card that one of the table's own readers has read."""
    if not isinstance(reading, _A_CARD):
        return state
    return _with(state, cards_read=state.witness.cards_read + 1)


def hear(setup: TableSetup, state: TableState, reading: Reading) -> Change:
    """Take a reading of the witness."""
    match reading:
        case WheelStatus(phase="winning_number", pocket=str(pocket), flags=flags):
            state = state if flags & _SPOILED else _stated(state, pocket)
        case WheelStatus(phase=phase) if phase not in ("winning_number", "closed"):
            state = _with(state, fresh=True)
        case WheelNumber(pocket=pocket):
            state = _stated(state, pocket)
        case DiceShaken():
            state = _with(state, fresh=True)
        case DiceRead(faces=faces, checked=checked):
            state = _stated(state, spelled(sorted(faces)), sure=checked)
        case ShoeResult(winner=winner) if winner != "aborted":
            state = _stated(_with(state, fresh=True), winner, sure=True)
        case CardDrawn(card=card) | CardOutOfGame(card=card):
            state = _card_stated(state, str(card))
        case _:
            return state, ()
    return _judge(setup, state)


def _stated(state: TableState, value: str, *, sure: bool = False) -> TableState:
    """Take a statement of a pocket, a throw or a winner."""
    witness = state.witness
    dealing = state.round is not None and state.round.phase == "dealing"
    if witness.fresh:
        relevant = dealing or witness.result is not None
        return _with(state, fresh=False, stated=value if relevant else None, sure=sure)
    if witness.stated is None:
        return state  # it says once more what it said of an older one
    return _with(state, stated=value, sure=sure or witness.stated == value)


def _card_stated(state: TableState, card: str) -> TableState:
    witness = state.witness
    result = witness.result
    if result is not None and len(result.stated.value) < result.cards_read:
        return _with_result(state, stated=Concealed((*result.stated.value, card)))
    return _with(state, cards=Concealed((*witness.cards.value, card)[-CARDS_KEPT:]))


# --- the result --------------------------------------------------------------------------------


def hold_back(setup: TableSetup, state: TableState, at: Instant, effects: Effects) -> Change:
    """Take a game's effects; return those that may leave now."""
    if any(isinstance(effect, ResultEnteredManually) for effect in effects):
        return state, effects
    result = _result_of(state.witness, effects)
    if result is None:
        return state, effects
    state = _with(state, result=result, cards=NO_CARDS, cards_read=0)
    is_there = state.devices.get("witness") == "connected"
    verdict = _verdict(state.witness)
    if verdict == "agrees":
        return _confirmed(setup, state, effects)
    if verdict == "differs" or (not is_there and _contradicts(state.witness)):
        state, now = _withheld(state, effects, None)
        return _disputed(setup, state, now)
    if not is_there:
        return _missed(setup, state, effects, f"it is {state.devices.get('witness', 'absent')}")
    if setup.witness_wait_s == 0:
        return state, effects  # it may contradict later
    return _withheld(state, effects, at.after(setup.witness_wait_s))


def _withheld(state: TableState, effects: Effects, until: Instant | None) -> Change:
    """Keep the result; return what may leave all the same."""
    kept: list[ResultPart] = []
    others: list[Event | Violation] = []
    for effect in effects:
        match effect:
            case SpinLanded() | DiceLanded() | WheelDriftSuspected() | RoundCompleted():
                kept.append(effect)
            case _:
                others.append(effect)
    return replace(_with_result(state, until=until), withheld=tuple(kept)), tuple(others)


def wait_over(setup: TableSetup, state: TableState, at: Instant) -> Change:
    """Let the time that was asked for be reached."""
    result = state.witness.result
    if result is None or result.until is None or not at.reached(result.until):
        return state, ()
    state = _with_result(state, until=None)
    if _contradicts(state.witness):
        return _disputed(setup, state, ())
    state, released = release(state)
    return _missed(setup, state, released, f"it stated nothing within {setup.witness_wait_s:g} s")


def release(state: TableState) -> Change:
    """Let a result leave that waits for nothing any more, unless the table is held."""
    result = state.witness.result
    if result is None or result.until is not None or state.open:
        return state, ()
    return replace(state, withheld=()), state.withheld


def opened(setup: TableSetup, state: TableState) -> TableState:
    """Count cards from here on; where the first card opens the round, it may be said already."""
    if setup.control == "device":
        return state
    return _with(state, cards=NO_CARDS, cards_read=0)


def bets_closed(setup: TableSetup, state: TableState, round_id: str) -> Change:
    """From now on statements are of this round: the result before it has had its time."""
    result, effects = state.witness.result, Effects()
    if result is not None and result.round_id == round_id:
        return state, ()
    if result is not None and result.standing == "open":
        if _contradicts(state.witness):
            state, effects = _disputed(setup, state, ())
        else:
            why = "it stated nothing before the bets of the next round were closed"
            state, effects = _missed(setup, state, (), why)
    return _with(state, stated=None, sure=False, result=None), effects


def voided(state: TableState) -> TableState:
    """Forget the result of a round that was voided."""
    state = _with(state, stated=None, sure=False, result=None, cards=NO_CARDS, cards_read=0)
    return replace(state, withheld=())


def restarted(setup: TableSetup, state: TableState, at: Instant) -> TableState:
    """Begin the wait anew: what the witness said while the daemon was away is not known."""
    result = state.witness.result
    if result is None or result.until is None:
        return state
    return _with_result(state, until=at.after(setup.witness_wait_s))


# --- judging -----------------------------------------------------------------------------------


def _result_of(witness: WitnessState, effects: Effects) -> WitnessedResult | None:
    """Return what these effects make the result, None where they end no round."""
    value: str | None = None
    for effect in effects:
        match effect:
            case SpinLanded(pocket=pocket):
                value = pocket
            case DiceLanded(faces=faces):
                value = spelled(sorted(faces))
            case RoundCompleted(round_id=round_id, outcome=outcome):
                winner: str | None = getattr(outcome, "winner", None)
                value = winner if winner in get_args(Winner) else value
                cards = tuple(f"{card.rank}{card.suit}" for card in getattr(outcome, "cards", ()))
                return WitnessedResult(round_id, value, cards, witness.cards_read, witness.cards)
            case _:
                pass
    return None


def _verdict(witness: WitnessState) -> Literal["agrees", "differs"] | None:
    result = witness.result
    if result is None:
        return None
    cards = result.stated.value
    named = bool(result.cards) and not _lacking(result.cards, cards)
    if witness.sure and result.value is not None and witness.stated != result.value:
        return "differs"
    if result.cards and cards and not named and len(cards) >= result.cards_read:
        return "differs"
    equal = result.value is not None and witness.stated == result.value
    return "agrees" if named or equal else None


def _contradicts(witness: WitnessState) -> bool:
    """Return whether the witness has stated something else, now that it is to say no more."""
    result = witness.result
    if result is None:
        return False
    cards = result.stated.value
    other = result.value is not None and witness.stated not in (None, result.value)
    return other or (len(cards) >= len(result.cards) > 0 and bool(_lacking(result.cards, cards)))


def _lacking(cards: Sequence[str], stated: Sequence[str]) -> Counter[str]:
    return Counter(cards) - Counter(stated)


def _judge(setup: TableSetup, state: TableState) -> Change:
    result = state.witness.result
    if result is None or result.standing == "disputed":
        return state, ()
    match _verdict(state.witness):
        case "differs":
            return _disputed(setup, state, ())
        case "agrees" if result.standing != "confirmed":
            state, released = release(_with_result(state, until=None))
            return _confirmed(setup, state, released)
        case _:
            return state, ()


def _confirmed(setup: TableSetup, state: TableState, effects: Effects) -> Change:
    was_missing = state.witness.missing
    state = _with(_with_result(state, standing="confirmed"), missing=False)
    if was_missing:
        device = setup.devices["witness"].key
        effects = (*effects, DeviceRecovered(device, "witness", NO_STATEMENT))
    return state, effects


def _missed(setup: TableSetup, state: TableState, effects: Effects, why: str) -> Change:
    result = state.witness.result
    if result is None:
        raise AssertionError("there is no result")
    what = f"{result.round_id}: the result leaves without its statement: {why}"
    state = _with(_with_result(state, standing="missed"), missing=True)
    device = setup.devices["witness"].key
    return state, (*effects, DeviceFaulted(device, "witness", NO_STATEMENT, what))


def _disputed(setup: TableSetup, state: TableState, effects: Effects) -> Change:
    witness = state.witness
    result = witness.result
    if result is None:
        raise AssertionError("there is no result")
    state = _with_result(state, standing="disputed", until=None)
    own, other = result.value, witness.stated
    if own is None or other in (None, own):
        own = " ".join(result.cards)
        other = None if setup.hides else " ".join(result.stated.value)
    detail = f"{result.round_id}: the table's own devices make it {own}, the witness "
    detail += "states other cards" if other is None else f"states {other}"
    return state, (*effects, Violation("result_conflict", detail, None, own, other))


def _with(state: TableState, **changes: object) -> TableState:
    witness = replace(state.witness, **changes)  # type: ignore[arg-type] # its own fields
    return state if witness == state.witness else replace(state, witness=witness)


def _with_result(state: TableState, **changes: object) -> TableState:
    if state.witness.result is None:
        return state
    return _with(state, result=replace(state.witness.result, **changes))  # type: ignore[arg-type] # its own fields
