"""Every message of the contract: its name, its schema, and what it is.

card.dealt           an event            CardDealtEvent: EventEnvelope with CardDealt as `data`
round.open           a command           OpenRoundCommand
answer               the answer to one   Answer: AcceptedAnswer or RefusedAnswer
status               every second        TableStatus
status.away          on MQTT             TableAway
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin

from daemon.runtime.codec import EVENT_TYPES, kind_of
from daemon.service.contract import envelopes
from daemon.service.contract.descriptions import message_text, word_texts
from daemon.service.contract.schemas import Schema, named_schemas, plain, word_list
from daemon.service.table_status import TableStatus
from protocols.commands import Command
from protocols.refusals import Refusal

Sort: TypeAlias = Literal["event", "command", "answer", "status", "away"]

ANSWER: Final = "answer"
STATUS: Final = "status"
AWAY: Final = "status.away"
EVENTS: Final[Mapping[str, type[Any]]] = {kind_of(one): one for one in EVENT_TYPES}
"""What an event's `data` is, by its kind."""
COMMANDS: Final[Mapping[str, type[Any]]] = {kind_of(one): one for one in get_args(Command)}


@dataclass(frozen=True, slots=True)
class Message:
    """A message: its name in the contract, its schema's name there, and what it is in words."""

    name: str
    sort: Sort
    schema: str
    text: str

    @property
    def has_id(self) -> bool:
        """Return whether its `id` tells it, or what it answers, from all others."""
        return self.sort in ("event", "command", "answer")


@cache
def messages() -> tuple[Message, ...]:
    """Return every message: events, commands, then the answer and the status."""
    return (
        *(Message(k, "event", f"{_name(e)}Event", _text(e)) for k, e in sorted(EVENTS.items())),
        *(
            Message(k, "command", f"{_name(c)}Command", _text(c))
            for k, c in sorted(COMMANDS.items())
        ),
        Message(ANSWER, "answer", "Answer", "The answer to a command."),
        Message(STATUS, "status", "TableStatus", _text(TableStatus)),
        Message(AWAY, "away", "TableAway", "No daemon serves the table."),
    )


@cache
def message_schemas() -> dict[str, Schema]:
    """Return every schema by name; they refer to each other by `schemas.REF`."""
    made_of = [*EVENTS.values(), *COMMANDS.values(), TableStatus]
    named = named_schemas({_name(one): one for one in made_of})
    named["Refusal"] = word_list(word_texts(Refusal), "Refusal")
    named["EventEnvelope"] = envelopes.event_envelope()
    for kind, event in EVENTS.items():
        named[f"{_name(event)}Event"] = envelopes.event_schema(_name(event), kind)
    for kind, command in COMMANDS.items():
        name = f"{_name(command)}Command"
        fields = named.pop(_name(command))
        named[name] = {**envelopes.command_schema(kind, fields), "title": name}
    named |= envelopes.answer_schemas()
    named |= {"EventHeaders": envelopes.event_headers(), "TableAway": envelopes.table_away()}
    return dict(sorted(named.items()))


def _name(message: Any) -> str:
    name: str = (get_origin(message) or message).__name__
    return name


def _text(message: type) -> str:
    return plain(message_text(message))
