"""`pitwire capture`: a table through the daemon, a free port, and files of a bounded size."""

import json
import os
from pathlib import Path

from support.pty_rig import plugged_in
from support.verb_rig import Verb
from support.whole_rig import BACCARAT, ROULETTE, Rig, needs_nats, pitwire, until

from daemon.demo.demo import DemoTable
from daemon.service.sealing_keys import CREDENTIAL
from drivers.capture import read_capture
from drivers.capture_model import Capture
from protocols.simulator import SpinBall

BAC, ROU = BACCARAT.table, ROULETTE.table
GREEK = DemoTable(BAC, "baccarat", "baccarat-gr", "angel_eye_ii_ex", decks=8)
CARD = bytes.fromhex("05334481b8033444")
"""A drawn card as the shoe writes it: the third line of captures/angel_eye_ii_ex/overdraw."""
WON = b"*X;5;".hex(" ")
"""How the wheel's line begins that states the winning number."""
LINES = [b"%04d\r\n" % number for number in range(200)]


def said(capture: Capture) -> list[bytes]:
    return [one.data for one in capture.lines if isinstance(one.data, bytes)]


@needs_nats
async def test_a_captured_spin_replays_to_the_pocket_that_the_table_heard(tmp_path: Path) -> None:
    file = tmp_path / "spin.capture"
    async with Rig(tmp_path, seats=[ROULETTE], speed=20) as rig:
        await rig.connected(ROU)
        async with Verb("capture", ROU, str(file), "--socket", rig.socket, "--json") as verb:
            await verb.note("capturing")
            await rig.obeyed(ROU, "round.open", round_id="R-1")
            rig.cue(ROU, SpinBall("17"))
            await rig.obeyed(ROU, "bets.close", round_id="R-1")
            await rig.heard(ROU, "spin.landed", pocket="17")
            await until(lambda: WON in file.read_text(), "the result is written")
            assert await verb.stop() == 0
            told = await verb.json("moments")
    capture = read_capture(file)
    assert told["moments"] == len(capture.lines) > 0
    facts = {"device": "cammegh_ss2", "table": ROU, "mode": "rehearsal"}
    assert facts.items() <= capture.header.items()
    rules = [word for key, value in ROULETTE.rules.items() for word in ("--rule", f"{key}={value}")]
    code, out, _ = await pitwire(
        "replay", str(file), "--game", "roulette", "--device", "cammegh_ss2", *rules, "--json"
    )
    landed = [one["data"]["pocket"] for one in map(json.loads, out.splitlines()) if is_landed(one)]
    assert (code, landed) == (0, ["17"])


def is_landed(envelope: dict[str, object]) -> bool:
    return envelope["type"] == "pitwire.spin.landed.v1"


@needs_nats
async def test_what_may_be_a_hidden_card_is_held_back_and_a_note_says_so(tmp_path: Path) -> None:
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / CREDENTIAL).write_bytes(bytes(range(32)))
    environment = {"CREDENTIALS_DIRECTORY": str(tmp_path / "credentials")}
    file = tmp_path / "burns.capture"
    async with Rig(tmp_path, seats=[GREEK], environment=environment) as rig:
        await rig.connected(BAC)
        async with Verb("capture", BAC, str(file), "--socket", rig.socket) as verb:
            await verb.note("capturing")
            await rig.obeyed(BAC, "shoe.load", shoe_id="S1", decks=8)
            for number, code in enumerate(("KS", "2D", "9C", "TD", "2H", "AS"), 1):
                rig.draw(f"{code}>burn")
                await rig.heard(BAC, "card.burned", slot=f"burn.{number}")
            await rig.obeyed(BAC, "round.open", round_id="R-1")
            await rig.obeyed(BAC, "bets.close", round_id="R-1")
            rig.draw("8S>player.1")
            await until(lambda: " < " in file.read_text(), "the dealt card is written")
            assert await verb.stop() == 0
    lines = file.read_text().splitlines()
    shown = [line for line in lines if " < " in line]
    assert len(shown) == 1, "six burned cards lie face down, and one was dealt"
    assert lines.index(shown[0]) > next(n for n, line in enumerate(lines) if "held back" in line)
    assert sum("held back" in line for line in lines) == 1, "how many there were is not told"


@needs_nats
async def test_a_capture_that_comes_back_late_says_again_that_it_is_held_back(
    tmp_path: Path,
) -> None:
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / CREDENTIAL).write_bytes(bytes(range(32)))
    environment = {"CREDENTIALS_DIRECTORY": str(tmp_path / "credentials")}
    file = tmp_path / "burns.capture"
    async with Rig(tmp_path, seats=[GREEK], environment=environment) as rig:
        await rig.connected(BAC)
        async with Verb("capture", BAC, str(file), "--socket", rig.socket) as verb:
            await verb.note("capturing")
            await rig.obeyed(BAC, "shoe.load", shoe_id="S1", decks=8)
            rig.draw("KS>burn")
            await until(lambda: "held back" in file.read_text(), "the first is held back")
            verb.sleep()
            await rig.restart_daemon()
            await rig.connected(BAC)  # which the capture does not see
            verb.wake()
            await verb.note("is back")
            rig.draw("2D>burn")
            await until(lambda: file.read_text().count("held back") == 2, "the second is too")
            assert await verb.stop() == 0
    assert " ! " not in file.read_text()


