"""Bytes of a card device that say nothing may have been a card: a doubt, until it is proven. Pure.

The feed tells of every stretch of live bytes that may have been a card (`FrameDamaged`), and of
what the link itself lost. It matters while a card may come (`may_be_a_card`): in an open round,
while burned cards are due, and always where the device opens the rounds, since its first card does.
A shoe that is verified is not held: a card that is missing there is missing in its count.

What becomes of it, for each role:

* no doubt   nothing was damaged, or what was damaged has been proven to be no loss
* doubt      the device has means to show that nothing was lost. Until it does, the table is as if
             held: readings of other devices wait, decisions are refused (`TableState.stopped`)
* held       `reading_damaged`: the device has no such means, or did not use them in `_proof_s`,
             or what it said next is no proof. A person says what there was

What proves that nothing was lost, by what the device can do:

* frame numbers       the next number follows the last one, or the last frame came again
* retransmission      the next card's frame says that it was sent again (`Decoded.repeats`)
* a list of tags      the next whole list: what lies on the reader is said anew each time

What a wheel or a shaker says is judged by its game: it is told that bytes were damaged, no more.

A restart, or another shoe's numbers, prove nothing: then the doubt becomes a hold. The words of the
violation are the same for all bytes: neither their number nor why they were rejected is in them,
since a hidden card's label may be what was damaged.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from daemon.gamekit.spec import BytesDamaged, DeviceGap, DueCard, Violation
from daemon.table.frame_tracking import Track, Verdict
from daemon.table.inputs import DeviceSaid, FrameDamaged
from daemon.table.state import Doubt, TableSetup, TableState
from daemon.table.transition import TableTransition, context_of
from protocols.device import DeviceSpec
from protocols.instant import Instant, earliest
from protocols.readings import CardDrawn, CardsPresent, CardUnread, CutCardSeen, ShoeStarted
from protocols.replace import replace
from protocols.table_terms import Role

CODE: Final = "reading_damaged"
NUMBER_WITHIN_S: Final = 5.0
"""How long a doubt waits for the next frame number. A shoe that is answered sends again at once;
one that is not has to wait for the dealer's next card, and a person looks sooner than that."""
_LABEL: Final = (CardDrawn, CardUnread, CutCardSeen)
Answer: TypeAlias = Literal["proven", "no proof", "missing", "nothing"]
"""What a frame says of a doubt. `missing`: its number shows that a frame was lost."""


def wake_at(state: TableState) -> Instant | None:
    """Return when a doubt becomes a hold."""
    return earliest(*(doubt.until for doubt in state.doubts.values()))


def may_be_a_card(setup: TableSetup, state: TableState, role: str) -> bool:
    """Return whether a card may come from this device now."""
    spec = next((spec for name, spec in setup.devices.items() if name == role), None)
    if spec is None or spec.kind != "shoe" or role == "witness" or state.maintenance:
        return False
    if state.in_play:
        return True
    shoe = setup.game.shoe_status(state.game)
    if shoe is not None and shoe.passed is not None:
        return False
    if setup.control == "device":
        return not state.withholds
    return isinstance(setup.game.due(state.game, context_of(setup, state)), DueCard)


def damaged(transition: TableTransition, body: FrameDamaged) -> None:
    """Take note that bytes said nothing: wait for the device's proof, or hold."""
    spec = transition.setup.devices[body.role]
    if spec.kind != "shoe":
        if body.role == "primary" and not transition.state.maintenance:
            transition.play(BytesDamaged())
        return
    _mark_track(transition, spec, body.role)
    if not may_be_a_card(transition.setup, transition.state, body.role):
        return
    proof_s = _proof_s(spec, transition.state.tracks.get(body.role))
    if proof_s is None:
        _hold(transition, body.device)
    elif body.role not in transition.state.doubts:
        doubt = Doubt(body.device, transition.at.after(proof_s))
        doubts = {**transition.state.doubts, body.role: doubt}
        transition.state = replace(transition.state, doubts=doubts)


def heard(
    transition: TableTransition, said: DeviceSaid, last: Track | None, verdict: Verdict
) -> None:
    """Let what the device said next prove that nothing was lost, or hold before it is judged."""
    doubt = transition.state.doubts[said.role]
    spec = transition.setup.devices[said.role]
    answer = "nothing" if transition.state.maintenance else _answer(spec, said, last, verdict)
    if answer == "nothing":
        return
    _forget(transition, said.role)
    if answer == "proven":
        transition.go_on()
    elif answer == "no proof" or not transition.state.in_play:
        _hold(transition, doubt.device)  # what is missing in a round is a `reading_gap`


def time_over(transition: TableTransition) -> None:
    """Hold for every doubt whose proof has not come in its time."""
    for role, doubt in transition.state.doubts.items():
        if transition.at.reached(doubt.until):
            _forget(transition, role)
            _give_up(transition, role, doubt)


def restarted(transition: TableTransition) -> None:
    """Hold for every doubt: nobody heard whether its proof came."""
    for role, doubt in transition.state.doubts.items():
        _forget(transition, role)
        _give_up(transition, role, doubt)


def _proof_s(spec: DeviceSpec, last: Track | None) -> float | None:
    """Return how long the device may take to show that nothing was lost; None: it cannot."""
    if spec.sequence is not None:
        return None if last is None else NUMBER_WITHIN_S  # the first number follows none
    if spec.resent_within_s is not None:
        return spec.resent_within_s
    return spec.gone_after_s


def _answer(spec: DeviceSpec, said: DeviceSaid, last: Track | None, verdict: Verdict) -> Answer:
    if verdict.kind == "gap":
        return "missing"
    if spec.sequence is not None:
        if said.sequence is None:
            return "nothing"
        return "no proof" if last is None or isinstance(said.reading, ShoeStarted) else "proven"
    if spec.resent_within_s is not None:
        if said.repeats is not None:
            return "proven"
        return "no proof" if isinstance(said.reading, _LABEL) else "nothing"
    whole_list = isinstance(said.reading, CardsPresent) and said.reading.complete
    return "proven" if whole_list else "nothing"


def _give_up(transition: TableTransition, role: str, doubt: Doubt) -> None:
    if may_be_a_card(transition.setup, transition.state, role):
        _hold(transition, doubt.device)
    else:
        transition.go_on()


def _hold(transition: TableTransition, device: str) -> None:
    """Hold the table, once: what is damaged while a person looks is a part of the same question."""
    if any(held_by.violation.code == CODE for held_by in transition.state.open):
        return
    detail = f"{device}: bytes came that say nothing, and may have been a card"
    transition.violate(Violation(CODE, detail))
    transition.play(DeviceGap(detail))


def _forget(transition: TableTransition, role: str) -> None:
    doubts = {name: doubt for name, doubt in transition.state.doubts.items() if name != role}
    transition.state = replace(transition.state, doubts=doubts)


def _mark_track(transition: TableTransition, spec: DeviceSpec, role: Role) -> None:
    """Remember it for `track_resent`: an equal frame sent again may be another card."""
    last = transition.state.tracks.get(role)
    if spec.resent_within_s is not None and last is not None and not last.damaged:
        tracks = {**transition.state.tracks, role: replace(last, damaged=True)}
        transition.state = replace(transition.state, tracks=tracks)
