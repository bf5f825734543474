"""The published contract: generated, whole, and every word of it described and named.

Whether other people's tools take it is asked in tests/contract.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest

from daemon.devices.link_state import LinkState
from daemon.service.contract.asyncapi import asyncapi
from daemon.service.contract.descriptions import field_texts, message_text
from daemon.service.contract.json_schemas import json_schemas
from daemon.service.contract.messages import message_schemas
from daemon.service.contract.schemas import MAY_GROW, REF
from daemon.service.table_status import DeviceCondition
from daemon.table.state import DeviceState

DOCS = Path(__file__).parents[2] / "docs"
SCHEMAS = message_schemas()
each_schema = pytest.mark.parametrize("name", SCHEMAS)


def parts(schema: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every part of a document that is an object, with where it stands."""
    if isinstance(schema, dict):
        yield path, schema
        for key, part in schema.items():
            yield from parts(part, f"{path}/{key}")
    elif isinstance(schema, list):
        for number, part in enumerate(schema):
            yield from parts(part, f"{path}/{number}")


def test_the_committed_contract_is_the_generated_one() -> None:
    committed = json.loads((DOCS / "asyncapi.json").read_text())
    assert committed == json.loads(json.dumps(asyncapi())), "run `make schema`"


def test_the_committed_schemas_are_the_generated_ones() -> None:
    committed = {path.stem: json.loads(path.read_text()) for path in DOCS.glob("schemas/*.json")}
    assert committed == json.loads(json.dumps(json_schemas())), "run `make schema`"


@each_schema
def test_every_field_says_what_it_means(name: str) -> None:
    """A field of a dataclass is described in its docstring, or in `protocols/field_words.py`."""
    silent = [
        f"{path}/{field}"
        for path, part in parts(SCHEMAS[name], name)
        for field, schema in part.get("properties", {}).items()
        if not schema.get("description")
    ]
    assert silent == []


@each_schema
def test_every_object_and_every_list_of_words_has_a_name_of_its_own(name: str) -> None:
    assert SCHEMAS[name]["title"] == name
    for path, part in parts(SCHEMAS[name], name):
        inner = path != name and not path.startswith(f"{name}/allOf/")
        assert not (inner and {"enum", "oneOf"} & set(part)), path
        assert not (inner and part.get("type") == "object" and "properties" in part), path


@each_schema
def test_every_object_says_what_it_is(name: str) -> None:
    if SCHEMAS[name].get("type") == "object":
        assert SCHEMAS[name]["description"]


def test_every_reference_of_the_contract_leads_somewhere() -> None:
    document = asyncapi()
    refs = [part["$ref"] for _, part in parts(document, "") if isinstance(part.get("$ref"), str)]
    for ref in refs:
        found = document
        for step in ref.removeprefix("#/").split("/"):
            found = found[step]
    assert len(refs) > 500


def test_no_name_is_in_the_contract_that_nothing_refers_to() -> None:
    refs = {part.get("$ref") for _, part in parts(asyncapi(), "")}
    assert [name for name in SCHEMAS if REF + name not in refs] == []


def test_lists_that_may_grow_are_lists_of_the_contract() -> None:
    assert {name for name, one in SCHEMAS.items() if one.get("x-may-grow")} == MAY_GROW


def test_a_device_of_the_status_stands_in_one_of_the_ways_that_the_contract_lists() -> None:
    assert {*LinkState, *get_args(DeviceState)} <= set(get_args(DeviceCondition))


def test_a_field_is_described_by_its_class_first_and_else_by_the_word_itself() -> None:
    @dataclass
    class Counted:
        """Cards were counted.

        Twice.

        slot rank
              where, and
              which
        count  how many; two spaces  stay in a sentence
        """

        slot: str
        rank: str
        suit: str
        count: int
        left: int

    assert message_text(Counted) == "Cards were counted.\n\nTwice."
    assert field_texts(Counted) == {
        "slot": "where, and which",
        "rank": "where, and which",
        "suit": "the card's suit: spades, hearts, diamonds, clubs",
        "count": "how many; two spaces  stay in a sentence",
    }
