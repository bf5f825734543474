"""Events, commands and journal records ⇄ JSON: with config, the only place of pydantic.

Values are dumped as Python data and spelled by `canonical`, which gives sets an order.

Event envelope: CloudEvents 1.0. Every blob is canonical JSON (RFC 8785).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from daemon.gamekit.spec import AnyGame, RuleSource
from daemon.runtime.catalog import games
from daemon.table.inputs import Input
from daemon.table.state import TableState
from protocols.canonical import canonical
from protocols.commands import Command, Refusal
from protocols.events import Event, RoundCompleted
from protocols.readings import Reading
from protocols.table_terms import Mode

_STRICT = ConfigDict(extra="forbid")


def _event_types() -> tuple[Any, ...]:
    """Return every event; a completed round has an outcome of one of the games that there are.

    The contract lists the games of the rulebooks first.
    """
    order = get_args(RuleSource)
    listed = sorted(games().values(), key=lambda game: (order.index(game.source), game.key))
    outcome: Any = Union[tuple(game.outcome_type for game in listed)]  # noqa: UP007 - a union of what is found
    completed: Any = RoundCompleted[outcome]
    return tuple(
        completed if get_origin(event) is RoundCompleted else event for event in get_args(Event)
    )


def _kind(described: Any) -> str:
    """Return the `kind` of an event or a command, which may be generic."""
    kind: str = (get_origin(described) or described).__dataclass_fields__["kind"].default
    return kind


_EVENTS: Final = _event_types()
_ANY_EVENT: Any = Annotated[Union[_EVENTS], Field(discriminator="kind")]  # noqa: UP007 - as above
_EVENT: TypeAdapter[Event] = TypeAdapter(_ANY_EVENT)
_COMMAND: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="kind")])
_READING: TypeAdapter[Reading] = TypeAdapter(Annotated[Reading, Field(discriminator="kind")])
_INPUT: TypeAdapter[Input] = TypeAdapter(Input)
_COMMAND_FIELDS = {
    _kind(command): set(command.__dataclass_fields__) for command in get_args(Command)
}


@dataclass(frozen=True, slots=True)
class EnvelopeFields:
    """What an envelope says besides the event (README.md#the-contract).

    code  the digest of the code that decides
    """

    site: str
    table: str
    mode: Mode
    epoch: str
    profile: str
    code: str = ""


def event_blob(
    stamp: EnvelopeFields,
    seq: int,
    event: Event,
    *,
    caused_by: int,
    round_id: str | None,
    wall: datetime,
    quality: str,
) -> bytes:
    """Return the CloudEvents JSON of a published event: journal blob and bus payload alike."""
    data = _EVENT.dump_python(event)
    kind = data.pop("kind")
    envelope: dict[str, Any] = {
        "specversion": "1.0",
        "id": f"{stamp.epoch}.{seq}",
        "source": f"/pit/{stamp.site}/{stamp.table}",
        "type": f"pitwire.{kind}.v1",
        "time": wall.isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "datacontenttype": "application/json",
        "sequence": f"{seq:020d}",
        "epoch": stamp.epoch,
        "mode": stamp.mode,
        "profile": stamp.profile,
        "clockquality": quality,
        "causedby": caused_by,
        "data": data,
    }
    if round_id is not None:
        envelope["subject"] = round_id
    return canonical(envelope)


def tombstone(blob: bytes, reason: str) -> bytes:
    """Return what is published instead of an event that the bus refuses for good: same seq."""
    envelope = json.loads(blob)
    data = {"withheld_seq": int(envelope["sequence"]), "reason": reason}
    return canonical({**envelope, "type": "pitwire.event.withheld.v1", "data": data})


def parse_event(blob: bytes) -> Event:
    """Return the event inside an envelope. Raises ValueError on anything else."""
    envelope = json.loads(blob)
    kind = envelope["type"].removeprefix("pitwire.").removesuffix(".v1")
    return _EVENT.validate_python({**envelope["data"], "kind": kind}, strict=False)


def input_blob(one: Input) -> bytes:
    """Return the journal blob of an input."""
    return canonical(_INPUT.dump_python(one))


def parse_input(blob: bytes) -> Input:
    """Return the input of a journal blob. Raises ValueError when this version cannot read it."""
    return _INPUT.validate_json(blob)


def reading_json(reading: Reading) -> dict[str, Any]:
    """Return a reading as plain JSON, `kind` first."""
    data: dict[str, Any] = _READING.dump_python(reading)
    lists = {key: list(value) for key, value in data.items() if isinstance(value, tuple)}
    sets = {key: sorted(value) for key, value in data.items() if isinstance(value, frozenset)}
    return {"kind": data.pop("kind"), **data, **lists, **sets}


def event_json(event: Event) -> dict[str, Any]:
    """Return an event as plain JSON, `kind` among its fields."""
    data: dict[str, Any] = _EVENT.dump_python(event)
    return data


class StateCodec:
    """A table's state ⇄ JSON, for one game."""

    def __init__(self, game: AnyGame) -> None:
        self._game = TypeAdapter(game.state_type)
        self._table = _table_adapter()

    def dump(self, state: TableState) -> Any:
        """Return the state as plain JSON."""
        data = self._table.dump_python(state, exclude={"game", "withheld"}, warnings=False)
        data["game"] = self._game.dump_python(state.game)
        data["withheld"] = [_EVENT.dump_python(event) for event in state.withheld]
        return data

    def load(self, data: Any) -> TableState:
        """Return the state from plain JSON. Raises ValueError when this version cannot read it."""
        game = self._game.validate_python(data["game"])
        withheld = tuple(_EVENT.validate_python(event) for event in data.get("withheld", ()))
        return self._table.validate_python({**data, "game": game, "withheld": withheld})


@cache
def _table_adapter() -> TypeAdapter[TableState]:
    """Return what reads and writes a table's state, but for the types that its game decides."""
    return TypeAdapter(TableState)


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command as it came in: who it is, until when it holds, and what it wants."""

    command_id: str
    expires: datetime
    command: Command
    digest: bytes


@dataclass(frozen=True, slots=True)
class MalformedCommand:
    """Why a payload is no command; `command_id` where it could be read."""

    command_id: str | None
    detail: str


def parse_command(payload: bytes) -> ParsedCommand | MalformedCommand:
    """Parse `{"id", "expires", "command", …}`. The closed set: unknown names are refused."""
    try:
        raw = json.loads(payload)
    except ValueError:
        return MalformedCommand(None, "not JSON")
    if not isinstance(raw, dict):
        return MalformedCommand(None, "not a JSON object")
    command_id, expires, kind = (
        raw.pop("id", None),
        raw.pop("expires", None),
        raw.pop("command", None),
    )
    if not isinstance(command_id, str) or not 1 <= len(command_id) <= 128:
        return MalformedCommand(None, "id: a string of 1 to 128 characters is required")
    if kind not in _COMMAND_FIELDS:
        return MalformedCommand(command_id, f"command: one of {', '.join(sorted(_COMMAND_FIELDS))}")
    if unknown := sorted(set(raw) - _COMMAND_FIELDS[kind]):
        return MalformedCommand(command_id, f"{unknown[0]}: no such field of {kind}")
    try:
        until = datetime.fromisoformat(expires)
        if until.tzinfo is None:
            return MalformedCommand(command_id, "expires: a time with its zone is required")
    except (TypeError, ValueError):
        return MalformedCommand(command_id, "expires: an RFC 3339 time is required")
    try:
        command = _COMMAND.validate_python({**raw, "kind": kind}, strict=False)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        return MalformedCommand(command_id, f"{where}: {first['msg']}")
    body = canonical({**raw, "command": kind, "expires": expires})
    digest = hashlib.blake2b(body, digest_size=32).digest()
    return ParsedCommand(command_id, until.astimezone(UTC), command, digest)


def answer_blob(
    table: str,
    command_id: str | None,
    refusal: Refusal | None,
    *,
    detail: str | None = None,
    epoch: str | None = None,
    seq: int | None = None,
    status: Any = None,
) -> bytes:
    """Return the answer to a command: `accepted`, or `refused` with its reason."""
    answer: dict[str, Any] = {
        "id": command_id,
        "table": table,
        "answer": "accepted" if refusal is None else "refused",
    }
    optional = {"reason": refusal, "detail": detail, "epoch": epoch, "seq": seq, "status": status}
    answer.update({key: value for key, value in optional.items() if value is not None})
    return canonical(answer)


def command_json(command: Command) -> dict[str, Any]:
    """Return a command as it travels, without id and expiry."""
    data: dict[str, Any] = _COMMAND.dump_python(command)
    return {"command": data.pop("kind"), **{k: v for k, v in data.items() if v is not None}}


def schemas() -> dict[str, Any]:
    """Return the JSON Schemas of every event and command, for the published contract."""
    return {
        "events": {_kind(event): TypeAdapter(event).json_schema() for event in _EVENTS},
        "commands": {
            _kind(command): TypeAdapter(command).json_schema() for command in get_args(Command)
        },
    }
