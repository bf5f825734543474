"""A table on a bench: the real table and its real game, fed by hand, on a clock of its own.

`TableBench` is a table of any game: what a device says, what the table server says, what a
supervisor decides, time, cables and restarts. Each game's bench adds what only that game has.
There is no journal, bus or device here: what is put in is what a device's feed would put in.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, TypeVar

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.spec import Due, Game, ProfileT, StateT
from daemon.table.apply import apply, start, wake_at
from daemon.table.concealment import card_may_be_hidden
from daemon.table.inputs import (
    Commanded,
    DeviceSaid,
    HiddenSaid,
    Input,
    InputBody,
    LinkDown,
    LinkUp,
    Restarted,
    TimePassed,
)
from daemon.table.state import NO_KEY, RecordRef, TableSetup, TableState
from daemon.table.transition import context_of
from protocols.commands import (
    CloseBets,
    Command,
    OpenRound,
    ResolveAction,
    ResolveViolation,
    VoidRound,
)
from protocols.device import DeviceSpec
from protocols.events import Event, RoundCompleted, ViolationRaised
from protocols.instant import Instant
from protocols.readings import Reading
from protocols.refusals import Refusal
from protocols.table_terms import Role, RoundControl

PROFILES: Final = Path(__file__).parents[2] / "config" / "profiles"
TABLE, EPOCH, DIGEST, ROUND = "T-1", "000001-bench", "b2:00", "R1"
EventT = TypeVar("EventT")


SUPERVISED: Final = {
    "malfunction": "supervisor",
    "before_no_more_bets": "supervisor",
    "inspection": "off",
}
"""What a supervisor may decide is left to him: the strict houses leave him to void. Most tests ask
what a decision does; tests/daemon/table/test_house_rules.py asks which house allows it."""


def rules_of(game: Game[StateT, ProfileT], house: str, changes: Mapping[str, Any]) -> ProfileT:
    """Return the rules of a house, as its file states them, `SUPERVISED` and some changed."""
    return replace(written_rules(game, house), **{**SUPERVISED, **changes})


def written_rules(game: Game[StateT, ProfileT], house: str) -> ProfileT:
    """Return the rules of a house, as its file states them."""
    return game.profile_type(**_rules(house))


@functools.cache
def _rules(house: str) -> Mapping[str, Any]:
    rules = tomllib.loads((PROFILES / f"{house}.toml").read_text())["rules"]
    return MappingProxyType(
        {name: tuple(rule) if isinstance(rule, list) else rule for name, rule in rules.items()}
    )


class TableBench(Generic[StateT, ProfileT]):
    """One table. What is put in returns the events that it caused.

    now      moves by PAUSE_S before each input, and by `wait`
    refusal  why the last command that was asked for was refused
    """

    PAUSE_S: ClassVar[float] = 0.0

    def __init__(
        self,
        game: Game[StateT, ProfileT],
        rules: ProfileT,
        devices: Mapping[Role, DeviceSpec],
        control: RoundControl = "server",
        key: Concealed[bytes] = NO_KEY,
    ) -> None:
        self.setup = TableSetup(
            TABLE, game, rules, game.default_profile, DIGEST, control, devices, key
        )
        self.state: TableState = start(self.setup)
        self.now = Instant("boot", 0)
        self.events: list[Event] = []
        self.heard_at: dict[Role, Instant] = {}
        self.refusal: Refusal | None = None
        self._record = 0
        self.plug()

    @property
    def game(self) -> StateT:
        """Return what the game remembers."""
        assert isinstance(self.state.game, self.setup.game.state_type)
        return self.state.game

    @property
    def due(self) -> Due:
        """Return what the game waits for next from its device."""
        return self.setup.game.due(self.state.game, context_of(self.setup, self.state))

    @property
    def legal_commands(self) -> set[Command]:
        """Return what the game waits for next from the table server."""
        context = context_of(self.setup, self.state)
        return set(self.setup.game.legal_commands(self.state.game, context))

    @property
    def codes(self) -> list[str]:
        """Return the code of every violation so far."""
        return [event.code for event in found(self.events, ViolationRaised)]

    @property
    def outcomes(self) -> list[Any]:
        """Return how every completed round ended, in the game's own words."""
        completed = [event.outcome for event in found(self.events, RoundCompleted)]
        assert all(isinstance(outcome, self.setup.game.outcome_type) for outcome in completed)
        return completed

    # --- inputs ----------------------------------------------------------------------------

    def put(self, body: InputBody) -> list[Event]:
        """Let anything happen that is not refused."""
        events = self._put(body)
        assert self.refusal is None, self.refusal
        return events

    def _put(self, body: InputBody) -> list[Event]:
        self.now = self.now.after(self.PAUSE_S)
        mark = RecordRef(EPOCH, self._record + 1)
        step = apply(self.setup, self.state, Input(self.now, body), mark)
        self.state, self.refusal = step.state, step.refusal
        self._record += 1 + len(step.events)
        self.events += step.events
        return list(step.events)

    # --- devices ---------------------------------------------------------------------------

    def hear(
        self, *readings: Reading, role: Role = "primary", number: str | None = None
    ) -> list[Event]:
        """Let a device say something, concealed where its feed would conceal it.

        number  of the frame, where the device numbers its frames
        """
        events: list[Event] = []
        for reading in readings:
            raw = "" if number is None else number
            key, before = self.setup.devices[role].key, self.heard_at.get(role)
            said = DeviceSaid(role, key, reading, number, raw, heard_before=before)
            self.heard_at[role] = self.now
            hidden = card_may_be_hidden(self.setup, self.state, role, reading)
            events += self.put(HiddenSaid(Concealed(said)) if hidden else said)
        return events

    def plug(self) -> list[Event]:
        """Open the link of each device."""
        return [
            event
            for role, spec in self.setup.devices.items()
            for event in self.put(LinkUp(role, spec.key, "bench"))
        ]

    def unplug(self) -> list[Event]:
        """Pull the primary device's cable and put it in again."""
        key = self.setup.devices["primary"].key
        lost = self.put(LinkDown("primary", key, "unplugged"))
        return lost + self.put(LinkUp("primary", key, "bench"))

    # --- time ------------------------------------------------------------------------------

    def wait(self, seconds: float) -> list[Event]:
        """Let time pass; the table gets its wake-ups on the way."""
        until = self.now.after(seconds)
        events: list[Event] = []
        while (wake := wake_at(self.setup, self.state)) is not None and until.reached(wake):
            self.now = max(wake, self.now, key=lambda instant: instant.ns)
            events += self.put(TimePassed())
        self.now = until
        return events

    def reboot(self) -> None:
        """Let the machine's clock begin anew."""
        self.now = Instant("another boot", 5)

    def restart(self) -> list[Event]:
        """Let the daemon restart."""
        return self.put(Restarted("test", 0)) + self.plug()

    # --- the table server ------------------------------------------------------------------

    def ask(self, command: Command, day: str | None = None) -> list[Event]:
        """Let the table server say something, whatever comes of it: see `refusal`.

        day  the table's own day, where it matters
        """
        return self._put(Commanded(command, f"c{self._record}", day=day))

    def obey(self, command: Command) -> list[Event]:
        """Let it say something that is obeyed."""
        return self.put(Commanded(command, f"c{self._record}"))

    def refused(self, command: Command) -> Refusal | None:
        """Return why a command would be refused now, None where it would be obeyed."""
        said = Commanded(command, "c")
        return apply(self.setup, self.state, Input(self.now, said)).refusal

    def open(self, round_id: str = ROUND) -> list[Event]:
        """Open a round."""
        return self.obey(OpenRound(round_id))

    def close(self, round_id: str = ROUND) -> list[Event]:
        """Close its bets."""
        return self.obey(CloseBets(round_id))

    def void(self) -> list[Event]:
        """Void the open round."""
        assert self.state.round is not None
        return self.obey(VoidRound(self.state.round.round_id, "test"))

    # --- supervisors -----------------------------------------------------------------------

    def decision(
        self, code: str, action: ResolveAction, named: str | None = None
    ) -> ResolveViolation:
        """Return a supervisor's decision about the oldest open violation of this code.

        named  what it names in place of what was read: a card, a pocket, three dice
        """
        violation = next(one for one in self.state.open if one.violation.code == code)
        names = {} if named is None else self.named(named)
        return ResolveViolation(
            violation.violation_id, action, "anna", "seen", second_who="bert", **names
        )

    def named(self, text: str) -> dict[str, Any]:
        """Return the field of a decision that names something of this game."""
        return {"card": text}

    def resolve(self, code: str, action: ResolveAction, named: str | None = None) -> list[Event]:
        """Let a supervisor decide so."""
        return self.obey(self.decision(code, action, named))


def found(events: Iterable[object], kind: type[EventT]) -> list[EventT]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def kinds(events: Iterable[Event]) -> list[str]:
    """Return what happened, by name."""
    return [event.kind for event in events]
