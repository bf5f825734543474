"""No round that a table opens by itself has the id of another, whatever became of the journal.

Failed on the code before: ids were `<table>-<count>`, and the count begins at one again where the
table begins empty: with another journal, and in the same epoch where the state cannot be read.
"""

import json
from dataclasses import replace

from support.memory_journal import MemoryJournal

from daemon.delivery.bus import Address
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.inbox import Inbox, Outlets
from daemon.runtime.table_start import begin_first_epoch, resume_table
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineClock
from daemon.table.inputs import DeviceSaid, LinkUp
from daemon.table.transition import context_of
from protocols.readings import WheelPhase, WheelStatus

DEVICE = "cammegh_ss2"
SETUP = setup_of(one_table("roulette", "roulette-lv", DEVICE, round_control="device"))
ADDRESS = Address("site", SETUP.table, "live")


def table(journal: MemoryJournal, next_epoch: str = "000001-aaaa") -> Inbox:
    time = Timekeeper(OfflineClock(), lambda: "unknown")
    inbox = resume_table(
        SETUP, ADDRESS, journal, time, Outlets(), None, next_epoch=lambda _before: next_epoch
    )
    if not inbox.begun:
        begin_first_epoch(inbox, None, next_epoch=lambda _before: next_epoch)
    inbox.put(LinkUp("primary", DEVICE, "here"))
    return inbox


def spins(inbox: Inbox, *numbers: int) -> None:
    """Let the wheel get ready for these spins: that opens a round."""
    phases: tuple[WheelPhase, ...] = ("before_game", "place_bets")
    for number in numbers:
        for phase in phases:
            reading = WheelStatus(phase, number, "17", frozenset(), 150, "clockwise")
            inbox.put(DeviceSaid("primary", DEVICE, reading, None, ""))


def next_id(inbox: Inbox) -> str:
    return context_of(inbox.setup, inbox.state).next_round_id


def opened(journal: MemoryJournal) -> list[str]:
    """Return the id of every round that was opened."""
    events = [json.loads(record.blob) for record in journal.kept if record.kind == "event"]
    return [
        event["data"]["round_id"] for event in events if event["type"] == "pitwire.round.opened.v1"
    ]


def test_it_names_the_table_the_epoch_and_the_round() -> None:
    journal = MemoryJournal()
    spins(table(journal), 11)
    assert opened(journal) == [f"{SETUP.table}-000001-aaaa-1"]


def test_another_journal_makes_other_ids() -> None:
    first, second = MemoryJournal(), MemoryJournal()
    spins(table(first), 11)
    spins(table(second, "000001-bbbb"), 11)
    assert opened(first) != opened(second)


def test_a_table_that_begins_empty_in_the_same_epoch_opens_no_round_a_second_time() -> None:
    journal = MemoryJournal()
    spins(table(journal), 11)
    unreadable = [
        replace(record, blob=b'{"no": "state"}') if record.kind == "state" else record
        for record in journal.kept
    ]
    again = MemoryJournal(unreadable)
    inbox = table(again)
    assert inbox.state.held
    assert inbox.state.round is None
    before = opened(again)
    assert next_id(inbox) not in before
    third = MemoryJournal(
        [
            replace(record, blob=b'{"no": "state"}') if record.kind == "state" else record
            for record in again.kept
        ]
    )
    names = {next_id(one) for one in (inbox, table(third))}
    assert len(names) == 2


def test_a_restart_goes_on_counting() -> None:
    journal = MemoryJournal()
    spins(table(journal), 11)
    assert next_id(table(journal)) == f"{SETUP.table}-000001-aaaa-2"
