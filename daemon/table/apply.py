"""One table: `apply(setup, state, input) -> Step`. Pure; `runtime/inbox.py` is the shell around it.

The table owns what every game shares: which device is there, what repeats, who opened the round,
which violations hold it. The game decides what a reading means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, assert_never

from daemon.gamekit.spec import DeviceGap, DeviceSilence, Tick, Unheard, Violation
from daemon.table import (
    damage,
    duplicate_scans,
    enrolment,
    inspections,
    reading_gaps,
    resolution,
    serving,
    tags,
    witness,
)
from daemon.table.frame_tracking import judge
from daemon.table.inputs import (
    BusLostEvents,
    ClockSet,
    Commanded,
    DeviceGarbled,
    DeviceSaid,
    DeviceSilent,
    ForeignEventFound,
    FrameDamaged,
    HiddenSaid,
    Input,
    InputBody,
    LinkDown,
    LinkUp,
    Opened,
    PortShared,
    Restarted,
    RolledBack,
    ServedByAnother,
    Serving,
    SoftwareChanged,
    Stopping,
    TimePassed,
)
from daemon.table.state import NOWHERE, DeviceState, RecordRef, TableSetup, TableState
from daemon.table.transition import TableTransition
from protocols.commands import (
    ChangeDealer,
    CloseBets,
    CloseInsurance,
    CloseShoe,
    Command,
    Decide,
    EnrolDevice,
    FinishMaintenance,
    GameCommand,
    LoadShoe,
    OpenRound,
    PeekHoleCard,
    RecordInspection,
    ResendEvents,
    ResolveViolation,
    RevealCard,
    ShowStatus,
    StartMaintenance,
    StartVerify,
    VoidRound,
)
from protocols.events import (
    ClockStepped,
    DealerChanged,
    DeviceDisconnected,
    DeviceFaulted,
    DeviceRecovered,
    DeviceStale,
    Event,
    MaintenanceFinished,
    MaintenanceStarted,
    TableRecovered,
    TableStarted,
    TableStopped,
)
from protocols.instant import Instant, earliest
from protocols.readings import CardsPresent, DeviceIdentity, ShoeStarted, WheelStatus
from protocols.refusals import Refusal
from protocols.replace import replace
from protocols.table_terms import Role


@dataclass(frozen=True, slots=True)
class Step:
    """What an input did; a refused command did nothing."""

    state: TableState
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None


def start(setup: TableSetup) -> TableState:
    """Return the state of a table that has never seen anything."""
    absent: DeviceState = "absent"
    return TableState(game=setup.game.start(), devices=dict.fromkeys(setup.devices, absent))


def wake_at(setup: TableSetup, state: TableState) -> Instant | None:
    """Return when the table wants `TimePassed`."""
    wanted = setup.game.wake_at(state.game)
    if state.witness.result is None and not state.doubts:
        return wanted
    return earliest(wanted, witness.wake_at(state), damage.wake_at(state))


def apply(
    setup: TableSetup, state: TableState, table_input: Input, record: RecordRef = NOWHERE
) -> Step:
    """Apply one input. Total: it refuses or raises a violation, never an exception.

    record  where the input stands in the journal: what it seals is salted with that
    """
    transition = TableTransition(setup, state, table_input.at, record)
    refusal = _dispatch(transition, table_input.body)
    if refusal is not None:
        return Step(state, (), refusal)
    return Step(transition.state, tuple(transition.effects))


def _dispatch(transition: TableTransition, body: InputBody) -> Refusal | None:
    match body:
        case DeviceSaid():
            _device_said(transition, body)
        case HiddenSaid(said=said):
            _device_said(transition, said.value, hidden=True)
        case Commanded(command=command, day=day):
            return _command(transition, command, day)
        case TimePassed():
            if not transition.state.maintenance:
                transition.play(Tick())
            damage.time_over(transition)
            transition.follow(witness.wait_over(transition.setup, transition.state, transition.at))
        case LinkUp() | LinkDown() | DeviceSilent() | DeviceGarbled():
            _link(transition, body)
        case PortShared():
            reading_gaps.port_shared(transition, body)
        case FrameDamaged():
            damage.damaged(transition, body)
        case Opened(previous=previous, reason=reason):
            game, profile_key = transition.setup.game.key, transition.setup.profile_key
            _name_rounds(transition, body)
            transition.emit(TableStarted(previous, reason, game, profile_key, body.play))
        case (
            RolledBack()
            | Serving()
            | ServedByAnother()
            | BusLostEvents()
            | ForeignEventFound()
            | SoftwareChanged()
        ):
            serving.about_the_bridge(transition, body)
        case Restarted():
            _restarted(transition, body)
        case Stopping(reason=reason):
            transition.emit(TableStopped(reason))
        case ClockSet(by_s=by_s):
            transition.emit(ClockStepped(by_s))
        case _:
            assert_never(body)
    return None


# --- devices -----------------------------------------------------------------------------


def _device_said(transition: TableTransition, said: DeviceSaid, *, hidden: bool = False) -> None:
    spec = transition.setup.devices[said.role]
    _heard(transition, said)
    watches = transition.setup.enrolment or isinstance(said.reading, DeviceIdentity)
    if watches and enrolment.refuses(transition, said):
        return
    last = transition.state.tracks.get(said.role)
    now, verdict = judge(spec, last, transition.at, said)
    if said.role in transition.state.doubts:
        damage.heard(transition, said, last, verdict)
    if now is not None and now is not last:
        kept = replace(now, hidden=hidden)
        transition.state = replace(
            transition.state, tracks={**transition.state.tracks, said.role: kept}
        )
    if verdict.kind == "repeat":
        told = last is not None and last.again
        if now is not None and now.again and not told and not hidden:
            duplicate_scans.tell_label(transition, said)
        return
    if isinstance(said.reading, CardsPresent) and spec.gone_after_s is not None:
        tags.draw(transition, said, said.reading, spec.gone_after_s)
        return
    if transition.state.maintenance:
        return
    if said.role == "witness":
        transition.hear(said.reading, said.role, said.device)
        return
    unproven = transition.state.unproven and said.role == "primary"
    if verdict.kind == "gap":
        reading_gaps.gap(transition, said, verdict.detail)
    elif unproven and isinstance(said.reading, ShoeStarted):
        reading_gaps.gap(
            transition, said, "the shoe started anew: its numbers do not show what was missed"
        )
    elif unproven and said.sequence is not None:
        transition.state = replace(transition.state, unproven=False)
    transition.hear(
        said.reading, said.role, said.device, hidden=hidden, heard_before=said.heard_before
    )
    if unproven and isinstance(said.reading, WheelStatus):
        transition.state = replace(transition.state, unproven=False)


def _heard(transition: TableTransition, said: DeviceSaid) -> None:
    """A reading ends silence and garble."""
    state = transition.state.devices.get(said.role, "absent")
    if state in ("stale", "garbled"):
        _set_device(transition, said.role, "connected")
        transition.emit(
            DeviceRecovered(said.device, said.role, "silent" if state == "stale" else state)
        )


def _link(
    transition: TableTransition,
    body: LinkUp | LinkDown | DeviceSilent | DeviceGarbled,
) -> None:
    state = transition.state.devices.get(body.role, "absent")
    match body:
        case LinkUp():
            _set_device(transition, body.role, "connected")
            enrolment.plugged(transition, body)
            reading_gaps.prove_whole(transition, body)
        case LinkDown():
            _set_device(transition, body.role, "absent")
            transition.emit(DeviceDisconnected(body.device, body.role, body.reason))
            at_stake = reading_gaps.at_stake(transition.setup, transition.state, body.role)
            if state != "absent" and at_stake and body.role == "primary":
                transition.state = replace(transition.state, unproven=True)
            if state != "absent" and transition.state.in_play and body.role != "witness":
                transition.violate(Violation("device_lost", f"{body.device}: {body.reason}"))
            _unheard(transition, body.role)
        case DeviceSilent():
            _set_device(transition, body.role, "stale")
            transition.emit(DeviceStale(body.device, body.role, body.silent_s))
            _unheard(transition, body.role)
        case DeviceGarbled():
            _set_device(transition, body.role, "garbled")
            transition.emit(DeviceFaulted(body.device, body.role, "garbled", body.detail))


def _unheard(transition: TableTransition, role: Role) -> None:
    if role == "primary" and not transition.state.maintenance:
        transition.play(DeviceSilence())


def _set_device(transition: TableTransition, role: str, state: DeviceState) -> None:
    transition.state = replace(transition.state, devices={**transition.state.devices, role: state})


def _restarted(transition: TableTransition, body: Restarted) -> None:
    """Take the table up: no device is connected, and an open round has to be proven whole."""
    absent: DeviceState = "absent"
    _name_rounds(transition, body)
    state = witness.restarted(transition.setup, transition.state, transition.at)
    devices: dict[str, DeviceState] = dict.fromkeys(transition.setup.devices, absent)
    unproven = reading_gaps.at_stake(transition.setup, state, "primary")
    transition.state = replace(state, devices=devices, unproven=unproven)
    open_round = transition.state.round.round_id if transition.state.round else None
    transition.emit(
        TableRecovered(body.reason, body.records_replayed, open_round, body.differs, body.play)
    )
    transition.play(Unheard())
    damage.restarted(transition)
    if body.holds:
        transition.violate(Violation("recovery_differs", body.differs or body.reason))


def _name_rounds(transition: TableTransition, body: Opened | Restarted) -> None:
    """Let no round that the table opens by itself have the id of one before."""
    if body.round_ids is not None:
        transition.state = replace(transition.state, round_ids=body.round_ids)


# --- commands ----------------------------------------------------------------------------


_IN_MAINTENANCE: Final = (FinishMaintenance, EnrolDevice, RecordInspection)
"""What is obeyed in maintenance: then a table is inspected, and no trial spin is a round's."""


