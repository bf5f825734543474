"""A table server's side of pitwire, without a bus: messages, and the order of a table's events.

Copy this file, and `pitwire_nats.py` where the bus is NATS. Standard library only; nothing here
reads a clock but `command`, and nothing waits.

position  (epoch, sequence) of the last event that you applied. You keep it: `apply` gets the event,
          whose `position` goes into the same transaction as what you made of it. Only after that
          the event is acknowledged. A position that is not kept is an event applied twice.
repeat    an event that is not beyond the position. It is dropped.
gap       an event that comes early is held, and acknowledged; `table.resend` is asked for what is
          missing, again and again until it comes. What is held is in memory alone: after a restart
          of yours the gap shows again, and all of it comes again.
tail      the last event has no follower that shows it missing. The status does: the bus has
          `seq` - `publisher.lag` events. Where the stream has no more for us, and that is beyond
          the position for TAIL_S, the rest is asked for.
epoch     another epoch is entered at its first event, when this names ours as `previous`, or the
          status says that the table is in it. Every other event of another epoch is dropped: if
          the epoch is old it is a repeat; if it is new, the status names it and the tail brings it
          whole, from 1. What is lacking of the old epoch never comes: `EpochLeft` tells you.
life      a status comes every second. Three seconds without one, and nothing is known of the table
          (`Known`): take no bets. It counts only from the bridge that holds the table's lease; a
          late word of one that lost it has a lower number. Events need no such look: the server
          itself takes them from the lease's owner alone.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

UNKNOWN_AFTER_S: Final = 3.0
"""The table sends a status every second; after this long without one nothing is known of it."""
TAIL_S: Final = 2.0
"""How long the bus may have an event that we lack before we ask: it may be on its way."""
RESEND_S: Final = 5.0
"""How long a resend may take to bring the next event before it is asked for once more; then longer
each time, up to a minute."""
EARLY_MOST: Final = 10_000
"""How many early events are held; what is beyond comes by another resend."""

Authority: TypeAlias = Literal["read", "play", "supervise", "maintain"]
_COMMANDS: Final[Mapping[Authority, str]] = {
    "read": "table.status table.resend",
    "play": "round.open bets.close decision insurance.close hole_card.peek card.reveal burn"
    " result.announce dealer.change shoe.load shoe.verify.start shoe.verify.finish shoe.close",
    "supervise": "violation.resolve round.void shoe.verify.replace inspection.record",
    "maintain": "device.enrol maintenance.start maintenance.finish",
}
AUTHORITIES: Final[Mapping[str, Authority]] = MappingProxyType(
    {name: authority for authority, names in _COMMANDS.items() for name in names.split()}
)
"""Whose each command is: a part of the subject that it is sent on."""

Remedy: TypeAlias = Literal[
    "give up", "new id", "look again", "after the next event", "wait for the supervisor",
    "tell who asked", "ask the dealer", "ask a person", "in some seconds",
]  # fmt: skip
_REFUSALS: Final[Mapping[Remedy, str]] = {
    "give up": "malformed wrong_subject id_reused round_id_used not_this_game rounds_by_device"
    " decks_not_stated boxes_not_stated value_missing",
    "new id": "expired expires_too_late retained",
    "look again": "wrong_round wrong_phase round_open not_its_turn hand_differs not_face_down"
    " unknown_violation",
    "after the next event": "hole_card_unscanned verifying",
    "wait for the supervisor": "held",
    "tell who asked": "rules_forbid peek_not_allowed burn_not_allowed action_not_allowed two_names"
    " decks_differ",
    "ask the dealer": "no_shoe shoe_loaded last_round_played cut_card_missing too_few_cards"
    " shoe_not_verified pack_returned",
    "ask a person": "not_serving device_down not_enrolled unidentified not_inspected maintenance",
    "in some seconds": "journal too_many",
}
REMEDIES: Final[Mapping[str, Remedy]] = MappingProxyType(
    {reason: remedy for remedy, reasons in _REFUSALS.items() for reason in reasons.split()}
)
"""What to do about each refusal: a row of the table in docs/table-server.md."""


class NotOfTheContractError(Exception):
    """A message is not what the table may say here; the sentence says why."""


# --- what is said --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """Of an event of one table. Texts do not order epochs."""

    epoch: str
    seq: int


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the table; kind: `card.dealt`; more: others of the same cause follow."""

    position: Position
    kind: str
    more: bool
    data: Mapping[str, Any]
    raw: bytes


@dataclass(frozen=True, slots=True)
class Status:
    """What the status says of the order; on_bus: seq of the last event that the bus has."""

    epoch: str
    seq: int
    on_bus: int
    fencing_number: int
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Resend:
    """These events of the epoch are missing, and are asked for, for the `tries`-th time."""

    epoch: str
    from_seq: int
    to_seq: int
    tries: int = 1


