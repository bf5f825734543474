"""What the newest event on the bus says about the journal, and where publishing goes on.

It is asked whenever the bus connects and whenever the lease becomes ours: meanwhile the bus may
have lost what it had acknowledged, another daemon may have published, our own acknowledgements may
have been lost.

empty          the bus has none, and was never told to have any, or they grew too old for it
agrees         the journal has it, with the same body. A bus that keeps all may have taken it before
               one that it refused (`sender.py`): what follows the cursor goes out again. Of other
               buses it is the last of what went out: one by one, and repeats are not dropped there
bus_lost       the journal has it, but the bus had later ones, or it has none any more: what it lost
               goes out again
rolled_back    the journal lacks it, or has another body for its seq: the journal is older than the
               bus, or another daemon has published in its epoch
unknown_epoch  the journal knows nothing of its epoch: it is another journal, an empty one, or
               another daemon has published

Behind the last two nothing of what the journal has goes out any more: it would contradict what
consumers have. The table begins a new epoch, whose first event names the epoch on the bus. As long
as the bus has none of that new epoch's events, that name is how the next comparison knows it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from daemon.delivery.bus import MOST_IN_FLIGHT, StoredEvent
from daemon.delivery.epochs import Epochs
from daemon.journal.store import Journal

WITHHELD: Final = "event.withheld"
RESEND: Final = ":resend:"
"""In the id of an event that is sent again because somebody asked for it."""

Verdict: TypeAlias = Literal["empty", "agrees", "bus_lost", "rolled_back", "unknown_epoch"]
Place: TypeAlias = tuple[str, int]
"""Epoch and seq of an event."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found.

    position   the last event that the bus has of what goes out, None where that is none
    bus_epoch  of the newest event on the bus, None if it has none
    number     the newest event's position on the bus, 0 if it has none
    abandoned  epochs of which nothing goes out any more
    lost       the last event that has to go out again, None where none has
    doubt      the last event behind `position` that the bus may have, perhaps not in order
    detail     what contradicts, in words
    """

    verdict: Verdict
    position: Place | None
    bus_epoch: str | None = None
    number: int = 0
    abandoned: frozenset[str] = frozenset()
    lost: Place | None = None
    doubt: Place | None = None
    detail: str = ""


def compare(
    journal: Journal,
    table: str,
    newest: StoredEvent | None,
    epochs: Epochs,
    *,
    keeps_all: bool = True,
    oldest: datetime | None = None,
) -> Comparison:
    """Compare the newest event on the bus with the journal.

    keeps_all  whether an event that the bus does not have was lost
    oldest     what was sent before that the bus keeps no more, None where it keeps all
    """
    cursor = journal.cursor(table)
    if newest is None:
        if cursor is None or cursor[0] in epochs.abandoned or not keeps_all:
            return Comparison("empty", cursor)
        if oldest is not None and _is_older(journal, table, cursor, oldest):
            return Comparison("empty", cursor)
        first = max(journal.first_seq(table, cursor[0]), 1)
        return Comparison("bus_lost", (cursor[0], first - 1), lost=cursor)
    epoch, seq, kind = identity(newest.payload)
    last = journal.last_seq(table, epoch)
    ours = dict(journal.events(table, epoch, seq - 1, 1)).get(seq)
    if 0 < seq <= last and (ours in {None, newest.payload} or kind == WITHHELD):
        return _known(journal, table, newest, (epoch, seq), epochs, keeps_all=keeps_all)
    return _unknown(journal, table, newest, (epoch, seq), epochs, known_epoch=last > 0)


def go_on(journal: Journal, table: str, number: int) -> Comparison:
    """Return where to go on although the newest event, of this number, is a stranger's."""
    cursor = journal.cursor(table)
    doubt = None if cursor is None else _in_doubt(journal, table, cursor, cursor)
    return Comparison("agrees", cursor, number=number, doubt=doubt)


def _is_older(journal: Journal, table: str, place: Place, oldest: datetime) -> bool:
    epoch, seq = place
    blob = dict(journal.events(table, epoch, seq - 1, 1)).get(seq)
    try:
        return blob is None or datetime.fromisoformat(json.loads(blob)["time"]) < oldest
    except (ValueError, LookupError, TypeError):
        return False


