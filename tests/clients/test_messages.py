"""clients/python: what it reads and writes is the contract's; it stands alone."""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from typing import Final

import pytest
from pitwire_table import (
    AUTHORITIES,
    REMEDIES,
    NotOfTheContractError,
    Position,
    Table,
    command,
    read_answer,
)
from support.contract_messages import contract_messages

from daemon.runtime.command_payload import MalformedCommand, parse_command
from protocols.commands import AUTHORITIES as OURS
from protocols.refusals import Refusal

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs/table-server.md").read_text("utf-8")
CLIENT: Final = sorted((ROOT / "clients/python").rglob("*.py"))
TABLE: Final = Table("riga-1", "BAC-1", "server")
EVENT: Final = {
    "source": "/pit/riga-1/BAC-1",
    "epoch": "000001-a",
    "sequence": "00000000000000000007",
    "type": "pitwire.card.dealt.v1",
    "mode": "live",
    "data": {"rank": "K"},
}
SUBJECT: Final = "pit.event.riga-1.BAC-1.card.dealt"


@pytest.mark.parametrize("path", CLIENT, ids=lambda path: path.name)
def test_a_file_of_the_client_is_small_and_needs_nothing_of_pitwire(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 400
    roots = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            roots.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.Import):
            roots |= {one.name.split(".")[0] for one in node.names}
    others = {one.stem for one in CLIENT} | {"nats"}
    pure = path.stem in ("pitwire_table", "pitwire_play")
    assert roots <= {*sys.stdlib_module_names, *(() if pure else others)}


def test_it_knows_whose_each_command_is() -> None:
    assert dict(AUTHORITIES) == dict(OURS)


def test_each_row_of_the_pages_refusals_has_one_remedy() -> None:
    assert set(REMEDIES) == set(Refusal)
    rows = PAGE.partition("| refused because |")[2].partition("\n\n")[0].splitlines()[2:]
    reasons = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in rows]
    remedies = [{REMEDIES[one] for one in row} for row in reasons]
    assert all(len(row) == 1 for row in remedies)
    texts = {row.split("|")[2]: next(iter(of)) for row, of in zip(rows, remedies, strict=True)}
    assert texts[" give up: the sender is wrong, `detail` says where "] == "give up"


def test_what_it_sends_the_daemon_understands() -> None:
    order = command("round.open", round_id="R1")
    parsed = parse_command(order.payload)
    assert not isinstance(parsed, MalformedCommand)
    assert (parsed.command_id, parsed.command.kind) == (order.id, "round.open")


@pytest.mark.slow
def test_it_reads_every_event_of_the_contract() -> None:
    kinds = set()
    for name, payload in contract_messages():
        body = json.loads(payload)
        if "specversion" not in body:
            continue
        raw = payload.encode() if isinstance(payload, str) else payload
        place = body["source"].removeprefix("/pit/").replace("/", ".")
        one = Table(*place.split("."), user="server", live=body["mode"] == "live")
        event = one.event(raw, f"{one.root}.event.{place}.{name}")
        assert event.position == Position(body["epoch"], int(body["sequence"]))
        kinds.add(event.kind)
    assert len(kinds) > 40


def test_an_event_of_this_table_is_read() -> None:
    event = TABLE.event(json.dumps(EVENT).encode(), SUBJECT)
    assert (event.position, event.kind, event.more) == (
        Position("000001-a", 7),
        "card.dealt",
        False,
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"source": "/pit/riga-1/BAC-2"},
        {"type": "pitwire.round.completed.v1"},
        {"mode": "rehearsal"},
        {"sequence": "0"},
        {"sequence": "many"},
        {"data": None},
        {"epoch": ...},
    ],
)
def test_an_event_that_is_not_this_tables_is_refused(wrong: dict[str, object]) -> None:
    body = {key: one for key, one in {**EVENT, **wrong}.items() if one is not ...}
    with pytest.raises(NotOfTheContractError):
        TABLE.event(json.dumps(body).encode(), SUBJECT)


@pytest.mark.parametrize("junk", [b"", b"[]", b"null", b"\xff", b"{"])
def test_junk_is_no_event_no_status_and_no_answer(junk: bytes) -> None:
    with pytest.raises(NotOfTheContractError):
        TABLE.event(junk, SUBJECT)
    with pytest.raises(NotOfTheContractError):
        TABLE.status(junk)
    with pytest.raises(NotOfTheContractError):
        read_answer(junk, command("burn"), "BAC-1")


@pytest.mark.parametrize(
    ("wrong", "counts"),
    [
        ({}, True),
        ({"lease": {"state": "other", "number": 0}}, False),
        ({"lease": {"state": "unknown", "number": 0}}, False),
        ({"table": "BAC-2"}, False),
        ({"mode": "rehearsal"}, False),
    ],
)
def test_only_the_status_of_the_bridge_that_serves_counts(
    wrong: dict[str, object], counts: bool
) -> None:
    body = {
        "table": "BAC-1",
        "mode": "live",
        "epoch": "000001-a",
        "seq": 9,
        "publisher": {"lag": 2},
        "lease": {"state": "held", "number": 5},
        **wrong,
    }
    status = TABLE.status(json.dumps(body).encode())
    assert (status is not None) == counts
    if status is not None:
        assert (status.epoch, status.on_bus, status.fencing_number) == ("000001-a", 7, 5)


def test_an_answer_to_another_command_or_of_another_table_is_none() -> None:
    mine = command("burn")
    body = {"table": "BAC-1", "id": mine.id, "answer": "refused", "reason": "held", "epoch": "e"}
    assert read_answer(json.dumps(body).encode(), mine, "BAC-1").remedy == "wait for the supervisor"
    newer = {**body, "reason": "a_reason_of_a_later_version"}
    assert read_answer(json.dumps(newer).encode(), mine, "BAC-1").remedy == "ask a person"
    for wrong in ({"id": "other"}, {"table": "BAC-2"}, {"answer": "perhaps"}):
        with pytest.raises(NotOfTheContractError):
            read_answer(json.dumps({**body, **wrong}).encode(), mine, "BAC-1")
    accepted = {"table": "BAC-1", "id": None, "answer": "accepted", "epoch": "e", "seq": 3}
    with pytest.raises(NotOfTheContractError):
        read_answer(json.dumps(accepted).encode(), mine, "BAC-1")
