"""`pitwire journal`: what was written down, and whether anybody touched it. Read-only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from daemon.cli.options import JsonFlag
from daemon.cli.output import answer, fail, note
from daemon.exits import Exit

app = typer.Typer(help="Read and verify the journal.", no_args_is_help=True)
FileArgument = Annotated[Path, typer.Argument(readable=False, help="The journal's file.")]
TableOption = Annotated[str | None, typer.Option("--table", "-t", help="Only this table.")]
DEFAULT_JOURNAL = Path("/var/lib/pitwire/journal.db")


@app.command()
def show(
    file: FileArgument = DEFAULT_JOURNAL,
    table: TableOption = None,
    start: Annotated[int, typer.Option("--from", help="The first record.")] = 1,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key", help="The sealing key's file: show what is sealed, hidden cards too."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the records of a journal in order; sealed ones as they are stored."""
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
                    one = stored if cipher is None else opened(name, stored, cipher)
                    if as_json:
                        line = {"table": name, "record": one.record, "epoch": one.epoch}
                        answer(
                            {**line, "seq": one.seq, "kind": one.kind, "blob": json.loads(one.blob)}
                        )
                    else:
                        seq = "" if one.seq is None else f"seq {one.seq}"
                        print(f"{name} {one.record:8} {one.kind:8} {seq:10} {one.blob.decode()}")
    except JournalFailed as error:
        fail(Exit.JOURNAL, f"{error}; {error.action}", as_json=as_json)
    except (BadKey, Unopened) as error:
        fail(Exit.FAILED, f"{error.what}; {error.action}", as_json=as_json)


@app.command()
def verify(
    file: FileArgument = DEFAULT_JOURNAL, table: TableOption = None, as_json: JsonFlag = False
) -> None:
    """Recompute the chain over every record; exit 1 and name the first bad one."""
    import sys

    from daemon.journal import verify as verifier
    from daemon.journal.errors import JournalFailed

    def progress(name: str, done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{name}: {done} records", end="", file=sys.stderr)

    try:
        report = verifier.verify(file, table, progress)
    except JournalFailed as error:
        fail(Exit.JOURNAL, f"{error}; {error.action}", as_json=as_json)
    if sys.stderr.isatty():
        note("")
    for one in report.tables:
        if as_json:
            bad = None if one.bad is None else {"record": one.bad.record, "what": one.bad.what}
            answer(
                {
                    "table": one.table,
                    "ok": one.bad is None,
                    "records": one.records,
                    "chain": one.chain.hex(),
                    "bad": bad,
                }
            )
        elif one.bad is None:
            print(f"{one.table}: {one.records} records, chain {one.chain.hex()}: unbroken")
        else:
            print(f"{one.table}: BROKEN at record {one.bad.record}: {one.bad.what}")
    raise SystemExit(int(Exit.FAILED if report.bad else Exit.OK))
