"""Which files one card goes through: from the session's chunk to the journal's bytes.

Usage: python bench/card_path.py [--calls] [game]. A baccarat round is dealt to the real session,
inbox, table and codec; the second card, face up, is traced with `sys.setprofile`. Counted are our
own files: how many, how many calls, and how often the path changes file. With --calls each change
is printed.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

from daemon.delivery.bus import Address
from daemon.devices.session import Session
from daemon.journal.records import Transaction
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.inbox import Outlets
from daemon.runtime.table_start import begin_table
from daemon.service.assembly import attached_devices, one_table, setup_of
from daemon.table.inputs import Commanded, LinkUp
from drivers.clock import BootClock
from drivers.link import Chunk
from protocols.cards import Card
from protocols.commands import CloseBets, LoadShoe, OpenRound
from protocols.device import Decoded, Decoder
from protocols.instant import Instant
from protocols.shoes.angel_eye_ii_ex.layout import FACE_BYTES, report

ROOT = Path(__file__).resolve().parents[1]
REPLACE = str(ROOT / "protocols" / "replace.py")
ROOMS = tuple(f"{ROOT / room}/" for room in ("protocols", "drivers", "daemon"))


class Silent:
    """A watcher that does nothing: counting is no part of the path."""

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_args, **_named: None


class Prepared:
    """A decoder whose work is done before: decoding is no part of the path."""

    wake_at = None

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self._decoded: Sequence[Decoded] = ()

    @property
    def pending(self) -> bytes:
        """Return the bytes that are not accounted for."""
        return self._decoder.pending

    def prepare(self, chunk: Chunk) -> None:
        """Decode a chunk that is fed next."""
        self._decoded = self._decoder.feed(chunk.at, chunk.data)

    def feed(self, _at: Instant, _data: bytes) -> Sequence[Decoded]:
        """Return what was decoded."""
        return self._decoded

    def tick(self, _at: Instant) -> Sequence[Decoded]:
        """Return nothing: no time passes."""
        return ()


class NoJournal:
    """A journal of which nothing is kept: what it is handed are the bytes at the path's end."""

    def append(self, _transaction: Transaction, done: Callable[[], None]) -> None:
        """Call `done`: it is durable."""
        done()


class Trace:
    """The calls of our own functions, in order: each with its caller's file."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, str]] = []

    def __call__(self, frame: FrameType, event: str, _arg: Any) -> None:
        """Keep a call of one of our functions."""
        if event == "call" and ours(frame):
            caller = frame.f_back
            while caller is not None and not ours(caller):
                caller = caller.f_back
            origin = place(caller) if caller is not None else ""
            self.calls.append((origin, place(frame), frame.f_code.co_qualname))

    def files(self) -> set[str]:
        """Return the files on the path."""
        return {callee for _, callee, _ in self.calls}

    def changes(self) -> int:
        """Return how often the next function called is in another file than the one before it."""
        files = [callee for _, callee, _ in self.calls]
        return sum(one != other for one, other in pairwise(files))

    def crossings(self) -> int:
        """Return how many calls go from one file into another."""
        return sum(origin != callee for origin, callee, _ in self.calls)


def ours(frame: FrameType) -> bool:
    """Return whether a frame is of our own code."""
    return frame.f_code.co_filename.startswith(ROOMS) and frame.f_code.co_filename != REPLACE


def place(frame: FrameType) -> str:
    """Return a frame's file, as the tree has it."""
    return Path(frame.f_code.co_filename).relative_to(ROOT).as_posix()


def silent() -> Outlets:
    """Return outlets that tell nobody: who listens is no part of the path."""

    def nobody(*_: object) -> None:
        """Take what is told."""

    return Outlets(wake=nobody, published=nobody, shown=nobody, counted=nobody)


async def dealt_to(trace: Trace) -> None:
    """Deal a round's first two cards to a table; trace the second."""
    config = one_table("baccarat", "baccarat-lv", "angel_eye_ii_ex", round_control="server")
    (plug,) = attached_devices(config)
    clock = BootClock()
    time = Timekeeper(clock, lambda: "synced")
    address = Address("site", config.id, "replay")
    inbox = begin_table(setup_of(config), address, "000001-path", NoJournal(), time, silent())
    decoder = Prepared(plug.spec.decoder(plug.settings))
    plug = replace(plug, spec=replace(plug.spec, decoder=lambda _settings: decoder))
    session = Session(plug, inbox, clock, Silent())  # type: ignore[arg-type]
    inbox.put(LinkUp("primary", plug.spec.key, "/dev/path"))
    for command in (LoadShoe("S-1"), OpenRound("R-1"), CloseBets("R-1")):
        assert inbox.put(Commanded(command, "id")).refusal is None
    cards = (("1", 0x01, "3", "C"), ("2", 0x11, "T", "C"))
    for number, place, rank, suit in cards:
        frame = report(number, "D", bytes([0x80 | place, face(Card(rank, suit))]))  # type: ignore[arg-type]
        chunk = Chunk(clock.now(), frame)
        decoder.prepare(chunk)
        before = inbox.position.seq
        sys.setprofile(trace if number == "2" else None)
        session._hear(None, session.feed.take(chunk))  # type: ignore[arg-type]  # noqa: SLF001
        sys.setprofile(None)
        assert inbox.position.seq == before + 1


def face(card: Card) -> int:
    """Return the byte of a card's face."""
    return FACE_BYTES[card]


def main(arguments: list[str]) -> None:
    """Print the path."""
    trace = Trace()
    asyncio.run(dealt_to(trace))
    if "--calls" in arguments:
        for _, callee, name in trace.calls:
            print(f"{callee:<50} {name}")
    for file in sorted(trace.files()):
        print(file)
    functions = len({(callee, name) for _, callee, name in trace.calls})
    print(
        f"{len(trace.files())} files, {trace.changes()} changes of file, {functions} functions,"
        f" {len(trace.calls)} calls, {trace.crossings()} of them into another file"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