@needs_nats
async def test_a_cable_that_was_out_is_part_of_the_capture(tmp_path: Path) -> None:
    file = tmp_path / "cable.capture"
    async with Rig(tmp_path, seats=[ROULETTE], speed=10) as rig:
        await rig.connected(ROU)
        async with Verb("capture", ROU, str(file), "--socket", rig.socket) as verb:
            await verb.note("capturing")
            await until(lambda: " < " in file.read_text(), "the wheel speaks")
            rig.ports[ROU].unplug()
            await rig.heard(ROU, "device.disconnected")
            rig.ports[ROU].replug()
            await rig.connected(ROU)
            await until(lambda: " ! open" in file.read_text(), "the link is open again")
            assert await verb.stop() == 0
    words = [one.data for one in read_capture(file).lines if one.direction == "link"]
    assert words == ["lost", "open"]


async def test_a_free_port_is_captured_byte_for_byte_and_nothing_is_written_to_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "free.capture"
    with plugged_in() as box:
        box.say_before_anybody_listens(CARD)
        words = ("capture", box.path, str(file), "--device", "angel_eye_ii_ex")
        async with Verb(*words) as verb:
            await verb.note("capturing")
            box.say(CARD)
            box.say(CARD[:3])
            await until(lambda: b"".join(said(read_capture(file))).endswith(CARD[:3]), "heard")
            box.unplug()
            await verb.note("unplugged")
    capture = read_capture(file)
    assert next(one.stale for one in capture.lines) is True
    assert b"".join(said(capture)) == CARD + CARD + CARD[:3]
    assert capture.header["device"] == "angel_eye_ii_ex"
    assert {one.direction for one in capture.lines} == {"device"}


async def test_files_are_bounded_in_size_and_number_and_say_the_rest_in_order(
    tmp_path: Path,
) -> None:
    file = tmp_path / "small.capture"
    file.write_text("an older one\n")
    with plugged_in() as box:
        words = ("capture", box.path, str(file), "--device", "beetek", "--seconds", "600")
        async with Verb(*words, "--rotate-mb", "0.001", "--keep", "2") as verb:
            await verb.note("capturing")
            for line in LINES:
                box.say(line)
                await until(lambda: line.hex(" ") in file.read_text(), "written")  # noqa: B023 - awaited here
            box.unplug()
            await verb.note("unplugged")
    names = ["small.capture", "small.capture.1", "small.capture.2"]
    assert sorted(os.listdir(tmp_path)) == names  # noqa: PTH208 - names only
    captures = [read_capture(tmp_path / name) for name in reversed(names)]
    rest = b"".join(b"".join(said(one)) for one in captures)
    assert len(rest) > 50 * len(LINES[0]), "two whole files and what the third has"
    sizes = [os.stat(tmp_path / name).st_size for name in names]  # noqa: PTH116 - sizes only
    assert max(sizes) <= 1000
    assert b"".join(LINES).endswith(rest)
    assert all(one.header["device"] == "beetek" for one in captures)
    seconds = [one.seconds for capture in captures for one in capture.lines]
    assert seconds == sorted(seconds), "time goes on from file to file"


async def test_it_stops_after_the_time_that_was_asked_for(tmp_path: Path) -> None:
    with plugged_in() as box:
        words = ("capture", box.path, str(tmp_path / "x"), "--device", "beetek", "--json")
        code, out, _ = await pitwire(*words, "--seconds", "0.2")
        assert (code, json.loads(out)["moments"]) == (0, 0)


@needs_nats
async def test_a_table_is_captured_for_so_long_too(tmp_path: Path) -> None:
    file = tmp_path / "x"
    async with Rig(tmp_path, seats=[ROULETTE], speed=10) as rig:
        await rig.connected(ROU)
        words = ("capture", ROU, str(file), "--socket", rig.socket, "--json")
        code, out, _ = await pitwire(*words, "--seconds", "1")
        assert (code, json.loads(out)["moments"]) == (0, len(read_capture(file).lines))
        code, _, err = await pitwire(*words, "--role", "hole")
        assert (code, "has no hole device" in err) == (1, True)


async def test_a_file_that_cannot_be_written_is_a_plain_sentence(tmp_path: Path) -> None:
    with plugged_in() as box:
        file = tmp_path / "none" / "x"
        words = ("capture", box.path, str(file), "--device", "beetek")
        code, out, err = await pitwire(*words)
        assert (code, out, err) == (1, "", f"pitwire: {file}: No such file or directory\n")


async def test_an_unplugged_port_is_a_plain_sentence(tmp_path: Path) -> None:
    words = ("capture", str(tmp_path / "tty"), str(tmp_path / "x"), "--device", "beetek")
    code, out, err = await pitwire(*words)
    assert (code, out) == (69, "")
    assert "is not there; plug the device in" in err
