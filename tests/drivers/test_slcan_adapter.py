"""A simulated slcan adapter: CAN devices on a pty, for python-can and for whoever else."""

from __future__ import annotations

import asyncio

import pytest
from support.can_rig import opened
from support.pty_rig import CLOCK, Parrot

from drivers.can.slcan_adapter import SlcanAdapter, line_of
from drivers.links.can_bus import CanBusSettings
from drivers.pty_simulator import SimulatorOnPty
from protocols.can_frame import packet
from protocols.cards import DECK
from protocols.catalog import devices
from protocols.instant import Instant
from protocols.readings import (
    CardDrawn,
    Heartbeat,
    Reading,
    RotorPosition,
    ShoeInput,
    ShoeInputs,
    ShoeStarted,
)
from protocols.rejects import RejectReason
from protocols.simulator import Cue, DrawCard, PowerOn, SpinBall
from protocols.wheels.canopen_encoder import CanopenEncoderSettings

AT = Instant("boot", 0)


def inputs(*names: ShoeInput) -> ShoeInputs:
    return ShoeInputs(frozenset(names))


async def opens(adapter: SlcanAdapter) -> None:
    """Wait until the host's words have opened the bus."""
    while not adapter._open:  # noqa: ASYNC110 - an adapter tells nobody
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("00000711 01000000 05", b"t711105\r"),
        ("98FF50E5 02000000 0AB0", b"T18FF50E520AB0\r"),
        ("40000711 01000000", b"r7111\r"),
        ("D8FF50E5 00000000", b"R18FF50E50\r"),
        ("20000040 08000000 0000000000000000", b""),
    ],
)
def test_a_packet_is_a_line_and_an_error_is_none(data: str, line: bytes) -> None:
    assert line_of(bytes.fromhex(data)) == line


@pytest.mark.parametrize(
    ("said", "answer", "heard"),
    [
        (b"C\rS4\r\rO\r", b"\r\r\r\r", []),
        (b"t00020111\r", b"\a", []),
        (b"O\rt00020111\r", b"\rz\r", ["00000000 02000000 0111"]),
        (b"O\rT18FF50E51AB\rR18FF50E50\r", b"\rZ\rZ\r", ["98FF50E501000000AB", "D8FF50E500000000"]),
        (b"O\rtXYZ\rtZZZ1\r?\r", b"\r\a\a\a", []),
        (b"O\rC\rt7000\r", b"\r\r\a", []),
    ],
)
def test_the_adapter_obeys_and_answers(said: bytes, answer: bytes, heard: list[str]) -> None:
    parrot = Parrot()
    adapter = SlcanAdapter(parrot)
    for byte in said:
        adapter.hear(AT, bytes([byte]))
    assert parrot.waiting == [bytes.fromhex(one) for one in heard]
    parrot.waiting.clear()
    assert adapter.wake_at == AT
    assert b"".join(adapter.speak(AT)) == answer
    assert adapter.wake_at is None


def test_what_is_said_while_the_bus_is_closed_is_lost() -> None:
    parrot = Parrot()
    adapter = SlcanAdapter(parrot)
    parrot.waiting.append(packet(0x711, b"\x05"))
    assert adapter.speak(AT) == []
    adapter.hear(AT, b"O\r")
    parrot.waiting.append(packet(0x711, b"\x05"))
    assert adapter.speak(AT) == [b"\r", b"t711105\r"]


@pytest.mark.parametrize(
    ("key", "ready", "cue", "wanted"),
    [
        ("canopen_encoder", RotorPosition(420), SpinBall("17"), RotorPosition(543)),
        ("canopen_io_shoe", inputs(), DrawCard(DECK[0]), inputs("card_out")),
        ("dbc_profile", ShoeStarted(), DrawCard(DECK[0]), CardDrawn(DECK[0])),
    ],
)
async def test_a_device_on_a_can_bus_is_heard_through_a_pty(
    key: str, ready: Reading, cue: Cue, wanted: Reading
) -> None:
    spec = devices()[key]

    adapter = SlcanAdapter(spec.simulator(spec.settings()))
    async with SimulatorOnPty(adapter, CLOCK) as port:
        settings = CanBusSettings(port.path, interface="slcan", settle_s=0)
        link, decoder = await opened(settings), spec.decoder(spec.settings())
        await opens(adapter)
        port.cue(PowerOn())
        for body, then in ((ready, cue), (wanted, None)):
            heard = None
            while heard != body:
                chunk = await link.read(None)
                assert chunk is not None
                heard = decoder.feed(chunk.at, chunk.data)[0].body
                assert not isinstance(heard, RejectReason)
            if then is not None:
                port.cue(then)
        await link.aclose()


async def test_a_node_that_waits_is_started_through_the_link() -> None:
    spec, ours = devices()["canopen_encoder"], CanopenEncoderSettings(start=True)

    adapter = SlcanAdapter(spec.simulator(ours))
    async with SimulatorOnPty(adapter, CLOCK) as port:
        link = await opened(CanBusSettings(port.path, interface="slcan", settle_s=0))
        await opens(adapter)
        decoder, heard = spec.decoder(ours), list[Reading | RejectReason]()
        port.cue(PowerOn())
        while RotorPosition(420) not in heard:
            chunk = await link.read(None)
            assert chunk is not None
            (one,) = decoder.feed(chunk.at, chunk.data)
            heard.append(one.body)
            if one.reply is not None:
                link.write(one.reply)
        await link.aclose()
        assert heard[:2] == [Heartbeat("boot_up"), Heartbeat("pre_operational")]
