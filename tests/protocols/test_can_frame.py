"""The packet of a CAN frame, and what none of its kinds may pass for."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.can_frame import BUS_OFF, ERROR, EXTENDED, REMOTE, CanDecoder, DataReader, packet
from protocols.device import Decoded, FrameMeaning
from protocols.instant import Instant
from protocols.readings import RotorPosition
from protocols.rejects import RejectReason

AT = Instant("boot", 0)
DATA = bytes.fromhex("A4010000")


def length_of(data: bytes) -> FrameMeaning:
    return FrameMeaning(RotorPosition(len(data)), "7", b"reply")


MEANINGS: Mapping[int, DataReader] = {0x191: length_of, EXTENDED | 0x191: length_of}


def feed(data: bytes) -> tuple[Decoded, ...]:
    decoder = CanDecoder(MEANINGS)
    heard = tuple(decoder.feed(AT, data))
    assert decoder.pending == b""
    assert decoder.tick(AT) == ()
    assert tuple(decoder.feed(AT, data)) == heard  # known by now, and the same
    return heard


def test_a_packet_is_laid_out_as_the_link_type_says() -> None:
    assert packet(0x191, DATA).hex(" ") == "00 00 01 91 04 00 00 00 a4 01 00 00"
    assert packet(EXTENDED | 0x18FF50E5, b"\x01").hex(" ") == "98 ff 50 e5 01 00 00 00 01"
    assert packet(REMOTE | 0x711, b"", 1).hex(" ") == "40 00 07 11 01 00 00 00"
    assert packet(BUS_OFF, bytes(8)).hex(" ") == "20 00 00 40 08 00 00 00" + " 00" * 8
    assert packet(0x191, DATA, fd=True).hex(" ") == "00 00 01 91 04 04 00 00 a4 01 00 00"


def test_a_frame_of_its_own_is_one_statement_with_all_that_goes_with_it() -> None:
    data = packet(0x191, DATA)
    assert feed(data) == (Decoded(AT, data, RotorPosition(4), "7", b"reply"),)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (packet(ERROR | 0x191, DATA), RejectReason.BUS_ERROR),
        (packet(ERROR | EXTENDED | 0x191, DATA), RejectReason.BUS_ERROR),
        (packet(BUS_OFF, bytes(8)), RejectReason.BUS_ERROR),
        (packet(REMOTE | 0x191, b"", 4), RejectReason.UNSUPPORTED),
        (packet(0x192, DATA), RejectReason.UNSUPPORTED),
        (packet(EXTENDED | 0x18FF0191, DATA), RejectReason.UNSUPPORTED),
        (packet(0x191, DATA, fd=True), RejectReason.UNSUPPORTED),
        (packet(0x191, DATA, 5), RejectReason.LENGTH),
        (packet(0x191, DATA, 3), RejectReason.LENGTH),
        (packet(0x191, bytes(9)), RejectReason.LENGTH),
        (packet(0x191, DATA)[:7], RejectReason.LENGTH),
        (b"\x00", RejectReason.LENGTH),
    ],
)
def test_b47_what_is_no_frame_of_its_own_is_rejected_whatever_it_carries(
    data: bytes, reason: RejectReason
) -> None:
    assert feed(data) == (Decoded(AT, data, reason),)


def test_no_bytes_are_no_frame() -> None:
    assert feed(b"") == ()


@given(st.binary(min_size=1, max_size=24))
def test_any_bytes_are_one_frame_or_one_reject(data: bytes) -> None:
    (one,) = feed(data)
    assert one.raw == data


def test_what_is_remembered_is_bounded() -> None:
    decoder = CanDecoder(MEANINGS)
    for number in range(20_000):
        decoder.feed(AT, packet(0x191, number.to_bytes(4, "little")))
    assert len(decoder._known) <= 8192