def _command(transition: TableTransition, command: Command, day: str | None) -> Refusal | None:
    state = transition.state
    if state.maintenance and not isinstance(command, _IN_MAINTENANCE):
        return Refusal.MAINTENANCE
    if isinstance(command, GameCommand):
        return _table_refuses(transition, command, day) or _played(transition, command)
    match command:
        case ResolveViolation():
            return resolution.resolve(transition, command)
        case VoidRound(round_id=round_id, reason=reason):
            if state.round is None or state.round.round_id != round_id:
                return Refusal.WRONG_ROUND
            resolution.void(transition, reason)
        case StartMaintenance(who=who, why=why):
            if state.round is not None:
                return Refusal.ROUND_OPEN
            transition.state = replace(state, maintenance=True)
            transition.emit(MaintenanceStarted(who, why))
        case FinishMaintenance(who=who, why=why):
            if not state.maintenance:
                return Refusal.WRONG_PHASE
            transition.state = replace(state, maintenance=False)
            transition.emit(MaintenanceFinished(who, why))
            transition.play(DeviceGap("maintenance"))  # the game saw nothing of it
        case EnrolDevice():
            return enrolment.enrol(transition, command)
        case RecordInspection():
            return inspections.record(transition, command, day)
        case ShowStatus() | ResendEvents():
            return None
        case _:
            assert_never(command)
    return None


