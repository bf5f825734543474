"""True spins, sent over a bad line to a real table, and a judge who knows what the ball did.

The table is all of the daemon but links and waiting: decoder, feed, inbox, table and game; a
restart goes through the journal's own recovery. Around it a dealer opens rounds and closes bets,
early, in time, late or never, and a supervisor voids what is held.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final

from support.killed_table import KilledTable
from support.line_damage import Delivery, deliver
from support.spin_judge import House, Judge, Score, Wrong, heard_at
from support.true_spins import MIXED, SPELLINGS, Line, Mix, TrueSpin, TrueWheel

from config.load import TableConfig, builtin_profiles
from config.profiles import games_of
from daemon.service.assembly import one_table, setup_of
from drivers.capture_model import CaptureLine
from protocols.instant import Instant

Damage = Callable[[Sequence[Line], Random], dict[int, str]]
SPINS: Final = 25
"""Spins of one sitting: a wheel, a house and a table, from their first minute on."""
_EXPIRES: Final = "2100-01-01T00:00:00Z"


@cache
def houses() -> tuple[str, ...]:
    """Return every profile of roulette that asks for laps."""
    profiles = builtin_profiles()
    found = [key for key, game in games_of(profiles).items() if game == "roulette"]
    return tuple(one for one in found if _config(one, "cammegh_ss2").profile.min_revolutions > 0)


@cache
def _config(
    profile: str, device: str, control: str = "server", rules: tuple[tuple[str, Any], ...] = ()
) -> TableConfig:
    settings = {"pockets": 38} if profile == "roulette-00" else {}
    return one_table(
        "roulette", profile, device, settings=settings, round_control=control, rules=dict(rules)
    )


def a_house(random: Random) -> House:
    """Choose a table."""
    (device,) = random.choices(list(SPELLINGS), [85, 15])
    return House(
        device=device,
        profile=random.choice(houses()),
        control=random.choices(["server", "device"], [85, 15])[0],
        min_laps=random.choice((3.0, 3.0, 3.0, 3.0, 4.0)),
        nmb_lap_s=random.choice((1.43, 1.43, 1.76, 1.95)),
        bets_end=random.choice(("announced", "announced", "device")),
        rim_event=random.choice(("when_closed", "live")),
        tells_off_track=random.random() < 0.25,
    )


@dataclass(frozen=True, slots=True)
class Hands:
    """When the dealer opens the spin's round and closes its bets; None: not at all."""

    opens_at: float | None
    closes_at: float | None

    def are_in_order(self, spin: TrueSpin) -> bool:
        """Tell whether the round is open before the launch, and closed before the ball rests."""
        if (
            self.opens_at is None
            or self.closes_at is None
            or spin.rest_at is None
            or not spin.courses
        ):
            return False
        return self.opens_at < spin.courses[-1].at and self.closes_at < spin.rest_at

    @classmethod
    def of(cls, spin: TrueSpin, last: float, random: Random, *, errs: bool = True) -> Hands:
        """Return what a dealer does: all in time, most often; always, if he never errs."""
        begins, rest, told = spin.begins, spin.rest_at or last, spin.told_at or last
        launched = spin.courses[-1].at if spin.courses else begins
        opens = begins + random.uniform(0.1, 1.2)
        if not errs:
            return cls(opens, random.uniform(launched, rest))
        roll = random.random()
        if roll < 0.05:
            return cls(None, None)
        if roll < 0.14:
            opens = random.uniform(launched, rest)
        elif roll < 0.15:
            opens = random.uniform(rest, told)
        roll = random.random()
        closes: float | None = random.uniform(max(opens, launched), max(opens, launched, rest))
        if roll < 0.08:
            closes = opens + random.uniform(0.1, 1.0)
        elif roll < 0.17:
            closes = told + random.uniform(0.0, 3.0)
        elif roll < 0.20:
            closes = random.uniform(rest, told)
        elif roll < 0.28:
            closes = None
        latest = last + 0.15
        return cls(min(opens, latest), None if closes is None else min(closes, latest))


