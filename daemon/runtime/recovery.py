"""Taking a table up after a restart: the last state record, then what follows it, replayed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from daemon.journal.cipher import Cipher, Unopened, is_sealed, opened
from daemon.journal.records import Record
from daemon.runtime.codec import StateCodec, parse_event, parse_input
from daemon.table.apply import apply, start
from daemon.table.state import RecordRef, TableSetup, TableState
from protocols.events import Event

_OUTCOMES = frozenset(
    {
        "card.dealt",
        "card.sealed",
        "card.peeked",
        "card.revealed",
        "card.burned",
        "spin.landed",
        "dice.landed",
        "round.completed",
    }
)


_DECIDING = ("protocols", "daemon/gamekit", "daemon/games", "daemon/table")
"""What turns bytes into events: the code digest is of these rooms."""


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
    root = Path(__file__).parents[2]
    digest = hashlib.blake2b(digest_size=32)
    decides = [path for folder in _DECIDING for path in (root / folder).rglob("*.py")]
    for path in sorted(decides):
        digest.update(
            path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
        )
    return "b2:" + digest.hexdigest()


def recover(
    setup: TableSetup,
    last_state: Record | None,
    after: Iterable[Record],
    cipher: Cipher | None = None,
) -> Recovered:
    """Replay `after` on top of `last_state`.

    Under the same code a difference holds the table; under other code it holds only when a card,
    a pocket, dice or an outcome differs. What this version cannot read at all holds it
    too, and so does what `cipher` cannot open.
    """
    replay = _Replay(setup, cipher)
    try:
        replay.begin(last_state)
        for record in after:
            replay.take(record)
    except Unopened as error:
        what = f"{error.what}: {error.action}"
    except (ValueError, KeyError) as error:
        # What a sealed record says is in no text: this one is published.
        detail = f"record {replay.at}, which is sealed" if replay.reads_sealed else str(error)
        what = f"this version cannot read the journal's state of the table: {detail}"
    else:
        return replay.end()
    return Recovered(start(setup), replay.count, what, holds=True, events=())


class _Replay:
    """A table on its way through its records, and the first difference on the way."""

    def __init__(self, setup: TableSetup, cipher: Cipher | None) -> None:
        self.count = 0
        self.at = 0
        self.reads_sealed = False
        self._setup = setup
        self._cipher = cipher
        self._state = start(setup)
        self._same_code = True
        self._expected: list[Event] = []
        self._events: list[tuple[int, Event]] = []
        self._differs: tuple[str, bool] | None = None

    def begin(self, last_state: Record | None) -> None:
        if last_state is not None:
            kept: dict[str, Any] = json.loads(self._body(last_state))
            self._state = StateCodec(self._setup.game).load(kept["state"])
            self._same_code = kept["code"] == code_digest()

    def take(self, record: Record) -> None:
        if record.kind in ("input", "command"):
            self._nothing_left()
            one = parse_input(self._body(record))
            step = apply(self._setup, self._state, one, RecordRef(record.epoch, record.record))
            self._state, self._expected = step.state, list(step.events)
            self.count += 1
        elif record.kind == "event" and record.seq is not None:
            event = parse_event(record.blob)
            self._events.append((record.seq, event))
            again = self._expected.pop(0) if self._expected else None
            if again != event:
                what = again.kind if again is not None else "nothing"
                outcome = event.kind in _OUTCOMES or what in _OUTCOMES
                self._differ(f"the journal has {event.kind}, replay gives {what}", outcome)

    def _body(self, record: Record) -> bytes:
        self.at, self.reads_sealed = record.record, is_sealed(record)
        return opened(self._setup.table, record, self._cipher).blob

    def end(self) -> Recovered:
        self._nothing_left()
        what, outcome = self._differs or (None, False)
        holds = what is not None and (self._same_code or outcome)
        return Recovered(self._state, self.count, what, holds, tuple(self._events))

    def _nothing_left(self) -> None:
        if self._expected:
            kind = self._expected[0].kind
            self._differ(f"replay gives {kind}, the journal has nothing", kind in _OUTCOMES)

    def _differ(self, what: str, outcome: bool) -> None:
        self._differs = self._differs or (what, outcome)
