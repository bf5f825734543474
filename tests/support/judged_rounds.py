"""True rounds of cards, read over a bad line by a real table, and a judge who knows the cards.

One damage a round, at a random moment: a frame is lost, bent, torn, doubled, or in two pieces;
noise stands on the line; the link is lost and comes back; the daemon is restarted; what was sent is
held up; an answer to the device is lost; a numbered frame is overtaken by the next. A link that
checks what it carries bends nothing.

Wrong is every round that is completed with other cards or another winner than were dealt. Where
the line has no check value or no number, a damage may make another valid card, or a valid card
twice, or take one away without a trace: nothing on the line tells of that. It is counted by itself,
and only where the line's bytes prove it (`another_round.py`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any, Final

from support.another_round import Excuse, excuse_of
from support.card_line import CardLine, Flips
from support.line_damage import OF_A_FRAME
from support.true_rounds import DEALERS, READERS, Reader, TrueRound, shuffled

from daemon.service.assembly import one_table, setup_of
from daemon.table.state import TableSetup
from drivers.capture_model import CaptureLine
from protocols.catalog import devices
from protocols.simulator import DrawCard

ROUNDS: Final = 6
"""Rounds of one sitting: a table and a new shoe."""
ANSWERED_S: Final = 5.0
"""So long after its last card a round is waited for: a scanner sends again within two seconds."""
OF_THE_LINK: Final = ("link_lost", "restarted", "noise", "held_up")
OF_PACKETS: Final = ("lost", "doubled", "loss_told", "link_lost", "restarted", "held_up")
OF_BYTES: Final = (*OF_A_FRAME, *OF_THE_LINK, "split", "loss_told", "answer_lost")
OF_NUMBERED: Final = ("overtaken",)
HOUSES: Final = {
    "baccarat": ("baccarat-dk", "baccarat-lv", "baccarat-gr"),
    "dragon_tiger": ("dragon-tiger",),
}
CONTROLS: Final = ("server", "server", "device")
"""Who opens the rounds: the table server, or the first card."""
DECISIONS_MAX: Final = 4
_EXPIRES: Final = "2100-01-01T00:00:00Z"


@dataclass
class Tally(Flips):
    """What was counted of one reader.

    held         damaged rounds that were not completed; `unharmed`: completed, and right
    misread      the damage made another valid card, and the line has no check value
    doubled      an older card's frame came again, and the device does not number its frames
    vanished     it took one away, and neither a number nor anything else tells of that
    wrong        completed otherwise than it was dealt, and a table could have known
    clean        rounds without a damage; `clean_held`: those that were not completed
    """

    rounds: int = 0
    damaged: int = 0
    held: int = 0
    unharmed: int = 0
    misread: int = 0
    doubled: int = 0
    vanished: int = 0
    wrong: int = 0
    clean: int = 0
    clean_held: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    stories: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.stories = sorted(self.stories, key=len)[:3]


def damages_of(reader: Reader) -> Sequence[str]:
    """Return what may go wrong on the way from such a reader."""
    numbered = OF_NUMBERED if reader.spec.sequence is not None else ()
    return (*(OF_PACKETS if reader.sends_packets else OF_BYTES), *numbered)


@cache
def setup_for(reader: str, game: str, house: str, control: str) -> TableSetup:
    """Return a table of this reader; its house burns nothing, which is another matter."""
    one = READERS[reader]
    burns = ("burn_after_shuffle", "burn_after_misdeal", "burn_after_dealer_change")
    rules: dict[str, Any] = {**dict.fromkeys(burns, 0), "decks": one.decks}
    if one.decks == 1:
        rules |= {"cut_card_from_back": 7, "cut_card_tolerance": 0}
    setup = setup_of(one_table(game, house, one.device, round_control=control, rules=rules))
    return replace(setup, devices={"primary": devices()[one.device].under(one.settings)})


class Sitting:
    """One table, one shoe and one reader, round after round. The same seed: the same everything."""

    def __init__(
        self, seed: int, reader: str, tally: Tally, kinds: Sequence[str] | None = None
    ) -> None:
        """`kinds`: the damages to choose from, all of them where None, none where empty."""
        self.random = random = Random(f"sitting {seed} {reader}")
        self.tally = tally
        self._reader = READERS[reader]
        self._kinds = damages_of(self._reader) if kinds is None else kinds
        game = random.choice(list(DEALERS))
        self._deal = DEALERS[game]
        self._control = random.choice(CONTROLS)
        self._shoe = shuffled(self._reader.decks, random)
        self._story: list[str] = []
        self._title = f"sitting {seed}: {reader}, {game}, rounds by the {self._control}"
        setup = setup_for(reader, game, random.choice(HOUSES[game]), self._control)
        self._line = CardLine(setup, self._reader, random, self._shown, self._story, tally)
        self._outcomes: list[tuple[Mapping[str, Any], bytes]] = []
        self._commands = 0

    def run(self, rounds: int = ROUNDS) -> None:
        """Play so many rounds."""
        self._line.pass_time(1.0)
        self._command("shoe.load", shoe_id="S1", decks=self._reader.decks)
        for place in range(rounds):
            self._round(f"R{place}")

    def _round(self, round_id: str) -> None:
        random, line = self.random, self._line
        truth, kind = self._deal(self._shoe), self._kind()
        self._story.clear()
        self._story += [self._title, f"damage: {kind}"]
        self._outcomes.clear()
        line.begin()
        line.pass_time(random.uniform(0.3, 1.0))
        if self._control == "server":
            self._command("round.open", round_id=round_id)
            self._command("bets.close", round_id=round_id)
        hurt = random.randrange(len(truth.cards))
        stops = random.random() < 0.5
        for place, dealt in enumerate(truth.cards):
            pause = random.uniform(1.2, 2.2)
            early = random.uniform(0.0, pause)
            line.pass_time(early)
            if place == hurt and kind is not None:
                line.hurt(kind)
            line.pass_time(pause - early)
            if stops and line.table.inbox.state.held:
                break
            self._story.append(f"{line.seconds:9.3f} {dealt.slot} is {dealt.card}")
            line.draw(DrawCard(dealt.card, dealt.target, dealt.place))
        line.pass_time(ANSWERED_S)
        line.come_back()
        self._count(truth, kind)
        self._supervise()

    def _kind(self) -> str | None:
        return self.random.choice(self._kinds) if self._kinds else None

    def _count(self, truth: TrueRound, kind: str | None) -> None:
        tally, right = self.tally, [truth.agrees(outcome) for outcome, _ in self._outcomes]
        tally.rounds += 1
        if kind is None:
            tally.clean += 1
            tally.clean_held += not right
        else:
            tally.damaged += 1
            tally.held += not right
            tally.unharmed += right == [True]
        if all(right):
            return
        what = self._excuse(truth, kind)
        setattr(tally, what, getattr(tally, what) + 1)
        tally.by_kind[f"{what}: {kind}"] += 1
        if what == "wrong":
            tally.stories.append(tuple(self._story))

    def _excuse(self, truth: TrueRound, kind: str | None) -> Excuse:
        """Return what a wrong round is put down to. Of two equal frames at once that tells."""
        (outcome, came), *more = self._outcomes
        if more or self._line.told:
            return "wrong"
        drawn = [one.card for one in truth.cards]
        what = excuse_of(self._reader, self._deal, drawn, outcome, came)
        return what if what in self._reader.lets_pass and what != kind else "wrong"

    def _command(self, kind: str, **fields: Any) -> None:
        self._commands += 1
        self._story.append(f"{self._line.seconds:9.3f} command {kind} {fields}")
        data = {"id": f"c{self._commands}", "expires": _EXPIRES, "command": kind, **fields}
        self._line.table.play(CaptureLine(self._line.seconds, "command", data))

    def _supervise(self) -> None:
        for _ in range(DECISIONS_MAX):
            state = self._line.table.inbox.state
            if state.open:
                by = {"action": "void", "who": "anna", "why": "held"}
                self._command("violation.resolve", violation_id=state.open[0].violation_id, **by)
            elif state.round is not None:
                self._command("round.void", round_id=state.round.round_id, reason="over")

    def _shown(self, blob: bytes) -> None:
        envelope = json.loads(blob)
        kind, data = envelope["type"][8:-3], envelope["data"]
        self._story.append(f"          {kind} {data}")
        if kind == "round.completed":
            self._outcomes.append((data["outcome"], b"".join(self._line.came)))
