"""A packet stays one: one chunk, one capture line, one chunk of a replay, to the byte."""

from __future__ import annotations

from pathlib import Path

from support.pty_rig import CLOCK, Parrot, run

from drivers.capture import CaptureWriter, read_capture
from drivers.errors import LinkEnded
from drivers.links.replay import ReplaySettings, open_replay
from drivers.links.simulated import SimulatedLink
from drivers.tap import Tap
from protocols.wiring import UsbWiring

PACKETS = [b"\x81\x02\x00KD", b"\x81", b"\x81\x02\x00KD", b"\x82" + bytes(64)]


def test_packets_of_one_moment_are_not_glued_by_tap_capture_or_replay(tmp_path: Path) -> None:
    path = tmp_path / "packets"

    async def work() -> list[bytes]:
        link = SimulatedLink("a parrot", parrot := Parrot(), CLOCK)
        parrot.waiting += PACKETS  # all at once
        tap = Tap(link, CaptureWriter(path, {}), CLOCK)
        for packet in PACKETS:
            chunk = await tap.read(None)
            assert chunk is not None
            assert chunk.data == packet
        await tap.close()
        replay = await open_replay(ReplaySettings(str(path)), UsbWiring(), CLOCK)
        played: list[bytes] = []
        while True:
            try:
                again = await replay.read(None)
            except LinkEnded:
                return played
            assert again is not None
            played.append(again.data)

    assert run(work()) == PACKETS
    assert [one.data for one in read_capture(path).lines] == PACKETS
