"""A symbol that needs several packets: which packets are parts of it."""

from __future__ import annotations

from protocols.instant import Instant
from protocols.shoes.zebra_ssi.layout import AGAIN, CONTINUED, CONTINUED_S, HEAD, first_sent


class LongSymbol:
    """Remembers that more packets follow, and the last of them, which may be sent again."""

    def __init__(self) -> None:
        self._wanted: tuple[bytes, Instant] | None = None
        self._end: bytes | None = None

    def holds(self, at: Instant, raw: bytes) -> bool:
        """Return whether this DECODE_DATA packet is a part of a symbol of several packets."""
        symbology = raw[HEAD : HEAD + 1]
        if raw[3] & CONTINUED:
            self._wanted, self._end = (symbology, at), None
            return True
        if self._wanted is None and self._end is None:
            return False
        if raw[3] & AGAIN and first_sent(raw) == self._end:
            return True
        is_end = self._is_wanted(symbology, at)
        self._wanted, self._end = None, first_sent(raw) if is_end else None
        return is_end

    def _is_wanted(self, symbology: bytes, at: Instant) -> bool:
        if self._wanted is None or self._wanted[0] != symbology:
            return False
        waited = at.since(self._wanted[1])
        return waited is not None and waited <= CONTINUED_S
