"""Other people's tools take the contract: AsyncAPI's parser, Spectral, ajv, a model generator.

They run in Node, from `.node/`, where `make contract-tools` installs what the lock pins.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support.contract_messages import Message, contract_messages

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOCUMENT, SCHEMAS = ROOT / "docs" / "asyncapi.json", ROOT / "docs" / "schemas"
INSTALLED = ROOT / ".node" / "node_modules"
UNNAMED = re.compile(r"anonymous|^Root|[Ss]chema_?\d")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node on this machine"),
    pytest.mark.skipif(
        not INSTALLED.is_dir(), reason="its packages are not installed: `make contract-tools`"
    ),
]


def run(script: str, *args: Path) -> Any:
    """Return what a script of this folder prints."""
    done = subprocess.run(
        ["node", HERE / script, *args],
        env={**os.environ, "NODE_PATH": str(INSTALLED)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def altered(folder: Path, old: str, new: str) -> Path:
    """Return a copy of the contract with a mistake in it."""
    text = DOCUMENT.read_text()
    assert old in text
    copy = folder / "asyncapi.json"
    copy.write_text(text.replace(old, new, 1))
    return copy


def held(folder: Path, messages: Iterable[Message]) -> dict[str, Any]:
    """Hold messages against the contract."""
    lines = folder / "messages"
    with lines.open("wb") as file:
        for name, payload in messages:
            file.write(b'{"name":%b,"payload":%b}\n' % (json.dumps(name).encode(), payload))
    told: dict[str, Any] = run("validate.cjs", DOCUMENT, SCHEMAS, lines)
    return told


# --- the document ----------------------------------------------------------------------------


def test_the_official_parser_and_spectral_find_no_error_and_no_warning() -> None:
    told = run("diagnose.cjs", DOCUMENT)
    assert told["parsed"]
    serious = [one for one in told["said"] if one.split()[1] in ("error", "warning")]
    assert serious == []


def test_they_find_a_reference_that_leads_nowhere(tmp_path: Path) -> None:
    broken = altered(tmp_path, "#/components/schemas/Rank", "#/$defs/Rank")
    told = run("diagnose.cjs", broken)
    assert not told["parsed"]
    assert any("spectral error" in one for one in told["said"])


def test_every_model_that_a_generator_makes_has_a_name() -> None:
    names = run("name_models.cjs", DOCUMENT)
    assert len(names) > 150
    assert [name for name in names if UNNAMED.search(name)] == []
    assert len(set(names)) == len(names)
    assert {"CardDealtEvent", "CardDealt", "Rank", "BaccaratOutcome", "TableStatus"} <= {*names}


def test_it_names_what_has_no_name_so_that_this_can_fail(tmp_path: Path) -> None:
    nameless = altered(tmp_path, '"title": "RefusedAnswerWord",', "")
    assert any(UNNAMED.search(name) for name in run("name_models.cjs", nameless))


# --- the messages ----------------------------------------------------------------------------


def test_ten_thousand_messages_are_as_the_contract_says(tmp_path: Path) -> None:
    told = held(tmp_path, contract_messages())
    assert told["held"] >= 10_000
    assert told["wrong"] == []


def test_a_message_that_is_otherwise_is_found(tmp_path: Path) -> None:
    name, payload = next(one for one in contract_messages() if one[0] == "card.dealt")
    card = json.loads(payload)
    others = [
        {**card, "data": {**card["data"], "suit": "X"}},
        {**card, "data": {**card["data"], "colour": "red"}},
        {**card, "sequence": 7},
        {**card, "type": "pitwire.card.dealt.v2"},
        {key: value for key, value in card.items() if key != "epoch"},
        {**card, "unheard_of": None},
    ]
    wrong = held(tmp_path, [(name, json.dumps(one).encode()) for one in others])["wrong"]
    assert {int(one.split()[0]) for one in wrong} == set(range(len(others)))


def test_a_consumer_that_validates_takes_fields_that_it_does_not_know(tmp_path: Path) -> None:
    """What the schemas as published refuse is less than what the test above looks for."""
    name, payload = next(one for one in contract_messages() if one[0] == "card.dealt")
    card = json.loads(payload)
    more = {**card, "more": True, "data": {**card["data"], "colour": "red"}}
    wrong = held(tmp_path, [(name, json.dumps(more).encode())])["wrong"]
    assert wrong
    assert all("must NOT have unevaluated properties" in one for one in wrong)
    assert len(wrong) == 1, "the document itself takes it"
