"""`pitwire journal export` and `prune`: records handed on with their proof, and let go."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from daemon.cli.options import DEFAULT_JOURNAL, JournalArgument, TableOption
from daemon.cli.output import answer, fail
from daemon.exits import Exit

if TYPE_CHECKING:
    from daemon.journal.retention import Retention
    from daemon.journal.signing import SigningKeys


def export(
    file: JournalArgument = DEFAULT_JOURNAL,
    table: TableOption = None,
    start: Annotated[
        int, typer.Option("--from", metavar="RECORD", min=1, help="The first record to export.")
    ] = 1,
) -> None:
    """Write records to stdout as JSON lines, with their proof.

    Each line has a record, its chain value and the exact text that was hashed; the last line has
    the signed checkpoint that the chains end with. `pitwire journal verify` checks such a file, and
    so can anybody who hashes the lines. Sealed records stay sealed. The daemon may run meanwhile.

    Examples:
      pitwire journal export --table BAC-1 > bac-1.jsonl
      pitwire journal export backup.db --from 4200

    Exit codes:
      0   everything up to the newest checkpoint was written
      74  the journal cannot be read, or does not prove itself
    """
    from daemon.journal.errors import JournalFailed
    from daemon.journal.export import export as lines_of
    from daemon.journal.reader import JournalReader

    try:
        with JournalReader.open(file) as journal:
            for line in lines_of(journal, table, start):
                sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
    except JournalFailed as error:
        fail(Exit.JOURNAL, f"{error}; {error.action}")


def prune(
    file: JournalArgument = DEFAULT_JOURNAL,
    days: Annotated[
        float | None,
        typer.Option("--older-than", metavar="DAYS", min=1, help="Delete what is older than this."),
    ] = None,
    megabytes: Annotated[
        float | None,
        typer.Option("--keep-mb", metavar="MB", min=1, help="Delete until so little is left."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="The journal key; by default beside the file."),
    ] = None,
) -> None:
    """Delete old records that the bus has.

    Only what is signed, published and not needed by a restart is deleted; the rest proves itself as
    before. The daemon does this by itself where the configuration says `[journal] keep_days` or
    `keep_megabytes`; this verb is for a journal whose daemon is stopped. The file does not get
    smaller: the daemon uses its space again.

    Examples:
      pitwire journal prune --older-than 90
      pitwire journal prune --keep-mb 2000 --key journal-key

    Exit codes:
      0   done, or there was nothing to delete
      1   the journal is not what was written: nothing is deleted
      74  the file cannot be written, or a daemon has it
    """
    import asyncio

    from daemon.journal.errors import JournalFailed
    from daemon.journal.retention import Retention
    from daemon.journal.signing import SigningKeys
    from daemon.journal.verify import verify
    from daemon.service.journal_key import own_key
    from daemon.service.sealing_keys import BadKey, read_key_file

    if days is None and megabytes is None:
        fail(Exit.USAGE, "nothing to delete: give --older-than, --keep-mb, or both")
    try:
        keys = SigningKeys(read_key_file(key or own_key(file), "journal key"))
        if not verify(file).good:
            what = f"{file} is not what was written; see `pitwire journal verify {file}`"
            fail(Exit.FAILED, what)
        retention = Retention.of(days, megabytes, gently=False)
        count = asyncio.run(_prune(file, keys, retention))
    except JournalFailed as error:
        fail(Exit.JOURNAL, f"{error}; {error.action}")
    except BadKey as error:
        fail(Exit.FAILED, f"{error.what}; {error.action}")
    answer({"deleted": count}, f"{count} records deleted")


async def _prune(file: Path, keys: SigningKeys, retention: Retention) -> int:
    import asyncio

    from daemon.journal.errors import JournalFailed
    from daemon.journal.retention import let_go
    from daemon.journal.store import Journal
    from daemon.journal.writer import Reports

    stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def blocked(why: str | None) -> None:
        if why is not None:
            failed(JournalFailed(why, "then prune again"))

    def failed(error: JournalFailed) -> None:
        if not stopped.done():
            stopped.set_exception(error)

    reports = Reports(blocked, lambda _grown: None, lambda _line: None, failed)
    journal = Journal.open(file, asyncio.get_running_loop(), keys, reports)
    pruning = asyncio.ensure_future(let_go(journal, retention))
    try:
        await asyncio.wait((pruning, stopped), return_when=asyncio.FIRST_COMPLETED)
        return pruning.result() if pruning.done() else stopped.result()
    finally:
        pruning.cancel()
        stopped.cancel()
        await journal.close()
