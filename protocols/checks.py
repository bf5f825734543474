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
    return _turned16(crc_hqx(data.translate(_TURNED), 0xFFFF))


_TURNED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def _turned16(word: int) -> int:
    return _TURNED[word & 0xFF] << 8 | _TURNED[word >> 8]


def sum16_negated(data: bytes) -> int:
    """Return the two's complement of the sum of all bytes, 16 bits: blind to their order."""
    return -sum(data) & 0xFFFF


def sum8(data: bytes) -> int:
    """Return the sum of all bytes, 8 bits: blind to their order."""
    return sum(data) & 0xFF


def lrc8(data: bytes) -> int:
    """Return the two's complement of the sum of all bytes, as in Modbus ASCII: order-blind."""
    return -sum(data) & 0xFF


def crc16_ccitt(data: bytes) -> int:
    """Return CRC-16/IBM-3740 ("CCITT"): x16 + x12 + x5 + 1 from FFFF. Of `123456789`: 29B1."""
    return crc_hqx(data, 0xFFFF)


def crc16_kermit(data: bytes) -> int:
    """Return CRC-16/KERMIT: x16 + x12 + x5 + 1 reflected, from 0000. Of `123456789`: 2189."""
    return _turned16(crc_hqx(data.translate(_TURNED), 0))


def crc16_x25(data: bytes) -> int:
    """Return CRC-16/X-25: as MCRF4XX, inverted at the end. Of `123456789`: 906E."""
    return crc16_mcrf4xx(data) ^ 0xFFFF


def crc16_modbus(data: bytes) -> int:
    """Return CRC-16/MODBUS: x16 + x15 + x2 + 1 reflected, from FFFF. Of `123456789`: 4B37."""
    crc = 0xFFFF
    for byte in data:
        crc = crc >> 8 ^ _MODBUS[(crc ^ byte) & 0xFF]
    return crc


def _modbus_entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (0xA001 if byte & 1 else 0)
    return byte


_MODBUS: Final = tuple(_modbus_entry(byte) for byte in range(256))