def _played(transition: TableTransition, command: GameCommand) -> Refusal | None:
    if isinstance(command, ChangeDealer):
        transition.emit(DealerChanged(command.badge))
    return transition.play(command)


def _table_refuses(
    transition: TableTransition, command: GameCommand, day: str | None
) -> Refusal | None:
    """Return why the table itself says no, before the game is asked."""
    state = transition.state
    match command:
        case OpenRound(boxes=boxes):
            return _cannot_open(transition, day) or _no_such_boxes(transition, boxes)
        case CloseBets(round_id=round_id, boxes=boxes):
            if state.round is None or state.round.round_id != round_id:
                return Refusal.WRONG_ROUND
            betting = state.round.phase == "betting"
            return _no_such_boxes(transition, boxes) if betting else Refusal.WRONG_PHASE
        case Decide() | CloseInsurance() | PeekHoleCard():
            return _cannot_play(state, command.round_id)
        case RevealCard(round_id=round_id) if round_id is not None:
            return _cannot_play(state, round_id)
        case LoadShoe() | StartVerify() | CloseShoe() if state.round is not None:
            return Refusal.ROUND_OPEN
        case ChangeDealer():
            return None
        case _:
            return Refusal.HELD if state.stopped else None


def _no_such_boxes(transition: TableTransition, boxes: tuple[int, ...]) -> Refusal | None:
    """Return why this table has no such boxes: each is named once, from 1 to the last."""
    last = transition.setup.game.boxes
    if boxes and not last:
        return Refusal.NOT_THIS_GAME
    known = len(set(boxes)) == len(boxes) and all(1 <= box <= last for box in boxes)
    return None if known else Refusal.BOXES_NOT_STATED


def _cannot_play(state: TableState, round_id: str) -> Refusal | None:
    if state.round is None or state.round.round_id != round_id:
        return Refusal.WRONG_ROUND
    if state.stopped:
        return Refusal.HELD
    return Refusal.WRONG_PHASE if state.round.phase == "betting" else None


def _cannot_open(transition: TableTransition, day: str | None) -> Refusal | None:
    state = transition.state
    if transition.setup.control == "device":
        return Refusal.ROUNDS_BY_DEVICE
    if state.held or state.doubts:
        return Refusal.HELD
    if state.round is not None:
        return Refusal.ROUND_OPEN
    needed = [role for role in transition.setup.devices if role != "witness"]
    if any(enrolment.stranger(transition.setup, state, role) for role in needed):
        return Refusal.NOT_ENROLLED
    if any(state.devices.get(role) != "connected" for role in needed):
        return Refusal.DEVICE_DOWN
    if inspections.due(transition.setup, state, day):
        return Refusal.NOT_INSPECTED
    return None
