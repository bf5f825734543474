"""`pitwire detect`: a real process listens on a pty and says what it looks like."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.pty_rig import Box, plugged_in
from support.verb_rig import Verb
from support.whole_rig import pitwire
from typer.testing import CliRunner

from daemon.cli.main import app
from drivers.clock import BootClock
from drivers.pty_simulator import SimulatorOnPty
from protocols.catalog import devices
from protocols.simulator import PowerOn


@asynccontextmanager
async def played(key: str, speed: float) -> AsyncIterator[SimulatorOnPty]:
    spec = devices()[key]
    async with SimulatorOnPty(spec.simulator(spec.settings()), BootClock(speed)) as port:
        port.cue(PowerOn())
        yield port


async def test_a_wheel_is_recognised_by_what_it_says_by_itself() -> None:
    async with played("cammegh_ss2", 20) as port:
        code, out, err = await pitwire("detect", port.path, "--seconds", "1", "--json")
    assert code == 0, err
    said = json.loads(out)
    assert (said["looks_like"], said["confidence"]) == ("cammegh_ss2", "sure")
    assert said["guesses"][0]["wiring"]["baud"] == devices()["cammegh_ss2"].wiring.baud


async def test_a_device_that_speaks_only_when_asked_is_found_with_ask_alone() -> None:
    async with played("saturn", 1) as port:
        code, out, _ = await pitwire("detect", port.path, "--seconds", "0.1", "--json")
        assert (code, json.loads(out)["heard"]) == (1, 0)
        code, out, _ = await pitwire("detect", port.path, "--seconds", "2", "--ask", "--json")
        assert (code, json.loads(out)["looks_like"]) == (0, "saturn")


async def test_b32_nothing_is_written_to_the_port_and_silence_is_said_plainly() -> None:
    with plugged_in() as box:
        os.set_blocking(box.device, False)
        code, out, _ = await pitwire("detect", box.path, "--seconds", "0.1")
        assert code == 1
        assert "nothing was received" in out
        assert "--ask" in out
        with pytest.raises(BlockingIOError):
            os.read(box.device, 1)


async def test_what_is_there_and_unknown_is_said_with_its_size() -> None:
    with plugged_in() as box:
        async with Verb("detect", box.path, "--seconds", "0.2") as verb:
            saying = asyncio.create_task(say_for_ever(box, b"\x00\xff\x07"))
            line = await verb.line("fit no device type")
            saying.cancel()
            assert "bytes" in line


async def say_for_ever(box: Box, data: bytes) -> None:
    while True:
        box.say(data)
        await asyncio.sleep(0.01)


def test_a_wiring_that_the_port_cannot_do_is_left_out_with_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A pty has no line to be set: let it count as an adapter that can do no parity.
    monkeypatch.setattr("drivers.tty.opening.is_pty", lambda _fd: False)
    with plugged_in() as box:
        done = CliRunner().invoke(app, ["detect", box.path, "--seconds", "0.1"])
    assert "left out: " in done.stderr
    assert "it stays at parity N" in done.stderr
    assert "nothing was received" in done.output


async def test_what_is_no_serial_port_is_not_called_silent() -> None:
    code, out, err = await pitwire("detect", "/dev/null", "--seconds", "0.1")
    assert (code, out) == (69, "")
    assert "/dev/null: is not a serial port; correct `port`" in err


async def test_a_port_that_is_not_there_ends_with_69(tmp_path: Path) -> None:
    code, out, err = await pitwire("detect", str(tmp_path / "none"), "--json")
    assert (code, out) == (69, "")
    assert "is not there" in err


async def test_a_port_that_somebody_holds_names_the_holder() -> None:
    with plugged_in() as box:
        async with Verb("watch", box.path, "--device", "beetek") as holder:
            await holder.note("watching")
            code, _, err = await pitwire("detect", box.path, "--seconds", "0.1")
            assert code == 69
            assert "is held by process" in err
