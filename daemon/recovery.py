"""Taking a table up after a restart: the last state record, then what follows it, replayed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from daemon import table
from daemon.records import Record
from daemon.tablestate import TableSetup, TableState
from daemon.wire import StateCodec, parse_event, parse_input
from protocols.events import Event

_OUTCOMES = frozenset({"card.dealt", "spin.landed", "round.completed", "card.burned"})


@dataclass(frozen=True, slots=True)
class Recovered:
    """A table as its journal tells it.

    differs  the first event that replay gives differently, None if all agree
    holds    whether that difference has to hold the table
    events   the events since the last state record, with their seq
    """

    state: TableState
    replayed: int
    differs: str | None
    holds: bool
    events: tuple[tuple[int, Event], ...]


@cache
def code_digest() -> str:
    """Return the digest of everything that turns bytes into events, `b2:` + hex."""
    root = Path(__file__).parent.parent
    digest = hashlib.blake2b(digest_size=32)
    decides = [*(root / "protocols").rglob("*.py"), *(root / "daemon" / "games").rglob("*.py")]
    decides += [
        root / "daemon" / f"{name}.py" for name in ("table", "turn", "supervise", "tracker", "shoe")
    ]
    for path in sorted(one for one in decides if one.exists()):
        digest.update(
            path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
        )
    return "b2:" + digest.hexdigest()


def recover(setup: TableSetup, last_state: Record | None, after: Iterable[Record]) -> Recovered:
    """Replay `after` on top of `last_state`. Raises ValueError when the journal cannot be read.

    Under the same code a difference holds the table; under other code it holds only when a card,
    a pocket or an outcome differs.
    """
    codec = StateCodec(setup.game)
    state, same_code = table.start(setup), True
    if last_state is not None:
        kept: dict[str, Any] = json.loads(last_state.blob)
        state, same_code = codec.load(kept["state"]), kept["code"] == code_digest()
    replayed = 0
    differs: tuple[str, bool] | None = None
    expected: list[Event] = []
    events: list[tuple[int, Event]] = []
    for record in after:
        if record.kind in ("input", "command"):
            differs = differs or _left_over(expected)
            step = table.apply(setup, state, parse_input(record.blob))
            state, expected = step.state, list(step.events)
            replayed += 1
        elif record.kind == "event" and record.seq is not None:
            event = parse_event(record.blob)
            events.append((record.seq, event))
            differs = differs or _compare(expected, event)
    differs = differs or _left_over(expected)
    return Recovered(
        state=replace(state),
        replayed=replayed,
        differs=differs[0] if differs else None,
        holds=bool(differs and (same_code or differs[1])),
        events=tuple(events),
    )


def _compare(expected: list[Event], event: Event) -> tuple[str, bool] | None:
    again = expected.pop(0) if expected else None
    if again == event:
        return None
    what = again.kind if again is not None else "nothing"
    outcome = event.kind in _OUTCOMES or what in _OUTCOMES
    return f"the journal has {event.kind}, replay gives {what}", outcome


def _left_over(expected: list[Event]) -> tuple[str, bool] | None:
    if not expected:
        return None
    return f"replay gives {expected[0].kind}, the journal has nothing", expected[
        0
    ].kind in _OUTCOMES
