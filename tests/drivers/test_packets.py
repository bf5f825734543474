"""A packet stays one: one chunk, one capture line, one chunk of a replay, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.pty_rig import CLOCK, Parrot

from drivers.capture import CaptureWriter, read_capture
from drivers.errors import LinkEnded
from drivers.links.replay import ReplaySettings, open_replay
from drivers.links.simulated import SimulatedLink
from drivers.tap import Tap
from protocols.wiring import UsbWiring

PACKETS = [b"\x81\x02\x00KD", b"\x81", b"\x81\x02\x00KD", b"\x82" + bytes(64)]


async def test_packets_of_one_moment_are_not_glued_by_tap_capture_or_replay(tmp_path: Path) -> None:
    path = tmp_path / "packets"

    link = SimulatedLink("a parrot", parrot := Parrot(), CLOCK)
    parrot.waiting += PACKETS  # all at once
    tap = Tap(link, CaptureWriter(path, {}), CLOCK)
    for packet in PACKETS:
        chunk = await tap.read(None)
        assert chunk is not None
        assert chunk.data == packet
    await tap.aclose()
    replay = await open_replay(ReplaySettings(str(path)), UsbWiring(), CLOCK)
    for packet in PACKETS:
        again = await replay.read(None)
        assert again is not None
        assert again.data == packet
    with pytest.raises(LinkEnded):
        await replay.read(None)
    assert [one.data for one in read_capture(path).lines] == PACKETS