class Sitting:
    """One table and its wheel, spin after spin. The same seed: the same everything."""

    def __init__(self, seed: int, damage: Damage, score: Score, mix: Mix = MIXED) -> None:
        self.random = Random(f"sitting {seed}")
        self.house = a_house(self.random)
        self.score = score
        self._seed = seed
        self._damage = damage
        self._mix = mix
        h = self.house
        rules = {
            "min_revolutions": h.min_laps,
            "nmb_lap_s": h.nmb_lap_s,
            "bets_end": h.bets_end,
            "rim_event": h.rim_event,
        }
        config = _config(h.profile, h.device, h.control, tuple(rules.items()))
        self._wheel = TrueWheel(
            self.random,
            h.device,
            config.profile.wheel,
            mix,
            nmb_lap_s=h.nmb_lap_s,
            tells_off_track=h.tells_off_track,
        )
        self._judge = Judge(h, score)
        self._commands = 0
        self._story: list[str] = []
        self._alive = True
        self.table = KilledTable(setup_of(config), config.devices[0].settings, self._shown)

    def run(self, spins: int = SPINS) -> None:
        """Play so many spins."""
        for place in range(spins):
            self._spin(place)

    def _spin(self, place: int) -> None:
        spin, lines = self._wheel.spin()
        last = lines[-1].at
        hands = Hands.of(spin, last, self.random, errs=self._mix.mishaps)
        damages = self._damage(lines, self.random)
        met = deliver(lines, damages, self.random)
        self.score.spins += 1
        self.score.lines += len(lines)
        self.score.damaged += bool(damages)
        wrongs = len(self._judge.wrong)
        kinds = tuple(damages.values())
        in_order = hands.are_in_order(spin)
        self._judge.begin(spin, heard_at(spin, lines, met), kinds, in_order=in_order)
        self._story = [f"{self.house}", f"{spin}: {spin.laps:.2f} laps", f"damages: {damages}"]
        self._play(met, hands, f"R{place}")
        self._supervise(last + 0.2)
        self._judge.end()
        for reason in self._judge.wrong[wrongs:]:
            self.score.wrong_of[reason] += 1
            self.score.wrong.append(Wrong(self._seed, place, reason, tuple(self._story)))

    def _play(self, met: Sequence[Delivery], hands: Hands, round_id: str) -> None:
        """Let the lines and the dealer's commands come, in the order of time."""
        steps: list[tuple[float, Delivery | dict[str, Any]]] = [(one.at, one) for one in met]
        if self.house.control == "server":
            for at, kind in ((hands.opens_at, "round.open"), (hands.closes_at, "bets.close")):
                if at is not None:
                    steps.append((at, {"command": kind, "round_id": round_id}))
        steps.sort(key=lambda step: step[0])
        waiting: list[dict[str, Any]] = []
        for at, step in steps:
            if isinstance(step, Delivery):
                self._meet(step)
            else:
                waiting.append(step)
            while waiting and self._alive:
                self._command(max(at, self.table.clock.at.ns / 1e9), waiting.pop(0))

    def _meet(self, one: Delivery) -> None:
        self._story.append(f"{one.at:9.3f} {one.what:7} {one.data!r}")
        match one.what:
            case "killed":
                self.table.pass_time(Instant("replay", round(one.at * 1e9)))
                self._alive = False
            case "started":
                self._alive = True
                self.table.start_again(one.at)
                self.table.play(CaptureLine(one.at, "link", "open"), stale_bytes=len(one.data))
            case "open":
                self.table.play(CaptureLine(one.at, "link", "open"), stale_bytes=len(one.data))
            case "lost":
                self.table.play(CaptureLine(one.at, "link", "lost"))
            case _:
                self.table.play(CaptureLine(one.at, "device", one.data, one.what == "stale"))

    def _command(self, at: float, command: dict[str, Any]) -> None:
        self._commands += 1
        self._story.append(f"{at:9.3f} command {command}")
        data = {"id": f"c{self._commands}", "expires": _EXPIRES, **command}
        refused = len(self.table.tally.refused)
        self.table.play(CaptureLine(at, "command", data))
        self._story += [f"          refused {why}" for why in self.table.tally.refused[refused:]]

    def _supervise(self, at: float) -> None:
        """Void what is held; else the open round, most often."""
        state = self.table.inbox.state
        if state.open:
            by = {"action": "void", "who": "anna", "why": "held"}
            which = state.open[0].violation_id
            self._command(at, {"command": "violation.resolve", "violation_id": which, **by})
        elif state.round is not None and self.random.random() < 0.7:
            which = state.round.round_id
            self._command(at, {"command": "round.void", "round_id": which, "reason": "over"})

    def _shown(self, blob: bytes) -> None:
        envelope = json.loads(blob)
        kind, data = envelope["type"][8:-3], envelope["data"]
        at = self.table.clock.at.ns / 1e9 if hasattr(self, "table") else 0.0
        if self._story:
            self._story.append(f"          {kind} {data}")
        self._judge.note(at, kind, data)
