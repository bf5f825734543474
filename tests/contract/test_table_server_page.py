"""What docs/table-server.md says is what happens: its rounds are played, its tables compared."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from support.contract_messages import contract_messages
from support.hidden_bench import DEVICE, HiddenTable, blackjack
from support.offline_game import OfflineGame, kind_of_event

from daemon.demo.demo import GAMES
from daemon.service.assembly import one_table, setup_of
from daemon.service.contract.schemas import MAY_GROW
from daemon.service.sealing_keys import TableKeys
from daemon.table.state import TableSetup
from protocols.commands import AUTHORITIES
from protocols.refusals import Refusal

PAGE = (Path(__file__).parents[2] / "docs/table-server.md").read_text("utf-8")
FLOWS: Final = dict(re.findall(r"```flow (\w+)\n(.*?)```", PAGE, re.DOTALL))


def baccarat(keys: TableKeys | None = None) -> TableSetup:
    """Return a house that burns no card after a shuffle."""
    table = one_table("baccarat", "baccarat-dk", DEVICE.key, round_control="server")
    return setup_of(table, keys)


def fields(words: list[str]) -> dict[str, Any]:
    """Return a command's fields as the page spells them."""
    pairs = (word.split("=", 1) for word in words)
    return {name: json.loads(text) if text[0] in "[0123456789" else text for name, text in pairs}


def played(flow: str, table: HiddenTable) -> list[str]:
    """Play the page's commands and cards; return them with the events that followed."""
    heard: list[str] = []
    for line in flow.splitlines():
        mark, *words = line.split()
        before = len(table.events)
        if mark == "<":
            continue
        if mark == "*":
            table.say(*words)
        else:
            answer = table.obey(words[0], **fields(words[1:]))
            assert answer["answer"] == "accepted", (line, answer)
        kinds = [kind_of_event(event) for event in table.events[before:]]
        heard += [line, *([f"< {' '.join(kinds)}"] if kinds else [])]
    return heard


@pytest.mark.parametrize(("game", "house"), [("baccarat", baccarat), ("blackjack", blackjack)])
def test_a_round_of_cards_goes_as_the_page_says(game: str, house: Any) -> None:
    table = HiddenTable(house=house)
    table.obey("shoe.load", shoe_id="S1", decks=8)
    assert played(FLOWS[game], table) == FLOWS[game].splitlines()


@pytest.mark.parametrize("game", ["roulette", "sic_bo"])
def test_a_round_of_a_wheel_or_of_dice_goes_as_the_page_says(game: str) -> None:
    table = OfflineGame(GAMES[game], seed=1)
    begin = len(table.messages)
    table.play(1)
    told = [name for name, _ in table.messages[begin:] if name not in ("answer", "status")]
    assert told == [word for word in FLOWS[game].split() if word not in "<>"]


def rows(heading: str) -> list[list[str]]:
    """Return the words in backticks of each row of the table below this line."""
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return [re.findall(r"`([\w.]+)`", row) for row in table.splitlines()[2:]]


def test_it_says_of_every_refusal_what_to_do() -> None:
    reasons = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in lines("refused because")]
    assert sorted(word for row in reasons for word in row) == sorted(Refusal)


def test_it_says_of_every_command_whose_it_is() -> None:
    said = {name: row[0] for row in rows("authority") for name in row[1:]}
    assert said == dict(AUTHORITIES)


def lines(heading: str) -> list[str]:
    """Return the rows of the table whose head begins so."""
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return table.splitlines()[2:]


@pytest.mark.slow
def test_every_slot_is_spelled_as_one_of_the_page() -> None:
    spelled = [
        re.sub(r"[0-9]+", "[1-9][0-9]*", re.escape(slot))
        for row in lines("slot")
        for slot in re.findall(r"`([\w.]+)`", row.split("|")[1])
    ]
    slots = {
        slot
        for name, payload in contract_messages()
        if name.startswith(("card.", "violation.raised", "result.entered"))
        if (slot := json.loads(payload).get("data", {}).get("slot"))
    }
    assert len(slots) > 40
    assert [one for one in slots if not any(re.fullmatch(form, one) for form in spelled)] == []


def test_the_page_on_versions_says_how_to_take_every_list_that_may_grow() -> None:
    page = (Path(__file__).parents[2] / "docs/versions.md").read_text("utf-8")
    table = page.partition("| list |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([A-Z]\w+)`", table)) == MAY_GROW
