"""The only place that slices a byte stream."""

from __future__ import annotations


class ReceiveBuffer:
    """Bytes fed and not yet taken. Taking is amortised O(1): the front is dropped in bulk."""

    __slots__ = ("_data", "_start")

    def __init__(self) -> None:
        self._data = bytearray()
        self._start = 0

    def __len__(self) -> int:
        return len(self._data) - self._start

    def __bytes__(self) -> bytes:
        return bytes(self._data[self._start :])

    def append(self, data: bytes) -> None:
        """Add bytes at the end."""
        if self._start > 4096:
            del self._data[: self._start]
            self._start = 0
        self._data += data

    def byte(self, index: int) -> int:
        """Return the byte at `index` from the front; raises IndexError past the end."""
        return self._data[self._start + index]

    def find(self, wanted: bytes, start: int = 0, stop: int | None = None) -> int:
        """Return where `wanted` first stands in [start, stop), from the front, or -1."""
        base = self._start
        end = len(self._data) if stop is None else min(base + stop, len(self._data))
        at = self._data.find(wanted, base + start, end)
        return at - base if at >= 0 else -1

    def peek(self, start: int, stop: int) -> bytes:
        """Return the bytes in [start, stop) without taking them."""
        return bytes(self._data[self._start + start : self._start + stop])

    def take(self, count: int) -> bytes:
        """Remove and return the first `count` bytes."""
        taken = bytes(self._data[self._start : self._start + count])
        self._start += len(taken)
        if self._start == len(self._data):
            self._data.clear()
            self._start = 0
        return taken
