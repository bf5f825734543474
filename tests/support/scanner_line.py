"""A baccarat table at the end of a scanner's or a described shoe's line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from support.shoe_line import Line
from support.table_bench import SUPERVISED

from daemon.runtime.inbox import Appender
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay
from protocols.catalog import devices


class ScannerLine(Line):
    """One table, one device. `scan` and `hear` return the events that they caused."""

    def __init__(
        self,
        device: str = "barcode_lines",
        settings: Mapping[str, Any] | None = None,
        control: str = "server",
        house: str = "baccarat-dk",
        journal: Appender | None = None,
    ) -> None:
        self.blobs: list[bytes] = []
        config = one_table(
            "baccarat", house, device, settings=settings, round_control=control, rules=SUPERVISED
        )
        chosen = config.devices[0].settings
        self.setup, spec = setup_of(config), devices()[device].under(chosen)
        self.replay = OfflineReplay(self.setup, spec, chosen, self.blobs.append, journal)
        self.seconds = 0.0
        self.commands = 0
        if control == "server":
            self.obey("shoe.load", shoe_id="S1", decks=8)

    def scan(self, *labels: str, apart: float = 1.0) -> list[dict[str, Any]]:
        """Let labels be scanned, one after the other."""
        return self.hear(*(f"{one}\r\n".encode() for one in labels), apart=apart)

    def open(self, round_id: str = "R1") -> list[dict[str, Any]]:
        """Open a round and close its bets."""
        opened = self.obey("round.open", round_id=round_id)
        return opened + self.obey("bets.close", round_id=round_id)

    def drain(self, seconds: float = 30.0) -> None:
        """Let time pass."""
        self.seconds += seconds
        self.replay.pass_time(self.replay.clock.at.after(seconds))
