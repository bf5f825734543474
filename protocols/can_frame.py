"""A CAN frame as a packet, and the decoder of everything that is said in single frames.

    0-3  identifier, big endian: bit 31 says that it has 29 bits in place of 11, bit 30 a remote
         request, bit 29 an error that the bus reports in place of a frame
    4    length of the data, 0 to 8      5-7  nought      8-  the data, which a request has not

Source: LINKTYPE_CAN_SOCKETCAN. Frames of CAN FD have bit 2 of byte 5 set and are not understood.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from protocols.device import Decoded, FrameMeaning
from protocols.framing import Framing
from protocols.instant import Instant
from protocols.rejects import RejectReason

EXTENDED: Final = 1 << 31
REMOTE: Final = 1 << 30
ERROR: Final = 1 << 29
STANDARD_MAX: Final = 0x7FF
EXTENDED_MAX: Final = 0x1FFFFFFF
BUS_OFF: Final = ERROR | 0x40
"""The controller left the bus: CAN_ERR_BUSOFF of linux/can/error.h."""
CONTROLLER: Final = 0x04
RECEIVE_OVERFLOW: Final = 0x01
"""An error of the controller, CAN_ERR_CRTL, and what bit 0 of its second byte says of it: frames
came faster than they were taken from it, and are lost (CAN_ERR_CRTL_RX_OVERFLOW)."""
FD: Final = 0x04
HEAD: Final = 8
DATA_MAX: Final = 8
_KNOWN_MAX: Final = 8192

FRAMING: Final = Framing(
    self_starting=True, checksum="none", ends_by="length", silence_s=0.0, pending_max=0
)
"""Every frame is whole, and none is held back. Its checksum has been taken off by the adapter."""


DataReader: TypeAlias = Callable[[bytes], FrameMeaning]
"""What the data under one identifier says. It is given 0 to 8 bytes."""


def packet(identifier: int, data: bytes, length: int | None = None, *, fd: bool = False) -> bytes:
    """Return a frame as a packet; `identifier` carries its flags. A request has a length alone."""
    length = len(data) if length is None else length
    return b"%b%c%c\0\0%b" % (identifier.to_bytes(4, "big"), length, FD if fd else 0, data)


class CanDecoder:
    """Decodes packets by their identifiers. One packet, one frame, one statement."""

    def __init__(self, meanings: Mapping[int, DataReader]) -> None:
        """`meanings`: identifier, with bit 31 where it has 29 bits, to what is said under it."""
        self.wake_at: Instant | None = None
        self._meanings = meanings
        self._known: dict[bytes, FrameMeaning] = {}

    @property
    def pending(self) -> bytes:
        """Return nothing: a packet is whole."""
        return b""

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        """Return what one packet says."""
        if not data:
            return ()
        meaning = self._known.get(data)
        if meaning is None:
            meaning = self._read(data)
            if len(self._known) >= _KNOWN_MAX:
                self._known.clear()
            self._known[data] = meaning
        return (Decoded(at, data, meaning.body, meaning.sequence, meaning.reply),)

    def tick(self, at: Instant) -> Sequence[Decoded]:  # noqa: ARG002 - no packet ends by silence
        """Return nothing: no device is polled."""
        return ()

    def _read(self, data: bytes) -> FrameMeaning:
        if len(data) < HEAD:
            return FrameMeaning(RejectReason.LENGTH)
        identifier = int.from_bytes(data[:4], "big")
        if identifier & ERROR:
            return FrameMeaning(RejectReason.BUS_ERROR)
        if any(data[5:HEAD]) or identifier & REMOTE:
            return FrameMeaning(RejectReason.UNSUPPORTED)
        if data[4] != len(data) - HEAD or data[4] > DATA_MAX:
            return FrameMeaning(RejectReason.LENGTH)
        meaning = self._meanings.get(identifier)
        return FrameMeaning(RejectReason.UNSUPPORTED) if meaning is None else meaning(data[HEAD:])
