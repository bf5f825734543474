"""`pitwire watch`: a table's frames through the daemon, and a wire that nobody holds."""

import json
from pathlib import Path

from support.pty_rig import plugged_in
from support.verb_rig import Verb
from support.whole_rig import BACCARAT, ROULETTE, Rig, needs_nats, pitwire

from daemon.demo.demo import DemoTable
from daemon.service.sealing_keys import CREDENTIAL
from protocols.simulator import SpinBall

BAC, ROU = BACCARAT.table, ROULETTE.table
GREEK = DemoTable(BAC, "baccarat", "baccarat-gr", "angel_eye_ii_ex", decks=8)
CARD = bytes.fromhex("05334481b8033444")
"""A drawn card as the shoe writes it: the third line of captures/angel_eye_ii_ex/overdraw."""
SENTINEL_S = 8


def sentinel(table: str, rig: Rig) -> Verb:
    return Verb("watch", table, "--socket", rig.socket, "--json")


@needs_nats
async def test_bytes_meaning_and_verdict_stand_side_by_side(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.dealing("R-1")
        async with (
            sentinel(BAC, rig) as verb,
            Verb("watch", BAC, "--socket", rig.socket) as eye,
        ):
            await verb.note("watching")
            await eye.note("watching")
            rig.draw("9D>player.1")
            line = await verb.json("card_drawn")
            assert line["role"] == "primary"
            assert line["stale"] is False
            assert line["reading"]["card"] == {"rank": "9", "suit": "D"}
            (dealt,) = line["events"]
            assert (dealt["kind"], dealt["slot"]) == ("card.dealt", "player.1")
            event = await rig.heard(BAC, "card.dealt")
            shown = await eye.line("card_drawn")
            assert bytes.fromhex(line["raw"]).hex(" ") in shown
            assert "-> card.dealt slot=player.1 card=9D" in shown
            assert abs(seconds(shown[:12]) - seconds(event["time"][11:23])) < SENTINEL_S
            assert await eye.stop() == 130


def seconds(clock: str) -> float:
    hours, minutes, rest = clock.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


@needs_nats
async def test_it_goes_on_when_the_daemon_comes_back(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[ROULETTE], speed=10) as rig:
        await rig.connected(ROU)
        async with sentinel(ROU, rig) as verb:
            await verb.note("watching")
            await verb.json("wheel_status")
            await rig.restart_daemon()
            await verb.note("is back")
            assert (await verb.json("wheel_status"))["role"] == "primary"


@needs_nats
async def test_a_hidden_card_shows_as_concealed_and_as_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / CREDENTIAL).write_bytes(bytes(range(32)))
    environment = {"CREDENTIALS_DIRECTORY": str(tmp_path / "credentials")}
    async with Rig(tmp_path, seats=[GREEK], environment=environment) as rig:
        await rig.connected(BAC)
        async with sentinel(BAC, rig) as verb:
            await verb.note("watching")
            await rig.obeyed(BAC, "shoe.load", shoe_id="S1", decks=8)
            for number, code in enumerate(("KS", "2D"), 1):
                rig.draw(f"{code}>burn")
                await rig.heard(BAC, "card.burned", slot=f"burn.{number}")
            lines = [await verb.json("concealed") for _ in range(2)]
            for line in lines:
                assert line.keys() == {"role", "device", "time", "ns", "concealed"}
            assert not [one for one in verb.said if "card_drawn" in one or "raw" in one]


@needs_nats
async def test_an_unknown_table_is_a_plain_sentence(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        code, out, err = await pitwire("watch", "T-99", "--socket", rig.socket)
        assert (code, out) == (1, "")
        assert err == "pitwire: no table 'T-99' on this bridge\n"


async def test_without_a_daemon_it_says_so(tmp_path: Path) -> None:
    code, out, err = await pitwire("watch", BAC, "--socket", str(tmp_path / "none"), "--json")
    assert (code, out) == (69, "")
    assert json.loads(err)["exit"] == 69


async def test_a_path_alone_does_not_say_which_device_is_on_it() -> None:
    code, _, err = await pitwire("watch", "/dev/ttyUSB0")
    assert (code, "--device" in err) == (2, True)


@needs_nats
async def test_b16_a_port_that_a_table_reads_is_not_opened_twice(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[ROULETTE]) as rig:
        await rig.connected(ROU)
        for words in (("watch", "--device", "cammegh_ss2"), ("detect",)):
            verb, *more = words
            code, out, err = await pitwire(verb, rig.tty(ROU), *more, "--socket", rig.socket)
            assert (code, out) == (1, "")
            assert f"table {ROU} reads" in err
            assert f"pitwire watch {ROU}" in err
        rig.cue(ROU, SpinBall("17"))


async def test_a_wire_that_nobody_holds_is_opened_and_what_it_said_before_is_stale() -> None:
    with plugged_in() as box:
        box.say_before_anybody_listens(CARD)
        words = ("watch", box.path, "--device", "angel_eye_ii_ex", "--json")
        async with Verb(*words) as verb:
            old = await verb.json("card_drawn")
            assert old["stale"] is True
            box.say(CARD)
            line = await verb.json("card_drawn")
            assert (line["stale"], line["raw"]) == (False, CARD.hex())
            box.unplug()
            assert "unplugged" in await verb.note("unplugged")
