"""Real messages are as the contract says, and its examples are such messages: without Node.

`test_tools.py` holds every message against it with ajv; here it is a hundred of each kind, with
Python's validator, on every machine.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.contract_messages import contract_messages

from daemon.service.contract.examples import examples
from daemon.service.contract.json_schemas import json_schema
from daemon.service.contract.messages import messages

pytestmark = pytest.mark.slow
each_message = pytest.mark.parametrize("name", [message.name for message in messages()])
MOST = 100

_OF_THE_RULES = re.compile(r"(b2:)?[0-9a-f]{64}")
"""Digests and commitments: they change with any rule of a house, and mean nothing in an example."""


@cache
def played() -> dict[str, list[Any]]:
    """Return the payloads of each message."""
    found: dict[str, list[Any]] = defaultdict(list)
    for name, payload in contract_messages():
        found[name].append(json.loads(payload))
    return found


def masked(payload: Any) -> str:
    return _OF_THE_RULES.sub("…", json.dumps(payload, sort_keys=True))


@each_message
def test_what_a_table_says_and_hears_is_as_the_schema_has_it(name: str) -> None:
    schema = Draft202012Validator(json_schema(name))
    payloads = played()[name]
    assert payloads
    for payload in payloads[:: len(payloads) // MOST + 1]:
        schema.validate(payload)


@each_message
def test_its_examples_are_from_a_real_run(name: str) -> None:
    taken = [masked(example["payload"]) for example in examples(name)]
    known = {masked(payload) for payload in played()[name]}
    assert taken
    assert [one for one in taken if one not in known] == [], "run `make schema`"
