"""A game of the demo without processes: its dealer, its simulated device, its table, no waiting.

Time is the table's own, so a game of a thousand rounds takes seconds, and the same seed gives the
same messages to the byte.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import timedelta
from itertools import count
from typing import Any, Final

from support.hidden_bench import LEASE, NoPublisher
from support.scenario import KEY

from daemon.delivery.bus import Request
from daemon.demo.demo import DemoTable
from daemon.demo.simulated_dealer import Dealer, DealerAction
from daemon.devices.feed import Heard
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.command_handler import TableCommands
from daemon.runtime.command_payload import command_json
from daemon.runtime.inbox import Inbox
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay
from daemon.service.status import table_status
from daemon.table.state import TableSetup
from daemon.telemetry.metrics import Metrics
from drivers.capture_model import CaptureLine
from protocols.canonical import canonical
from protocols.catalog import devices
from protocols.commands import Command
from protocols.device import DeviceSpec
from protocols.simulator import Cue, PowerOn

BETTING_S: Final = 4.0
LONGEST_ROUND_S: Final = 300.0


class _AnsweredReplay(OfflineReplay):
    """A replay whose device is there to be answered: `replies` are on their way to it."""

    def __init__(self, setup: TableSetup, spec: DeviceSpec, shown: Callable[[bytes], None]) -> None:
        self.replies: list[bytes] = []
        super().__init__(setup, spec, spec.settings(), shown)

    def _count(self, heard: Heard) -> None:
        super()._count(heard)
        if heard.reply is not None:
            self.replies.append(heard.reply)


class OfflineGame:
    """One table of the demo. What its table server sent and heard, in the order of the table.

    messages  (name in the contract, payload)
    """

    def __init__(self, seat: DemoTable, seed: int) -> None:
        spec = devices()[seat.device]
        table = one_table(
            seat.game, seat.profile, seat.device, round_control="server", rules=seat.rules
        )
        setup = replace(setup_of(table), key=KEY)
        self.messages: list[tuple[str, bytes]] = []
        self._seat = seat
        self._ids = count(1)
        self._shoes = 0
        self._replay = _AnsweredReplay(setup, spec, self._published)
        self._time = Timekeeper(self._replay.clock, lambda: "synced")
        self._commands = TableCommands(
            self.inbox,
            self._time,
            lambda _table, _command_id: None,
            status=self._table_status,
            resend=lambda _from_seq, _to_seq: None,
            writable=lambda: True,
            refused=lambda: None,
            metrics=Metrics(),
        )
        self._device = spec.simulator(spec.settings())
        self.dealer = Dealer(setup, seed)
        self._cue(PowerOn())
        self._pass(5.0)

    @property
    def inbox(self) -> Inbox:
        """Return the table itself."""
        return self._replay.inbox

    def play(self, rounds: int) -> None:
        """Play so many rounds, each to its outcome."""
        for number in range(1, rounds + 1):
            self._play_round(f"R{number}")

    def _play_round(self, round_id: str) -> None:
        boxes = self.dealer.bets()
        self._open_round(round_id)
        self._act(self.dealer.open_round(round_id))
        self._pass(BETTING_S)
        assert self.send("bets.close", round_id=round_id, boxes=boxes)["answer"] == "accepted"
        self._act(self.dealer.close_bets(round_id, boxes))
        self._status()
        ends = self._replay.clock.at.after(LONGEST_ROUND_S)
        while self._is_open():
            if self._replay.clock.at.reached(ends):
                # two equal labels came so fast that they count as one: the demo voids such a round
                self.send("round.void", round_id=round_id, reason="the card that is due never came")
            elif (gesture := self.dealer.next()) is not None:
                self._act(gesture)
            elif (command := self.dealer.next_command()) is not None:
                self._decide(command)
            else:
                self._pass(1.0)

    def _open_round(self, round_id: str) -> None:
        """Open a round, after what its house wants first."""
        while (answer := self.send("round.open", round_id=round_id))["answer"] == "refused":
            match answer["reason"]:
                case "no_shoe" | "last_round_played":
                    self._new_shoe(change=answer["reason"] == "last_round_played")
                case "not_inspected":
                    self._inspect()
                case _:
                    raise AssertionError(answer)

    def _inspect(self) -> None:
        setup = self.inbox.setup
        for what in setup.game.inspects(setup.profile):
            self.send("inspection.record", what=what, result="passed", who="anna")

    def _decide(self, command: Command) -> None:
        """Send what the dealer waits for, until the table has heard the card that it is about."""
        fields = command_json(command)
        name = fields.pop("command")
        for _ in range(5):
            self._pass(1.0)
            if self.send(name, **fields)["answer"] == "accepted":
                self.dealer.obeyed(command)
                return
        raise AssertionError(f"{command}: {self.messages[-1]}")

    def _new_shoe(self, *, change: bool) -> None:
        if change:
            self.send("shoe.close")
            self._cue(PowerOn())
            self._pass(5.0)
        self._shoes += 1
        shoe_id = f"shoe-{self._shoes}"
        self.dealer.shuffle(shoe_id, self._seat.decks or 1)
        self.send("shoe.load", shoe_id=shoe_id, decks=self._seat.decks)
        while (gesture := self.dealer.next()) is not None:
            self._act(gesture)

    def send(self, command: str, **fields: Any) -> dict[str, Any]:
        """Send a command as a table server does; return the answer."""
        return self.ask(command, {"id": self._next_id(), "command": command, **fields})

    def ask(self, name: str, command: Any, **how: Any) -> dict[str, Any]:
        """Send what may be no command at all; it holds for ten seconds unless it says otherwise.

        name  in the contract, empty where it is none
        how   it came: see `Request`
        """
        if isinstance(command, dict):
            expires = self._replay.clock.wall() + timedelta(seconds=10)
            command = {"expires": f"{expires:%Y-%m-%dT%H:%M:%SZ}", **command}
        payload = canonical(command)
        if name:
            self.messages.append((name, payload))
        request = Request(payload, **{"user": "table-server", **how})
        blob = asyncio.run(self._commands.handle(request))
        self.messages.append(("answer", blob))
        answer: dict[str, Any] = json.loads(blob)
        return answer

    def _next_id(self) -> str:
        return f"{self._seat.table}-{next(self._ids)}"

    def _status(self) -> None:
        self.messages.append(("status", canonical(self._table_status())))

    def _table_status(self) -> dict[str, Any]:
        return asdict(table_status(self.inbox, (), NoPublisher(), LEASE, self._time))  # type: ignore[arg-type] # its state is all that is asked

    def _published(self, blob: bytes) -> None:
        self.messages.append((kind_of_event(json.loads(blob)), blob))

    def _is_open(self) -> bool:
        state = self.inbox.state
        assert not state.held, state.open
        return state.round is not None

    def _act(self, gesture: DealerAction | None) -> None:
        if gesture is not None:
            self._pass(gesture.after_s)
            self._cue(gesture.cue)
            self._pass(0.5)

    def _cue(self, cue: Cue) -> None:
        self._device.cue(self._replay.clock.at, cue)

    def _pass(self, seconds: float) -> None:
        """Let time pass, and the device say what it has to say meanwhile."""
        until = self._replay.clock.at.after(seconds)
        while (wake := self._device.wake_at) is not None and until.reached(wake):
            at = wake if wake.reached(self._replay.clock.at) else self._replay.clock.at
            self._replay.pass_time(at)
            for data in self._device.speak(at):
                self._replay.play(CaptureLine(at.ns / 1e9, "device", data))
            while self._replay.replies:
                self._device.hear(at, self._replay.replies.pop(0))
        self._replay.pass_time(until)


def kind_of_event(envelope: Mapping[str, Any]) -> str:
    """Return `card.dealt` of an envelope."""
    kind: str = envelope["type"]
    return kind.removeprefix("pitwire.").removesuffix(".v1")
