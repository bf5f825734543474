"""A table of any game, played at random on a journal in memory: rounds as they should be, and all
that may come between: strays, faults, cables, restarts, supervisors, words of strangers.

Four steps of five are what is due: so rounds come to their end, with splits and insurance.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, get_args

from support.memory_journal import MemoryJournal

from daemon.delivery.bus import Address
from daemon.gamekit.commitments import Concealed
from daemon.gamekit.shoegame import ShoeRules
from daemon.gamekit.spec import DueCard
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.codec import parse_event
from daemon.runtime.command_payload import ParsedCommand
from daemon.runtime.inbox import Inbox, Outlets
from daemon.runtime.table_start import begin_first_epoch, resume_table
from daemon.service.offline_replay import OfflineClock
from daemon.table.apply import wake_at
from daemon.table.concealment import card_may_be_hidden
from daemon.table.inputs import (
    DeviceSaid,
    DeviceSilent,
    FrameDamaged,
    HiddenSaid,
    LinkDown,
    LinkUp,
    PortShared,
    TimePassed,
)
from daemon.table.state import TableSetup
from daemon.table.transition import context_of
from protocols.cards import DECK, RANKS, SUITS, Card
from protocols.commands import (
    AnnounceResult,
    BurnCards,
    ChangeDealer,
    CloseBets,
    CloseInsurance,
    CloseShoe,
    Command,
    Decide,
    FinishMaintenance,
    LoadShoe,
    OpenRound,
    PeekHoleCard,
    PlayerAction,
    ResolveViolation,
    RevealCard,
    StartMaintenance,
    VoidRound,
)
from protocols.events import Event
from protocols.faces import FACES
from protocols.instant import Instant
from protocols.readings import (
    CardDrawn,
    CardUnread,
    CutCardSeen,
    DiceRead,
    DiceShaken,
    DiceUnread,
    Reading,
    ShoeErrorRaised,
    ShoeResult,
    WheelNumber,
    WheelPhase,
    WheelStatus,
    Winner,
)
from protocols.table_terms import Role

KEY: Final = Concealed(b"the key of every random play: public")
PHASES: Final[tuple[tuple[WheelPhase, float], ...]] = (
    ("before_game", 1.0),
    ("place_bets", 4.0),
    ("ball_in_rim", 6.0),
    ("ball_in_rim", 4.0),
    ("no_more_bets", 4.0),
    ("winning_number", 20.0),
    ("winning_number", 0.5),
)
"""A spin line by line, and how long each comes after the one before."""
WINNERS: Final[tuple[Winner, ...]] = ("player", "banker", "tie", "aborted")
OFTEN: Final = tuple("AAAA88TTK9") + RANKS
"""Ranks that come more often than in a deck: they split, insure and make blackjacks."""


class RandomPlay:
    """One table. `step` lets one thing happen; `heard` gets each event as a consumer gets it."""

    def __init__(self, setup: TableSetup, seed: int, heard: Callable[[int, Event], None]) -> None:
        self.setup = replace(setup, key=KEY)
        self.chance = random.Random(seed)
        self.steps = 0
        self._heard = heard
        self._journal = MemoryJournal()
        self._clock = OfflineClock(Instant(f"boot {seed}", 0))
        self._shoes = self._rounds = self._epochs = 0
        self._line, self._spin, self._pocket = 0, 10, "17"
        self.inbox = self._start()

    def step(self) -> None:
        """Let one thing happen."""
        self.steps += 1
        self._clock.at = self._clock.at.after(self.chance.choice((0.0, 0.4, 1.5, 3.0)))
        if self.chance.random() < 0.8:
            self._what_is_due()
        else:
            self.chance.choice(self._strays())()

    # --- the table -------------------------------------------------------------------------

    def _start(self) -> Inbox:
        outlets = Outlets(shown=self._publish)
        time = Timekeeper(self._clock, lambda: "unknown")
        address = Address("law", self.setup.table, "rehearsal")
        is_new = not self._journal.kept
        inbox = resume_table(
            self.setup, address, self._journal, time, outlets, None, next_epoch=self._epoch
        )
        if is_new:
            begin_first_epoch(inbox, None, next_epoch=self._epoch)
        return inbox

    def _epoch(self, _before: str | None = None) -> str:
        self._epochs += 1
        return f"{self._epochs:06d}-law"

    def _publish(self, blob: bytes) -> None:
        self._heard(int(json.loads(blob)["sequence"]), parse_event(blob))

    def restart(self) -> None:
        """Let the daemon be killed and come back."""
        state = self._journal.last_state(self.setup.table)
        if state is not None:
            kept = self._journal.kept
            del kept[: kept.index(state)]
        self.inbox = self._start()

    def _new_epoch(self) -> None:
        before = self.inbox.stamp.epoch
        self.inbox.new_epoch(self._epoch(), "journal_rolled_back", before)

    # --- what is put in --------------------------------------------------------------------

    def _obey(self, command: Command) -> None:
        call = ParsedCommand(f"c{self.steps}", self._clock.wall(), command, b"")
        self.inbox.obey(call, lambda _answer: None)

    def _say(self, reading: Reading, role: Role = "primary") -> None:
        key = self.setup.devices[role].key
        said = DeviceSaid(role, key, reading, None, f"{self.steps:06x}")
        hidden = card_may_be_hidden(self.setup, self.inbox.state, role, reading)
        self.inbox.put(HiddenSaid(Concealed(said)) if hidden else said)

    def _plug(self) -> None:
        for role, spec in self.setup.devices.items():
            if self.inbox.state.devices.get(role) != "connected":
                self.inbox.put(LinkUp(role, spec.key, "law"))

    def _card(self) -> Card:
        if self.setup.game.boxes:
            return Card(self.chance.choice(OFTEN), self.chance.choice(SUITS))  # type: ignore[arg-type] # ranks
        return self.chance.choice(DECK)

    # --- what is due -----------------------------------------------------------------------

    def _what_is_due(self) -> None:
        state = self.inbox.state
        if any(state.devices.get(role) != "connected" for role in self.setup.devices):
            self._plug()
        elif state.maintenance:
            self._obey(FinishMaintenance("ann", "done"))
        elif state.held and self.chance.random() < 0.7:
            self._resolve()
        elif state.round is None:
            self._between_rounds()
        elif state.round.phase == "betting" and self.setup.game.device_kind != "wheel":
            self._obey(CloseBets(state.round.round_id, self._boxes()))
        else:
            self._in_a_round()

    def _boxes(self) -> tuple[int, ...]:
        """Return boxes, or none: they are named with the round, with its bets, or with both."""
        many = self.chance.choice((0, 1, 1, 2, 3)) if self.setup.game.boxes else 0
        return tuple(self.chance.sample(range(1, 8), many))

    def _resolve(self) -> None:
        hold = self.chance.choice(self.inbox.state.open)
        actions = self.setup.game.resolutions(hold.violation.code, self.setup.profile)
        action = self.chance.choice([one for one in actions if one != "void"] or ["void"])
        value: dict[str, Any] = {
            "shoe": {"card": str(self._card())},
            "wheel": {"pocket": self.chance.choice(("0", "17", "36", "99"))},
            "dice": {"dice": self._faces()},
        }[self.setup.game.device_kind]
        named = value if action == "correct" or self.chance.random() < 0.1 else {}
        self._obey(
            ResolveViolation(hold.violation_id, action, "ann", "why", second_who="bob", **named)
        )

    def _between_rounds(self) -> None:
        due = self.setup.game.due(self.inbox.state.game, context_of(self.setup, self.inbox.state))
        shoe = self.setup.game.shoe_status(self.inbox.state.game)
        rules = self.setup.profile
        if self.setup.game.device_kind == "shoe" and shoe is None:
            self._shoes += 1
            decks = rules.decks if isinstance(rules, ShoeRules) else None
            self._obey(LoadShoe(f"S{self._shoes}", decks or 8))
        elif shoe is not None and (shoe.cards_left < 150 or self.inbox.state.game.shoe.finished):  # type: ignore[attr-defined] # a shoe's
            self._obey(CloseShoe())
        elif isinstance(due, DueCard):
            self._say(CardDrawn(self._card()))
        elif self.setup.control == "device":
            self._in_a_round()
        else:
            self._rounds += 1
            self._obey(OpenRound(f"R{self._rounds}", self._boxes()))

    def _in_a_round(self) -> None:
        state, game = self.inbox.state, self.setup.game
        context = context_of(self.setup, state)
        legal = game.legal_commands(state.game, context)
        due = game.due(state.game, context)
        if legal and (due is None or self.chance.random() < 0.1):
            self._obey(self.chance.choice(legal))
        elif game.device_kind == "wheel":
            self._spin_on()
        elif game.device_kind == "dice":
            self._say(DiceShaken())
            self._say(DiceRead(self._faces(), checked=True))
        elif isinstance(due, DueCard) and due.hidden and "hole" in self.setup.devices:
            self._say(CardDrawn(self._card()), "hole")
        else:
            self._say(CardDrawn(self._card()))

    def _spin_on(self) -> None:
        """Say the next line of the spin; bets are closed on the way."""
        phase, seconds = PHASES[self._line]
        now = self.inbox.state.round
        if phase == "ball_in_rim" and now is not None and now.phase == "betting":
            self._obey(CloseBets(now.round_id))
        self._clock.at = self._clock.at.after(seconds)
        self._say(self._status(phase))
        self._line += 1
        if self._line == len(PHASES):
            self._line, self._spin = 0, self._spin + 1
            self._pocket = self.chance.choice(("0", "17", "36"))

    def _status(self, phase: WheelPhase) -> WheelStatus:
        return WheelStatus(phase, self._spin, self._pocket, frozenset(), 150, "clockwise")

    def _faces(self) -> Any:
        return tuple(FACES[self.chance.choice("12")] for _ in range(3))

    # --- what may come between -------------------------------------------------------------

    def _strays(self) -> list[Callable[[], None]]:
        kind = self.setup.game.device_kind
        of_any = [
            self.restart,
            self._tick,
            self._void,
            self._unplug,
            lambda: self._obey(ChangeDealer(str(self.steps))),
            lambda: self._obey(self._any_command()),
            lambda: self._obey(self._any_command()),
            lambda: self.inbox.put(self._trouble()),
        ]
        if self.chance.random() < 0.1:
            of_any += [self._new_epoch, lambda: self._obey(StartMaintenance("ann", "clean"))]
        return of_any + {"shoe": [self._stray_card] * 3, "wheel": [self._stray_line] * 4}.get(
            kind, [self._stray_dice] * 3
        )

    def _tick(self) -> None:
        wake = wake_at(self.setup, self.inbox.state)
        if wake is not None:
            self._clock.at = max(wake, self._clock.at, key=lambda instant: instant.ns)
        self.inbox.put(TimePassed())

    def _void(self) -> None:
        if self.inbox.state.round is not None and self.chance.random() < 0.3:
            self._obey(VoidRound(self.inbox.state.round.round_id, "misdeal"))

    def _unplug(self) -> None:
        role = self.chance.choice(sorted(self.setup.devices))
        self.inbox.put(LinkDown(role, self.setup.devices[role].key, "pulled"))

    def _trouble(self) -> Any:
        key = self.setup.devices["primary"].key
        return self.chance.choice(
            (
                DeviceSilent("primary", key, 3.0),
                FrameDamaged("primary", key),
                PortShared("primary", key, "cat"),
            )
        )

    def _any_command(self) -> Command:
        round_id = self.inbox.state.round.round_id if self.inbox.state.round else "R0"
        box, hand = self.chance.choice((1, 2, 5)), self.chance.choice((1, 2))
        action = self.chance.choice(get_args(PlayerAction))
        return self.chance.choice(  # type: ignore[no-any-return] # commands
            (
                Decide(round_id, box, hand, action, None, self.chance.random() < 0.3),
                CloseInsurance(round_id),
                PeekHoleCard(round_id),
                RevealCard(self.chance.choice(("dealer.2", "player.1", "dealer.1")), round_id),
                RevealCard("burn.1"),
                CloseBets(round_id),
                BurnCards(1, "discretion"),
                OpenRound(f"X{self.steps}", (1, 2)),
                AnnounceResult(round_id, self.chance.choice((self._pocket, "0"))),
            )
        )

    def _stray_card(self) -> None:
        reading = self.chance.choice(
            (
                CardDrawn(self._card()),
                CardDrawn(self._card(), self.chance.choice(("player", "banker", "dealer", "box2"))),
                CardUnread("no read"),
                CutCardSeen(),
                ShoeErrorRaised(self.chance.randint(1, 7), "x", blocking=True),
                ShoeResult(self.chance.choice(WINNERS), player_pair=False, banker_pair=False),
            )
        )
        beside = [role for role in self.setup.devices if role != "primary"]
        role: Role = self.chance.choice(["primary", "primary", *beside])
        self._say(reading, role)

    def _stray_line(self) -> None:
        self._line = self.chance.randrange(len(PHASES))  # a relaunch, or lines that were lost
        match self.chance.randrange(5):
            case 0:
                self._spin += self.chance.choice((1, 2, -1))
            case 1:
                self._say(WheelNumber(self.chance.choice((self._pocket, "5"))))
            case 2:
                self._say(self._status("closed"))
            case 3:
                flags = frozenset({self.chance.choice(("ball_wrong_way", "launch_failed"))})
                self._say(replace(self._status(PHASES[self._line][0]), flags=flags))
            case _:
                self._pocket = self.chance.choice(("0", "17", "99"))

    def _stray_dice(self) -> None:
        one, two, three = self._faces()
        self._say(
            self.chance.choice(
                (
                    DiceShaken(),
                    DiceRead((one, two, three), checked=False),
                    DiceUnread((None, two, three)),
                )
            )
        )
