"""The whole contract as one AsyncAPI 3.0 document: docs/asyncapi.json.

Each bus has channels of its own, with its spelling of the same addresses; the messages are the same
on all of them, in `components`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any, Final, get_args

from daemon.service.contract.examples import examples
from daemon.service.contract.messages import ANSWER, Message, Sort, message_schemas, messages
from daemon.service.contract.schemas import REF, Schema
from daemon.service.contract.transports import MQTT, NATS, SECURITY, Transport, server
from protocols.commands import Authority

_ABOUT: Final = (
    "What pitwire tells a table server, and what it obeys: the events of casino tables, in an order"
    " without gaps, commands and their answers, and each table's status. A consumer keeps the last"
    " (epoch, sequence) of every table, orders by nothing else, and ignores fields and events that"
    " it does not know. How to write one: docs/table-server.md. What may change: docs/versions.md."
)
_CONTACT: Final = {
    "name": "Whoever runs pitwire at your site",
    "url": "https://pitwire.example",
    "email": "pitwire@pitwire.example",
}
"""A site puts its own here; `.example` is nobody's (RFC 2606)."""
_PARAMETERS: Final[Schema] = {
    "root": {
        "description": "`pit` of live tables; all others are on `pit-rehearsal`, and never money",
        "enum": ["pit", "pit-rehearsal"],
        "default": "pit",
    },
    "site": {"description": "`site` of the configuration", "examples": ["riga-1"]},
    "table": {"description": "`id` of the table", "examples": ["BAC-1"]},
    "authority": {
        "description": "what its sender must be allowed to do; each command has one",
        "enum": list(get_args(Authority)),
    },
    "user": {
        "description": "who sends: the server lets each user publish below its own name alone",
        "examples": ["table-server"],
    },
    "noun": {"description": "first word of the event's name", "examples": ["card"]},
    "verb": {"description": "its second word", "examples": ["dealt"]},
}


def asyncapi() -> dict[str, Any]:
    """Return the whole contract as plain JSON."""
    buses = (NATS, MQTT)
    return {
        "asyncapi": "3.0.0",
        "id": "urn:pitwire:contract:v1",
        "info": {
            "title": "pitwire",
            "version": version("pitwire"),
            "description": _ABOUT,
            "contact": _CONTACT,
            "license": {
                "name": "Apache-2.0",
                "url": "https://www.apache.org/licenses/LICENSE-2.0",
            },
            "tags": [{"name": each} for each in ("event", "command", "answer", "status")],
        },
        "defaultContentType": "application/json",
        "servers": {bus.key: server(bus) for bus in buses},
        "channels": {name: one for bus in buses for name, one in _channels(bus)},
        "operations": {name: one for bus in buses for name, one in _operations(bus)},
        "components": {
            "messages": {message.name: _message(message) for message in messages()},
            "schemas": message_schemas(),
            "parameters": _PARAMETERS,
            "securitySchemes": SECURITY,
            "correlationIds": {
                "byId": {
                    "description": "`id`: of an event, or of a command and its answer",
                    "location": "$message.payload#/id",
                },
            },
        },
    }


_TITLES: Final[Mapping[Sort, str]] = {
    "event": "Events of a table",
    "command": "Commands to a table",
    "answer": "Answers to commands",
    "status": "Status of a table",
}


def _channels(bus: Transport) -> Iterable[tuple[str, Schema]]:
    for sort, title in _TITLES.items():
        address, parameters = _address(bus, sort)
        channel: Schema = {
            "title": title,
            "address": address,
            "description": bus.channels[sort],
            "servers": [{"$ref": f"#/servers/{bus.key}"}],
            "messages": _messages(sort, *bus.own_messages.get(sort, ())),
        }
        if parameters:
            named = {word: {"$ref": f"#/components/parameters/{word}"} for word in parameters}
            channel["parameters"] = named
        yield _channel_name(bus, sort), channel


_MORE_WORDS: Final[Mapping[Sort, tuple[str, ...]]] = {
    "event": ("noun", "verb"),
    "command": ("authority", "user"),
}


def _address(bus: Transport, sort: Sort) -> tuple[str | None, list[str]]:
    """Return a channel's address and its parameters; who asks says where the answer goes."""
    if sort == "answer":
        return None, []
    which = ["site", "table", *_MORE_WORDS.get(sort, ())]
    address = bus.separator.join(["{root}", sort, *(f"{{{word}}}" for word in which)])
    return address, ["root", *which]


_OPERATIONS: Final[tuple[tuple[str, Sort, str, str], ...]] = (
    ("send", "event", "publishEvents", "pitwire publishes what has happened, in order."),
    ("receive", "command", "obeyCommands", "pitwire obeys or refuses, and answers either way."),
    ("send", "status", "publishStatus", "pitwire says how each table stands, every second."),
)


def _operations(bus: Transport) -> Iterable[tuple[str, Schema]]:
    for action, sort, name, text in _OPERATIONS:
        operation: Schema = {
            "action": action,
            "channel": {"$ref": f"#/channels/{_channel_name(bus, sort)}"},
            "title": text.rstrip("."),
            "description": bus.channels[sort],
            "tags": [{"name": sort}],
            "bindings": bus.operations[sort],
        }
        if sort == "command":
            answers = f"#/channels/{_channel_name(bus, 'answer')}"
            operation["reply"] = {
                "address": {"location": bus.reply_to, "description": bus.channels["answer"]},
                "channel": {"$ref": answers},
                "messages": [{"$ref": f"{answers}/messages/{ANSWER}"}],
            }
        yield f"{name}On{bus.key.capitalize()}", operation


def _channel_name(bus: Transport, sort: Sort) -> str:
    return f"{bus.key}{_TITLES[sort].partition(' ')[0]}"


def _messages(*sorts: str) -> Schema:
    return {
        message.name: {"$ref": f"#/components/messages/{message.name}"}
        for message in messages()
        if message.sort in sorts
    }


def _message(message: Message) -> Schema:
    event = message.sort == "event"
    first, _, rest = message.text.partition("\n\n")
    described: Schema = {
        "name": f"pitwire.{message.name}.v1" if event else message.name,
        "title": message.name,
        "summary": first,
        "tags": [{"name": message.sort}],
        "contentType": f"application/{'cloudevents+' if event else ''}json",
        "payload": {"$ref": REF + message.schema},
        "bindings": MQTT.messages[message.sort],
        "examples": examples(message.name),
    }
    if rest:
        described["description"] = rest
    if event:
        described["headers"] = {"$ref": f"{REF}EventHeaders"}
    if message.has_id:
        described["correlationId"] = {"$ref": "#/components/correlationIds/byId"}
    return described
