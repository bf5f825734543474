"""The real daemon on a CAN bus: a shoe by its DBC, whose adapter or server goes in mid-round."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.can_rig import SocketcandServer
from support.notation import draw_cue
from support.pty_rig import CLOCK
from support.usb_rig import Said, Talker, reap, started
from support.whole_rig import PITWIRE

from config.rehearsal_text import rehearsal_text
from drivers.can.slcan_adapter import SlcanAdapter
from drivers.pty_simulator import SimulatorOnPty
from protocols.catalog import devices

SHOE = devices()["dbc_profile"]
NATURAL = ("8S", "5D", "KC", "TH")


@asynccontextmanager
async def daemon(folder: Path, link: Mapping[str, Any]) -> AsyncIterator[Talker]:
    table = {
        "game": "baccarat",
        "profile": "baccarat-lv",
        "device": SHOE.key,
        "link": {"kind": "can_bus", "receive_ids": [0x285], **link},
        "round_control": "device",
    }
    text = rehearsal_text(
        tables={"CAN-1": table},
        bus={"kind": "stdout"},
        journal=str(folder / "journal.db"),
        control=str(folder / "control.sock"),
    )
    path = folder / "pitwire.toml"
    path.write_text(text, "utf-8")
    process = await started(*PITWIRE, "run", "--config", str(path))
    try:
        yield Talker(process)
    finally:
        await reap(process)


async def heard(talker: Talker, kind: str) -> Said:
    """Return the data of the next event of this kind."""
    while True:
        said = await talker.next()
        if said["type"] == f"pitwire.{kind}.v1":
            data: Said = said["data"]
            return data


@pytest.mark.slow
async def test_a_slcan_adapter_is_pulled_in_a_round_and_found_again(tmp_path: Path) -> None:
    port = SimulatorOnPty(
        SlcanAdapter(SHOE.simulator(SHOE.settings())), CLOCK, str(tmp_path / "adapter")
    )
    link = {"interface": "slcan", "channel": port.path, "settle_s": 0.0}
    async with daemon(tmp_path, link) as talker:
        absent = await heard(talker, "device.disconnected")
        assert absent["reason"] == f"absent: {port.path}: is not there"
        async with port:
            await heard(talker, "device.connected")
            for code in NATURAL:
                port.cue(draw_cue(code))
            done = await heard(talker, "round.completed")
            assert done["outcome"]["winner"] == "player"
            port.cue(draw_cue("2S"))
            assert (await heard(talker, "card.dealt"))["slot"] == "player.1"
            port.unplug()
            assert "lost: " in (await heard(talker, "device.disconnected"))["reason"]
            assert (await heard(talker, "violation.raised"))["code"] == "device_lost"
            port.replug()
            await heard(talker, "device.connected")


@pytest.mark.slow
async def test_a_socketcand_server_goes_away_in_a_round_and_comes_back(tmp_path: Path) -> None:
    simulator, at = SHOE.simulator(SHOE.settings()), CLOCK.now()

    def words(*codes: str) -> list[bytes]:
        for code in codes:
            simulator.cue(at, draw_cue(code))
        return [f"< frame 285 1.0 {data[8:].hex()} >".encode() for data in simulator.speak(at)]

    async with SocketcandServer() as server:
        link = {"interface": "socketcand", "channel": "can0", "server": server.address}
        async with daemon(tmp_path, link) as talker:
            await heard(talker, "device.connected")
            await server.say(b"< frame 701 1.0 05 >< error 008 1.0 >", *words(*NATURAL))
            done = await heard(talker, "round.completed")
            assert done["outcome"]["winner"] == "player"
            await server.say(*words("2S"))
            await heard(talker, "card.dealt")
            server.hang_up()
            assert "hung up" in (await heard(talker, "device.disconnected"))["reason"]
            assert (await heard(talker, "violation.raised"))["code"] == "device_lost"
            await heard(talker, "device.connected")
            words("9H")  # a card that nobody hears
            await server.say(*words("3D"))
            raised = await heard(talker, "violation.raised")
            assert raised["code"] == "reading_gap"
            assert raised["detail"] == "expected frame 5 after 4, got 6"


@pytest.mark.slow
async def test_b46_a_bus_that_was_left_is_told_opened_anew_and_its_cards_are_dealt(
    tmp_path: Path,
) -> None:
    simulator, at = SHOE.simulator(SHOE.settings()), CLOCK.now()

    def words(code: str) -> list[bytes]:
        simulator.cue(at, draw_cue(code))
        return [f"< frame 285 1.0 {data[8:].hex()} >".encode() for data in simulator.speak(at)]

    async with SocketcandServer() as server:
        link = {"interface": "socketcand", "channel": "can0", "server": server.address}
        async with daemon(tmp_path, link) as talker:
            await heard(talker, "device.connected")
            await server.say(b"< error 040 1.0 >")
            assert "(bus-off)" in (await heard(talker, "device.disconnected"))["reason"]
            await heard(talker, "device.connected")
            await server.say(*words("8S"))
            dealt = await heard(talker, "card.dealt")
            assert (dealt["rank"], dealt["suit"], dealt["slot"]) == ("8", "S", "player.1")
