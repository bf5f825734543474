"""Check values of `123456789`, as the catalogue of CRCs and simple sums give them."""

from collections.abc import Callable

import pytest

from protocols import checks

NINE = b"123456789"


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (checks.xor8, 0x31),
        (checks.sum8, 0xDD),
        (checks.lrc8, 0x23),
        (checks.sum16_negated, 0xFE23),
        (checks.crc16_ccitt, 0x29B1),
        (checks.crc16_kermit, 0x2189),
        (checks.crc16_mcrf4xx, 0x6F91),
        (checks.crc16_modbus, 0x4B37),
        (checks.crc16_x25, 0x906E),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_a_check_value_is_the_published_one(check: Callable[[bytes], int], value: int) -> None:
    assert check(NINE) == value
