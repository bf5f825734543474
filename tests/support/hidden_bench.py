"""A table that hides its burned cards, from the shoe's bytes to every surface it has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import structlog
from prometheus_client import generate_latest
from support.memory_journal import MemoryJournal
from support.notation import card
from support.shoe_line import card_report

from daemon.delivery.bus import Address
from daemon.delivery.publisher import PublisherState
from daemon.devices.attachment import AttachedDevice
from daemon.devices.session import Session
from daemon.devices.session_metrics import SessionMetrics
from daemon.gamekit.commitments import Concealed
from daemon.journal.records import Record
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.codec import StateCodec
from daemon.runtime.command_payload import ParsedCommand, parse_command
from daemon.runtime.inbox import Inbox, Outlets
from daemon.runtime.table_start import begin_first_epoch, resume_table
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineClock
from daemon.service.sealing_keys import SealingKeys, TableKeys
from daemon.service.status import table_status
from daemon.service.table_status import LeaseStatus
from daemon.table.concealment import card_may_be_hidden, frame_may_be_hidden
from daemon.table.inputs import DeviceSaid, HiddenSaid
from daemon.table.state import TableSetup
from daemon.telemetry.metrics import Metrics
from drivers.catalog import link_kinds
from drivers.link import Chunk
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import CardDrawn
from protocols.rejects import RejectReason
from protocols.shoes.angel_eye_ii_ex import DEVICE, AngelEyeSettings

TABLE, EPOCH = "T-1", "000001-aa"
LEASE = LeaseStatus("held", 0, None)
MASTER = Concealed(bytes(range(32)))
KEYS = SealingKeys([MASTER]).of(TABLE)
ALWAYS = "2100-01-01T00:00:00Z"


def greek(keys: TableKeys | None = KEYS) -> TableSetup:
    """Six cards are burned after a shuffle, face down, and turned when the server asks."""
    setup = setup_of(one_table("baccarat", "baccarat-gr", DEVICE.key, round_control="server"), keys)
    return replace(setup, profile=replace(setup.profile, burned_faces="on_request"))


def blackjack(keys: TableKeys | None = KEYS) -> TableSetup:
    """The dealer's second card lies face down, and one reader sees every card."""
    return setup_of(
        one_table("blackjack", "blackjack-lv", DEVICE.key, round_control="server"), keys
    )


class NoLink:
    """A wire that takes what is written."""

    where = "bench"
    untold = ""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    async def read(self, timeout_s: float | None) -> Chunk | None:
        raise NotImplementedError

    def write(self, data: bytes) -> None:
        self.written.append(data)

    async def aclose(self) -> None: ...


class NoPublisher:
    """A bus that has everything already."""

    def state(self) -> PublisherState:
        return PublisherState(0, 0, 0, None, None, None)


