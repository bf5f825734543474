"""A disk that remembers every write, so that any moment of a power cut can be put together again.

What is synced is there; of what was written since a file's last sync anything may be there: all,
nothing, any part of it, and of one write some of its sectors. Files come and go at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, Literal, TypeAlias

import apsw

SECTOR: Final = 512
_FEW: Final = 64
"""So many writes that may be missing are tried one by one."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One call on a file. `at`: where it writes, or to what length it cuts."""

    file: str
    kind: Literal["write", "truncate", "sync", "delete"]
    at: int = 0
    data: bytes = b""


Files: TypeAlias = dict[str, bytearray]


class RecordingDisk(apsw.VFS):
    """SQLite's own file layer; every operation is remembered, in order."""

    def __init__(self, name: str, journal: Path) -> None:
        self.name = name
        self.operations: list[Operation] = []
        self._prefix = str(journal)
        super().__init__(name, "")

    def note(self, path: str, kind: Literal["write", "truncate", "sync", "delete"],
             at: int = 0, data: bytes = b"") -> None:  # fmt: skip
        self.operations.append(Operation(path.removeprefix(self._prefix), kind, at, data))

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return _RecordedFile(self, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802 - SQLite's name
        super().xDelete(name, sync)
        self.note(name, "delete")


class _RecordedFile(apsw.VFSFile):
    def __init__(
        self, disk: RecordingDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        super().__init__("", name, flags)
        self._disk = disk
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        super().xWrite(data, offset)
        self._disk.note(self._path, "write", offset, bytes(data))

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's name
        super().xTruncate(size)
        self._disk.note(self._path, "truncate", size)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        super().xSync(flags)
        self._disk.note(self._path, "sync")


@dataclass(frozen=True, slots=True)
class Cut:
    """A power cut after so many operations, and what then became of the writes not yet synced.

    lost  the operations, by number, of which nothing is there
    torn  the operation of which only these sectors are there
    """

    after: int
    lost: frozenset[int] = frozenset()
    torn: tuple[int, range] | None = None

    @property
    def is_plain(self) -> bool:
        """Return whether it is as if the process alone had died."""
        return not self.lost and self.torn is None


@dataclass
class Replayer:
    """Puts disks together again, cut after cut, in the order of `after`."""

    operations: Sequence[Operation]
    _done: int = 0
    _files: Files = field(default_factory=dict)
    _synced: Files = field(default_factory=dict)
    _open: list[int] = field(default_factory=list)

    def unsynced(self) -> list[int]:
        """Return the operations whose effect a power cut now may take."""
        return list(self._open)

    def go_to(self, after: int) -> None:
        """Let the operations up to this one happen."""
        for number in range(self._done, after):
            operation = self.operations[number]
            _apply(self._files, operation)
            match operation.kind:
                case "sync":
                    content = self._files.get(operation.file)
                    if content is not None:
                        self._synced[operation.file] = bytearray(content)
                    self._open = [
                        one for one in self._open if self.operations[one].file != operation.file
                    ]
                case "delete":
                    self._synced.pop(operation.file, None)
                    self._open = [
                        one for one in self._open if self.operations[one].file != operation.file
                    ]
                case _:
                    self._open.append(number)
        self._done = max(after, self._done)

    def disk(self, cut: Cut) -> Files:
        """Return the files after this cut, which is at where `go_to` went."""
        if cut.is_plain:
            return self._files
        files = {name: bytearray(content) for name, content in self._synced.items()}
        for name in self._files:
            files.setdefault(name, bytearray())
        for number in self._open:
            if number in cut.lost:
                continue
            operation = self.operations[number]
            if cut.torn is not None and cut.torn[0] == number:
                for sector in cut.torn[1]:
                    first = sector * SECTOR
                    part = operation.data[first : first + SECTOR]
                    _apply(files, Operation(operation.file, "write", operation.at + first, part))
            else:
                _apply(files, operation)
        return files


def _apply(files: Files, operation: Operation) -> None:
    if operation.kind == "delete":
        files.pop(operation.file, None)
        return
    content = files.setdefault(operation.file, bytearray())
    if operation.kind == "write":
        end = operation.at + len(operation.data)
        content.extend(bytes(max(0, end - len(content))))
        content[operation.at : end] = operation.data
    elif operation.kind == "truncate":
        del content[operation.at :]


def every_cut(operations: Sequence[Operation], chance: Random) -> Iterator[Cut]:
    """Yield the cuts worth trying: after each operation, with what may then be missing.

    All there, all lost, each single one lost, only a single one there, one of them torn, and two
    mixtures by chance.
    """
    replayer = Replayer(operations)
    for after in range(len(operations) + 1):
        replayer.go_to(after)
        yield Cut(after)
        opened = replayer.unsynced()
        if not opened:
            continue
        everything = frozenset(opened)
        yield Cut(after, everything)
        if 1 < len(opened) <= _FEW:
            yield from (Cut(after, frozenset({one})) for one in opened)
            yield from (Cut(after, everything - {one}) for one in opened)
            for _ in range(2):
                yield Cut(after, frozenset(one for one in opened if chance.random() < 0.5))
        last = opened[-1]
        sectors = len(operations[last].data) // SECTOR
        if sectors > 1:
            yield Cut(after, torn=(last, range(chance.randrange(1, sectors))))
            yield Cut(after, torn=(last, range(chance.randrange(1, sectors), sectors)))
