"""The law of the fold: what a consumer knows from the events is what the table has, and what
`table.status` says, after every input.

Three know the play: the table itself, its status, and a consumer that has folded the events since
`table.started`. A second consumer comes late: at some inputs it takes the status, forgets what it
had, and goes on with the events. After every input they all agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from support.killed_table import one_codec
from support.random_play import RandomPlay
from support.told_and_true import difference

from config.load import builtin_profiles
from config.profiles import games_of
from daemon.gamekit.spec import AnyGame
from daemon.runtime.codec import parse_play, play_json
from daemon.service.assembly import one_table, setup_of
from daemon.table.state import TableSetup
from protocols.catalog import devices
from protocols.events import Event
from protocols.play_fold import NOTHING_TOLD, after

_MORE: Final[Mapping[str, dict[str, Any]]] = {
    "blackjack": {
        "double": "first_two_and_split",
        "double_dark": True,
        "splits_allowed": 3,
        "split_aces_once": False,
        "split_aces_one_card": False,
    },
    "baccarat": {"concealed": "until_reveal", "burned_faces": "on_request"},
}
"""Rules under which more may happen than in the houses of the books."""
SITTING: Final = 400
"""Steps until a table begins anew."""


@dataclass
class Score:
    """What was played, and the first thing that the events told otherwise."""

    steps: int = 0
    events: Counter[str] = field(default_factory=Counter)
    broken: str | None = None

    @property
    def rounds(self) -> int:
        """Return how many rounds came to an end."""
        return self.events["round.completed"] + self.events["round.voided"]


class Consumer:
    """Folds the events that it hears."""

    def __init__(self) -> None:
        self.play = NOTHING_TOLD

    def hear(self, seq: int, event: Event) -> None:
        """Take one event."""
        self.play = after(self.play, event, seq)


def setups(game: AnyGame) -> Iterator[TableSetup]:
    """Yield tables of every kind that the game may be played at."""
    keys = [key for key, spec in devices().items() if spec.kind == game.device_kind]
    houses = [house for house, of in games_of(builtin_profiles()).items() if of == game.key]
    for house in sorted(houses):
        for control in game.controls:
            for rules in _rules(game):
                table = setup_of(
                    one_table(game.key, house, keys[0], round_control=control, rules=rules)
                )
                yield table
                if game.device_kind == "shoe" and control == "server":
                    hole = {"hole": table.devices["primary"]}
                    yield replace(table, devices={**table.devices, **hole})
                witness = {"witness": table.devices["primary"]}
                wait_s = 2.0 if control == "server" else 0.0
                yield replace(table, devices={**table.devices, **witness}, witness_wait_s=wait_s)


def _rules(game: AnyGame) -> list[dict[str, Any]]:
    strict: dict[str, Any] = {"malfunction": "supervisor", "before_no_more_bets": "supervisor"}
    strict["inspection"] = "off"
    if game.device_kind == "wheel":
        loose = {**strict, "min_revolutions": 0.0}
        return [loose, {**strict, "unproven": "announced"}, {**loose, "rim_event": "live"}]
    return [strict, {"inspection": "off"}, {**strict, **_MORE.get(game.key, {})}]


def play(game: AnyGame, steps: int, seed: int = 0) -> Score:
    """Play random tables of a game; stop at the first step after which the three do not agree."""
    score, tables = Score(), list(setups(game))
    with one_codec():
        while score.steps < steps and score.broken is None:
            _sit(tables[seed % len(tables)], seed, min(SITTING, steps - score.steps), score)
            seed += 1
    return score


def _sit(setup: TableSetup, seed: int, steps: int, score: Score) -> None:
    listener, latecomer = Consumer(), Consumer()

    def heard(seq: int, event: Event) -> None:
        score.events[event.kind] += 1
        listener.hear(seq, event)
        latecomer.hear(seq, event)

    table = RandomPlay(setup, seed, heard)
    for step in range(steps):
        table.step()
        score.steps += 1
        inbox = table.inbox
        told = difference(table.setup, inbox.state, listener.play)
        status = play_json(inbox.play) if step % 8 == 0 else None
        if told is not None:
            score.broken = told
        elif inbox.play != listener.play:
            score.broken = f"the status says {inbox.play}, the events {listener.play}"
        elif latecomer.play != listener.play:
            score.broken = f"a latecomer knows {latecomer.play}, a listener {listener.play}"
        elif status is not None:
            latecomer.play = parse_play(status)
        if score.broken is not None:
            score.broken = f"{setup.profile_key}, seed {seed}, step {step}: {score.broken}"
            return
