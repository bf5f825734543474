"""What is around the fields of every message: the event's envelope, a command's id, an answer.

`event_blob` (runtime/codec.py) and `answer_blob` (runtime/command_payload.py) write it, and
`parse_command` reads it; a test holds
ten thousand of their messages against these schemas.
"""

from __future__ import annotations

from typing import Final

from daemon.runtime.command_payload import COMMAND_ID, TIMESTAMP
from daemon.service.contract.schemas import REF, Schema
from protocols.field_words import EPOCH_PATTERN, FIELD_WORDS

_TIME: Final = {"type": "string", "format": "date-time"}
_EXPIRES: Final = {**_TIME, "pattern": TIMESTAMP}
_ID: Final = {"type": "string", "pattern": COMMAND_ID}


def event_envelope() -> Schema:
    """Return what every event has: CloudEvents 1.0 and its extensions; `data` is its own."""
    fields: Schema = {
        "specversion": {"const": "1.0", "description": "of CloudEvents"},
        "id": _text("`<epoch>.<seq>`: no other event of the table ever has it", _dotted()),
        "source": _text("`/pit/<site>/<table>`: who says it", "^/pit/[^/]+/[^/]+$"),
        "type": _text("`pitwire.<noun>.<verb>.v1`", r"^pitwire\.[a-z]+\.[a-z_]+\.v1$"),
        "time": {**_TIME, "description": "wall time in UTC. Never order by it"},
        "datacontenttype": {"const": "application/json", "description": "of `data`"},
        "subject": _text("id of the round that it belongs to; absent between rounds"),
        "sequence": _text(
            "number of the event in its epoch, from 1 without gaps, as a decimal of 20 digits",
            "^[0-9]{20}$",
        ),
        "epoch": _text(
            "a new one means: the journal began anew. Its first event is table.started, whose"
            " `previous` names the one before. Texts do not order epochs",
            EPOCH_PATTERN,
        ),
        "mode": _one_of("Mode", FIELD_WORDS["mode"].text),
        "profile": _text(FIELD_WORDS["profile"].text, FIELD_WORDS["profile"].pattern),
        "clockquality": _one_of("ClockQuality", FIELD_WORDS["clockquality"].text),
        "causedby": {
            "type": "integer",
            "minimum": 1,
            "description": "number of the journal record that caused it; all events of one cause"
            " have the same, and follow each other without another between them",
        },
        "more": {
            "type": "boolean",
            "description": "further events of the same cause follow: what they say together has"
            " happened at once. Absent where an older version wrote the event",
        },
        "user": _text(
            "who sent the command that caused it, as the bus or the kernel knows them; absent where"
            " no command did"
        ),
    }
    optional = ("subject", "more", "user")
    return {
        "title": "EventEnvelope",
        "type": "object",
        "description": "An event: one fact of one table. A consumer orders by (epoch, sequence) and"
        " by nothing else, and ignores fields that it does not know.",
        "properties": fields,
        "required": [name for name in fields if name not in optional],
    }


def event_headers() -> Schema:
    """Return the headers of an event on NATS; MQTT has none."""
    fields = {
        "Nats-Msg-Id": _text(
            "`<table>:<epoch>:<seq>`, and `:resend:<number>` behind it where `table.resend` asked"
            " for it: the stream takes each once within its duplicate window"
        ),
        "Nats-Expected-Stream": _text("the stream that has to take it, PIT or PIT-REHEARSAL"),
    }
    return {
        "title": "EventHeaders",
        "type": "object",
        "description": "Headers of an event on NATS.",
        "properties": fields,
    }


def table_away() -> Schema:
    """Return what stands where the status is retained, once no daemon serves the table."""
    fields = {
        "table": _text(FIELD_WORDS["table"].text),
        "mode": _one_of("Mode", FIELD_WORDS["mode"].text),
        "state": {"const": "away", "description": "no daemon serves the table"},
    }
    return {
        "title": "TableAway",
        "type": "object",
        "description": "No daemon serves the table: its will or its farewell on MQTT.",
        "properties": fields,
        "required": [*fields],
    }


