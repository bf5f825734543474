"""The JSON Schema for editors says what the loader says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from config.editor import Schema, json_schema
from config.load import Known


@pytest.fixture
def schema(known: Known) -> Schema:
    return json_schema(known)


def options(schema: Schema, section: str) -> dict[str, Any]:
    """Return the schema of each kind of a section."""
    found: dict[str, Any] = {}
    for one in schema["$defs"][section]["oneOf"]:
        found[one["properties"]["kind"]["const"]] = one
    return found


def then(schema: Schema, section: str, key: str, value: str) -> list[Any]:
    """Return what a section must be like once `key` has the value."""
    return [
        one["then"]["properties"]
        for one in schema["$defs"][section]["allOf"]
        if one["if"] == {"properties": {key: {"const": value}}, "required": [key]}
    ]


def test_it_is_of_draft_2020_12_and_plain_json(schema: Schema) -> None:
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(schema)) == schema


def test_every_kind_of_link_has_its_own_keys_and_no_others(schema: Schema) -> None:
    links = options(schema, "LinkFile")
    assert set(links) == {"serial_port", "tcp_serial", "usb_device", "replay"}
    assert set(links["serial_port"]["properties"]) == {"kind", "port", "baud"}
    assert links["serial_port"]["required"] == ["kind", "port"]
    assert all(one["additionalProperties"] is False for one in links.values())


def test_the_bus_has_the_keys_of_its_kind(schema: Schema) -> None:
    assert set(options(schema, "BusFile")["nats_jetstream"]["properties"]) == {"kind", "servers"}


def test_a_devices_settings_follow_from_its_name(schema: Schema) -> None:
    assert schema["$defs"]["DeviceFile"]["properties"]["device"] == {
        "enum": ["angel_eye", "cammegh_ss2", "wedge"]
    }
    (wheel,) = then(schema, "DeviceFile", "device", "cammegh_ss2")
    definition = schema["$defs"][wheel["settings"]["$ref"].removeprefix("#/$defs/")]
    assert definition["properties"]["pockets"]["enum"] == [37, 38]
    assert definition["additionalProperties"] is False


def test_a_tables_rules_and_profiles_follow_from_its_game(schema: Schema) -> None:
    rules, profile = then(schema, "TableFile", "game", "roulette")
    assert "min_revolutions" in rules["rules"]["properties"]
    assert "required" not in rules["rules"]
    assert rules["rules"]["additionalProperties"] is False
    assert {"const": "roulette-lv"} in profile["profile"]["anyOf"]
    assert {"const": "baccarat-lv"} not in profile["profile"]["anyOf"]


def test_every_reference_leads_somewhere(schema: Schema) -> None:
    text = json.dumps(schema)
    names = {part.split('"')[0] for part in text.split('"#/$defs/')[1:]}
    assert names <= set(schema["$defs"])
