"""Every device of the catalogue is played by `simulate` and understood by `watch` or `decode`."""

import asyncio
from pathlib import Path

import pytest
from support.verb_rig import Verb
from support.whole_rig import PITWIRE, pitwire

from protocols.catalog import devices
from protocols.device import DeviceSpec
from protocols.wiring import UsbWiring

pytestmark = pytest.mark.slow
CUES = {"shoe": "draw KD", "wheel": "spin 17", "dice": "throw 442"}
SPECS = list(devices().values())
ON_USB = [spec for spec in SPECS if isinstance(spec.wiring, UsbWiring)]
ON_A_PORT = [spec for spec in SPECS if spec not in ON_USB]


async def simulated(key: str, speed: str = "20") -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *PITWIRE,
        *("simulate", key, "--speed", speed),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )


def cue(player: asyncio.subprocess.Process, spec: DeviceSpec) -> None:
    assert player.stdin is not None
    player.stdin.write(f"{CUES[spec.kind]}\n".encode())


@pytest.mark.parametrize("spec", ON_A_PORT, ids=lambda spec: spec.key)
async def test_it_is_played_on_a_port_and_watched_there(spec: DeviceSpec) -> None:
    player = await simulated(spec.key)
    assert player.stdout is not None
    try:
        port = (await player.stdout.readline()).decode().strip()
        async with Verb("watch", port, "--device", spec.key, "--json") as verb:
            await verb.note("watching")
            cue(player, spec)
            line = await verb.json('"reading"')
            assert line["raw"]
    finally:
        player.kill()
        await player.communicate()


@pytest.mark.parametrize("spec", ON_USB, ids=lambda spec: spec.key)
async def test_it_writes_its_packets_out_as_a_capture(spec: DeviceSpec, tmp_path: Path) -> None:
    player = await simulated(spec.key, speed="1")  # a late key would end a scan
    assert player.stdout is not None
    file, out = tmp_path / "usb.capture", ""
    try:
        cue(player, spec)
        lines = [await player.stdout.readline() for _ in range(2)]
        while "card_drawn         card=KD" not in out:
            lines.append(await player.stdout.readline())
            file.write_bytes(b"".join(lines))
            code, out, _ = await pitwire("decode", spec.key, str(file))
            assert code == 0
    finally:
        player.kill()
        await player.communicate()


async def test_a_usb_device_has_no_port_to_be_linked_to(tmp_path: Path) -> None:
    code, out, err = await pitwire("simulate", "hid_pos", "--link", str(tmp_path / "tty"))
    assert (code, out) == (2, "")
    assert "a pty carries no packets" in err
