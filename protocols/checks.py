"""Check values, one function each."""

from __future__ import annotations

from binascii import crc_hqx
from functools import reduce
from operator import xor
from typing import Final


def xor8(data: bytes) -> int:
    """Return the exclusive or of all bytes: blind to order and to equal flips in two bytes."""
    return reduce(xor, data, 0)


def crc16_mcrf4xx(data: bytes) -> int:
    """Return CRC-16/MCRF4XX: x16 + x12 + x5 + 1 reflected, from FFFF. Of `123456789`: 6F91."""
    # The library's CRC of the same polynomial takes the high bit first: turn all bits around.
    turned = crc_hqx(data.translate(_TURNED), 0xFFFF)
    return _TURNED[turned & 0xFF] << 8 | _TURNED[turned >> 8]


_TURNED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def sum16_negated(data: bytes) -> int:
    """Return the two's complement of the sum of all bytes, 16 bits: blind to their order."""
    return -sum(data) & 0xFFFF
