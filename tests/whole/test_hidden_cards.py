"""The real daemon hides burned cards: over a crash, with its key, without it, with another one."""

import json
from pathlib import Path

import pytest
from support.oracle_reveal import opens_by_hand
from support.whole_rig import BACCARAT, Rig, needs_nats, pitwire, unbroken

from daemon.demo.demo import DemoTable
from daemon.service.sealing_keys import CREDENTIAL

pytestmark = [needs_nats, pytest.mark.slow]
BAC = BACCARAT.table
GREEK = DemoTable(BAC, "baccarat", "baccarat-gr", "angel_eye_ii_ex", decks=8)
BURNS = ("KS", "9C", "TD", "2H", "AS", "7D")


def rig_with_key(folder: Path) -> Rig:
    """Six cards are burned after the shuffle; the key comes as systemd hands it over."""
    (folder / "credentials").mkdir()
    (folder / "credentials" / CREDENTIAL).write_bytes(bytes(range(32)))
    environment = {"CREDENTIALS_DIRECTORY": str(folder / "credentials")}
    return Rig(folder, seats=[GREEK], environment=environment)


def turned_on_request(rig: Rig) -> None:
    """Let the house turn a burned card when it is asked to."""
    plain = rig.configuration
    rules = 'rules = { burned_faces = "on_request", '
    rig.configuration = lambda: plain().replace("rules = { ", rules)  # type: ignore[method-assign] # a rig of its own


async def burn_six(rig: Rig) -> None:
    await rig.connected(BAC)
    await rig.obeyed(BAC, "shoe.load", shoe_id="S1", decks=8)
    for number, code in enumerate(BURNS, 1):
        rig.draw(f"{code}>burn")
        await rig.heard(BAC, "card.burned", slot=f"burn.{number}")


async def test_a_card_sealed_before_a_crash_is_turned_after_it(tmp_path: Path) -> None:
    rig = rig_with_key(tmp_path)
    turned_on_request(rig)
    async with rig:
        await burn_six(rig)
        await rig.restart_daemon()
        back = await rig.heard(BAC, "table.recovered")
        assert back["data"]["differs"] is None
        await rig.connected(BAC)
        await rig.obeyed(BAC, "card.reveal", slot="burn.1")
        told = await rig.heard(BAC, "card.revealed")
        assert (told["data"]["rank"], told["data"]["suit"]) == ("K", "S")
        await check_by_hand(rig, told["data"]["card_nonce"])
        assert not rig.consumer.faults
    await unbroken(rig.journal)


async def check_by_hand(rig: Rig, nonce: str) -> None:
    """As docs/hidden-cards.md tells the table server to."""
    sealed = next(one for one in rig.events(BAC) if one["type"] == "pitwire.card.burned.v1")

    class Placed:
        table, epoch, slot = BAC, sealed["epoch"], sealed["data"]["slot"]
        shoe, round_id, profile = sealed["data"]["shoe_id"], "", sealed["profile"]

    commitment = opens_by_hand(Placed(), "card", "KS", nonce)
    assert commitment == sealed["data"]["commitments"]["card"]


async def test_no_file_of_the_daemon_holds_what_lies_face_down(tmp_path: Path) -> None:
    async with rig_with_key(tmp_path) as rig:
        await burn_six(rig)
        assert await rig.stop_daemon() == 0
    code, out, _ = await pitwire("journal", "show", rig.journal, "--json")
    assert code == 0
    kinds = [json.loads(line) for line in out.splitlines()]
    sealed = [one for one in kinds if "sealed" in one["blob"]]
    assert [one["kind"] for one in sealed].count("input") == len(BURNS)
    said = [one for one in kinds if one["kind"] == "input" and "said" in str(one["blob"])]
    assert not said, "every card of this run was face down"
    key = tmp_path / "credentials" / CREDENTIAL
    code, out, _ = await pitwire("journal", "show", rig.journal, "--json", "--key", str(key))
    assert code == 0
    cards = [
        one["blob"]["body"]["said"]["value"]["reading"]["card"]
        for line in out.splitlines()
        if (one := json.loads(line))["kind"] == "input" and "hidden_said" in line
    ]
    assert [one["rank"] + one["suit"] for one in cards] == list(BURNS)
    assert "rank" not in (tmp_path / "daemon.log").read_text()
    await unbroken(rig.journal)


@pytest.mark.parametrize(
    "key", [None, b"another key of thirty-two bytes!"], ids=["none", "another"]
)
async def test_without_its_key_the_table_opens_held_and_says_what_is_missing(
    tmp_path: Path, key: bytes | None
) -> None:
    async with rig_with_key(tmp_path) as rig:
        await burn_six(rig)
        await rig.kill_daemon()
        path = tmp_path / "credentials" / CREDENTIAL
        path.unlink() if key is None else path.write_bytes(key)
        await rig.start_daemon()
        back = await rig.heard(BAC, "table.recovered")
        missing = "no sealing key is here" if key is None else "is sealed with the key"
        assert missing in back["data"]["differs"]
        raised = await rig.heard(BAC, "violation.raised", code="recovery_differs")
        assert raised["data"]["holds"]
        assert not rig.consumer.faults
    code, out, err = await pitwire("journal", "verify", rig.journal)
    assert code == 0, (out, err)


async def test_a_live_table_that_hides_cards_does_not_start_without_a_key(tmp_path: Path) -> None:
    text = Rig(tmp_path, seats=[GREEK]).configuration()
    path = tmp_path / "live.toml"
    path.write_text(text.replace('"rehearsal"', '"live"').replace("time_scale = 20.0", ""))
    for verb in (("check", str(path)), ("run", "--config", str(path))):
        code, _, err = await pitwire(*verb)
        assert code == 78
        assert 'cards lie face down by "baccarat-gr", and there is no sealing key' in err
        assert "[sealing] key" in err
    path.write_text(f'sealing = {{ key = "{tmp_path}/nowhere" }}\n{path.read_text()}')
    for verb in (("check", str(path)), ("run", "--config", str(path))):
        code, _, err = await pitwire(*verb)
        assert code == 78
        assert f"{tmp_path}/nowhere cannot be read: No such file or directory" in err
