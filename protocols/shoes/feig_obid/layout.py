"""The frames of FEIG's OBID readers, as data.

    standard reply   LL AA CC SS dd .. KK KK            request   LL AA CC dd .. KK KK
    advanced reply   02 HH LL AA CC SS dd .. KK KK      request   02 HH LL AA CC dd .. KK KK

    LL  length of the whole frame; HH LL in the advanced frame, high byte first
    AA  the reader's address, FF in a request to any reader
    CC  the command, which a reply repeats      SS  status, 00 is well
    KK  CRC-16/MCRF4XX of all before it, low byte first

    B0 with 01 00, inventory: a reply holds the number of tags, then for each
        03 (ISO 15693)  DSFID  UID, eight bytes, the first E0

A reader answers in the frame that the host used, and a damaged request not at all.

Source: the maker's manuals; the check value against requests in a public driver.
Not understood: tags of other kinds than 03, whose length the reply does not state.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from protocols.cardcodes import CardMap, house_codes
from protocols.checks import crc16_mcrf4xx

ADVANCED: Final = 0x02
ANY_READER: Final = 0xFF
CHECK: Final = 2
ADVANCED_MIN: Final = 8
STANDARD_MAX: Final = 0xFF
TAGS_MAX: Final = 200
"""More than lie on any card reader; the count field ends at 255."""
ISO15693: Final = 0x03
SET: Final = 10
"""Bytes of one tag in an inventory: kind, DSFID, UID."""
FRAME_MAX: Final = 3 + 3 + 1 + TAGS_MAX * SET + CHECK
UID_FIRST: Final = "E0"

CPU_RESET: Final = 0x63
SYSTEM_RESET: Final = 0x64
VERSION: Final = 0x65
READER_INFO: Final = 0x66
RF_RESET: Final = 0x69
INVENTORY: Final = 0xB0

CONTROLS: Final[Mapping[int, str]] = {
    0x22: "read_buffer",
    0x32: "clear_buffer",
    CPU_RESET: "cpu_reset",
    SYSTEM_RESET: "system_reset",
    VERSION: "version",
    READER_INFO: "reader_info",
    RF_RESET: "rf_reset",
    0x80: "read_configuration",
    0x81: "write_configuration",
    0x83: "reset_configuration",
    0xA0: "login",
    INVENTORY: "inventory",
}
WELL: Final = 0x00
NO_TAG: Final = 0x01
RF_WARNING: Final = 0x84
MORE_DATA: Final = 0x94

FRAME_GAP_S: Final = 0.2
"""Quiet that ends half a frame: the reader sends one without a pause."""
ANSWER_WITHIN_S: Final = 0.3
"""How long an answer may take: an inventory, and the longest standard frame. It changes nothing,
so it is then asked for anew; a card passes in little more."""
ANSWER_MIN_S: Final = 0.005
"""What comes sooner after a poll answers an earlier one."""
GONE_AFTER_MAX_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class FeigObidSettings:
    """What differs between sites. Raises ValueError for an enrolment with gaps or doubles.

    enrolment  pairs of a tag's UID (16 hex digits, upper case) and a card; empty: no tag is known
    address    the reader's own; 255 takes any
    frames     which frames we ask in
    poll       ask for what lies on the reader; off where another host asks
    gone_after_s
               how long a card is not found before it has left: one that is lifted and laid down
               again sooner lay there all the time
    """

    enrolment: CardMap = ()
    address: int = ANY_READER
    frames: Literal["standard", "advanced"] = "standard"
    poll: bool = True
    gone_after_s: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.address <= ANY_READER:
            raise ValueError(f"the address {self.address} is not within 0 to 255")
        if not 0 < self.gone_after_s <= GONE_AFTER_MAX_S:
            raise ValueError(f"gone_after_s is {self.gone_after_s:g}, not above 0 and at most 60")
        for uid, _ in self.enrolment:
            if not re.fullmatch(UID_FIRST + r"[0-9A-F]{14}", uid):
                raise ValueError(f"{uid!r} is no UID: E0 and 14 more digits, upper-case hex")
        if self.enrolment:
            house_codes(self.enrolment)


def standard(control: int, data: bytes = b"", *, address: int = ANY_READER) -> bytes:
    """Return a standard frame; in a reply the status leads the data."""
    return _checked(bytes([3 + len(data) + CHECK, address, control]) + data)


def advanced(control: int, data: bytes = b"", *, address: int = ANY_READER) -> bytes:
    """Return an advanced frame; in a reply the status leads the data."""
    length = 5 + len(data) + CHECK
    return _checked(bytes([ADVANCED, *length.to_bytes(2, "big"), address, control]) + data)


def is_whole(raw: bytes) -> bool:
    """Return whether a frame's check value is right."""
    return crc16_mcrf4xx(raw[:-CHECK]) == int.from_bytes(raw[-CHECK:], "little")


def head_of(raw: bytes) -> int:
    """Return how many bytes of a frame stand before its address."""
    return 3 if raw[0] == ADVANCED else 1


def inventory(settings: FeigObidSettings) -> bytes:
    """Return the request for all that lies on the reader."""
    build = standard if settings.frames == "standard" else advanced
    return build(INVENTORY, b"\x01\x00", address=settings.address)


def _checked(covered: bytes) -> bytes:
    return covered + crc16_mcrf4xx(covered).to_bytes(CHECK, "little")
