"""Captures: what is written is what is read; what another logger lost stays lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.recordings import BOTH, Source, recordings_of
from support.wheel_recordings import wheel_log

from drivers.capture import (
    Capture,
    CaptureError,
    CaptureLine,
    CaptureWriter,
    format_capture,
    parse_capture,
    raw_capture,
    read_capture,
    write_capture,
)

NOT_LOGS = {"21_saturn_frames_hex.txt", "22_napsa_lines.txt"}

KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
VALUES = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=30)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
NOT_STALE = st.sampled_from([False])
TIMES = st.floats(0, 1e7, allow_nan=False)


@st.composite
def captures(draw: st.DrawFn) -> Capture:
    times = sorted(draw(st.lists(TIMES, max_size=6)))
    data = st.binary(min_size=1, max_size=40)
    kinds = st.one_of(
        st.tuples(st.just("device"), data, st.booleans()),
        st.tuples(st.just("host"), data, NOT_STALE),
        st.tuples(st.just("command"), st.dictionaries(st.text(max_size=5), JSON), NOT_STALE),
        st.tuples(st.just("link"), st.sampled_from(["open", "lost"]), NOT_STALE),
        st.tuples(
            st.just("loss"), st.sampled_from(["overrun 2", "a report: EOVERFLOW"]), NOT_STALE
        ),
    )
    moments = tuple(CaptureLine(at, *draw(kinds)) for at in times)
    return Capture(draw(st.dictionaries(KEYS, VALUES, max_size=4)), moments)


@given(captures())
def test_what_is_written_is_what_is_read(capture: Capture) -> None:
    assert parse_capture(format_capture(capture).encode(), "here") == capture


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_by_name(data: bytes) -> None:
    error = None
    try:
        parse_capture(data, "here")
    except CaptureError as refused:
        error = refused
    assert error is None or str(error).startswith("here, line ")


def test_the_format_is_the_documented_one(tmp_path: Path) -> None:
    path = tmp_path / "spin.capture"
    command = {"command": "round.open", "round_id": "7"}
    moments = (
        CaptureLine(0.0, "device", b"\r\n*X", stale=True),
        CaptureLine(0.5, "device", b"*X;1"),
        CaptureLine(0.5000001, "host", b"*u 1"),
        CaptureLine(1.0, "loss", "overrun 2"),
        CaptureLine(1.5, "link", "lost"),
        CaptureLine(2.0, "command", command),
    )
    write_capture(path, Capture({"device": "cammegh_ss2", "provenance": "synthetic"}, moments))
    assert path.read_text() == (
        "# Device: cammegh_ss2\n"
        "# Provenance: synthetic\n"
        "0.000000 < 0d 0a 2a 58 stale\n"
        "0.500000 < 2a 58 3b 31\n"
        "0.5000001 > 2a 75 20 31\n"
        "1.000000 ? overrun 2\n"
        "1.500000 ! lost\n"
        f"2.000000 @ {json.dumps(command)}\n"
    )
    assert read_capture(path).lines == moments


def test_remarks_and_repeated_keys_are_kept() -> None:
    text = b"# REAL capture. *u 1: lost\n# Device: x\n# Device: y\n#\n0 < 41 # no\n"
    with pytest.raises(CaptureError, match="line 5"):
        parse_capture(text, "here")
    header = parse_capture(text.replace(b" # no", b""), "here").header
    assert header == {"notes": "REAL capture. *u 1: lost\n", "device": "x\ny"}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"1.0 < 4", "hex"),
        (b"1.0 < ", "with b''"),
        (b"1.0 < stale", "hex"),
        (b"1.0 > 41 stale", "stale"),
        (b"-1 < 41", "neither"),
        (b"nan < 41", "neither"),
        (b"1.0 % 41", "neither"),
        (b"1.0 ? ", "with ''"),
        (b"1.0 ? two\x0blines", "one line of words"),
        (b'1.0 @ ["round.open"]', "object"),
        (b'1.0 @ {"boxes": NaN}', "NaN"),
        (b"1.0 @ {", "Expecting"),
        (b"0.1 < 41", "back in time"),
        (b"*X;1;011;34;0;057;0", "neither"),
    ],
)
def test_a_line_that_is_wrong_is_named(line: bytes, what: str) -> None:
    with pytest.raises(CaptureError, match=what) as error:
        parse_capture(b"# Device: x\n0.5 < 41\n" + line + b"\n", "here")
    assert (error.value.path, error.value.line) == ("here", 3)


def test_a14_a_link_that_somebody_put_there_is_not_followed(tmp_path: Path) -> None:
    victim, link = tmp_path / "victim", tmp_path / "shift.cap"
    victim.write_text("precious")
    for target in (victim, tmp_path / "not there"):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        with pytest.raises(CaptureError, match="is a symbolic link: name the file itself"):
            CaptureWriter(link, {})
    assert victim.read_text() == "precious"
    assert not (tmp_path / "not there").exists()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="No such file"):
        read_capture(tmp_path / "nothing")
    with pytest.raises(CaptureError, match="No such file"):
        CaptureWriter(tmp_path / "no" / "folder", {})


def test_a_header_that_no_line_can_hold_is_refused_before_the_file_is_touched(
    tmp_path: Path,
) -> None:
    with pytest.raises(ValueError, match="no header line"):
        CaptureWriter(tmp_path / "x", {"Two Words": ""})
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "parts",
    [
        (float("inf"), "device", b"x"),
        (-1.0, "device", b"x"),
        (0.0, "device", b""),
        (0.0, "device", {}),
        (0.0, "command", b"x"),
        (0.0, "link", b"lost"),
        (0.0, "host", b"x", True),
    ],
)
def test_what_no_line_can_hold_is_refused(parts: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=r"^a line (at|of direction) |stale"):
        CaptureLine(*parts)


def test_raw_bytes_are_one_moment() -> None:
    assert raw_capture(b"\x00\xff").lines == (CaptureLine(0.0, "device", b"\x00\xff"),)
    assert raw_capture(b"").lines == ()


# --- logs of other programs --------------------------------------------------------------


def test_a_timed_log_gets_its_line_ends_back_and_nothing_else() -> None:
    log = b"# c\n    0.000 RX *X;3;052; 2;0;170;1\n    0.529 RX 2\n    1.561 TX *P 1\n 2.0 RX  \n"
    assert parse_capture(log, "here").lines == (
        CaptureLine(0.0, "device", b"*X;3;052; 2;0;170;1\r\n"),
        CaptureLine(0.529, "device", b"2\r\n"),
        CaptureLine(1.561, "host", b"*P 1\r\n"),
        CaptureLine(2.0, "device", b" \r\n"),
    )


def test_a_line_that_does_not_fit_a_timed_log_is_named() -> None:
    with pytest.raises(CaptureError, match="line 2: not `seconds RX"):
        parse_capture(b"0.0 RX a\nb\n", "here")


def test_an_untimed_log_has_half_a_second_per_status_line() -> None:
    log = b"*P 1\n*X;4;011;34;0;057;0\n 6\n*X;5;011; 6;0;057;0\n"
    assert parse_capture(log, "here").lines == (
        CaptureLine(0.0, "device", b"*P 1\r\n"),
        CaptureLine(0.0, "device", b"*X;4;011;34;0;057;0\r\n"),
        CaptureLine(0.0, "device", b" 6\r\n"),
        CaptureLine(0.5, "device", b"*X;5;011; 6;0;057;0\r\n"),
    )


def test_a_log_of_candump_is_packets_with_the_time_since_its_first_line() -> None:
    log = (
        b"# c\n(1700000000.250000) can0 711#7F\n(1700000000.300000) can0 000#0111 T\n"
        b"(1700000001.000001) can0 18FF50E5#1122334455667788 R\n(1700000002.000000) can0 700#\n"
        b"(1700000003.000000) can0 711#R1\n(1700000003.000000) can0 711#R\n"
        b"(1700000004.000000) can0 20000004#0004000000000000\n(1700000005.000000) can0 123##1AB\n"
    )
    assert parse_capture(log, "here").lines == tuple(
        CaptureLine(seconds, "host" if seconds == 0.05 else "device", bytes.fromhex(data))
        for seconds, data in (
            (0.0, "00000711 01000000 7F"),
            (0.05, "00000000 02000000 0111"),
            (0.750001, "98FF50E5 08000000 1122334455667788"),
            (1.75, "00000700 00000000"),
            (2.75, "40000711 01000000"),
            (2.75, "40000711 00000000"),
            (3.75, "20000004 08000000 0004000000000000"),
            (4.75, "00000123 01040000 AB"),
        )
    )


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"(1700000001.000000) can1 711#05", "another bus, can1, than can0"),
        (b"(1699999999.000000) can0 711#05", "back in time"),
        (b"(1700000001.000000) can0 711#5", "not `\\(seconds"),
        (b"(1700000001.000000) can0 711#112233445566778899", "not `"),
        (b"0.5 RX text", "not `"),
    ],
)
def test_a_line_that_does_not_fit_a_log_of_candump_is_named(line: bytes, what: str) -> None:
    log = b"(1700000000.000000) can0 711#05\n" + line + b"\n"
    with pytest.raises(CaptureError, match=what) as error:
        parse_capture(log, "here")
    assert error.value.line == 2


@BOTH
def test_every_log_of_a_wheel_is_read_line_by_line(source: Source) -> None:
    provenance = {"simulated": "SIMULATED", "real": "REAL capture"}[source]
    for path in recordings_of(source, "wheel"):
        if path.name in NOT_LOGS:
            with pytest.raises(CaptureError, match=path.name):
                read_capture(path)
            continue
        lines = [one for one in path.read_bytes().split(b"\n") if one[:1] not in (b"#", b"")]
        capture = read_capture(path)
        assert capture.header["notes"].startswith(provenance), path
        assert len(capture.lines) == len(lines), path
        for moment, line in zip(capture.lines, lines, strict=True):
            assert isinstance(moment.data, bytes)
            assert line.endswith(moment.data.removesuffix(b"\r\n")), path
        assert parse_capture(format_capture(capture).encode(), "again") == capture


@pytest.mark.parametrize(
    ("source", "statuses", "number_at", "power_on_at"),
    [("simulated", 590, 4.744, 1.5), ("real", 452, 0.529, 1.561)],
)
def test_the_logs_say_what_they_are_known_to_say(
    source: Source, statuses: int, number_at: float, power_on_at: float
) -> None:
    games = read_capture(wheel_log(source, 1)).lines
    assert games[-1].seconds == (statuses - 1) * 0.5
    assert CaptureLine(0.0, "device", b"*P OK\r\n") in games
    recovered = read_capture(wheel_log(source, 3)).lines
    assert CaptureLine(number_at, "device", b"2\r\n") in recovered
    stalled = read_capture(wheel_log(source, 8)).lines
    assert CaptureLine(power_on_at, "host", b"*P 1\r\n") in stalled
