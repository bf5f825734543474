"""The JSON Schema of each message, alone: docs/schemas/, for validators that know no AsyncAPI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from daemon.service.contract.messages import message_schemas, messages
from daemon.service.contract.schemas import REF, Schema

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_DEFS: Final = "#/$defs/"


def json_schema(name: str) -> Schema:
    """Return the schema of a message with all that it refers to. Raises KeyError."""
    schema = {message.name: message.schema for message in messages()}[name]
    named = message_schemas()
    parts = sorted(_parts(schema, named) - {schema})
    whole = {
        "$schema": _DIALECT,
        "$id": f"urn:pitwire:schema:{name}:v1",
        **named[schema],
        "$defs": {part: named[part] for part in parts},
    }
    alone: Schema = _alone(whole)
    return alone


def json_schemas() -> dict[str, Schema]:
    """Return the schema of every message, by its name."""
    return {message.name: json_schema(message.name) for message in messages()}


def _parts(name: str, named: dict[str, Schema]) -> set[str]:
    """Return a schema's name, and those of all that it is made of."""
    found, left = set[str](), [name]
    while left:
        part = left.pop()
        if part not in found:
            found.add(part)
            left += _refs(named[part])
    return found


def _refs(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].removeprefix(REF)
        for part in schema.values():
            yield from _refs(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _refs(part)


def _alone(schema: Any) -> Any:
    """Return the schema as JSON Schema has it: it refers to itself, and has no discriminator."""
    if isinstance(schema, list):
        return [_alone(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    alone = {key: _alone(part) for key, part in schema.items() if key != "discriminator"}
    if isinstance(ref := alone.get("$ref"), str):
        alone["$ref"] = ref.replace(REF, _DEFS)
    return alone
