"""Deriving a table's records once more: from the bytes its devices sent to the events it published.

Each record is made anew from those before it, offline, and compared with what the journal holds:

  readings  the bytes of each frame are decoded again, by a decoder that begins where the link was
            opened: the reading, its number and what it repeats have to be the same
  events    each input and command is applied to the state so far: the events have to follow, in
            that order, as the same bytes, but for their time and the clock's quality; of what an
            older version wrote, as far as it said anything (`older_events.py`)
  states    the state at the end of a round has to be the one that was written down

A difference is the first record that does not follow. Records written under another profile than
the configured one are passed over, up to the next state that was written under this one; what other
code wrote is compared all the same, and named as such. What a refused command or a reject did is
not derived: it did nothing. Frames that came before anybody listened are not in the journal; a
decoder does not need them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from daemon.journal.cipher import Cipher, opened
from daemon.journal.records import Record
from daemon.runtime.codec import Cause, EnvelopeFields, StateCodec, event_blob, parse_input
from daemon.runtime.older_events import is_older, pass_over, says
from daemon.runtime.recovery import NOT_RESUMED, code_digest
from daemon.table.apply import apply, start
from daemon.table.inputs import Commanded, DeviceSaid, HiddenSaid, Input, LinkUp, Opened
from daemon.table.state import RecordRef, TableSetup, TableState
from protocols.canonical import canonical
from protocols.device import Decoded, Decoder, DeviceSpec, Settings
from protocols.events import Event, RoundOpened
from protocols.instant import Instant
from protocols.rejects import RejectReason
from protocols.table_terms import Role

Reader: TypeAlias = tuple[DeviceSpec, Settings]
"""A device of the table, and its settings."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first record that does not follow from those before it, and why."""

    record: int
    what: str


@dataclass
class Audited:
    """What was derived again of a table.

    last           the last record that was looked at
    passed_over    records written under another profile
    other_profile  the first such record, and the digest of its profile
    other_code     whether some were written by other code
    """

    table: str
    records: int = 0
    readings: int = 0
    events: int = 0
    states: int = 0
    last: int = 0
    passed_over: int = 0
    other_profile: tuple[int, str] | None = None
    other_code: bool = False
    difference: Difference | None = None


def audit(
    records: Iterable[Record],
    setup: TableSetup,
    stamp: EnvelopeFields,
    readers: Mapping[Role, Reader],
    cipher: Cipher | None = None,
) -> Audited:
    """Derive a table's records again, from the first one on, or from the first state.

    stamp    site and mode of the table's envelopes; the rest of it is each record's own
    readers  the table's devices
    Raises Unopened where a record is sealed and `cipher` does not open it.
    """
    derivation = _Derivation(setup, stamp, readers, cipher)
    for record in records:
        what = derivation.take(record)
        if what is not None:
            derivation.audited.difference = Difference(record.record, what)
            return derivation.audited
    if (what := derivation.left_over()) is not None:
        last = derivation.audited.last
        derivation.audited.difference = Difference(last, f"it is the last, and {what}")
    return derivation.audited


