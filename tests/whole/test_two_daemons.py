"""Two runs of the real daemon with one key, which differ in one burned card: logs of every level,
metrics, captures and the command line say the same of both.

Times, epochs and folders are what the clock and chance make them: they are masked. So is what
depends on which of two processes was quicker: whether the capture was back before the device (it
shows the link's opening only if it was), and the order of log lines of bus and device.
"""

import asyncio
import json
import re
import socket
import urllib.request
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from support.verb_rig import Verb
from support.whole_rig import BACCARAT, Rig, needs_nats, pitwire, until

from daemon.demo.demo import DemoTable
from daemon.service.sealing_keys import CREDENTIAL

pytestmark = [needs_nats, pytest.mark.slow]
BAC = BACCARAT.table
GREEK = DemoTable(BAC, "baccarat", "baccarat-gr", "angel_eye_ii_ex", decks=8)
MASKS = (
    (re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|\+00:00)"), "<time>"),
    (re.compile(r"\d\d:\d\d:\d\d\.\d{3}"), "<time>"),
    (re.compile(r"000001-[0-9a-f]{16}"), "<epoch>"),
    (re.compile(r'"(ns|heard_ns|lag)": ?\d+'), r'"\1":0'),
    (re.compile(r"^# Notes: \d[\d.]* s:", re.MULTILINE), "# <seconds>:"),
    (re.compile(r"^\d[\d.]* (?=[<>])", re.MULTILINE), "<seconds> "),
    (re.compile(r"^\d[\d.]* ! .*\n", re.MULTILINE), ""),  # whether it was there by then
    (re.compile(r'"command_id":"[0-9a-f]{16}"'), '"command_id":"#"'),
    (re.compile(r'"(card|ten|ace)": ?"[0-9a-f]{64}"'), r'"\1":"#"'),
    (re.compile(r"=[0-9a-f]{8}…"), "=#…"),
    (re.compile(r"process \d+"), "process <pid>"),
    (re.compile(r'"(fencing_number|number)": ?\d+'), r'"\1":0'),
)
VARYING = ("_created", "commit_seconds", "loop_lag", "publish_lag")
"""Series of the clock, not of the table."""


def masked(text: str, folder: Path) -> list[str]:
    for pattern, word in MASKS:
        text = pattern.sub(word, text)
    return text.replace(str(folder), "<folder>").splitlines()


def shown(journal: str) -> list[str]:
    """Return what the journal shows without its key: of a sealed body, its length."""
    lines = []
    for line in journal.splitlines():
        one = json.loads(line)
        if "sealed" in one["blob"]:
            one["blob"]["sealed"] = len(one["blob"]["sealed"])
        if one["kind"] != "note":  # a reject of the line's own noise
            lines.append(json.dumps(one["blob"], sort_keys=True, separators=(",", ":")))
    return lines


async def surfaces(folder: Path, secret: str) -> dict[str, list[str]]:
    """Burn six, the third of them this one; kill the daemon on the way; deal a round."""
    (folder / "credentials").mkdir(parents=True)
    (folder / "credentials" / CREDENTIAL).write_bytes(bytes(range(32)))
    environment = {"CREDENTIALS_DIRECTORY": str(folder / "credentials")}
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    rig = Rig(folder, seats=[GREEK], environment=environment, metrics=address)
    plain = rig.configuration
    rig.configuration = lambda: f'log = {{ level = "debug" }}\n{plain()}'  # type: ignore[method-assign] # a rig of its own
    file = folder / "table.capture"
    async with rig, AsyncExitStack() as stack:
        await rig.connected(BAC)
        look = [("capture", BAC, str(file)), ("watch", BAC), ("tail",)]
        verbs = [
            await stack.enter_async_context(Verb(*words, "--socket", rig.socket)) for words in look
        ]
        for verb in verbs[:2]:
            await verb.note()
        await rig.obeyed(BAC, "shoe.load", shoe_id="S1", decks=8)
        for number, code in enumerate(("6D", "9C", secret, "TD"), 1):
            await burn(rig, code, number)
        await rig.restart_daemon()
        await rig.heard(BAC, "table.recovered")
        await rig.connected(BAC)
        for verb in verbs[:2]:
            await verb.note("is back")
        for number, code in ((5, "2C"), (6, "7D")):
            await burn(rig, code, number)
        await rig.obeyed(BAC, "round.open", round_id="R-1")
        await rig.obeyed(BAC, "bets.close", round_id="R-1")
        rig.draw("8S>player.1")
        await rig.heard(BAC, "card.dealt")
        await verbs[1].line("card_drawn")
        await until(lambda: " < " in file.read_text(), "the dealt card is written")
        asked = await rig.command(BAC, "card.reveal", slot="burn.3")
        _, status, _ = await pitwire("status", "--socket", rig.socket, "--json")
        metrics = await asyncio.to_thread(fetched, f"http://{address}/metrics")
        assert [await verb.stop() for verb in verbs[:2]] == [0, 130]
        events = "\n".join(json.dumps(one, sort_keys=True) for one in rig.events(BAC))
        assert await rig.stop_daemon() == 0
    _, journal, _ = await pitwire("journal", "show", rig.journal, "--json")
    texts = {
        "bus": events,
        "status": status,
        "answer": json.dumps({**asked, "id": ""}),
        "watch": "".join(verbs[1].said),
        "capture": file.read_text(),
        "logs": (folder / "daemon.log").read_text(),
        "metrics": "\n".join(
            one for one in metrics.splitlines() if not any(word in one for word in VARYING)
        ),
        "journal": "\n".join(shown(journal)),
    }
    lines = {name: masked(text, folder) for name, text in texts.items()}
    # Bus and device come in either order: what they say is the same, and not its number.
    either = {name: sorted(map(unnumbered, lines[name])) for name in ("bus", "journal", "logs")}
    return {**lines, **either}


def unnumbered(line: str) -> str:
    """Return a line without the numbers that its place in the order gives it."""
    line = re.sub(r'"(causedby|sequence)": ?"?\d+"?', r'"\1":0', line)
    return re.sub(r"<epoch>\.\d+", "<epoch>.0", line)


def fetched(url: str) -> str:
    with urllib.request.urlopen(url) as answer:  # noqa: S310 - our own daemon
        text: str = answer.read().decode()
        return text


async def burn(rig: Rig, code: str, number: int) -> None:
    rig.draw(f"{code}>burn")
    await rig.heard(BAC, "card.burned", slot=f"burn.{number}")


async def test_two_daemons_that_hide_different_cards_show_the_same(tmp_path: Path) -> None:
    king = await surfaces(tmp_path / "king", "KS")
    ten = await surfaces(tmp_path / "ten", "TH")
    assert {name: lines for name, lines in king.items() if not lines} == {}
    differ = {
        name: sorted({*king[name]} ^ {*ten[name]}) for name in king if king[name] != ten[name]
    }
    assert differ == {}
