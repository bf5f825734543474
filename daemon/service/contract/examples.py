"""An example of each message, from a real run: examples.json, which `make schema` writes anew.

tests/support/contract_run.py plays the rounds; a test holds that each example is one of its
messages.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


def examples(message: str) -> list[dict[str, Any]]:
    """Return the examples of a message, as AsyncAPI lists them."""
    taken = _all().get(message, {})
    return [{"name": name, "payload": payload} for name, payload in taken.items()]


@cache
def _all() -> dict[str, dict[str, Any]]:
    text = files(__package__).joinpath("examples.json").read_text("utf-8")
    taken: dict[str, dict[str, Any]] = json.loads(text)
    return taken
