"""Events and journal records ⇄ JSON; commands: `command_payload`. Pydantic is here and in config.

Values are dumped as Python data and spelled by `canonical`, which gives sets an order.

Event envelope: CloudEvents 1.0. Every blob is canonical JSON (RFC 8785).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import ConfigDict, Field, TypeAdapter

from daemon.gamekit.spec import AnyGame, RuleSource
from daemon.runtime.catalog import games
from daemon.table.inputs import Input
from daemon.table.state import TableState
from protocols.canonical import canonical
from protocols.events import Event, PlayState, RoundCompleted
from protocols.limits import lifted
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
    completed: Any = RoundCompleted[Annotated[outcome, Field(discriminator="game")]]
    return tuple(
        completed if get_origin(event) is RoundCompleted else event for event in get_args(Event)
    )


def kind_of(described: Any) -> str:
    """Return the `kind` of an event or a command, which may be generic."""
    kind: str = (get_origin(described) or described).__dataclass_fields__["kind"].default
    return kind


EVENT_TYPES: Final = _event_types()
_ANY_EVENT: Any = Annotated[Union[EVENT_TYPES], Field(discriminator="kind")]  # noqa: UP007 - as above
_EVENT: TypeAdapter[Event] = TypeAdapter(_ANY_EVENT)
_READING: TypeAdapter[Reading] = TypeAdapter(Annotated[Reading, Field(discriminator="kind")])
with lifted():  # commands of before had none
    _INPUT: TypeAdapter[Input] = TypeAdapter(Input)
_PLAY: Final = TypeAdapter(PlayState)


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


@dataclass(frozen=True, slots=True)
class Cause:
    """What an event follows from.

    record  the journal record of the input
    user    who sent it, where it is a command, as the bus or the kernel knows them
    """

    record: int
    user: str | None = None


def event_blob(
    stamp: EnvelopeFields,
    seq: int,
    event: Event,
    *,
    cause: Cause,
    round_id: str | None,
    wall: datetime,
    quality: str,
    more: bool = False,
) -> bytes:
    """Return the CloudEvents JSON of a published event: journal blob and bus payload alike.

    round_id  the open round: the envelope's subject, unless the event itself says of which it is
    more      further events of the same cause follow
    """
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
        "causedby": cause.record,
        "more": more,
        "data": data,
    }
    if (subject := data.get("round_id", round_id)) is not None:
        envelope["subject"] = subject
    if cause.user is not None:
        envelope["user"] = cause.user
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


def play_json(play: PlayState) -> dict[str, Any]:
    """Return what was told of a table's play as plain JSON."""
    data: dict[str, Any] = _PLAY.dump_python(play, mode="json")
    return data


def parse_play(data: Any) -> PlayState:
    """Return what was told of a table's play. Raises ValueError where this is none."""
    return _PLAY.validate_python(data)


class StateCodec:
    """A table's state ⇄ JSON, for one game."""

    def __init__(self, game: AnyGame) -> None:
        self._game = _game_adapter(game.state_type)  # type: ignore[arg-type] # classes are hashable
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
def _game_adapter(state: type[Any]) -> TypeAdapter[Any]:
    """Return what reads and writes a game's state; it is slow to make."""
    return TypeAdapter(state)


@cache
def _table_adapter() -> TypeAdapter[TableState]:
    """Return what reads and writes a table's state, but for the types that its game decides."""
    return TypeAdapter(TableState)
