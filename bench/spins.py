"""No spin lands without proof: random true spins, over lines that are damaged at random.

Usage: PYTHONPATH=tests python bench/spins.py [--spins N] [--seed S] [--jobs J] [--damage D].

The ball's true laps, direction and pocket are known (tests/support/true_spins.py); a result that
they, or the bets, do not allow is wrong. `--damage one` damages each spin once, `none` not at all,
a number P each line with that probability; without it all are tried: one, none and 0.05, and 0.001
on ordinary spins, of damages as noise makes them. Seeded: sittings S, S+1, … are the same
every time, so a run goes on where another has ended. Ends with 1 where one damage or none made a
wrong result.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from support.judged_spins import SPINS, Damage, Sitting
from support.killed_table import one_codec
from support.line_damage import ANY, BLIND, many_damages, no_damage, one_damage
from support.spin_judge import Score
from support.true_spins import MIXED, ORDINARY

PORTION: Final = 40  # sittings of one job
TOLD_EVERY_S: Final = 60.0
RARE: Final = 0.001
OFTEN: Final = 0.05


@dataclass(frozen=True, slots=True)
class Job:
    """Sittings from a seed on, each damaged alike."""

    seed: int
    sittings: int
    damage: str


def damage_of(word: str) -> Damage:
    """Return how lines are damaged: `one`, `none`, or a rate."""
    if word in ("one", "none"):
        return {"one": one_damage, "none": no_damage}[word]
    rate = float(word)
    kinds = BLIND if rate <= RARE else ANY
    return partial(many_damages, rate=rate, kinds=kinds)


def play(job: Job) -> Score:
    """Play some sittings."""
    score, damage = Score(), damage_of(job.damage)
    mix = ORDINARY if job.damage == str(RARE) else MIXED
    with one_codec():
        for seed in range(job.seed, job.seed + job.sittings):
            Sitting(seed, damage, score, mix).run()
    return score


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--spins", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--damage", help="one, none, or the probability of each line")
    options = parser.parse_args()
    tenth = options.spins // 10
    runs = {"one": options.spins, "none": tenth, str(RARE): tenth, str(OFTEN): tenth}
    if options.damage is not None:
        runs = {options.damage: options.spins}
    wrong = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for word, spins in runs.items():
            score = run(pool, word, spins, options.seed)
            wrong += score.wrong_of.total() if word in ("one", "none") else 0
    return 1 if wrong else 0


def run(pool: ProcessPoolExecutor, word: str, spins: int, seed: int) -> Score:
    """Play so many spins, and tell what became of them."""
    sittings = -(-spins // SPINS)
    last = seed + sittings
    jobs = [Job(at, min(PORTION, last - at), word) for at in range(seed, last, PORTION)]
    total, began, told = Score(), time.monotonic(), time.monotonic()
    for done, score in enumerate(pool.map(play, jobs), 1):
        total.add(score)
        if time.monotonic() - told > TOLD_EVERY_S and done < len(jobs):
            told = time.monotonic()
            following = jobs[done].seed
            print(
                f"  {total.spins} spins, {total.wrong_of.total()} wrong,"
                f" {told - began:.0f} s; --seed {following} goes on from here",
                flush=True,
            )
    tell(word, total, time.monotonic() - began)
    return total


def tell(word: str, score: Score, seconds: float) -> None:
    """Print what was counted."""
    wrong = score.wrong_of.total()
    damages = {"one": "one damage a spin", "none": "no damage"}.get(word, f"{word} of the lines")
    print(
        f"{damages}: {score.spins} spins, {score.lines} lines, {score.landed} landed,"
        f" {seconds:.0f} s"
    )
    limit = f"below {3 / score.spins:.1g} of the spins (95 %)" if not wrong else ""
    print(f"  wrong: {wrong} {dict(score.wrong_of) if wrong else limit}")
    print(
        f"  good and provable: {score.good}, held {share(score.good_held, score.good)};"
        f" with two lines to spare: {score.spare}, held {share(score.spare_held, score.spare)}"
        f" {dict(score.held_of.most_common(5)) or ''}"
    )
    print(
        f"  valid: {score.valid}, called invalid: {score.invalid};"
        f" decided while no line could tell that the ball lay: {score.blind}"
    )
    if score.hurt_of:
        held = (f"{k} {share(score.hurt_held_of[k], n)}" for k, n in sorted(score.hurt_of.items()))
        print("  of those with one damage, held: " + ", ".join(held))
    for one in score.wrong:
        print(f"  wrong in sitting {one.sitting}, spin {one.place}: {one.reason}")
        print(*(f"    {line}" for line in one.story), sep="\n")
    sys.stdout.flush()


def share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.3%})" if whole else "none"


if __name__ == "__main__":
    sys.exit(main())
