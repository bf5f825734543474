"""The JSON Schemas of all messages, by name: every object and every list of words has one.

pydantic makes them from the dataclasses that the daemon itself writes and reads. What it lacks is
put in here: the descriptions (descriptions.py), the names of lists of words and of unions, and what
only the catalogs know, which games there are and which violations.

A field without a default is required. One that was added within v1 has a default, which is what its
absence means in a message from before (docs/versions.md).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter
from pydantic.json_schema import CoreRef, GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from daemon.runtime.catalog import games
from daemon.service.contract.descriptions import field_texts, message_text
from protocols.field_words import FieldWord, word_of

Schema: TypeAlias = dict[str, Any]
Words: TypeAlias = tuple[str | int, ...]

REF: Final = "#/components/schemas/"
MAY_GROW: Final = frozenset(
    {"BetsClosedBy", "BurnedFor", "GameKey", "Refusal", "ShoeLoadedBy", "ViolationCode"}
)
"""Lists of words that may get more of them within v1; every other is closed."""


_VOCABULARY: Final = (
    "daemon.service.table_status",
    "protocols.cards",
    "protocols.commands",
    "protocols.events",
    "protocols.faces",
    "protocols.readings",
    "protocols.table_terms",
)
"""Modules whose names for lists of words are the contract's."""


def named_schemas(messages: Mapping[str, Any]) -> dict[str, Schema]:
    """Return the schema of each type under its name, and of all that it is made of.

    They refer to each other by `REF`.
    """
    tops, whole = TypeAdapter.json_schemas(
        [(name, "validation", TypeAdapter(each)) for name, each in messages.items()],
        ref_template=REF + "{model}",
        schema_generator=_Generator,
    )
    named = {name: schema for (name, _), schema in tops.items() if schema != {"$ref": REF + name}}
    named |= whole.get("$defs", {})
    return {name: {"title": name, **named[name]} for name in sorted(named)}


def word_list(words: Mapping[str, str] | Sequence[str | int], name: str) -> Schema:
    """Return the schema of a list of words, with what each means where that is known."""
    kind = "integer" if all(isinstance(word, int) for word in words) else "string"
    schema: Schema = {"title": name, "type": kind, "enum": list(words)}
    if isinstance(words, Mapping):
        meanings = "\n".join(f"- `{word}`: {text}" for word, text in words.items())
        schema["description"] = meanings
    if name in MAY_GROW:
        schema["x-may-grow"] = True
    return schema


def plain(text: str) -> str:
    """Return text for readers of JSON."""
    return re.sub(r"\bNone\b", "null", text)


class _Generator(GenerateJsonSchema):
    """Schemas as AsyncAPI takes them (JSON Schema draft 7), with the words of the dataclasses."""

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """Describe a message, and each field of it."""
        message: type = schema["cls"]
        described = super().dataclass_schema(schema)
        texts, hints = field_texts(message), get_type_hints(message, include_extras=True)
        fields = {
            name: self._field(message, name, field, texts.get(name), hints[name])
            for name, field in described.get("properties", {}).items()
            if name != "kind"
        }
        required = {*described.get("required", ()), *(n for n, f in fields.items() if "const" in f)}
        return {
            "type": "object",
            "description": plain(message_text(message)),
            "properties": fields,
            "required": [name for name in fields if name in required],
        }

    def tuple_schema(self, schema: core_schema.TupleSchema) -> JsonSchemaValue:
        """Spell a tuple of equal parts as a list of that length: draft 7 has no `prefixItems`."""
        described = super().tuple_schema(schema)
        parts = described.pop("prefixItems", [])
        return {**described, "items": parts[0]} if parts else described

    def get_defs_ref(self, core_mode_ref: Any) -> Any:
        """Name a generic message as the message that it is of."""
        core_ref, mode = core_mode_ref
        return super().get_defs_ref((core_ref.partition("[")[0], mode))

    def _field(
        self, message: type, name: str, schema: Schema, text: str | None, hint: Any
    ) -> Schema:
        schema = {key: value for key, value in schema.items() if key != "title"}
        own = f"{message.__name__}{_camel(name)}"
        lists = {words: _aliases().get(words, own) for words in _literals(hint)}
        schema = self._named(schema, lists, _markers(hint), _camel(name))
        _give_form(schema, word_of(message.__name__, name))
        if "const" in schema:  # it tells the choices of a union apart: generators make a type of it
            schema["title"] = own
        return schema if text is None else {"description": plain(text), **schema}

    def _named(
        self, schema: Any, lists: Mapping[Words, str], markers: tuple[str, ...], union: str
    ) -> Any:
        """Give a name of its own to each list of words, and to a union with a discriminator."""
        if isinstance(schema, list):
            return [self._named(part, lists, markers, union) for part in schema]
        if not isinstance(schema, dict):
            return schema
        schema = {key: self._named(part, lists, markers, union) for key, part in schema.items()}
        if "enum" in schema:
            words = tuple(schema.pop("enum"))
            return self._by_name(schema, lists[words], word_list(words, lists[words]))
        if markers and schema.get("type") == "string":
            return self._by_name(schema, markers[0], _catalog_list(markers[0]))
        if "discriminator" in schema:
            choice = {"title": union, "discriminator": schema.pop("discriminator")["propertyName"]}
            return self._by_name(schema, union, {**choice, "oneOf": schema.pop("oneOf")})
        return schema

    def _by_name(self, schema: Schema, name: str, named: Schema) -> Schema:
        defs_ref, ref = self.get_cache_defs_ref_schema(CoreRef(name))
        self.definitions[defs_ref] = named
        return {**{key: schema[key] for key in ("default",) if key in schema}, **ref}


def _give_form(schema: Schema, word: FieldWord | None) -> None:
    """Say what the text or the number of a field looks like."""
    forms = word.forms if word else {}
    for part in (schema, *schema.get("anyOf", ())):
        if "const" not in part:
            form = forms.get(part.get("type", ""), {})
            part.update({key: limit for key, limit in form.items() if key not in part})


def _catalog_list(marker: str) -> Schema:
    """Return the list of words behind a mark of `protocols/table_terms.py`."""
    catalogs: Mapping[str, Iterable[tuple[str, str]]] = {
        "GameKey": ((game.key, game.title) for game in games().values()),
        "ViolationCode": (
            (code, rule.rule) for game in games().values() for code, rule in game.violations.items()
        ),
    }
    return word_list(dict(sorted(catalogs[marker])), marker)


@cache
def _aliases() -> Mapping[Words, str]:
    """Return the names of the lists of words that the vocabulary itself names."""
    return {
        get_args(value): alias
        for module_name, module in sorted(sys.modules.items())
        if module_name.startswith(_VOCABULARY)
        for alias, value in vars(module).items()
        if get_origin(value) is Literal and not alias.startswith("_")
    }


def _literals(hint: Any) -> Iterator[Words]:
    if get_origin(hint) is Literal:
        yield get_args(hint)
    for part in get_args(hint):
        yield from _literals(part)


def _markers(hint: Any) -> tuple[str, ...]:
    """Return the marks of words in a field's type that only a catalog knows."""
    marks = [mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, str)]
    inner = [mark for part in get_args(hint) for mark in _markers(part)]
    return (*marks, *inner)


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