@dataclass
class HiddenTable:
    """One table with one shoe on a real session. What it wrote, published, logged and counted.

    records  what its journal has already: it goes on from there
    """

    keys: TableKeys | None = KEYS
    house: Callable[[TableKeys | None], TableSetup] = greek
    records: list[Record] = field(default_factory=list)
    blobs: list[bytes] = field(default_factory=list)
    answers: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = OfflineClock(Instant("bench", 0))
        self.clock.wall = lambda: datetime(2026, 11, 30, tzinfo=UTC)  # type: ignore[method-assign] # a clock that stands
        self.setup = self.house(self.keys)
        self.link = NoLink()
        self.metrics = Metrics()
        self.time = Timekeeper(self.clock, lambda: "unknown")
        fresh, journal = not self.records, MemoryJournal(self.records)
        self.records = journal.kept
        self.inbox = resume_table(
            self.setup,
            Address("house", TABLE, "rehearsal"),
            journal,
            self.time,
            Outlets(
                shown=self.blobs.append,
                counted=lambda event, at: self.metrics.count_event(
                    TABLE, event, self.time.now().since(at)
                ),
            ),
            self.keys.cipher if self.keys else None,
            next_epoch=lambda _before: EPOCH,
        )
        if not self.inbox.begun:
            begin_first_epoch(self.inbox, None, next_epoch=lambda _before: EPOCH)
        link = link_kinds()["simulated"]
        plug = AttachedDevice(
            "primary", DEVICE, AngelEyeSettings(), link, link.settings(DEVICE.key)
        )
        watching = SessionMetrics(TABLE, self.metrics, structlog.get_logger(), self.clock)
        self.session = Session(plug, self.inbox, self.clock, watching)
        self.decoder = DEVICE.decoder(AngelEyeSettings())
        self.session._hear(self.link, self.session.feed.open(self.clock.at))
        self.number = 0
        self.commands = 0
        if fresh:
            self.session._up(self.link, 0, None)

    def hear(self, data: bytes, *, stale: bool = False, lost: str = "") -> None:
        """Let bytes arrive, half a second after the last ones."""
        self.clock.at = self.clock.at.after(0.5)
        views = self.session._views
        chunk = Chunk(self.clock.at, data, stale, lost)
        watched = views is not None and views.watched
        self.session._hear(self.link, self.session.feed.take(chunk, watched=watched))

    def may_be_hidden(self, frame: Decoded) -> bool:
        """Return whether nobody but the table might see this frame, if it came now."""
        return may_be_hidden(self.inbox, frame)

    def telegram(self, text: str) -> bytes:
        """Return the report of a card, `8S>player.1`; its number counts on."""
        self.number += 1
        return card_report(self.number, text)

    def draw(self, *cards: str) -> None:
        for one in cards:
            self.hear(self.telegram(one))

    def say(self, *codes: str) -> None:
        """Let cards leave the shoe whose places it does not state."""
        for code in codes:
            self.number += 1
            raw = f"{self.number:04x}{code.encode().hex()}"
            said = DeviceSaid("primary", DEVICE.key, CardDrawn(card(code)), None, raw)
            hidden = card_may_be_hidden(self.setup, self.inbox.state, "primary")
            self.clock.at = self.clock.at.after(0.5)
            self.inbox.put(HiddenSaid(Concealed(said)) if hidden else said, self.clock.at)

    def obey(self, name: str, **fields: Any) -> dict[str, Any]:
        self.commands += 1
        payload = {"id": f"c{self.commands}", "expires": ALWAYS, "command": name, **fields}
        call = parse_command(json.dumps(payload).encode())
        assert isinstance(call, ParsedCommand), call
        self.inbox.obey(call, self.answers.append)
        answer: dict[str, Any] = json.loads(self.answers[-1])
        return answer

    def shuffle(self) -> None:
        """Load a shoe: six burns are due."""
        assert self.obey("shoe.load", shoe_id="S1", decks=8)["answer"] == "accepted"

    # --- the surfaces ----------------------------------------------------------------------

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(blob) for blob in self.blobs]

    def found(self, kind: str) -> list[dict[str, Any]]:
        """Return what the events of this kind say."""
        return [one["data"] for one in self.events if one["type"] == f"pitwire.{kind}.v1"]

    def status(self) -> dict[str, Any]:
        return asdict(table_status(self.inbox, (self.session,), NoPublisher(), LEASE, self.time))  # type: ignore[arg-type] # its state is all that is asked

    def counted(self) -> str:
        """Return the metrics as Prometheus reads them."""
        lines = generate_latest(self.metrics.registry).decode().splitlines()
        return "\n".join(line for line in lines if "_created" not in line)

    def dump(self) -> Any:
        return StateCodec(self.setup.game).dump(self.inbox.state)


def said_of(frame: Decoded, device: str) -> DeviceSaid:
    """Return what the table is told of a frame that is a reading."""
    assert not isinstance(frame.body, RejectReason)
    repeats = None if frame.repeats is None else frame.repeats.hex()
    return DeviceSaid("primary", device, frame.body, frame.sequence, frame.raw.hex(), repeats)


def may_be_hidden(inbox: Inbox, frame: Decoded) -> bool:
    """Return whether nobody but the table might see a frame of its primary device now."""
    said = said_of(frame, inbox.setup.devices["primary"].key)
    return frame_may_be_hidden(inbox.setup, inbox.state, frame.at, "primary", said)


@contextmanager
def logged() -> Iterator[list[dict[str, Any]]]:
    """Give every log line of any level."""
    with structlog.testing.capture_logs() as lines:
        yield lines
