"""The state of one table, for `table.status` and `pitwire status`. Reads it; decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from daemon.delivery.lease_keeper import LeaseKeeper
from daemon.delivery.publisher import Publisher
from daemon.devices.link_state import LinkState
from daemon.devices.session import Session
from daemon.gamekit.spec import DueCard, DueDice, DueSpin
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.inbox import Inbox
from daemon.service.table_status import (
    DeviceCondition,
    DeviceStatus,
    InspectionStatus,
    LastShoeStatus,
    LeaseState,
    LeaseStatus,
    PublisherStatus,
    TableStatus,
)
from daemon.table import inspections
from daemon.table.enrolment import NOT_ENROLLED, stranger
from daemon.table.state import Deferred
from daemon.table.transition import context_of
from daemon.table.witness import NO_STATEMENT


def table_status(
    inbox: Inbox,
    sessions: Sequence[Session],
    publisher: Publisher,
    lease: LeaseStatus,
    time: Timekeeper,
    journal: str | None = None,
) -> TableStatus:
    """Return a table's whole open round and its health, as it goes to the bus every second.

    The play is what the events up to `seq` have told (`protocols/play_fold.py`), and no more.

    journal  why the journal cannot be written or checked
    """
    stamp, state, setup, play = inbox.stamp, inbox.state, inbox.setup, inbox.play
    return TableStatus(
        table=stamp.table,
        game=setup.game.key,
        mode=stamp.mode,
        epoch=stamp.epoch,
        seq=inbox.position.seq,
        record=inbox.position.record,
        state="held" if state.held else "maintenance" if state.maintenance else "open",
        round=play.round,
        violations=play.violations,
        decided=play.decided,
        spin=play.spin,
        maintenance=play.maintenance,
        dealer=play.dealer,
        shoe=setup.game.shoe_status(state.game),
        last_shoe=LastShoeStatus(*left) if (left := setup.game.last_shoe(state.game)) else None,
        due=_due(inbox),
        inspection=InspectionStatus(
            day=inbox.today,
            due=inspections.due(setup, state, inbox.today),
            recorded=dict(state.inspections),
        ),
        result_withheld=state.withholds,
        read_while_held=tuple(map(_kind_read, state.read_while_held)),
        devices=tuple(_device(session, inbox) for session in sessions),
        profile=stamp.profile,
        profile_key=setup.profile_key,
        code=stamp.code,
        clockquality=time.quality,
        lease=lease,
        publisher=_delivery(publisher),
        journal=journal,
    )


def lease_status(inbox: Inbox, keeper: LeaseKeeper) -> LeaseStatus:
    """Return which bridge serves the table."""
    lease, owner = keeper.lease, keeper.lease.other or inbox.state.served_by
    state: LeaseState = "unknown" if lease.standing != "ours" else "unconfirmed"
    if keeper.is_confirmed():
        state = "held"
    elif owner is not None:
        state = "other"
    return LeaseStatus(state, lease.number, owner)


def _kind_read(deferred: Deferred) -> str:
    return "concealed" if deferred.hidden else deferred.reading.value.kind


def _delivery(publisher: Publisher) -> PublisherStatus:
    delivery = publisher.state()
    return PublisherStatus(delivery.lag, delivery.refused, delivery.error, delivery.action)


def _due(inbox: Inbox) -> str | None:
    if inbox.state.withholds:
        return None  # nothing more is due to a round whose result is there
    match inbox.setup.game.due(inbox.state.game, context_of(inbox.setup, inbox.state)):
        case DueCard(slot=slot):
            return slot
        case DueSpin():
            return "spin"
        case DueDice():
            return "dice"
        case _:
            return None


def _device(session: Session, inbox: Inbox) -> DeviceStatus:
    attached, role, trouble = session.attached, session.attached.role, session.trouble
    is_open = session.state is LinkState.CONNECTED
    state: str = inbox.state.devices.get(role, "absent") if is_open else session.state
    reason = trouble.what if trouble else None
    action = trouble.action if trouble else None
    if session.state is LinkState.LOST:
        action = f"{action}; it is opened again by itself"
    if state == "stale":
        action = attached.link.silent
    if state == "garbled":
        shown = f"`pitwire watch {inbox.setup.table}`"
        action = f"is it a {attached.spec.title}, at the right speed? {shown} shows its bytes"
    if state == "connected" and role == "witness" and inbox.state.witness.missing:
        state, reason = NO_STATEMENT, "it stated nothing of the last result"
        action = f"`pitwire watch {inbox.setup.table}` shows what it says"
    not_enrolled = stranger(inbox.setup, inbox.state, role)
    if is_open and not_enrolled is not None:
        state, reason = NOT_ENROLLED, not_enrolled
        enrol = f"pitwire send {inbox.setup.table} device.enrol role={role} who=… why=…"
        action = f"if it belongs to this table: `{enrol}`"
    return DeviceStatus(
        role=role,
        device=attached.spec.key,
        state=cast("DeviceCondition", state),
        link=session.link.where if session.link else None,
        heard_ns=heard_at.ns if (heard_at := session.feed.heard_at) else None,
        understood=session.feed.understood,
        rejected=session.feed.rejected,
        untold=(session.link.untold or None) if session.link else None,
        reason=reason,
        action=action,
    )