def event_schema(name: str, kind: str) -> Schema:
    """Return the schema of an event: its envelope, and the data of this kind."""
    own = {
        "type": {"const": f"pitwire.{kind}.v1", "description": "what has happened"},
        "data": {"$ref": REF + name, "description": "its own fields"},
    }
    return {
        "title": f"{name}Event",
        "allOf": [
            {"$ref": f"{REF}EventEnvelope"},
            {"type": "object", "properties": own, "required": [*own]},
        ],
    }


def command_schema(kind: str, fields: Schema) -> Schema:
    """Return the schema of a command: who it is, until when it holds, and its own fields."""
    around: Schema = {
        "id": {**_ID, "description": "the sender's name for it. Same id, same answer, for a week"},
        "expires": {
            **_EXPIRES,
            "description": "refused from then on, by the clock of pitwire's PC, and where it lies"
            " more than a day ahead",
        },
        "command": {"const": kind, "description": "what is asked for"},
    }
    return {
        **fields,
        "properties": {**around, **fields["properties"]},
        "required": [*around, *fields["required"]],
        "additionalProperties": False,
    }


def answer_schemas() -> dict[str, Schema]:
    """Return the schemas of the two answers, and of either."""
    return {
        "Answer": {
            "title": "Answer",
            "description": "The answer to a command; it leaves when it is durable.",
            "discriminator": "answer",
            "oneOf": [{"$ref": f"{REF}AcceptedAnswer"}, {"$ref": f"{REF}RefusedAnswer"}],
        },
        "AcceptedAnswer": _answer(
            "AcceptedAnswer",
            "The command was obeyed; what it caused are events.",
            {
                "id": {**_ID, "description": "of the command"},
                "answer": _const("AcceptedAnswerWord", "accepted", "which answer it is"),
                "epoch": _text("of the events that it caused", EPOCH_PATTERN),
                "seq": _seq("number of the last event that it caused, or of the one before it"),
                "status": _one_of("TableStatus", "the answer to `table.status`; else absent"),
            },
            optional=("status",),
        ),
        "RefusedAnswer": _answer(
            "RefusedAnswer",
            "The command was not obeyed, and changed nothing.",
            {
                "id": {
                    "anyOf": [_ID, {"type": "null"}],
                    "description": "of the command; null where none could be read",
                },
                "answer": _const("RefusedAnswerWord", "refused", "which answer it is"),
                "reason": _one_of("Refusal", "why; docs/table-server.md says what to do about it"),
                "detail": _text("what exactly, in words for people; absent where there is no more"),
                "epoch": _text("the table's epoch", EPOCH_PATTERN),
                "seq": _seq("number of its last event; absent where the table was not asked"),
            },
            optional=("detail", "seq"),
        ),
    }


def _answer(name: str, text: str, fields: Schema, optional: tuple[str, ...]) -> Schema:
    fields = {"table": _text(FIELD_WORDS["table"].text), **fields}
    required = [field for field in fields if field not in optional]
    return {
        "title": name,
        "type": "object",
        "description": text,
        "properties": fields,
        "required": required,
    }


def _dotted() -> str:
    return EPOCH_PATTERN.removesuffix("$") + r"\.[1-9][0-9]*$"


def _text(text: str, pattern: str | None = None) -> Schema:
    form = {} if pattern is None else {"pattern": pattern}
    return {"type": "string", **form, "description": text}


def _const(title: str, word: str, text: str) -> Schema:
    return {"title": title, "type": "string", "const": word, "description": text}


def _seq(text: str) -> Schema:
    return {"type": "integer", "minimum": 0, "description": text}


def _one_of(name: str, text: str) -> Schema:
    return {"$ref": REF + name, "description": text}
