"""The file's JSON Schema, for editors that complete and check TOML while it is being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter

from config.files import files_of
from config.profiles import games_of
from config.schema import BridgeFile
from config.vocabulary import Known

Schema: TypeAlias = dict[str, Any]
_Describe: TypeAlias = Callable[[type[Any]], Schema]

_REF: Final = "#/$defs/{model}"


def json_schema(known: Known) -> Schema:
    """Return the JSON Schema (draft 2020-12) of a file that may use what is known."""
    schema = BridgeFile.model_json_schema(ref_template=_REF)
    parts = schema["$defs"]
    describe = _describer(known, parts)
    links = {name: link.settings for name, link in known.links.items()}
    parts["BusFile"] = _kinded(known.buses, describe, parts)
    parts["LinkFile"] = _kinded(links, describe, parts)
    devices = {name: describe(device.settings) for name, device in known.devices.items()}
    for name, device in known.devices.items():
        for file in files_of(device.settings):
            _whole(devices[name], parts)["properties"][file] = {"type": "string"}
    games = {name: _overrides(describe(game.profile), parts) for name, game in known.games.items()}
    parts["DeviceFile"]["properties"]["device"] = {"enum": sorted(devices)}
    parts["DeviceFile"]["allOf"] = _when("device", "settings", devices)
    table = parts["TableFile"]
    table["properties"]["game"] = {"enum": sorted(games)}
    table["allOf"] = [*_when("game", "rules", games), *_when("game", "profile", _profiles(known))]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _describer(known: Known, parts: Schema) -> _Describe:
    """Return a function from a settings dataclass to its schema; definitions go to `parts`."""
    kinds: list[type[Any]] = [
        *known.buses.values(),
        *(link.settings for link in known.links.values()),
        *(device.settings for device in known.devices.values()),
        *(game.profile for game in known.games.values()),
    ]
    keys = {kind: str(position) for position, kind in enumerate(dict.fromkeys(kinds))}
    # All at once, so that two classes of one name get two definitions.
    described, shared = TypeAdapter.json_schemas(
        [(key, "validation", TypeAdapter(kind)) for kind, key in keys.items()], ref_template=_REF
    )
    definitions: Schema = shared.get("$defs", {})
    for definition in definitions.values():
        if definition.get("type") == "object" and "properties" in definition:
            definition["additionalProperties"] = False
    parts.update(definitions)
    return lambda kind: dict(described[keys[kind], "validation"])


def _kinded(kinds: Mapping[str, type[Any]], describe: _Describe, parts: Schema) -> Schema:
    """Return the schema of a section that holds a kind and that kind's own keys."""
    options = []
    for name in sorted(kinds):
        whole = _whole(describe(kinds[name]), parts)
        properties = {"kind": {"const": name}, **whole.get("properties", {})}
        required = ["kind", *whole.get("required", ())]
        options.append({**whole, "properties": properties, "required": required})
    return {"oneOf": options}


def _whole(schema: Schema, parts: Schema) -> Schema:
    """Return the schema itself where it only points to one."""
    target: Schema = parts[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
    return target


def _overrides(schema: Schema, parts: Schema) -> Schema:
    """Return a profile's schema with nothing required: a table overrides what it wants."""
    return {key: value for key, value in _whole(schema, parts).items() if key != "required"}


def _profiles(known: Known) -> Mapping[str, Schema]:
    """Return which profiles a table of each game may name: ours, or any file."""
    own: Schema = {"type": "string", "pattern": r"\.toml$"}
    by_game: dict[str, list[Schema]] = {game: [own] for game in known.games}
    for profile, game in sorted(games_of(known.profiles).items()):
        if game in by_game:
            by_game[game].append({"const": profile})
    return {game: {"anyOf": options} for game, options in by_game.items()}


def _when(key: str, then: str, schemas: Mapping[str, Schema]) -> Iterable[Schema]:
    """Return the conditions that tie what stands under `then` to the value of `key`."""
    return [
        {
            "if": {"properties": {key: {"const": name}}, "required": [key]},
            "then": {"properties": {then: schema}},
        }
        for name, schema in sorted(schemas.items())
    ]