def _known(
    journal: Journal,
    table: str,
    newest: StoredEvent,
    there: Place,
    epochs: Epochs,
    *,
    keeps_all: bool,
) -> Comparison:
    cursor = journal.cursor(table)
    if cursor is None or not is_before(there, cursor, epochs):
        if not keeps_all or there == cursor:
            return Comparison("agrees", there, there[0], newest.number)
        position = _in_order(journal, table, cursor, there)
        doubt = _in_doubt(journal, table, position, there)
        return Comparison("agrees", position, there[0], newest.number, doubt=doubt)
    if not keeps_all or RESEND in newest.message_id or cursor[0] in epochs.abandoned:
        behind = _in_doubt(journal, table, cursor, cursor) if keeps_all else None
        return Comparison("agrees", cursor, there[0], newest.number, doubt=behind)
    epoch, seq = there
    kept = max(journal.first_seq(table, epoch) - 1, seq)  # what was pruned is gone
    return Comparison("bus_lost", (epoch, kept), epoch, newest.number, lost=cursor)


def _in_order(journal: Journal, table: str, cursor: Place | None, there: Place) -> Place:
    """Return the last event that is on the bus with all before it; an epoch goes out to its end."""
    if cursor is not None and cursor[0] == there[0]:
        return cursor
    return there[0], max(journal.first_seq(table, there[0]) - 1, 0)


def _in_doubt(journal: Journal, table: str, position: Place, there: Place) -> Place:
    """Return the last event that may be on the bus: what was in flight when the newest was sent."""
    epoch, seq = position
    last = max(there[1], min(seq + MOST_IN_FLIGHT, journal.last_seq(table, epoch)))
    return epoch, last


def _unknown(
    journal: Journal,
    table: str,
    newest: StoredEvent,
    there: Place,
    epochs: Epochs,
    *,
    known_epoch: bool,
) -> Comparison:
    current, cursor = journal.appended(table).epoch, journal.cursor(table)
    if current is not None and _begins_after(journal, table, current, there[0]):
        before = frozenset(epochs.after(None)) - {current}
        lost = cursor if cursor is not None and cursor[0] == current else None
        verdict: Verdict = "agrees" if lost is None else "bus_lost"
        return Comparison(verdict, (current, 0), there[0], newest.number, before, lost)
    epoch, seq = there
    abandoned = frozenset(epochs.after(None)) | ({current} if current else frozenset())
    end = None if current is None else (current, journal.appended(table).seq)
    if known_epoch:
        detail = f"the bus has event {seq} of epoch {epoch}, and the journal does not have it"
    else:
        what = f"epoch {epoch}" if epoch else "something that is no event of ours"
        detail = f"the bus has events of {what}, and the journal has none of them"
    if (unsent := epochs.lag(cursor)) > 0:
        detail += f"; {unsent} events of the journal that the bus lacks stay unpublished"
    verdict = "rolled_back" if known_epoch else "unknown_epoch"
    return Comparison(verdict, end, epoch, newest.number, abandoned, detail=detail)


def _begins_after(journal: Journal, table: str, current: str, bus_epoch: str) -> bool:
    """Return whether the current epoch was begun because of this epoch on the bus."""
    first = dict(journal.events(table, current, 0, 1)).get(1)
    if first is None or not bus_epoch:
        return False
    try:
        previous = json.loads(first)["data"]["previous"]
    except (ValueError, LookupError, TypeError):
        return False  # a damaged record: the table is held for what it does not know
    return bool(previous == bus_epoch)


def is_before(one: Place, other: Place, epochs: Epochs) -> bool:
    """Return whether an event comes before another one."""
    if one[0] == other[0]:
        return one[1] < other[1]
    return other[0] in epochs.after(one[0])


def identity(payload: bytes) -> tuple[str, int, str]:
    """Return epoch, seq and kind of an event; no epoch where it is not one of ours."""
    try:
        event = json.loads(payload)
        epoch, seq, kind = event["epoch"], int(event["sequence"]), _kind_of_type(event["type"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return "", 0, ""
    return (epoch, seq, kind) if isinstance(epoch, str) else ("", 0, "")


def kind_of(blob: bytes) -> str:
    """Return `card.dealt` of an event whose type is `pitwire.card.dealt.v1`."""
    return _kind_of_type(json.loads(blob)["type"])


def _kind_of_type(name: str) -> str:
    return name.removeprefix("pitwire.").rpartition(".")[0]
