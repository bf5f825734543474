"""Records as JSON lines, and what proves them: for whoever has neither pitwire nor SQLite.

    {"export":"pitwire/export/1","journal":…,"after":{"<table>":{"record":…,"chain":…}}}
    {"table":…,"record":…,"epoch":…,"seq":…,"kind":…,"blob":"…","chain":…}      one for each record
    {"checkpoint":"…","records":…}

A blob is the text that was hashed; chain values are hex. They are computed from `after` on as
`chain.py` says, table by table, and end with what the checkpoint in the last line signed: its line,
as `checkpoint.py` describes it. What came after that checkpoint is left out: nothing signed it yet.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from daemon.journal.chain import link
from daemon.journal.checkpoint import BadCheckpoint, ChainPoint, Checkpoint, read
from daemon.journal.errors import JournalFailed
from daemon.journal.reader import ReadableJournal
from daemon.journal.records import Record
from protocols.canonical import canonical

FORMAT: Final = "pitwire/export/1"


def export(
    journal: ReadableJournal, table: str | None = None, from_record: int = 1
) -> Iterator[bytes]:
    """Yield the lines of an export of one table, or all. Raises JournalFailed.

    from_record  the first record, of each table; what was pruned before it is not there
    """
    newest = journal.newest_checkpoint()
    try:
        signed = None if newest is None else read(newest[1])
    except BadCheckpoint as error:
        raise _unproven(f"the newest checkpoint is damaged: {error}") from error
    if signed is None:
        raise _unproven("the journal has no checkpoint")
    heads = signed.checkpoint.tables
    if table is not None and table not in heads:
        raise _unproven(f"the newest checkpoint knows no table {table}")
    after = {
        name: _after(journal, name, signed.checkpoint, from_record)
        for name in sorted(heads)
        if table in {None, name}
    }
    yield canonical(
        {
            "export": FORMAT,
            "journal": signed.checkpoint.journal,
            "after": {
                name: {"record": point.number, "chain": point.chain.hex()}
                for name, point in after.items()
            },
        }
    )
    count = 0
    for name, point in after.items():
        for line in _records(journal, name, point.number + 1, heads[name].record):
            yield line
            count += 1
    yield canonical({"checkpoint": signed.line.decode(), "records": count})


def check_export(lines: Iterable[bytes], trusted: Collection[str] = ()) -> Iterator[str]:
    """Yield what is wrong with an export; nothing where it is what was signed.

    trusted  public keys that the site vouches for; empty: whatever key signed
    """
    journal, chains = None, dict[str, ChainPoint]()
    count = 0
    trailer: dict[str, Any] | None = None
    for number, line in enumerate(lines, 1):
        try:
            said = json.loads(line)
            if trailer is not None:
                yield f"line {number}: it comes after the last one"
            elif number == 1:
                journal, chains = said["journal"], _beginnings(said)
            elif "checkpoint" in said:
                trailer = said
            else:
                count += 1
                _link_on(chains, said)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            yield f"line {number}: it is not what was exported ({type(error).__name__}: {error})"
            return
    if trailer is None or trailer.get("records") != count:
        yield f"the end is missing: {count} records, and no last line that counts them"
        return
    yield from _against_trailer(journal, chains, trailer, trusted)


def _after(
    journal: ReadableJournal, table: str, newest: Checkpoint, from_record: int
) -> ChainPoint:
    head = newest.tables[table]
    start = head.start(table)
    record = min(max(start.number, from_record - 1), head.record)
    if record == start.number:
        return start
    chain = journal.chain_at(table, record)
    if chain is None:
        raise _unproven(f"{table} has no record {record}")
    return ChainPoint(record, chain)


def _records(journal: ReadableJournal, table: str, first: int, last: int) -> Iterator[bytes]:
    for record, epoch, seq, kind, blob, chain in journal.chained(table, first):
        if record > last:
            return
        try:
            text = blob.decode()
        except UnicodeDecodeError as error:
            raise _unproven(f"record {record} of {table} is no text") from error
        place = {"table": table, "record": record, "epoch": epoch, "seq": seq, "kind": kind}
        yield canonical({**place, "blob": text, "chain": chain.hex()})


def _beginnings(said: Any) -> dict[str, ChainPoint]:
    if said["export"] != FORMAT:
        raise ValueError(said["export"])
    return {
        table: ChainPoint(point["record"], bytes.fromhex(point["chain"]))
        for table, point in said["after"].items()
    }


def _link_on(chains: dict[str, ChainPoint], said: Any) -> None:
    table, before = said["table"], chains[said["table"]]
    record = Record(said["record"], said["epoch"], said["seq"], said["kind"], said["blob"].encode())
    if record.record != before.number + 1:
        raise ValueError(f"record {before.number + 1} of {table} is missing")
    chain = link(before.chain, record)
    if chain.hex() != said["chain"]:
        raise ValueError(f"the chain of {table} does not fit at record {record.record}")
    chains[table] = ChainPoint(record.record, chain)


def _against_trailer(
    journal: Any,
    chains: dict[str, ChainPoint],
    trailer: dict[str, Any],
    trusted: Collection[str],
) -> Iterator[str]:
    try:
        signed = read(str(trailer["checkpoint"]).encode())
    except BadCheckpoint as error:
        yield f"the last line: {error}"
        return
    if trusted and signed.signers.isdisjoint(trusted):
        yield f"the last line is signed with the key {signed.checkpoint.key}, which is not trusted"
    if signed.checkpoint.journal != journal:
        yield f"the first line names another journal than the last, {signed.checkpoint.journal}"
    for table, point in chains.items():
        head = signed.checkpoint.tables.get(table)
        if head is None or (head.record, head.chain) != (point.number, point.chain):
            yield f"{table} ends at record {point.number}, and that is not what was signed"


def _unproven(what: str) -> JournalFailed:
    return JournalFailed(what, "run `pitwire journal verify`: it names what is damaged")
