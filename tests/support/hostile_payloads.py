"""Command payloads at random: good ones, and what a bug or an attacker makes of them.

The published contract is the judge: `is_in_contract` asks docs/asyncapi.json through a validator
that is not ours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from typing import Any, Final

from jsonschema import Draft202012Validator

from daemon.service.contract.json_schemas import json_schema
from protocols.commands import AUTHORITIES

_TEXTS: Final = (
    "",
    " ",
    "R-1",
    "x" * 64,
    "x" * 65,
    "x" * 201,
    "x" * 70_000,
    "é" * 200,
    "\x00",
    "a\nb",
    "\x1b[2J",
    "\u202eR",
    "\ud800",
    "\U0001f0a1",
    "null",
    "-1",
    "../../etc",
    "%s%n",
    "{}",
    "' OR 1=1",
)
_NUMBERS: Final = (0, -1, 1, 2, 8, 16, 17, 2**31, 2**53, 2**63, 2**64, 10**400, 1.5, -0.0, 1e308)
_OTHERS: Final = (None, True, False, [], {}, [[]], ["R-1"], {"a": {"b": 1}}, [1, 2, 3], [None] * 40)
_TIMES: Final = (
    "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-02-30T00:00:00Z", "tomorrow",
    "2026-11-30T00:00:00", "2026-11-30", "2026-W48-1", "20261130T000000Z", "2026-11-30T24:00:00Z",
    "2026-11-30T00:00:60Z", "\uff12026-11-30T00:00:00Z", "2099-01-01T00:00:00Z", 0, 1e18, None,
)  # fmt: skip


def good(chance: Random, kind: str, now: datetime) -> dict[str, Any]:
    """Return a command of this kind by its schema, some of its optional fields left out."""
    schema = _schema(kind)
    required = schema.get("required", [])
    fields = {
        name: _value(chance, field, schema["$defs"])
        for name, field in schema["properties"].items()
        if name not in ("id", "expires", "command") and (name in required or chance.random() < 0.5)
    }
    expires = (now + timedelta(seconds=chance.uniform(60, 3600))).isoformat()
    return {"id": f"{chance.getrandbits(64):x}", "expires": expires, "command": kind, **fields}


@cache
def _schema(kind: str) -> dict[str, Any]:
    return json_schema(kind)


def _value(chance: Random, schema: dict[str, Any], named: dict[str, Any]) -> Any:
    if "anyOf" in schema:
        return _value(chance, chance.choice(schema["anyOf"]), named)
    if "$ref" in schema:
        return _value(chance, named[schema["$ref"].rpartition("/")[2]], named)
    if "enum" in schema or "const" in schema:
        return chance.choice(schema.get("enum", [schema.get("const")]))
    match schema["type"]:
        case "string":
            texts = ("R-1", "Ann", "AS", "17", "player.1", "a new cable")
            return chance.choice([one for one in texts if re.match(schema["pattern"], one)])
        case "integer":
            low = schema.get("minimum", 0)
            return chance.randint(low, min(schema.get("maximum", low + 9), low + 9))
        case "boolean":
            return chance.random() < 0.5
        case "array":
            items = [schema["items"]] * schema.get("minItems", chance.randint(0, 3))
            return [_value(chance, item, named) for item in items]
    return None


def hostile(chance: Random, now: datetime) -> bytes:
    """Return a payload: one in four as the contract asks for, the others changed somewhere."""
    whole = good(chance, chance.choice(tuple(AUTHORITIES)), now)
    if chance.random() < 0.25:
        return json.dumps(whole).encode()
    if chance.random() < 0.2:
        return _broken(chance, json.dumps(whole).encode())
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        _change(chance, whole)
    return json.dumps(whole).encode()


def _change(chance: Random, whole: dict[str, Any]) -> None:
    name = chance.choice((*whole, "unknown", "kind")) if whole else "id"
    match chance.randrange(4):
        case 0:
            whole.pop(name, None)
        case 1 if name == "expires":
            whole[name] = chance.choice(_TIMES)
        case _:
            whole[name] = chance.choice(chance.choice((_TEXTS, _NUMBERS, _OTHERS, _TIMES)))


def _broken(chance: Random, data: bytes) -> bytes:
    place = chance.randrange(len(data))
    deep = chance.choice((3, 200, 5_000, 30_000))
    return chance.choice(
        (
            data[:place],
            data + data,
            data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :],
            data[:place] + b"\xff\xfe" + data[place:],
            b"[" * deep,
            b'{"id":' * deep,
            b'{"id":"x","command":' + b"[" * deep + b"]" * deep + b"}",
            b'{"id": "\\ud800", "command": "table.status", "expires": "2026-11-30T00:00:00Z"}',
            b'{"id": NaN, "expires": 1e999}',
            b"9" * 5_000,
            chance.randbytes(chance.choice((0, 1, 100, 70_000))),
        )
    )


def hostile_payloads(seed: int, count: int, now: datetime) -> Iterator[bytes]:
    """Yield payloads; the same for the same seed and time."""
    chance = Random(seed)
    return (hostile(chance, now) for _ in range(count))


@cache
def _validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(_schema(kind))


def is_in_contract(payload: bytes) -> bool:
    """Return whether the published schema of the command that it names takes this payload."""
    try:
        whole = json.loads(payload.decode())
        kind = whole["command"]
        return kind in AUTHORITIES and _validator(kind).is_valid(whole)
    except (ValueError, RecursionError, LookupError, TypeError):
        return False


NOW: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
