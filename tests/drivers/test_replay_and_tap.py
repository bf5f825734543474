"""What a tap writes down, a replay plays; what is sealed stays out of the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.pty_rig import CLOCK, Parrot, opened, plugged_in

from drivers.capture import Capture, CaptureLine, CaptureWriter, read_capture, write_capture
from drivers.errors import LinkEnded, LinkRefused
from drivers.link import Chunk
from drivers.links.replay import ReplayLink, ReplaySettings, open_replay
from drivers.links.simulated import SimulatedLink
from drivers.tap import Tap
from protocols.simulator import PowerOn
from protocols.wiring import SerialWiring

MOMENTS = (
    CaptureLine(0.0, "device", b"old", stale=True),
    CaptureLine(0.25, "host", b"*u 1\r\n"),
    CaptureLine(0.5, "device", b"*u OK\r\n"),
    CaptureLine(0.6, "command", {"command": "bets.close"}),
    CaptureLine(3600.0, "device", b"*X"),
)


def _file(tmp_path: Path) -> str:
    path = tmp_path / "spin.capture"
    write_capture(path, Capture({"device": "x"}, MOMENTS))
    return str(path)


async def _replay(path: str, speed: float = 0) -> ReplayLink:
    return await open_replay(ReplaySettings(path, speed), SerialWiring(), CLOCK)


async def _to_the_end(link: ReplayLink) -> list[Chunk]:
    chunks: list[Chunk] = []
    while True:
        try:
            chunk = await link.read(None)
        except LinkEnded:
            return chunks
        assert chunk is not None
        chunks.append(chunk)


async def test_a_replay_plays_the_devices_lines_at_the_captures_own_times(tmp_path: Path) -> None:
    before = CLOCK.now()
    chunks = await _to_the_end(await _replay(_file(tmp_path)))
    assert [one.data for one in chunks] == [b"old", b"*u OK\r\n", b"*X"]
    assert [one.stale for one in chunks] == [True, False, False]
    assert [one.at.since(chunks[0].at) for one in chunks] == [0.0, 0.5, 3600.0]
    assert chunks[0].at.boot == before.boot
    assert before.ns <= chunks[0].at.ns <= CLOCK.now().ns


async def test_a_replay_with_a_speed_stamps_the_present(tmp_path: Path) -> None:
    before = CLOCK.now()
    chunks = await _to_the_end(await _replay(_file(tmp_path), speed=100_000))
    assert [one.data for one in chunks] == [b"old", b"*u OK\r\n", b"*X"]
    assert before.ns <= chunks[0].at.ns < chunks[1].at.ns < chunks[2].at.ns <= CLOCK.now().ns


async def test_a_replay_with_a_speed_waits_for_what_is_not_due(tmp_path: Path) -> None:
    link = await _replay(_file(tmp_path), speed=0.01)
    first = await link.read(0.001)
    assert first is not None
    second = await link.read(0.001)
    await link.aclose()
    with pytest.raises(LinkEnded):
        await link.read(None)
    assert (first.data, second) == (b"old", None)


async def test_a_file_that_cannot_be_played_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LinkRefused, match="No such file"):
        await _replay(str(tmp_path / "nothing"))
    (tmp_path / "bad").write_text("0.0 < 4\n")
    with pytest.raises(LinkRefused, match="bad: line 1"):
        await _replay(str(tmp_path / "bad"))
    with pytest.raises(LinkRefused, match="cannot play at -1"):
        await _replay(_file(tmp_path), speed=-1)


def _tap(path: Path) -> Tap:
    link = SimulatedLink("a parrot", Parrot(), CLOCK)
    return Tap(link, CaptureWriter(path, {"device": "parrot"}), CLOCK)


async def _say(tap: Tap, data: bytes) -> None:
    assert isinstance(tap.link, SimulatedLink)
    tap.link.write(data)
    chunk = await tap.read(None)
    assert chunk is not None
    assert chunk.data == data


def _said(path: Path) -> list[tuple[str, object]]:
    return [(one.direction, one.data) for one in read_capture(path).lines]


async def test_a_tap_writes_down_what_passes_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "tap"

    tap = _tap(path)
    assert tap.where == "a parrot"
    assert isinstance(tap.link, SimulatedLink)
    tap.link.cue(PowerOn())
    await tap.read(None)
    assert await tap.read(0) is None
    tap.write(b"*u 1\r\n")
    tap.command({"command": "bets.close"})
    await tap.read(None)
    await tap.aclose()
    await tap.aclose()
    assert read_capture(path).header == {"device": "parrot"}
    assert _said(path) == [
        ("device", b"*V 2.17\r\n"),
        ("host", b"*u 1\r\n"),
        ("command", {"command": "bets.close"}),
        ("device", b"*u 1\r\n"),
    ]


async def test_what_lay_in_the_port_is_written_down_as_stale_and_replayed_as_stale(
    tmp_path: Path,
) -> None:
    path = tmp_path / "tap"

    with plugged_in() as box:
        box.say_before_anybody_listens(b"old")
        tap = Tap(await opened(box.path), CaptureWriter(path, {}), CLOCK)
        await tap.read(None)
        await tap.aclose()
    chunks = await _to_the_end(await _replay(str(path)))
    assert [(one.data, one.stale) for one in chunks] == [(b"old", True)]


async def test_f2_what_the_link_lost_is_written_down_and_lost_again_in_the_replay(
    tmp_path: Path,
) -> None:
    tap = _tap(tmp_path / "tap")
    assert isinstance(tap.link, SimulatedLink)
    tap.link._received(CLOCK.now(), b"", lost="a report: EOVERFLOW")
    tap.link._received(CLOCK.now(), b"5H", lost="overrun 2")
    tap.link._received(CLOCK.now(), b"old", stale=True, lost="parity 1")
    for _ in range(3):
        await tap.read(None)
    await tap.aclose()
    assert _said(tmp_path / "tap") == [
        ("loss", "a report: EOVERFLOW"),
        ("loss", "overrun 2"),
        ("device", b"5H"),
        ("device", b"old"),
    ]
    chunks = await _to_the_end(await _replay(str(tmp_path / "tap")))
    assert [(one.data, one.lost) for one in chunks] == [
        (b"", "a report: EOVERFLOW"),
        (b"", "overrun 2"),
        (b"5H", ""),
        (b"old", ""),
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to here")
async def test_a_full_disk_ends_the_capture_and_not_the_link() -> None:
    link = SimulatedLink("a parrot", Parrot(), CLOCK)
    tap = Tap(link, CaptureWriter("/dev/full", {}), CLOCK)
    await _say(tap, b"first")
    await _say(tap, b"second")
    await tap.aclose()
    assert str(tap.failure) == "/dev/full: No space left on device"


def test_a_capture_is_not_for_everybody_to_read(tmp_path: Path) -> None:
    CaptureWriter(tmp_path / "x", {}).close()
    assert (tmp_path / "x").stat().st_mode & 0o007 == 0
