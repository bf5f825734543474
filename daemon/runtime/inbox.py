"""One table's inbox: the one order of readings, commands and ticks; around the pure `table/`.

Write it down, then tell: an input and its events are one transaction; events, replies and answers
leave only when it is durable. The next input is applied meanwhile; only outputs wait.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from daemon.journal.cipher import Cipher
from daemon.journal.records import Answer, Record, RecordKind, Transaction, round_key
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.codec import (
    Cause,
    EnvelopeFields,
    StateCodec,
    event_blob,
    input_blob,
    play_json,
)
from daemon.runtime.command_payload import ParsedCommand, answer_blob, command_json
from daemon.table import apply as table
from daemon.table.inputs import (
    Commanded,
    HiddenSaid,
    Input,
    InputBody,
    Opened,
    Restarted,
    Stopping,
)
from daemon.table.state import RecordRef, TableSetup, TableState
from protocols.canonical import canonical
from protocols.commands import OpenRound
from protocols.events import Event, PlayState, RoundCompleted, RoundOpened, RoundVoided
from protocols.instant import Instant
from protocols.play_fold import NOTHING_TOLD, all_after
from protocols.rejects import RejectReason

REJECTS_PER_MINUTE = 100


class Appender(Protocol):
    """The half of the journal that an inbox needs."""

    def append(self, transaction: Transaction, done: Callable[[], None]) -> None:
        """Write a transaction; call `done` on the loop when it is durable."""


def _nobody(*_: object) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Outlets:
    """Who is told what an input did.

    wake       after each input: when the table next wants `TimePassed`, None for never
    published  events became durable: the publisher may look
    shown      a durable event's blob, for whoever watches
    counted    a durable event, and when its input was read
    """

    wake: Callable[[Instant | None], None] = _nobody
    published: Callable[[], None] = _nobody
    shown: Callable[[bytes], None] = _nobody
    counted: Callable[[Event, Instant], None] = _nobody


@dataclass
class JournalPosition:
    """Where a table's journal stands, counting what is still on its way to the disk."""

    record: int
    seq: int


