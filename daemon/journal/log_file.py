"""The write-ahead log as bytes: what in it SQLite does not take.

SQLite reads the log up to its last commit whose frames all fit their checksums, and what follows is
gone without a word. Rightly so where a write was interrupted: by `kill -9` in the middle of a
transaction (no commit frame follows), by a power cut in the last one, which was not acknowledged
(one may follow). Every commit is synced before the next begins, so two commits that do not fit
were acknowledged, and lost: the log was damaged.

Header, 32 bytes: magic, version, page size, number, salt 1, salt 2, checksum (2 words). Frame: 24
bytes (page, size of the file after a commit or 0, salt 1, salt 2, checksum), then the page. A frame
with other salts than the header's is of a generation that was folded into the file before. The
checksum runs on from the header over the first 8 bytes of each frame and its page, in the byte
order that the last bit of the magic names.
Source: SQLite's file format, section "The Write-Ahead Log".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

_HEADER: Final = struct.Struct(">8I")
_FRAME: Final = struct.Struct(">6I")
_SUMMED_OF_HEADER: Final = 24
_SUMMED_OF_FRAME: Final = 8
_MAGIC: Final = 0x377F0682
_PAGE_BYTES: Final = range(512, 65537)
_WORD: Final = 0xFFFFFFFF

_Sum: TypeAlias = tuple[int, int]


def lost_commits(path: Path, taken_frames: int | None = None) -> int:
    """Return how many commits the log of the journal at `path` holds that SQLite does not take.

    taken_frames  how many frames it does take; None: find out by their checksums
    Raises OSError.
    """
    try:
        log = path.with_name(path.name + "-wal").open("rb")
    except FileNotFoundError:
        return 0
    with log:
        raw = log.read(_HEADER.size)
        if len(raw) < _HEADER.size or not any(raw):
            return 0  # a power cut took the very first write
        magic, _, page_bytes, _, salt_1, salt_2, *stated = _HEADER.unpack(raw)
        order = ">" if magic & 1 else "<"
        checksum = _sum(order, raw[:_SUMMED_OF_HEADER], (0, 0))
        if magic & ~1 != _MAGIC or page_bytes not in _PAGE_BYTES or [*checksum] != stated:
            return _commits_of_any_generation(log)
        taken, lost = True, 0
        for number, (frame, page) in enumerate(_frames(log, page_bytes)):
            _, commits, *salts, sum_1, sum_2 = _FRAME.unpack(frame)
            of_this_generation = salts == [salt_1, salt_2]
            if taken_frames is not None:
                taken = number < taken_frames
            elif taken:
                checksum = _sum(order, frame[:_SUMMED_OF_FRAME] + page, checksum)
                taken = of_this_generation and checksum == (sum_1, sum_2)
            lost += not taken and of_this_generation and bool(commits)
        return lost


def _commits_of_any_generation(log: BinaryIO) -> int:
    """Return how many commits stand behind a header that is damaged."""
    log.seek(_HEADER.size)
    return sum(bool(_FRAME.unpack(frame)[1]) for frame, _ in _frames(log, 4096))


def _frames(log: BinaryIO, page_bytes: int) -> Iterator[tuple[bytes, bytes]]:
    while True:
        frame, page = log.read(_FRAME.size), log.read(page_bytes)
        if len(page) < page_bytes:
            return
        yield frame, page


def _sum(order: str, data: bytes, so_far: _Sum) -> _Sum:
    one, two = so_far
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & _WORD
        two = (two + second + one) & _WORD
    return one, two
