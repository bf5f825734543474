"""The contract's examples are messages of a real run, and there is one of every message."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from support.contract_messages import contract_messages

from daemon.service.contract.examples import examples
from daemon.service.contract.messages import messages

pytestmark = pytest.mark.slow

_OF_THE_RULES = re.compile(r"(b2:)?[0-9a-f]{64}")
"""Digests and commitments: they change with any rule of a house, and mean nothing in an example."""


def masked(name: str, payload: object) -> str:
    return _OF_THE_RULES.sub("…", f"{name} {json.dumps(payload, sort_keys=True)}")


@cache
def played() -> frozenset[str]:
    return frozenset(masked(name, json.loads(payload)) for name, payload in contract_messages())


@pytest.mark.parametrize("name", [message.name for message in messages()])
def test_a_message_has_an_example_from_a_real_run(name: str) -> None:
    taken = [masked(name, example["payload"]) for example in examples(name)]
    assert taken
    assert [one for one in taken if one not in played()] == [], "run `make schema`"
