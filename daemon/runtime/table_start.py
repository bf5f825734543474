"""Start a table: put its inbox together, and let its first input be how it came about.

The daemon, a replay and the tests start tables here and nowhere else.

`begin_table`, where there is no journal to go on from: the first event says why it begins.

`resume_table`, on what the journal has of the table:

nothing     no epoch begins: the journal may have been lost, and only the bus knows what it had
records     it goes on where they end, in the same epoch (`recovery.py`)
damage      what is there is not what was written: a new epoch begins, and the table is held
set aside   the whole file was damaged and another one begun: as where there is nothing

`begin_first_epoch`, for such a table, as soon as the bus has said what it has: where that is an
epoch, ours comes after it, and the table is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol

from daemon.delivery.bus import Address
from daemon.journal.cipher import Cipher
from daemon.journal.reader import Head
from daemon.journal.records import Record, new_epoch
from daemon.journal.walk import BadRecord
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.codec import EnvelopeFields
from daemon.runtime.inbox import Appender, Inbox, JournalPosition, Outlets
from daemon.runtime.recovery import NOT_RESUMED, Recovered, code_digest, recover
from daemon.table.apply import start
from daemon.table.inputs import Opened, Restarted, RolledBack
from daemon.table.retelling import corrected
from daemon.table.state import TableSetup


class TableJournal(Appender, Protocol):
    """What a table goes on from; see `journal.store.Journal`."""

    set_aside: Path | None
    damage: Mapping[str, BadRecord]

    def appended(self, table: str) -> Head:
        """Return where the table's records end."""

    def last_state(self, table: str) -> Record | None:
        """Return the newest state record."""

    def records(self, table: str, from_record: int = 1) -> Iterable[Record]:
        """Yield its records in order, from this one on."""


def begin_table(
    setup: TableSetup,
    address: Address,
    epoch: str,
    journal: Appender,
    time: Timekeeper,
    outlets: Outlets,
    *,
    reason: str = "first_start",
    code: str = "",
) -> Inbox:
    """Return the inbox of a table that goes on from nothing; it hides nothing in its journal."""
    stamp = EnvelopeFields(address.site, setup.table, address.mode, epoch, setup.digest, code)
    inbox = Inbox(setup, stamp, start(setup), JournalPosition(0, 0), journal, time, outlets)
    inbox.put(Opened(None, reason))
    return inbox


def resume_table(
    setup: TableSetup,
    address: Address,
    journal: TableJournal,
    time: Timekeeper,
    outlets: Outlets,
    cipher: Cipher | None,
    *,
    next_epoch: Callable[[str | None], str] = new_epoch,
) -> Inbox:
    """Return the inbox of a table as its journal has it.

    next_epoch  names the epoch that follows this one: chance has a part in it
    """
    head, damage = journal.appended(setup.table), journal.damage.get(setup.table)
    goes_on = head.epoch is not None and damage is None
    epoch = (head.epoch if goes_on else None) or ""
    if damage is not None:
        epoch = next_epoch(head.epoch)
    last = journal.last_state(setup.table) if goes_on else None
    after = journal.records(setup.table, last.record + 1 if last else 1)
    recovered = recover(setup, last, after, cipher) if goes_on else None
    inbox = Inbox(
        setup,
        EnvelopeFields(address.site, setup.table, address.mode, epoch, setup.digest, code_digest()),
        recovered.state if recovered else start(setup),
        JournalPosition(head.record, head.seq if goes_on else 0),
        journal,
        time,
        outlets,
        cipher=cipher,
    )
    if recovered is not None:
        inbox.play = recovered.play
        anew = corrected(setup, recovered.state, recovered.play)
        inbox.put(
            Restarted(
                "restart",
                recovered.replayed,
                recovered.differs,
                recovered.holds,
                _round_ids(recovered, inbox),
                anew if recovered.is_lost or anew != recovered.play else None,
            )
        )
    elif damage is not None:
        inbox.put(Opened(head.epoch, NOT_RESUMED, f"{epoch}-"))
        inbox.put(RolledBack(f"the journal is damaged: {damage.sentence}"))
    return inbox


def _round_ids(recovered: Recovered, inbox: Inbox) -> str | None:
    """Return what distinguishes the table's own round ids from now on, None where they go on.

    A table that begins empty counts its rounds from one again within its epoch; the journal's
    records are counted on.
    """
    if recovered.is_lost:
        return f"{inbox.stamp.epoch}.{inbox.position.record}-"
    return None if recovered.state.round_ids else f"{inbox.stamp.epoch}-"


def begin_first_epoch(
    inbox: Inbox,
    on_bus: str | None,
    set_aside: Path | None = None,
    *,
    next_epoch: Callable[[str | None], str] = new_epoch,
) -> None:
    """Let a table begin that has nothing in its journal.

    on_bus     the epoch of the newest event on the bus, None where the bus has none
    set_aside  where a damaged journal was put
    """
    reason = "first_start" if on_bus is None else "journal_lost"
    inbox.new_epoch(
        next_epoch(on_bus), reason if set_aside is None else "journal_set_aside", on_bus
    )
    if set_aside is not None:
        inbox.put(RolledBack(f"a corrupt journal was set aside: {set_aside}"))
    elif on_bus is not None:
        inbox.put(
            RolledBack(f"the bus has events of epoch {on_bus}, and the journal has nothing at all")
        )
