"""`pitwire journal`: what was written down, whether anybody touched it, and its upkeep."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer

from daemon.cli.journal_audit import audit
from daemon.cli.journal_upkeep import export, prune
from daemon.cli.options import DEFAULT_JOURNAL, JournalArgument, TableOption
from daemon.cli.output import answer, fail, note, print_json, say, wants_json, why
from daemon.cli.verb import Sections, add_verb
from daemon.exits import Exit

if TYPE_CHECKING:
    from daemon.journal.records import Record
    from daemon.journal.verify import VerifiedTable, VerifyReport

_EXPORT: Final = b'{"after":'
"""How an export begins: canonical JSON has its keys in order."""
WHAT_NOW: Final = (
    "copy the file and its -wal first. What is before a named record is proven; what follows it,"
    " compare with the table server's records. The daemon sets the file aside, or holds the table,"
    " at its next start"
)
app = typer.Typer(
    help="Read, verify, audit and prune the journal",
    cls=Sections,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show(
    file: JournalArgument = DEFAULT_JOURNAL,
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
        body = {"kind": record.kind, "blob": _value(record.blob)}
        print_json({**place, "seq": record.seq, **body})
    else:
        seq = "" if record.seq is None else f"seq {record.seq}"
        text = record.blob.decode("utf-8", "backslashreplace")
        say(f"{table} {record.record:8} {record.kind:8} {seq:10} {text}")


def _value(blob: bytes) -> Any:
    """Return what a blob says; of a damaged one, its text."""
    try:
        return json.loads(blob)
    except ValueError:
        return blob.decode("utf-8", "backslashreplace")


def verify(
    file: JournalArgument = DEFAULT_JOURNAL,
    table: TableOption = None,
    witness: Annotated[
        Path | None,
        typer.Option(
            "--witness",
            metavar="FILE",
            help="Checkpoints that somebody else kept, one JSON line each: shows an older copy.",
        ),
    ] = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust",
            metavar="KEY",
            help="The public key of this journal; else the first in it is believed.",
        ),
    ] = None,
) -> None:
    """Check that the journal, or an export, is what was written.

    The file, every chain from its start to its end, every signed checkpoint and the answers to
    commands are checked; nothing is changed, and the daemon may run meanwhile. What a cut-off end
    took with its checkpoints, and an older copy put in place, shows only against a witness.

    Examples:
      pitwire journal verify
      pitwire journal verify backup.db --table BAC-1
      pitwire journal verify --witness checkpoints.jsonl

    Exit codes:
      0   it is what was written
      1   it is not; of each table the first bad record is named
      74  the file cannot be read
    """
    trusted = frozenset(trust or ())
    if _is_export(file):
        _verify_export(file, trusted)
    report = _verified(file, table, witness, trusted)
    if sys.stderr.isatty():
        note("")
    for verified in report.tables:
        _report_table(verified)
    _report_file(file, report)
    raise SystemExit(int(Exit.OK if report.good else Exit.FAILED))


def _verified(
    file: Path, table: str | None, witness: Path | None, trusted: frozenset[str]
) -> VerifyReport:
    from daemon.journal import verify as verifier
    from daemon.journal.errors import JournalFailed

    try:
        witnesses = [] if witness is None else witness.read_bytes().splitlines()
    except OSError as error:
        fail(Exit.UNAVAILABLE, f"{witness} cannot be read: {why(error)}")
    try:
        return verifier.verify(file, table, _progress, witnesses=witnesses, trusted=trusted)
    except JournalFailed as error:
        fail(Exit.JOURNAL, f"{error}; {error.action}")


def _is_export(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(_EXPORT)) == _EXPORT
    except OSError:
        return False  # the journal's reader says it better


def _verify_export(file: Path, trusted: frozenset[str]) -> NoReturn:
    from daemon.journal.export import check_export

    with file.open("rb") as opened:
        faults = [*check_export((line.rstrip(b"\n") for line in opened), trusted)]
    lines = [f"{file}: BROKEN: {fault}" for fault in faults] or [f"{file}: is what was signed"]
    answer({"export": str(file), "ok": not faults, "faults": faults}, *lines)
    raise SystemExit(int(Exit.FAILED if faults else Exit.OK))


def _progress(table: str, records: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{table}: {records} records", end="", file=sys.stderr)


def _report_table(verified: VerifiedTable) -> None:
    table, chain, bad = verified.table, verified.chain.hex(), verified.bad
    if bad is None:
        line = f"{table}: {verified.records} records, chain {chain}: unbroken"
    else:
        line = f"BROKEN at {bad.sentence}"
    answer(
        {
            "table": table,
            "ok": bad is None,
            "records": verified.records,
            "chain": chain,
            "bad": bad
            and {"record": bad.record, "what": bad.what, "at": bad.at, "round": bad.round_id},
        },
        line,
    )


def _report_file(file: Path, report: VerifyReport) -> None:
    lines = [f"{file}: BROKEN: {fault}" for fault in report.faults]
    lines += [f"note: {remark}" for remark in report.notes]
    newest = report.newest
    if newest is not None:
        lines.append(f"signed up to {newest.at}, checkpoint {newest.number}, key {newest.key}")
    if not report.good:
        lines.append(WHAT_NOW)
    answer(
        {
            "journal": str(file),
            "ok": report.good,
            "faults": list(report.faults),
            "notes": list(report.notes),
            "checkpoint": newest and {"number": newest.number, "at": newest.at, "key": newest.key},
            "action": None if report.good else WHAT_NOW,
        },
        *lines,
    )


for _verb in (show, verify, audit, export, prune):
    add_verb(app, _verb.__name__, _verb, "Verbs")
