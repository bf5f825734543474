"""The floor for latency.py: the least that any bridge in Python does for a durable event.

Usage: latency_floor.py URL TABLE PORT JOURNAL. A card goes pty -> decode -> pydantic and JSON ->
SQLite commit (WAL, synchronous=FULL) in a thread -> publish with a message id. No rules, no
rounds, no recovery, no health: what those cost is the product's ratio to this.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue

import nats
from nats.js import JetStreamContext
from pydantic import BaseModel, ConfigDict

from protocols.checks import xor8
from protocols.shoes.angel_eye_ii_ex.layout import ETX, FACES

BATCH = 64
_TABLE = "CREATE TABLE events(seq INTEGER PRIMARY KEY, id TEXT UNIQUE, blob BLOB)"


class FloorEvent(BaseModel):
    """A card, or that the port is open; about as large as the product's event."""

    model_config = ConfigDict(frozen=True)
    id: str
    table: str
    type: str
    seq: int
    time: datetime
    device: str
    rank: str | None = None
    suit: str | None = None
    frame: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """An event on its way: what it is called, and its JSON."""

    kind: str
    id: str
    blob: bytes


class Floor:
    """One port, one journal, one connection."""

    def __init__(self, stream: JetStreamContext, table: str, port: int, journal: Path) -> None:
        self._stream = stream
        self._table = table
        self._port = port
        self._seq = 0
        self._held = bytearray()
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[Item] = SimpleQueue()
        self._sending: set[asyncio.Task[None]] = set()
        self._journal = sqlite3.connect(journal, isolation_level=None, check_same_thread=False)
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", _TABLE):
            self._journal.execute(statement)
        threading.Thread(target=self._write, daemon=True).start()

    def start(self) -> None:
        """Listen, and say so in the way of every event."""
        self._loop.add_reader(self._port, self._receive)
        self._say("device.connected")

    def _receive(self) -> None:
        with suppress(BlockingIOError):
            self._held += os.read(self._port, 4096)
        while (end := self._held.find(ETX)) >= 0 and len(self._held) >= end + 3:
            frame = bytes(self._held[: end + 3])
            del self._held[: end + 3]
            if b"%02X" % xor8(frame[1:-2]) == frame[-2:]:
                card = FACES[frame[4]]
                self._say("card.dealt", card.rank, card.suit, frame.hex())

    def _say(
        self,
        kind: str,
        rank: str | None = None,
        suit: str | None = None,
        frame: str | None = None,
    ) -> None:
        self._seq += 1
        event = FloorEvent(
            id=f"{self._table}:{self._seq}",
            table=self._table,
            type=f"pitwire.{kind}.v1",
            seq=self._seq,
            time=datetime.now(UTC),
            device="angel_eye_ii_ex",
            rank=rank,
            suit=suit,
            frame=frame,
        )
        self._jobs.put(Item(kind, event.id, event.model_dump_json().encode()))

    def _write(self) -> None:
        while True:
            batch = [self._jobs.get()]
            with suppress(Empty):
                while len(batch) < BATCH:
                    batch.append(self._jobs.get_nowait())
            self._journal.execute("BEGIN IMMEDIATE")
            for one in batch:
                self._journal.execute(
                    "INSERT INTO events(id, blob) VALUES(?, ?)", (one.id, one.blob)
                )
            self._journal.execute("COMMIT")
            self._loop.call_soon_threadsafe(self._committed, batch)

    def _committed(self, batch: list[Item]) -> None:
        for one in batch:
            task = asyncio.ensure_future(self._publish(one))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _publish(self, one: Item) -> None:
        subject = f"pit-rehearsal.event.house.{self._table}.{one.kind}"
        await self._stream.publish(subject, one.blob, headers={"Nats-Msg-Id": one.id})


async def main(url: str, table: str, port: str, journal: str) -> None:
    bus = await nats.connect(url)
    fd = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    Floor(bus.jetstream(), table, fd, Path(journal)).start()
    await asyncio.get_running_loop().create_future()  # until it is killed


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:5]))
