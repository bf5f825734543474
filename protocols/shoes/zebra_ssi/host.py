"""What the simulated scanner hears: a host's bytes to packets, or to None for a damaged one."""

from __future__ import annotations

from typing import Final

from protocols.shoes.zebra_ssi.layout import CHECK, HEAD, HOST, PERMANENT, is_whole

_STATUS: Final = (0x00, PERMANENT)


class HostEar:
    """Collects host bytes. What is no packet's head, as the byte that wakes it up, is ignored."""

    def __init__(self) -> None:
        self._held = b""

    def take(self, data: bytes) -> list[bytes | None]:
        """Return the packets that `data` completes, in order."""
        self._held += data
        heard: list[bytes | None] = []
        while len(self._held) >= HEAD:
            length, _, source, status = self._held[:HEAD]
            if length < HEAD or source != HOST or status not in _STATUS:
                self._held = self._held[1:]
                continue
            raw = self._held[: length + CHECK]
            if len(raw) < length + CHECK:
                break
            self._held = self._held[len(raw) :]
            heard.append(raw if is_whole(raw) else None)
        return heard
