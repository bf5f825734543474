"""A harness: many seeded trials of one kind of harm, each of which holds or is a failure.

A trial is a number; the same seed and number do the same. A run can be cut off and taken up again:
what is done is kept in a file, with the seed.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

_SAVE_EVERY_S = 5.0


class Harness(Protocol):
    """One kind of harm.

    total  how many different trials there are, None for as many as one likes
    """

    name: str
    total: int | None
    outcomes: Counter[str]

    async def prepare(self, folder: Path, seed: int) -> None:
        """Make what is harmed."""

    async def trial(self, number: int) -> str | None:
        """Do one; return what was wrong, None if it held."""


@dataclass
class Report:
    """How many trials were done, of how many, and what failed."""

    name: str
    seed: int
    done: int = 0
    total: int | None = None
    failures: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        of = "" if self.total is None else f" of {self.total}"
        bound = "" if self.failures or not self.done else f", p < {3 / self.done:.1e} (3/N)"
        what = ", ".join(f"{count} {word}" for word, count in sorted(self.outcomes.items()))
        count = f"N = {self.done}{of}, failures {len(self.failures)}{bound}"
        lines = [
            f"{self.name}: {count}, seed {self.seed}",
            f"  {what}",
            *(f"  FAILED {failure}" for failure in self.failures[:20]),
        ]
        return "\n".join(lines)


async def run(
    harness: Harness,
    *,
    seed: int,
    count: int | None,
    minutes: float | None = None,
    resume: Path | None = None,
    progress: Callable[[Report], None] | None = None,
) -> Report:
    """Do `count` trials, or all there are, for at most so many minutes."""
    with tempfile.TemporaryDirectory(prefix=f"pitwire-{harness.name}-") as folder:
        report = Report(harness.name, seed)
        if resume is not None and resume.exists():
            saved = json.loads(resume.read_text("utf-8"))
            report.seed, report.done, report.failures = (
                saved["seed"],
                saved["done"],
                saved["failures"],
            )
            harness.outcomes.update(saved["outcomes"])
        await harness.prepare(Path(folder), report.seed)
        report.total, report.outcomes = harness.total, harness.outcomes
        numbers = [number for number in (count, harness.total) if number is not None]
        last = min(numbers) if numbers else 0
        began = saved_at = time.monotonic()
        while report.done < last:
            try:
                failure = await harness.trial(report.done)
            except Exception as error:  # noqa: BLE001 - a traceback is what a trial looks for
                failure = f"{type(error).__name__}: {error}; {traceback.format_exc()}"
            if failure is not None:
                report.failures.append(f"{report.done}: {failure}")
            report.done += 1
            now = time.monotonic()
            if now - saved_at > _SAVE_EVERY_S:
                saved_at = now
                _save(report, resume)
                if progress is not None:
                    progress(report)
            if minutes is not None and now - began > minutes * 60:
                break
        _save(report, resume)
    return report


async def once(harness: Harness, seed: int, number: int) -> str | None:
    """Do one trial again."""
    with tempfile.TemporaryDirectory(prefix=f"pitwire-{harness.name}-") as folder:
        await harness.prepare(Path(folder), seed)
        return await harness.trial(number)


def run_all(harness: Harness, seed: int = 1, count: int | None = None) -> Report:
    """Do trials for a test; those that are not done come with another seed."""
    return asyncio.run(run(harness, seed=seed, count=count))


def _save(report: Report, resume: Path | None) -> None:
    if resume is None:
        return
    kept = {
        "seed": report.seed,
        "done": report.done,
        "failures": report.failures,
        "outcomes": report.outcomes,
    }
    half = resume.with_name(resume.name + ".new")
    half.write_text(json.dumps(kept), "utf-8")
    half.rename(resume)
