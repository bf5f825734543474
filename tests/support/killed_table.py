"""A table on its offline bench that can be killed, and started again from its journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from daemon.devices.feed import Heard, tell
from daemon.gamekit.spec import AnyGame
from daemon.journal.records import Record, Transaction
from daemon.runtime import inbox, recovery
from daemon.runtime.codec import StateCodec
from daemon.service.offline_replay import OfflineReplay
from daemon.table.inputs import Restarted
from daemon.table.state import TableSetup
from protocols.device import Settings
from protocols.instant import Instant, earliest
from protocols.table_terms import Role


@contextmanager
def one_codec() -> Iterator[None]:
    """Make the codec of a game's state once: it is a value, and takes as long as ten spins."""
    codecs: dict[str, StateCodec] = {}

    def codec_of(game: AnyGame) -> StateCodec:
        if game.key not in codecs:
            codecs[game.key] = StateCodec(game)
        return codecs[game.key]

    with (
        patch.object(inbox, "StateCodec", codec_of),
        patch.object(recovery, "StateCodec", codec_of),
    ):
        yield


class LastRecords:
    """The journal's newest state record, and what came after it."""

    def __init__(self) -> None:
        self.state: Record | None = None
        self.after: list[Record] = []

    def append(self, transaction: Transaction, done: Callable[[], None]) -> None:
        for record in transaction.records:
            if record.kind == "state":
                self.state, self.after = record, []
            else:
                self.after.append(record)
        done()


class KilledTable(OfflineReplay):
    """A table that can be killed. `heard` is told of each frame, and may answer the device."""

    def __init__(
        self,
        setup: TableSetup,
        settings: Settings,
        shown: Callable[[bytes], None],
        heard: Callable[[Heard], None] | None = None,
    ) -> None:
        self.records = LastRecords()
        self._heard = heard
        self.setup = setup
        super().__init__(setup, setup.devices["primary"], settings, shown, self.records)

    def due(self) -> Instant | None:
        """Return when the table or its feed wants to be woken next."""
        return earliest(self._wake, *(feed.wake_at for feed in self._feeds.values()))

    def start_again(self, at: float) -> None:
        """Start after a while in which nobody lived: the state is what the journal gives."""
        self.clock.at = Instant("replay", round(at * 1e9))
        self._feeds["primary"].lost()
        self._wake = None
        found = recovery.recover(self.setup, self.records.state, self.records.after)
        assert found.differs is None, found.differs
        self.inbox.state = found.state
        self.inbox.put(Restarted("restart", found.replayed))

    def _hear(self, role: Role, items: Iterator[Heard]) -> None:
        if self._heard is None:
            super()._hear(role, items)
            return
        for heard in items:
            self._count(heard)
            tell(self.inbox, self._specs[role].key, heard)
            self._heard(heard)
