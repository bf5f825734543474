"""What the tests of the durable half share: events, a disk that fails, a journal, a server."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest

from daemon.demo.embedded_nats import EmbeddedNats, NatsServerMissing
from daemon.gamekit.commitments import Concealed
from daemon.journal.errors import JournalFailed
from daemon.journal.records import Answer, Record, Transaction
from daemon.journal.signing import SigningKeys
from daemon.journal.store import Journal
from daemon.journal.writer import Reports

KEYS = SigningKeys([Concealed(b"a key that signs test journals..")])
EPOCH = "000001-9f2c"
TABLE = "T-07"


def body(
    seq: int, epoch: str = EPOCH, kind: str = "card.dealt", note: str = "", **data: str
) -> bytes:
    """An event as the journal holds it: canonical JSON."""
    event = {
        "data": {"note": note, "rank": "K", **data},
        "epoch": epoch,
        "id": f"{epoch}.{seq}",
        "sequence": f"{seq:020d}",
        "source": f"/pit/oslo/{TABLE}",
        "specversion": "1.0",
        "type": f"pitwire.{kind}.v1",
    }
    return json.dumps(event, separators=(",", ":"), sort_keys=True).encode()


def event(seq: int, *, record: int | None = None, epoch: str = EPOCH, note: str = "") -> Record:
    return Record(record or seq, epoch, seq, "event", body(seq, epoch, note=note))


def events(first: int, last: int, table: str = TABLE, note: str = "") -> list[Transaction]:
    """One transaction per event, numbered alike in record and seq."""
    return [Transaction(table, (event(seq, note=note),)) for seq in range(first, last + 1)]


@dataclass
class Opened:
    """An open journal and what it reported."""

    journal: Journal = field(init=False)
    conditions: list[str | None] = field(default_factory=list)
    growths: list[str | None] = field(default_factory=list)
    checkpoints: list[bytes] = field(default_factory=list)
    failures: list[JournalFailed] = field(default_factory=list)
    acknowledged: list[Transaction] = field(default_factory=list)
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    appended: int = 0

    def append(self, *transactions: Transaction) -> None:
        for one in transactions:
            self.appended += 1
            self.journal.append(one, lambda one=one: self._done(one))  # type: ignore[misc] # a bound default

    async def write(self, *transactions: Transaction) -> None:
        """Append and wait until all are durable."""
        self.append(*transactions)
        await self.until(lambda: len(self.acknowledged) == self.appended)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(10):
            while not condition():
                self.heard.clear()
                await self.heard.wait()

    def _done(self, one: Transaction) -> None:
        self.acknowledged.append(one)
        self.heard.set()

    def condition(self, text: str | None) -> None:
        self.conditions.append(text)
        self.heard.set()

    def checkpoint(self, line: bytes) -> None:
        self.checkpoints.append(line)
        self.heard.set()

    def failed(self, why: JournalFailed) -> None:
        self.failures.append(why)
        self.heard.set()


@asynccontextmanager
async def opened(
    path: Path,
    *,
    keys: SigningKeys = KEYS,
    vfs: str | None = None,
    wall: Callable[[], float] = time.time,
) -> AsyncIterator[Opened]:
    it = Opened()
    it.journal = Journal.open(
        path,
        asyncio.get_running_loop(),
        keys,
        Reports(it.condition, it.growths.append, it.checkpoint, it.failed),
        retry_s=0.01,
        wall=wall,
        vfs=vfs,
    )
    try:
        yield it
    finally:
        await it.journal.close()


def answer(command_id: str, blob: bytes = b"accepted", at: float = 0.0) -> Answer:
    return Answer(command_id, b"\x01" * 32, blob, at)


# --- a disk that fails ---------------------------------------------------------------------


@dataclass
class Fault:
    """The n-th call of `method` from now on raises `error`, once.

    only  the kind of file it must be called on: SQLITE_OPEN_MAIN_DB or SQLITE_OPEN_WAL
    """

    method: str = ""
    nth: int = 0
    error: type[apsw.Error] = apsw.FullError
    only: int = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_WAL
    hit: bool = False

    def call(self, method: str, kind: int) -> None:
        if method != self.method or not kind & self.only:
            return
        self.nth -= 1
        if self.nth == 0:
            self.hit = True
            raise self.error("made to fail")


class FaultyDisk(apsw.VFS):
    """SQLite's own file layer, with one fault to come."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.fault = Fault()
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return _FaultyFile(self, name, flags)


class _FaultyFile(apsw.VFSFile):
    def __init__(
        self, disk: FaultyDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        super().__init__("", name, flags)
        self._disk = disk
        self._kind = flags[0]

    def xWrite(self, data: object, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.fault.call("xWrite", self._kind)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.fault.call("xSync", self._kind)
        super().xSync(flags)


@contextmanager
def faulty_disk() -> Iterator[FaultyDisk]:
    disk = FaultyDisk("faulty")
    try:
        yield disk
    finally:
        disk.unregister()


# --- a server ------------------------------------------------------------------------------


@contextmanager
def nats_server(folder: Path, extra_config: str = "") -> Iterator[tuple[EmbeddedNats, str]]:
    server = EmbeddedNats()
    try:
        url = server.start(folder, extra_config=extra_config)
    except NatsServerMissing as missing:
        pytest.skip(f"{missing.what}: {missing.action}")
    try:
        yield server, url
    finally:
        server.stop()