@dataclass(frozen=True, slots=True)
class EpochLeft:
    """A new epoch begins, with the next event that is applied.

    at       the last event that was applied of the old one
    early    what came of it behind a gap, in order; none of it is applied any more
    follows  whether the new epoch is the next one; else whole epochs were missed in between
    """

    at: Position
    epoch: str
    early: tuple[Event, ...]
    follows: bool


@dataclass(frozen=True, slots=True)
class Known:
    """Whether the table has shown within three seconds that it lives. False: take no bets."""

    known: bool


@dataclass(frozen=True, slots=True)
class Strange:
    """Something came that must not be; it was not applied. Tell a person."""

    what: str


Notice: TypeAlias = Resend | EpochLeft | Known | Strange


# --- the order: pure -----------------------------------------------------------------------


class Order:
    """The events of one table, each once and in order. `now` is seconds that only run forward.

    position  of the last event that was given out; None: none was, and every epoch is new
    pending   how many events the stream still has for us behind the last that came
    """

    def __init__(self, at: Position | None) -> None:
        self.position = at
        self.pending = 1
        self._early: dict[int, Event] = {}
        self._left: set[str] = set()
        self._status: Status | None = None
        self._heard: float | None = None
        self._lacking: float | None = None
        self._asked: tuple[Resend, float] | None = None
        self._told = False

    def take(self, event: Event, now: float, pending: int = 0) -> list[Event | Notice]:
        """Take an event as it comes; return what is to be applied and told now, in order."""
        self.pending = pending
        out: list[Event | Notice] = []
        here, seq = self.position, event.position.seq
        if here is None or event.position.epoch != here.epoch:
            if not self._is_entered_by(event):
                return []
            if here is not None:
                out.append(self._leave(here, event))
            self.position = here = Position(event.position.epoch, 0)
        if seq <= here.seq:
            return []
        if len(self._early) < EARLY_MOST or seq == here.seq + 1:
            held = self._early.setdefault(seq, event)
            if held.raw != event.raw:
                return [Strange(f"two bodies for {event.position}")]
        while (ready := self._early.pop(here.seq + 1, None)) is not None:
            out.append(ready)
            self.position = here = ready.position
            self._lacking = None
            if self._asked is not None:
                self._asked = (replace(self._asked[0], tries=1), now)
        return out

    def hear(self, status: Status, now: float) -> None:
        """Take a status of the bridge that holds the table's lease."""
        late = self._status is not None and status.fencing_number < self._status.fencing_number
        if status.epoch in self._left or (late and self.is_known(now)):
            return
        self._status, self._heard = status, now

    def is_known(self, now: float) -> bool:
        """Return whether the table has shown within three seconds that it lives."""
        return self._heard is not None and now - self._heard < UNKNOWN_AFTER_S

    def is_level(self, now: float) -> bool:
        """Return whether we have all that the table has said. Take bets on nothing less.

        Behind a gap, or not yet on the bus, may be the event that closes them.
        """
        status, here = self._status, self.position
        if status is None or here is None or self._early or not self.is_known(now):
            return False
        return status.epoch == here.epoch and status.seq <= here.seq

    def look(self, now: float) -> list[Notice]:
        """Return what is to be told now, and what is to be asked for: call it often."""
        out: list[Notice] = []
        if self.is_known(now) != self._told:
            self._told = not self._told
            out.append(Known(self._told))
        missing = self._missing(now)
        if missing is None:
            return out
        tries = 1
        if self._asked is not None:
            asked, since = self._asked
            again = asked.epoch == missing.epoch and missing.from_seq <= asked.to_seq
            if again and now - since < RESEND_S * min(asked.tries, 12):
                return out
            tries = asked.tries + 1 if again else 1
        ask = Resend(missing.epoch, missing.from_seq, missing.to_seq, tries)
        self._asked = (ask, now)
        return [*out, ask]

    def _is_entered_by(self, event: Event) -> bool:
        """Return whether this is the first event of an epoch that is new to us."""
        if event.position.seq != 1 or event.position.epoch in self._left:
            return False
        named = self._status is not None and self._status.epoch == event.position.epoch
        return named or self.position is None or self._follows(self.position, event)

    @staticmethod
    def _follows(here: Position, event: Event) -> bool:
        return event.kind == "table.started" and event.data.get("previous") == here.epoch

    def _leave(self, here: Position, event: Event) -> EpochLeft:
        early = tuple(self._early[seq] for seq in sorted(self._early))
        self._early.clear()
        self._left.add(here.epoch)
        if self._status is not None and self._status.epoch == here.epoch:
            self._status = None  # `_heard` stays: the table lives
        return EpochLeft(here, event.position.epoch, early, self._follows(here, event))

    def _missing(self, now: float) -> Resend | None:
        here, status = self.position, self._status if self.is_known(now) else None
        elsewhere = status is not None and (here is None or status.epoch != here.epoch)
        if here is not None and self._early and not elsewhere:
            return Resend(here.epoch, here.seq + 1, min(self._early) - 1)
        first = 1 if here is None or elsewhere else here.seq + 1
        if status is None or self.pending or status.on_bus < first:
            self._lacking = None
            return None
        if self._lacking is None:
            self._lacking = now
        late = now - self._lacking >= TAIL_S
        return Resend(status.epoch, first, status.on_bus) if late else None


