"""What a person inspects before the table is played at, and the gate that waits for it. Pure.

Where the house says so (`HouseRules.inspection`), no round opens before each part that the game
lists has passed on the table's own day. The day comes with each command (`Commanded.day`): whoever
puts it into the inbox reads the clock. What follows:

* the first `round.open` of a day finds yesterday's inspections and is refused; a round that is open
  when the day changes goes on;
* an inspection that failed is due until one of that part passes, also in the middle of a day;
* a restart changes nothing: what was recorded is in the state;
* a clock that steps over the beginning of a day makes the inspections due, forwards and backwards:
  only the day on which they were made is theirs;
* a command without a day is not asked: it is in a journal from before days were written down, or
  in a replay, where the table's day is nobody's.

A device that opens rounds by itself sends no command: nothing can wait there, and the configuration
of a live table that asks for both is refused.
"""

from __future__ import annotations

from daemon.table.state import Inspection, TableSetup, TableState
from daemon.table.transition import TableTransition
from protocols.commands import RecordInspection
from protocols.events import InspectionRecorded
from protocols.refusals import Refusal
from protocols.replace import replace
from protocols.table_terms import Inspected


def due(setup: TableSetup, state: TableState, day: str | None) -> tuple[Inspected, ...]:
    """Return what has not passed on this day, and has to before a round opens."""
    if day is None:
        return ()
    return tuple(what for what in setup.inspects if not _passed(state.inspections.get(what), day))


def _passed(inspection: Inspection | None, day: str) -> bool:
    return inspection is not None and (inspection.result, inspection.day) == ("passed", day)


def record(
    transition: TableTransition, command: RecordInspection, day: str | None
) -> Refusal | None:
    """Write down what an inspection came to; it takes the place of the last of that part."""
    if command.what not in transition.setup.game.inspections:
        return Refusal.NOT_THIS_GAME
    known = transition.state.inspections
    made = Inspection(day, command.result, command.who, command.note)
    transition.state = replace(transition.state, inspections={**known, command.what: made})
    transition.emit(
        InspectionRecorded(command.what, command.result, command.who, command.note, day)
    )
    return None
