"""The Slingshot 2 decoder on logs of wheels: simulated ones, and real ones where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.recordings import BOTH, Source
from support.wheel_recordings import wheel_log

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import CommandReply, DeviceIdentity, Reading, WheelNumber, WheelStatus
from protocols.rejects import RejectReason
from protocols.wheels.cammegh_ss2 import DEVICE
from protocols.wheels.cammegh_ss2.layout import CammeghSs2Settings

AT = Instant("boot", 0)
CLEAN = [1, 2, 3, 5, 7, 8, 9, 10, 11, 14, 15, 16, 18, 19, 23]
"""Number 12 is the garbled one; 4, 6, 13, 17 and 20 to 22 are no logs of a Slingshot 2."""
PHASES = [
    "before_game",
    "place_bets",
    "ball_in_rim",
    "no_more_bets",
    "winning_number",
    "closed",
]


def decode(*chunks: bytes) -> list[Decoded]:
    decoder = DEVICE.decoder(CammeghSs2Settings())
    return [one for chunk in chunks for one in decoder.feed(AT, chunk)]


def readings(*chunks: bytes) -> list[Reading]:
    return [one.body for one in decode(*chunks) if not isinstance(one.body, RejectReason)]


def received(path: Path) -> Iterator[bytes]:
    """Yield the wheel's lines of a capture; a logger took the pad space of bare numbers."""
    timed = re.compile(r" *\d+\.\d+ (RX|TX) (.*)")
    for text in path.read_text().splitlines():
        match = timed.fullmatch(text)
        if match is not None and match[1] == "RX":
            payload = match[2]
            yield f"{payload:>2}".encode() + b"\r\n"
        elif match is None and not text.startswith("#") and text not in {"*P 1", "*P 0", "*u 1"}:
            yield text.encode() + b"\r\n"


def capture(source: Source, number: int) -> list[bytes]:
    return list(received(wheel_log(source, number)))


def states_exactly(raw: bytes, reading: Reading) -> bool:
    """Return whether a reading says what stands in its line, field by field, read by position."""
    text = raw.strip(b"\r\n").decode()
    if isinstance(reading, WheelNumber):
        return f"{reading.pocket:>2}" == text
    if not isinstance(reading, WheelStatus):
        return isinstance(reading, CommandReply | DeviceIdentity) and text.startswith("*")
    return (
        len(text) == 19
        and reading.phase == PHASES[int(text[3]) - 1]
        and f"{reading.spin:03}" == text[5:8]
        and f"{reading.pocket or '':>2}" == text[9:11]
        and len(reading.flags) == int(text[12], 16).bit_count()
        and f"{reading.rotor_tenths_rpm:03}" == text[14:17]
        and reading.direction
        == (None if text[3] == "6" else ("clockwise", "counter_clockwise")[int(text[18])])
    )


@BOTH
@pytest.mark.parametrize("number", CLEAN)
def test_every_line_of_a_capture_is_a_reading_that_says_what_the_line_says(
    source: Source, number: int
) -> None:
    lines = capture(source, number)
    decoded = decode(b"".join(lines))
    assert [one.raw.strip() for one in decoded] == [line.strip() for line in lines]
    for one in decoded:
        assert not isinstance(one.body, RejectReason), one
        assert states_exactly(one.raw, one.body), one


@pytest.mark.parametrize(
    ("source", "fragments", "says"),
    [
        (
            "simulated",
            [
                (b"9;0;150;0", RejectReason.MALFORMED),
                (b";149;0", RejectReason.MALFORMED),
                (b"*X;4;00*X;", RejectReason.LENGTH),
            ],
            ("no_more_bets", 2, "9"),
        ),
        (
            "real",
            [
                (b"6; 9;0;158;0", RejectReason.MALFORMED),
                (b"4;146; 9;0;159;0", RejectReason.MALFORMED),
                (b"*X;4;14*X;", RejectReason.LENGTH),
            ],
            ("no_more_bets", 146, "9"),
        ),
    ],
)
def test_07_garbled_lines_of_a_capture_are_rejects_and_no_wrong_reading(
    source: Source, fragments: list[tuple[bytes, RejectReason]], says: tuple[str, int, str]
) -> None:
    decoded = decode(b"".join(capture(source, 12)))
    good = [one for one in decoded if not isinstance(one.body, RejectReason)]
    bad = [(one.raw.strip(), one.body) for one in decoded if isinstance(one.body, RejectReason)]
    assert bad == fragments
    assert len(good) == 10
    for one in good:
        assert isinstance(one.body, WheelStatus)
        assert (one.body.phase, one.body.spin, one.body.pocket) == says
        assert states_exactly(one.raw, one.body)


@pytest.mark.parametrize(("source", "spin"), [("simulated", 2), ("real", 52)])
def test_a_captured_game_gives_its_number_before_its_field(source: Source, spin: int) -> None:
    found = readings(b"".join(capture(source, 2)))
    number = next(i for i, one in enumerate(found) if isinstance(one, WheelNumber))
    before, after = found[number - 1], found[number + 1]
    assert found[number] == WheelNumber("18")
    assert isinstance(before, WheelStatus)
    assert isinstance(after, WheelStatus)
    assert (before.phase, before.spin, before.pocket) == ("no_more_bets", spin, "2")
    assert (after.phase, after.spin, after.pocket) == ("winning_number", spin, "18")


@BOTH
def test_a_capture_read_byte_by_byte_gives_the_same_readings(source: Source) -> None:
    data = b"".join(capture(source, 11))
    assert readings(*(bytes([byte]) for byte in data)) == readings(data)
