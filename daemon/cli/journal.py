"""`pitwire journal`: what was written down, and whether anybody touched it. Read-only."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from daemon.cli.options import TableOption
from daemon.cli.output import answer, fail, note, print_json, wants_json
from daemon.cli.verb import Sections, add_verb
from daemon.exits import Exit

if TYPE_CHECKING:
    from daemon.journal.records import Record
    from daemon.journal.verify import VerifiedTable

DEFAULT_JOURNAL: Final = Path("/var/lib/pitwire/journal.db")
app = typer.Typer(
    help="Read and verify the journal",
    cls=Sections,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", readable=False, help="The journal's file.")
]


def show(
    file: FileArgument = DEFAULT_JOURNAL,
    table: TableOption = None,
    start: Annotated[
        int, typer.Option("--from", metavar="RECORD", min=1, help="The first record to show.")
    ] = 1,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="The sealing key: opens sealed records, hidden cards included.",
        ),
    ] = None,
) -> None:
    """Print the records of a journal, table by table.

    A record is an input, an event, a command, a note or a state. Without --key a sealed record is
    shown as it is stored. The daemon may run meanwhile.

    Examples:
      pitwire journal show
      pitwire journal show --table BAC-1 --from 4200
      pitwire journal show backup.db --json

    Exit codes:
      0   the records were shown
      1   a sealed record cannot be opened with this key
      74  the file cannot be read
    """
    from daemon.journal.cipher import Unopened, opened
    from daemon.journal.errors import JournalFailed
    from daemon.journal.reader import JournalReader
    from daemon.service.sealing_keys import BadKey, read_keys

    try:
        keys = None if key is None else read_keys(key)
        with JournalReader.open(file) as journal:
            for name in journal.tables() if table is None else (table,):
                cipher = None if keys is None else keys.of(name).cipher
                for stored in journal.records(name, start):
                    _show(name, stored if cipher is None else opened(name, stored, cipher))
    except JournalFailed as error:
        fail(Exit.JOURNAL, f"{error}; {error.action}")
    except (BadKey, Unopened) as error:
        fail(Exit.FAILED, f"{error.what}; {error.action}")


def _show(table: str, record: Record) -> None:
    if wants_json():
        place = {"table": table, "record": record.record, "epoch": record.epoch}
        body = {"kind": record.kind, "blob": json.loads(record.blob)}
        print_json({**place, "seq": record.seq, **body})
    else:
        seq = "" if record.seq is None else f"seq {record.seq}"
        print(f"{table} {record.record:8} {record.kind:8} {seq:10} {record.blob.decode()}")


def verify(file: FileArgument = DEFAULT_JOURNAL, table: TableOption = None) -> None:
    """Recompute the chain over every record.

    Each record's chain value covers the record and all before it: an edit shows as a break. The
    end may be missing without a break; compare the count and the chain value with a later copy.

    Examples:
      pitwire journal verify
      pitwire journal verify backup.db --table BAC-1

    Exit codes:
      0   every chain is unbroken
      1   a chain is broken; the first bad record is named
      74  the file cannot be read
    """
    from daemon.journal import verify as verifier
    from daemon.journal.errors import JournalFailed

    try:
        report = verifier.verify(file, table, _progress)
    except JournalFailed as error:
        fail(Exit.JOURNAL, f"{error}; {error.action}")
    if sys.stderr.isatty():
        note("")
    for verified in report.tables:
        _report(verified)
    raise SystemExit(int(Exit.FAILED if report.bad else Exit.OK))


def _progress(table: str, records: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{table}: {records} records", end="", file=sys.stderr)


def _report(verified: VerifiedTable) -> None:
    table, chain, bad = verified.table, verified.chain.hex(), verified.bad
    if bad is None:
        line = f"{table}: {verified.records} records, chain {chain}: unbroken"
    else:
        line = f"{table}: BROKEN at record {bad.record}: {bad.what}"
    answer(
        {
            "table": table,
            "ok": bad is None,
            "records": verified.records,
            "chain": chain,
            "bad": None if bad is None else {"record": bad.record, "what": bad.what},
        },
        line,
    )


for _verb in (show, verify):
    add_verb(app, _verb.__name__, _verb, "Verbs")
