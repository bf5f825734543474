"""The published contract: AsyncAPI 3.0, generated from the vocabulary itself."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, get_args

from daemon.runtime.codec import schemas
from protocols.commands import Authority, Refusal

_STRING = {"type": "string"}
_ENVELOPE = {
    "type": "object",
    "required": [
        "specversion",
        "id",
        "source",
        "type",
        "time",
        "sequence",
        "epoch",
        "mode",
        "data",
    ],
    "properties": {
        "specversion": {"const": "1.0"},
        "id": {**_STRING, "description": "<epoch>.<seq>: unique for ever"},
        "source": {**_STRING, "description": "/pit/<site>/<table>"},
        "type": _STRING,
        "time": {**_STRING, "format": "date-time", "description": "wall time; never order by it"},
        "datacontenttype": {"const": "application/json"},
        "subject": {
            **_STRING,
            "description": "id of the round that the event is of, absent where it is of none",
        },
        "sequence": {**_STRING, "pattern": "^[0-9]{20}$", "description": "per epoch, without gaps"},
        "epoch": {
            **_STRING,
            "description": "a new one means: the journal began anew. Its first event is"
            " table.started, whose `previous` names the one before; texts do not order epochs",
        },
        "mode": {"enum": ["live", "rehearsal", "replay"]},
        "profile": {**_STRING, "description": "digest of the rules in force"},
        "clockquality": {"enum": ["synced", "unsynced", "unknown"]},
        "user": {**_STRING, "description": "who sent the command that caused the event"},
        "causedby": {
            "type": "integer",
            "description": "journal record that caused the event; all events of one cause have the"
            " same, and follow each other without another between them",
        },
        "more": {
            "type": "boolean",
            "description": "further events of the same cause follow: what they say together has"
            " happened at once. Absent where an older version wrote the event",
        },
    },
}
_CALL = {
    "id": {**_STRING, "description": "same id, same answer, for seven days"},
    "expires": {**_STRING, "format": "date-time"},
}


_DELIVERY = (
    "JetStream, stream PIT; tables that are not live are on pit-rehearsal.event.… instead, stream"
    " PIT-REHEARSAL. Delivered at least once: the stream drops a repeat of an id within its"
    " duplicate window, not after it. A consumer keeps the last (epoch, sequence) of each source in"
    " one transaction with what it makes of the event. What is not beyond that is a repeat; where a"
    " sequence is missing it waits (a consumer with max_ack_pending = 1 is never overtaken), or"
    " asks again by table.resend, for just what is missing."
)
_REQUEST = (
    "Core NATS, request and reply: the answer comes on the request's reply subject. For a table"
    " that is not live: pit-rehearsal.command.…"
)
_PULSE = (
    "Core NATS, every second, stored nowhere. For a table that is not live: pit-rehearsal.status.…"
)
_PARAMETERS = {
    "site": {"description": "`site` of the configuration"},
    "table": {"description": "`id` of the table"},
}
_SENDER = {
    "authority": {"enum": list(get_args(Authority)), "description": "what the sender may do"},
    "user": {"description": "who sends; the server's permissions make it so"},
}
_KIND = {
    "noun": {"description": "first word of the event's name: `card` of card.dealt"},
    "verb": {"description": "second word: `dealt`"},
}


def asyncapi() -> dict[str, Any]:
    """Return the whole contract as plain JSON."""
    words = schemas()
    events = {kind: _event(kind, schema) for kind, schema in sorted(words["events"].items())}
    commands = {kind: _command(kind, schema) for kind, schema in sorted(words["commands"].items())}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "pitwire",
            "version": version("pitwire"),
            "description": "Events of casino tables. A consumer keeps (epoch, sequence).",
        },
        "channels": {
            "events": {
                "address": "pit.event.{site}.{table}.{noun}.{verb}",
                "description": _DELIVERY,
                "parameters": {**_PARAMETERS, **_KIND},
                "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in events},
            },
            "commands": {
                "address": "pit.command.{site}.{table}.{authority}.{user}",
                "description": _REQUEST,
                "parameters": {**_PARAMETERS, **_SENDER},
                "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in commands},
            },
            "status": {
                "address": "pit.status.{site}.{table}",
                "description": _PULSE,
                "parameters": _PARAMETERS,
                "messages": {"status": {"$ref": "#/components/messages/status"}},
            },
        },
        "operations": {
            "tellEvent": {"action": "send", "channel": {"$ref": "#/channels/events"}},
            "obeyCommand": {
                "action": "receive",
                "channel": {"$ref": "#/channels/commands"},
                "reply": {"messages": [{"$ref": "#/components/messages/answer"}]},
            },
            "tellStatus": {"action": "send", "channel": {"$ref": "#/channels/status"}},
        },
        "components": {"messages": {**events, **commands, **_answers()}},
    }


def _event(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    data = _without_kind(schema)
    return {
        "name": f"pitwire.{kind}.v1",
        "contentType": "application/cloudevents+json",
        "payload": {
            **_ENVELOPE,
            "properties": {
                **_ENVELOPE["properties"],  # type: ignore[dict-item] # a dict by construction
                "type": {"const": f"pitwire.{kind}.v1"},
                "data": data,
            },
        },
    }


def _command(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    body = _without_kind(schema)
    return {
        "name": kind,
        "contentType": "application/json",
        "payload": {
            **body,
            "properties": {**_CALL, "command": {"const": kind}, **body.get("properties", {})},
            "required": ["id", "expires", "command", *body.get("required", [])],
            "additionalProperties": False,
        },
    }


def _answers() -> dict[str, Any]:
    return {
        "answer": {
            "contentType": "application/json",
            "payload": {
                "type": "object",
                "required": ["id", "table", "answer"],
                "properties": {
                    "id": {"type": ["string", "null"]},
                    "table": _STRING,
                    "answer": {"enum": ["accepted", "refused"]},
                    "reason": {"enum": [str(one) for one in Refusal]},
                    "detail": _STRING,
                    "epoch": _STRING,
                    "seq": {"type": "integer"},
                    "status": {"type": "object"},
                },
            },
        },
        "status": {"contentType": "application/json", "payload": {"type": "object"}},
    }


def _without_kind(schema: dict[str, Any]) -> dict[str, Any]:
    trimmed = {key: value for key, value in schema.items() if key != "title"}
    properties = dict(trimmed.get("properties", {}))
    properties.pop("kind", None)
    return {**trimmed, "properties": properties}