# --- reading and writing messages ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """A table on the bus, and the user as whom its server has signed in."""

    site: str
    table: str
    user: str
    live: bool = True

    @property
    def root(self) -> str:
        """Return what all its subjects begin with."""
        return "pit" if self.live else "pit-rehearsal"

    @property
    def stream(self) -> str:
        """Return the JetStream stream that keeps its events."""
        return self.root.upper()

    def event(self, payload: bytes, subject: str) -> Event:
        """Read an event. Raises NotOfTheContractError."""
        body = _object(payload)
        try:
            source, epoch, kind = str(body["source"]), str(body["epoch"]), str(body["type"])
            seq, mode, data = int(body["sequence"]), body["mode"], body["data"]
        except (KeyError, TypeError, ValueError) as error:
            raise NotOfTheContractError(f"{subject}: no event: {error!r}") from None
        name = kind.removeprefix("pitwire.").removesuffix(".v1")
        own = f"{self.root}.event.{self.site}.{self.table}.{name}"
        if source != f"/pit/{self.site}/{self.table}" or own != subject:
            raise NotOfTheContractError(f"{subject}: {kind} of {source} is not said here")
        if (mode == "live") != self.live or seq < 1 or not isinstance(data, dict):
            raise NotOfTheContractError(f"{subject}: {mode}, {seq}: not an event of this table")
        return Event(Position(epoch, seq), name, body.get("more") is True, data, payload)

    def status(self, payload: bytes) -> Status | None:
        """Read a status; None where the bridge does not hold the lease. Raises as `event`."""
        body = _object(payload)
        try:
            lease, lag, seq = body["lease"], int(body["publisher"]["lag"]), int(body["seq"])
            status = Status(str(body["epoch"]), seq, seq - lag, int(lease["number"]), body)
            its_own = body["table"] == self.table and (body["mode"] == "live") == self.live
        except (KeyError, TypeError, ValueError) as error:
            raise NotOfTheContractError(f"{self.table}: no status: {error!r}") from None
        return status if its_own and lease["state"] == "held" else None


def _object(payload: bytes) -> dict[str, Any]:
    try:
        body = json.loads(payload)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise NotOfTheContractError(f"no JSON object: {payload[:80]!r}")
    return body


@dataclass(frozen=True, slots=True)
class Command:
    """A command, ready to be sent: the same bytes again and again until they are answered.

    Keep it on your disk before you send it, where it matters what became of it.
    """

    name: str
    id: str
    payload: bytes


def command(
    name: str, *, now: datetime | None = None, valid_s: float = 10.0, **fields: Any
) -> Command:
    """Return a command with a new id; the table refuses it when it comes later than `valid_s`."""
    new = secrets.token_hex(16)
    expires = ((now or datetime.now(UTC)) + timedelta(seconds=valid_s)).isoformat()
    whole = {**fields, "id": new, "expires": expires, "command": name}
    return Command(name, new, json.dumps(whole).encode())


@dataclass(frozen=True, slots=True)
class Answer:
    """What the table answered. reason: None where it obeyed; `position` is of its last event."""

    reason: str | None
    position: Position
    body: Mapping[str, Any]

    @property
    def remedy(self) -> Remedy | None:
        """Return what to do about a refusal; a reason that is unknown here is a person's."""
        return None if self.reason is None else REMEDIES.get(self.reason, "ask a person")


def read_answer(payload: bytes, to: Command, table: str) -> Answer:
    """Read the answer to a command. Raises NotOfTheContractError."""
    body = _object(payload)
    try:
        accepted = {"accepted": True, "refused": False}[body["answer"]]
        reason = None if accepted else str(body["reason"])
        answer = Answer(reason, Position(str(body["epoch"]), int(body.get("seq", 0))), body)
        its_own = body["table"] == table and body["id"] in (to.id, None)
    except (KeyError, TypeError, ValueError) as error:
        raise NotOfTheContractError(f"{table}: no answer: {error!r}") from None
    if not its_own or (accepted and body["id"] != to.id):
        raise NotOfTheContractError(f"{table}: the answer is to {body['id']}, not to {to.id}")
    return answer