class Inbox:
    """Applies inputs to one table, in order, and writes what they did.

    cipher  hides what the journal holds of hidden cards; None where the table has no sealing key
    """

    def __init__(
        self,
        setup: TableSetup,
        stamp: EnvelopeFields,
        state: TableState,
        position: JournalPosition,
        journal: Appender,
        time: Timekeeper,
        outlets: Outlets,
        *,
        cipher: Cipher | None = None,
    ) -> None:
        self.setup = setup
        self.stamp = stamp
        self.state = state
        self.position = position
        self._play = NOTHING_TOLD
        self._not_folded: list[tuple[int, Event]] = []
        self._cipher = cipher
        self._journal = journal
        self._time = time
        self._outlets = outlets
        self._codec = StateCodec(setup.game)
        self._rejects: dict[str, tuple[float, int]] = {}

    @property
    def begun(self) -> bool:
        """Return whether the table has an epoch: before the first, nothing happens at it."""
        return bool(self.stamp.epoch)

    def put(
        self, body: InputBody, at: Instant | None = None, then: Callable[[], None] | None = None
    ) -> table.Step:
        """Apply one input now. `then` runs when that, and all before it, is durable."""
        if not self.begun:
            if then is not None:
                self._journal.append(Transaction(self.stamp.table, ()), then)
            return table.Step(self.state)
        table_input = Input(at or self._time.now(), body)
        step = table.apply(self.setup, self.state, table_input, self._next_record())
        if step.refusal is None and (step.events or step.state != self.state):
            self._write(table_input, step, "input", (), then)
        elif then is not None:  # what it repeats may still be on its way to the disk
            self._journal.append(Transaction(self.stamp.table, ()), then)
        self._outlets.wake(table.wake_at(self.setup, self.state))
        return step

    @property
    def today(self) -> str:
        """Return the table's own day."""
        return self.setup.gaming_day.of(self._time.wall())

    def new_epoch(self, epoch: str, reason: str, previous: str | None) -> None:
        """Begin a new epoch: its seq starts anew, and its first event names the one before."""
        play = self.play
        self.stamp = replace(self.stamp, epoch=epoch)
        self.position.seq = 0
        goes_on = None if play == NOTHING_TOLD else play
        self.put(Opened(previous, reason, f"{epoch}-", goes_on))

    def obey(
        self, call: ParsedCommand, then: Callable[[bytes], None], user: str | None = None
    ) -> None:
        """Apply a command; `then` gets the answer when it is durable."""
        commanded = Commanded(call.command, call.command_id, user, self.today)
        table_input = Input(self._time.now(), commanded)
        step = table.apply(self.setup, self.state, table_input, self._next_record())
        events = len(step.events)
        blob = answer_blob(
            self.stamp.table,
            call.command_id,
            step.refusal,
            epoch=self.stamp.epoch,
            seq=self.position.seq + events,
        )
        answer = Answer(call.command_id, call.digest, blob, self._time.wall().timestamp())
        answers: tuple[Answer, ...] = (answer,)
        if step.refusal is None:
            if isinstance(call.command, OpenRound):
                key = round_key(call.command.round_id)
                answers += (replace(answer, command_id=key),)
            self._write(table_input, step, "command", answers, lambda: then(blob))
        else:
            note = {
                "note": "refused",
                "command": command_json(call.command),
                "id": call.command_id,
                "user": user,
                "reason": step.refusal,
            }
            self._commit([self._record("note", canonical(note))], answers, lambda: then(blob))
        self._outlets.wake(table.wake_at(self.setup, self.state))

    def reject(
        self, device: str, reason: RejectReason, raw: bytes, at: Instant, *, hidden: bool = False
    ) -> None:
        """Write a reject down while a round is open or a shoe is verified: it is evidence.

        Bounded to 100 a minute for each device.

        hidden  it came where the next card might be a hidden one
        """
        shoe = self.setup.game.shoe_status(self.state.game)
        if self.state.round is None and (shoe is None or shoe.passed is None):
            return
        since, count = self._rejects.get(device, (at.ns / 1e9, 0))
        if at.ns / 1e9 - since >= 60:
            self._suppressed(device, count)
            since, count = at.ns / 1e9, 0
        self._rejects[device] = (since, count + 1)
        if count < REJECTS_PER_MINUTE:
            note = {
                "note": "reject",
                "device": device,
                "reason": reason,
                "raw": raw[:256].hex(),
                "bytes": len(raw),
                "at": {"boot": at.boot, "ns": at.ns},
            }
            self._commit([self._record("note", canonical(note), hidden=hidden)], (), None)

    def _suppressed(self, device: str, count: int) -> None:
        if count > REJECTS_PER_MINUTE:
            note = {
                "note": "rejects_suppressed",
                "device": device,
                "count": count - REJECTS_PER_MINUTE,
            }
            self._commit([self._record("note", canonical(note))], (), None)

    # --- writing -------------------------------------------------------------------------

    def _write(
        self,
        table_input: Input,
        step: table.Step,
        kind: RecordKind,
        answers: tuple[Answer, ...],
        then: Callable[[], None] | None,
    ) -> None:
        body = table_input.body
        records = [self._record(kind, input_blob(table_input), hidden=isinstance(body, HiddenSaid))]
        cause = Cause(records[0].record, body.user if isinstance(body, Commanded) else None)
        round_id = self.state.round.round_id if self.state.round else None
        wall, quality = self._time.wall(), self._time.quality
        blobs, ends_round = list[bytes](), False
        for left, event in zip(range(len(step.events) - 1, -1, -1), step.events, strict=True):
            match event:
                case RoundOpened():
                    round_id = event.round_id
                case RoundCompleted() | RoundVoided():
                    ends_round = True
                case _:
                    pass
            seq = self.position.seq + 1
            blob = event_blob(
                self.stamp,
                seq,
                event,
                cause=cause,
                round_id=round_id,
                wall=wall,
                quality=quality,
                more=left > 0,
            )
            self.position.seq = seq
            records.append(self._record("event", blob, seq))
            blobs.append(blob)
            self._not_folded.append((seq, event))
        self.state = step.state
        between = isinstance(body, Opened | Restarted | Stopping) and not self.state.round
        if ends_round or between:
            records.append(self._record("state", self._state_blob(), hidden=True))
        at = table_input.at
        self._commit(records, answers, lambda: self._durable(at, step.events, blobs, then))

    def _state_blob(self) -> bytes:
        return canonical(
            {
                "state": self._codec.dump(self.state),
                "play": play_json(self.play),
                "code": self.stamp.code,
                "profile": self.stamp.profile,
            }
        )

    def _next_record(self) -> RecordRef:
        """Return where the input that is applied now will stand in the journal."""
        return RecordRef(self.stamp.epoch, self.position.record + 1)

    def _record(
        self, kind: RecordKind, blob: bytes, seq: int | None = None, *, hidden: bool = False
    ) -> Record:
        self.position.record += 1
        record = Record(self.position.record, self.stamp.epoch, seq, kind, blob)
        return self._cipher.seal(record) if hidden and self._cipher is not None else record

    def _commit(
        self, records: list[Record], answers: tuple[Answer, ...], done: Callable[[], None] | None
    ) -> None:
        self._journal.append(
            Transaction(self.stamp.table, tuple(records), answers), done or (lambda: None)
        )

    def _durable(
        self,
        at: Instant,
        events: tuple[Event, ...],
        blobs: list[bytes],
        then: Callable[[], None] | None,
    ) -> None:
        if blobs:
            self._outlets.published()
        if then is not None:
            then()
        for event, blob in zip(events, blobs, strict=True):
            self._outlets.counted(event, at)
            self._outlets.shown(blob)

    # --- what was told -------------------------------------------------------------------

    @property
    def play(self) -> PlayState:
        """What the events so far have told of the table's play; set where a table is taken up.

        Folded when somebody asks: no card waits for it.
        """
        self._play = all_after(self._play, self._not_folded)
        self._not_folded.clear()
        return self._play

    @play.setter
    def play(self, play: PlayState) -> None:
        self._play = play
        self._not_folded.clear()