class _Derivation:
    """A table on its way through its records.

    state  None while nothing can be derived: before the first state that is known
    """

    def __init__(
        self,
        setup: TableSetup,
        stamp: EnvelopeFields,
        readers: Mapping[Role, Reader],
        cipher: Cipher | None,
    ) -> None:
        self.audited = Audited(setup.table)
        self._setup = setup
        self._stamp = stamp
        self._readers = readers
        self._cipher = cipher
        self._codec = StateCodec(setup.game)
        self._decoders: dict[Role, Decoder] = {}
        self._state: TableState | None = None
        self._due: list[Event] = []
        self._cause = Cause(0)
        self._round_id: str | None = None
        self._other_code = ""
        self._older = False

    def take(self, record: Record) -> str | None:
        """Derive this record; return why it does not follow, None where it does."""
        self.audited.records += 1
        self.audited.last = record.record
        if record.record == 1:
            self._state = start(self._setup)
        match record.kind:
            case "input" | "command":
                what = self.left_over() or self._apply(record)
            case "event":
                what = self._event(record)
            case "state":
                what = self.left_over() or self._compare_state(record)
            case _:
                what = None
        if self._state is None:
            self.audited.passed_over += 1
        return None if what is None else what + self._other_code

    def _apply(self, record: Record) -> str | None:
        try:
            cause = parse_input(self._body(record))
        except ValueError:
            return "it is no input that this version can read"
        what = self._decode_again(cause)
        if what is not None or self._state is None:
            return what
        if isinstance(cause.body, Opened) and cause.body.reason == NOT_RESUMED:
            self._state = start(self._setup)
        self._round_id = self._state.round.round_id if self._state.round else None
        body = cause.body
        self._cause = Cause(record.record, body.user if isinstance(body, Commanded) else None)
        step = apply(self._setup, self._state, cause, RecordRef(record.epoch, record.record))
        self._state, self._due = step.state, list(step.events)
        return None if step.refusal is None else f"it would be refused: {step.refusal}"

    def left_over(self) -> str | None:
        """Return what follows from the last input and is not in the journal."""
        if self._older:
            pass_over(self._due, None)
        if not self._due:
            return None
        cause = self._cause.record
        return f"{self._due[0].kind} follows from record {cause}, and the journal has none"

    def _pass_over(self, record: Record, profile: str) -> None:
        self._state, self._due = None, []
        if self.audited.other_profile is None:
            self.audited.other_profile = (record.record, profile)

    # --- events and states ---------------------------------------------------------------

    def _event(self, record: Record) -> str | None:
        if self._state is None:
            return None
        try:
            envelope = json.loads(record.blob)
            wall = datetime.fromisoformat(envelope["time"])
            quality, profile, kind = (
                envelope["clockquality"],
                envelope["profile"],
                envelope["type"],
            )
        except (ValueError, LookupError, TypeError):
            return "it is no event"
        if profile != self._setup.digest:
            self._pass_over(record, str(profile))
            return None
        self._older = is_older(envelope)
        if self._older:
            pass_over(self._due, str(kind).removeprefix("pitwire.").removesuffix(".v1"))
        if not self._due:
            return f"the journal has {kind}, and nothing follows from record {self._cause.record}"
        event = self._due.pop(0)
        if isinstance(event, RoundOpened):
            self._round_id = event.round_id
        stamp = EnvelopeFields(
            self._stamp.site, self._setup.table, self._stamp.mode, record.epoch, self._setup.digest
        )
        derived = event_blob(
            stamp,
            record.seq or 0,
            event,
            cause=self._cause,
            round_id=self._round_id,
            wall=wall,
            quality=quality,
            more=bool(self._due),
        )
        self.audited.events += 1
        if derived == record.blob or (is_older(envelope) and says(derived, envelope)):
            return None
        differs = _first(derived, envelope)
        return f"the journal has {kind}, and what follows is {event.kind}{differs}"

    def _compare_state(self, record: Record) -> str | None:
        try:
            kept: dict[str, Any] = json.loads(self._body(record))
            state, code, profile = kept["state"], kept["code"], kept["profile"]
        except (ValueError, LookupError, TypeError):
            return "it is no state"
        ours = code in ("", code_digest())
        self._other_code = "" if ours else f" (written by other code, {code})"
        self.audited.other_code |= not ours
        if profile != self._setup.digest:
            self._pass_over(record, str(profile))
            return None
        self.audited.states += 1
        if self._state is not None and ours:
            same = canonical(self._codec.dump(self._state)) == canonical(state)
            return None if same else "the state that follows is another one"
        try:
            self._state = self._codec.load(state)
        except (ValueError, LookupError, TypeError):
            return "it is no state that this version can read"
        return None

    def _body(self, record: Record) -> bytes:
        return opened(self._setup.table, record, self._cipher).blob

    # --- readings ------------------------------------------------------------------------

    def _decode_again(self, cause: Input) -> str | None:
        body = cause.body
        if isinstance(body, LinkUp):
            self._decoders.pop(body.role, None)
        if isinstance(body, HiddenSaid):
            body = body.said.value
        if not isinstance(body, DeviceSaid) or not body.raw:
            return None
        reader = self._readers.get(body.role)
        if reader is None or reader[0].key != body.device:
            return f"it was said by a {body.device}, which the table does not have now"
        spec, settings = reader
        if body.role not in self._decoders:
            self._decoders[body.role] = spec.decoder(settings)
        try:
            raw = bytes.fromhex(body.raw)
        except ValueError:
            return "its bytes are none"
        self.audited.readings += 1
        heard = [
            _said(body.role, spec.key, decoded)
            for decoded in _decoded(self._decoders[body.role], cause.at, raw)
            if decoded.raw == raw
        ]
        frame = replace(body, heard_before=None)  # of the hearing, not of the bytes
        return None if frame in heard else "its bytes do not say what the reading says"


def _decoded(decoder: Decoder, at: Instant, raw: bytes) -> Iterable[Decoded]:
    """Yield what the bytes of one frame say; a frame that ends by silence is given its silence."""
    yield from decoder.feed(at, raw)
    while decoder.pending and (due := decoder.wake_at) is not None:
        yield from decoder.tick(due)
        if decoder.wake_at == due:
            return


def _said(role: Role, device: str, decoded: Decoded) -> DeviceSaid | None:
    if isinstance(decoded.body, RejectReason):
        return None
    repeats = None if decoded.repeats is None else decoded.repeats.hex()
    return DeviceSaid(role, device, decoded.body, decoded.sequence, decoded.raw.hex(), repeats)


def _first(derived: bytes, envelope: Any) -> str:
    """Return the first member in which the two differ, for people."""
    ours: dict[str, Any] = json.loads(derived)
    for name in sorted({*ours, *envelope}):
        if ours.get(name) != envelope.get(name):
            return f", with another {name}"
    return ""
