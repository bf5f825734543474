"""CAN, really through python-can: slcan over a pty, socketcand over TCP, and buses that go away.

Tried with faults seeded in the link, each noticed: errors read past the first, an end of stream
taken for silence, garbage that ends the link or stays in python-can's buffer, filters that drop
errors, bus-off that leaves the link open, a port that a lost link keeps, a lock taken too late.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from support.can_rig import end_of, frames, opened, slcan
from support.pty_rig import plugged_in

from drivers.can.opening import GARBLED
from drivers.errors import LinkAbsent, LinkBusy, LinkLost, LinkRefused
from drivers.links.can_bus import CanBus, CanBusSettings, _lost_with

HEARTBEAT = bytes.fromhex("00000711 01000000 05")
POSITION = bytes.fromhex("00000191 04000000 A4010000")


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


# --- slcan over a pty: real python-can, real pyserial ----------------------------------------


async def test_frames_come_one_by_one_as_the_packets_that_the_layout_makes_of_them() -> None:
    async with slcan() as (adapter, link):
        adapter.box.say(b"t711105\rt1914A4010000\r")
        adapter.box.say(b"T18FF50E5811223344")
        adapter.box.say(b"55667788\rr7111\rR18FF50E50\rt7000\r")
        found = [await link.read(None) for _ in range(6)]
        assert [one.data for one in found if one] == [
            HEARTBEAT,
            POSITION,
            bytes.fromhex("98FF50E5 08000000 1122334455667788"),
            bytes.fromhex("40000711 01000000"),
            bytes.fromhex("D8FF50E5 00000000"),
            bytes.fromhex("00000700 00000000"),
        ]


async def test_a_frame_of_can_fd_says_so_in_its_packet() -> None:
    async with slcan() as (adapter, link):
        adapter.box.say(b"d7111AA\r")
        assert await frames(link, 1) == [bytes.fromhex("00000711 01040000 AA")]


async def test_the_adapter_is_set_to_the_devices_bit_rate_or_to_the_operators() -> None:
    async def said(**settings: int) -> bytes:
        async with slcan(**settings) as (adapter, _):
            return adapter.heard

    assert b"S4\r" in await said()
    assert b"S6\r" in await said(bitrate=500_000)


async def test_what_is_written_leaves_as_frames_in_order() -> None:
    async with slcan() as (adapter, link):
        link.write(bytes.fromhex("00000000 02000000 0111"))
        link.write(bytes.fromhex("98FF50E5 01000000 AB"))
        link.write(bytes.fromhex("40000711 01000000"))
        await adapter.hears(b"t00020111\rT18FF50E51AB\rr7111\r")


@pytest.mark.parametrize(
    "garbage",
    [b"t19\r", b"tXYZ105\r", b"t711Z05\r", b"t7\xff1105\r", b"T18\r", b"t71110\r"],
    ids=["torn", "no identifier", "no length", "not ASCII", "torn long", "half a byte"],
)
async def test_garbage_is_counted_and_the_frames_behind_it_are_heard(garbage: bytes) -> None:
    async with slcan() as (adapter, link):
        adapter.box.say(b"t711105\r" + garbage)
        found = await frames(link, 2)
        adapter.box.say(b"t711105\r")
        assert [*found, *await frames(link, 1)] == [HEARTBEAT, GARBLED, HEARTBEAT]


@pytest.mark.parametrize(
    "damaged",
    [
        b"u711105\r",
        b"4711105\r",
        b"711105\r",
        b"t711105t711106\r",
        b"t711105\a",
        b"t711105711106\r",
    ],
    ids=["other letter", "no letter", "letter lost", "glued", "refused", "letter and CR lost"],
)
async def test_f2_a_damaged_line_of_an_adapter_is_a_lost_frame(damaged: bytes) -> None:
    async with slcan() as (adapter, link):
        adapter.box.say(damaged + b"t711105\r")
        chunks = [await link.read(None) for _ in range(2)]
    assert [(one.data, one.lost) for one in chunks if one] == [
        (GARBLED, "a frame that came too damaged to be read"),
        (HEARTBEAT, ""),
    ]


async def test_answers_of_an_adapter_and_the_time_behind_a_frame_are_no_damage() -> None:
    async with slcan() as (adapter, link):
        adapter.box.say(b"\rz\rZ\r\aV1013\rN0007\rF00\rt7111051A2B\rr71111A2B\r")
        assert await frames(link, 2) == [HEARTBEAT, bytes.fromhex("40000711 01000000")]


@pytest.mark.parametrize(
    ("error", "lost"),
    [
        ("20000004 08000000 0001000000000000", "frames that the controller had no room for"),
        ("20000004 08000000 0004000000000000", ""),
        ("20000002 08000000 0000000000000000", ""),
        ("A0000004 01000000 00", "frames that the controller had no room for"),
        ("20000000 00000000", "a frame that came too damaged to be read"),
    ],
    ids=["overflow", "warning", "arbitration", "socketcand tells no more", "garbled"],
)
def test_f2_an_error_frame_that_stands_for_lost_frames_says_so(error: str, lost: str) -> None:
    packet = bytes.fromhex(error)
    assert _lost_with(int.from_bytes(packet[:4], "big"), packet) == lost


async def test_f2_a_link_says_what_it_cannot_tell_of() -> None:
    async with slcan() as (_, link):
        assert "no frame that it had no room for" in link.untold
        assert "no check value" in link.untold


async def test_a_frame_that_lost_bytes_keeps_the_length_that_gives_it_away() -> None:
    async with slcan() as (adapter, link):
        adapter.box.say(b"t1914A40100\r")
        assert await frames(link, 1) == [bytes.fromhex("00000191 04000000 A40100")]


async def test_an_adapter_that_never_ends_a_line_is_no_adapter() -> None:
    async with slcan() as (adapter, link):
        loop = asyncio.get_running_loop()
        loop.add_writer(adapter.box.device, lambda: os.write(adapter.box.device, b"U"))
        lost = await end_of(link)
        loop.remove_writer(adapter.box.device)
        assert lost.what == "speaks, but no CAN"


async def test_an_unplugged_adapter_is_lost_after_its_last_frame_and_never_read_again() -> None:
    async with slcan() as (adapter, link):
        adapter.box.say(b"t711105\r")
        found = await frames(link, 1)
        adapter.box.unplug()
        lost = await end_of(link)
        reads = _count(link)
        with pytest.raises(LinkLost):
            await link.read(0)
        assert asyncio.get_running_loop().remove_reader(link._fd) is False
    assert found == [HEARTBEAT]
    assert "went away" in lost.what
    assert "power-cycle" in lost.action
    assert reads == []


def _count(link: CanBus) -> list[None]:
    calls: list[None] = []
    receive = link._bus.receive

    def counted() -> bytes | None:
        calls.append(None)
        return receive()

    link._bus.receive = counted  # type: ignore[method-assign]
    return calls


async def test_a_lost_adapter_leaves_no_descriptor_behind_and_is_opened_again(
    tmp_path: Path,
) -> None:
    stable = tmp_path / "adapter"

    async def once() -> bytes:
        with plugged_in() as box:
            stable.unlink(missing_ok=True)
            stable.symlink_to(box.path)
            link = await opened(CanBusSettings(str(stable), interface="slcan", settle_s=0))
            box.say(b"t711105\r")
            (frame,) = await frames(link, 1)
            box.unplug()
            await end_of(link)
            await link.aclose()
            await link.aclose()
        with pytest.raises(LinkAbsent):
            await opened(CanBusSettings(str(stable), interface="slcan", settle_s=0))
        return frame

    first = await once()
    before = open_descriptors()
    found = [first, *[await once() for _ in range(3)]]
    assert open_descriptors() == before
    assert found == [HEARTBEAT] * 4


async def test_an_adapter_that_is_taken_stays_with_its_owner_undisturbed() -> None:
    async with slcan() as (adapter, link):
        adapter.heard = b""
        with pytest.raises(LinkBusy) as caught:
            await opened(CanBusSettings(adapter.box.path, interface="slcan", settle_s=0))
        assert "fuser" in caught.value.action
        link.write(HEARTBEAT)
        await adapter.hears(b"t711105\r")
        assert adapter.heard == b"t711105\r"


async def test_a_bit_rate_that_no_adapter_has_is_refused_and_the_port_let_go() -> None:
    with plugged_in() as box:
        before = open_descriptors()
        settings = CanBusSettings(box.path, interface="slcan", settle_s=0, bitrate=123)
        with pytest.raises(LinkRefused) as caught:
            await opened(settings)
        assert open_descriptors() == before
        refused = caught.value
    assert "500000" in refused.what
    assert "`bitrate`" in refused.action
