"""What is well and what is not, for status, the CLI and systemd. Reads; decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from daemon.delivery.publisher import Publisher
from daemon.devices.link_state import LinkState
from daemon.devices.session import Session
from daemon.gamekit.spec import DueCard, DueDice, DueSpin
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.inbox import Inbox
from daemon.table.enrolment import NOT_ENROLLED, stranger
from daemon.table.state import context_of


def table_status(
    inbox: Inbox, sessions: Sequence[Session], publisher: Publisher, time: Timekeeper
) -> dict[str, Any]:
    """Return a table's whole open round and its health, as it goes to the bus every second."""
    stamp, state, setup = inbox.stamp, inbox.state, inbox.setup
    delivery = publisher.state()
    return {
        "table": stamp.table,
        "game": setup.game.key,
        "mode": stamp.mode,
        "epoch": stamp.epoch,
        "seq": inbox.position.seq,
        "record": inbox.position.record,
        "state": "held" if state.held else "maintenance" if state.maintenance else "open",
        "round": _round(inbox),
        "shoe": None if (shoe := setup.game.shoe_status(state.game)) is None else asdict(shoe),
        "due": _due(inbox),
        "violations": [
            {
                "violation_id": one.violation_id,
                "code": one.violation.code,
                "detail": one.violation.detail,
            }
            for one in state.open
        ],
        "read_while_held": [
            "concealed" if one.hidden else one.reading.value.kind for one in state.read_while_held
        ],
        "devices": [_device(session, inbox) for session in sessions],
        "profile": stamp.profile,
        "profile_key": setup.profile_key,
        "code": stamp.code,
        "clockquality": time.quality(),
        "publisher": {
            "lag": delivery.lag,
            "refused": delivery.refused,
            "error": delivery.error,
            "action": delivery.action,
        },
    }


def _round(inbox: Inbox) -> dict[str, Any] | None:
    one = inbox.state.round
    if one is None:
        return None
    return {"round_id": one.round_id, "phase": one.phase, "cards": dict(inbox.cards)}


def _due(inbox: Inbox) -> str | None:
    match inbox.setup.game.due(inbox.state.game, context_of(inbox.setup, inbox.state)):
        case DueCard(slot=slot):
            return slot
        case DueSpin():
            return "spin"
        case DueDice():
            return "dice"
        case _:
            return None


def _device(session: Session, inbox: Inbox) -> dict[str, Any]:
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
    strange = stranger(inbox.setup, inbox.state, role)
    if is_open and strange is not None:
        state, reason = NOT_ENROLLED, strange
        enrol = f"pitwire send {inbox.setup.table} device.enrol role={role} who=… why=…"
        action = f"if it belongs to this table: `{enrol}`"
    return {
        "role": role,
        "device": attached.spec.key,
        "state": state,
        "link": session.link.where if session.link else None,
        "heard_ns": heard_at.ns if (heard_at := session.feed.heard_at) else None,
        "reason": reason,
        "action": action,
    }
