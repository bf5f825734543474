"""`pitwire journal audit`: every event derived once more, from the bytes of the devices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from daemon.cli.configuration import load_configuration
from daemon.cli.options import DEFAULT_CONFIG, DEFAULT_JOURNAL, JournalArgument, TableOption
from daemon.cli.output import answer, fail, note
from daemon.exits import Exit

if TYPE_CHECKING:
    from config.load import TableConfig
    from daemon.journal.reader import JournalReader
    from daemon.runtime.audit import Audited
    from daemon.service.sealing_keys import TableKeys


def audit(
    file: JournalArgument = DEFAULT_JOURNAL,
    table: TableOption = None,
    config: Annotated[
        Path,
        typer.Option(
            "--config",
            "-c",
            metavar="FILE",
            envvar="PITWIRE_CONFIG",
            help="The configuration that the tables were played with, and its sealing key.",
        ),
    ] = DEFAULT_CONFIG,
) -> None:
    """Derive every event again from the raw frames, and compare.

    Frames are decoded again, inputs and commands are applied to the rules again; readings, events
    and states have to be the same, to the byte. Only the time of an event and the quality of the
    clock are taken as they are. `pitwire journal verify` says whether the records are those that
    were written; this says whether they follow from what the devices said.

    Examples:
      pitwire journal audit
      pitwire journal audit backup.db --config pitwire.toml --table BAC-1

    Exit codes:
      0   everything follows
      1   something does not, or was played under other rules: its record is named
      74  the file cannot be read
      78  the configuration is wrong
    """
    from daemon.journal.cipher import Unopened
    from daemon.journal.errors import JournalFailed
    from daemon.journal.reader import JournalReader

    loaded, keys = load_configuration(config)
    configured = {one.id: one for one in loaded.tables}
    good = True
    try:
        with JournalReader.open(file) as journal:
            for name in journal.tables() if table is None else (table,):
                if name not in configured:
                    note(f"{name}: not in {config}: not audited")
                    good = False
                    continue
                audited = _audit(journal, loaded.site, configured[name], keys.get(name))
                good = _report(audited) and good
    except JournalFailed as error:
        fail(Exit.JOURNAL, f"{error}; {error.action}")
    except Unopened as error:
        fail(Exit.FAILED, f"{error.what}; {error.action}")
    raise SystemExit(int(Exit.OK if good else Exit.FAILED))


def _audit(
    journal: JournalReader, site: str, table: TableConfig, keys: TableKeys | None
) -> Audited:
    from daemon.runtime.audit import audit as derive
    from daemon.runtime.codec import EnvelopeFields
    from daemon.service.assembly import setup_of

    setup = setup_of(table, keys)
    stamp = EnvelopeFields(site, table.id, table.mode, "", table.profile_digest)
    readers = {
        placed.role: (setup.devices[placed.role], placed.settings) for placed in table.devices
    }
    return derive(journal.records(table.id), setup, stamp, readers, keys.cipher if keys else None)


def _report(audited: Audited) -> bool:
    """Print what was found in a table; return whether everything follows."""
    differs, other = audited.difference, audited.other_profile
    counts = (
        f"{audited.readings} readings, {audited.events} events and {audited.states} states"
        f" in {audited.records} records"
    )
    lines = [f"{audited.table}: {counts} follow"]
    if audited.other_code:
        lines.append(f"{audited.table}: some were written by other code")
    if other is not None:
        lines.append(
            f"{audited.table}: {audited.passed_over} records were NOT looked at: from record"
            f" {other[0]} on they were played under the profile {other[1]}; audit them with its"
            " configuration"
        )
    if differs is not None:
        lines.append(f"{audited.table}: DIFFERS at record {differs.record}: {differs.what}")
    answer(
        {
            "table": audited.table,
            "ok": differs is None and other is None,
            "records": audited.records,
            "readings": audited.readings,
            "events": audited.events,
            "states": audited.states,
            "passed_over": audited.passed_over,
            "other_profile": other and {"record": other[0], "profile": other[1]},
            "other_code": audited.other_code,
            "difference": differs and {"record": differs.record, "what": differs.what},
        },
        *lines,
    )
    return differs is None and other is None
