"""A device that a file describes, by the real verbs: checked, played, and heard at its pty."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from support.whole_rig import PITWIRE, pitwire

from protocols.cards import Card
from protocols.device import Decoder
from protocols.instant import Instant
from protocols.readings import CardDrawn, ShoeStarted
from protocols.shoes.line_profile import DEVICE, LineProfileSettings

PINE = Path(__file__).parents[2] / "config" / "devices" / "pine-shoe.toml"
TABLE = """
site = "riga-1"
[bus]
kind = "stdout"
[[table]]
id = "BAC-08"
mode = "rehearsal"
game = "baccarat"
profile = "baccarat-dk"
[[table.device]]
role = "primary"
device = "line_profile"
settings = { profile = "pine.toml" }
link = { kind = "serial_port", port = "/dev/serial/by-id/x" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[str], Path]:
    """Return a maker of a configuration whose device is described so."""

    def make(description: str) -> Path:
        (tmp_path / "pine.toml").write_text(description, "utf-8")
        (tmp_path / "pitwire.toml").write_text(TABLE, "utf-8")
        return tmp_path / "pitwire.toml"

    return make


async def test_check_says_what_the_description_cannot_protect_against(
    folder: Callable[[str], Path],
) -> None:
    code, said, _ = await pitwire("check", str(folder(PINE.read_text("utf-8"))))
    assert code == 0
    assert "Pine card shoe (made up)" in said
    assert "equal flips in two bytes" in said


async def test_check_tells_a_mistake_with_the_descriptions_own_file_and_line(
    folder: Callable[[str], Path],
) -> None:
    wrong = PINE.read_text("utf-8").replace("{card:2}", "{crad:2}")
    number = next(at for at, one in enumerate(wrong.splitlines(), 1) if "crad" in one)
    code, said, trouble = await pitwire("check", str(folder(wrong)))
    assert (code, said) == (78, "")
    assert f'pine.toml:{number}: message[0].line: no field is called "crad"' in trouble


async def test_simulate_plays_the_description_and_its_decoder_understands(tmp_path: Path) -> None:
    words = ("simulate", "line_profile", "-s", f"profile={PINE}", "--speed", "10")
    port = tmp_path / "pine.tty"
    process = await asyncio.create_subprocess_exec(
        *PITWIRE, *words, "--link", str(port),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    async with asyncio.timeout(20):
        await process.stdout.readline()
        heard = await _hear(port, process.stdin)
    process.stdin.close()
    await process.wait()
    assert heard == [ShoeStarted(), CardDrawn(Card("K", "D"), "player", 1)]


async def _hear(port: Path, cues: asyncio.StreamWriter) -> list[object]:
    decoder: Decoder = DEVICE.decoder(LineProfileSettings())
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), port.open("rb", buffering=0)
    )
    cues.write(b"draw KD player 1\n")
    said: list[object] = []
    while len(said) < 2:
        said += [one.body for one in decoder.feed(Instant("pty", 0), await reader.read(64))]
    transport.close()
    return said
