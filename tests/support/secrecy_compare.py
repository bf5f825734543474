"""Telling two plays apart: what each surface showed, commitments and nonces masked."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from daemon.cli import capture, control_client, watch
from daemon.journal.cipher import is_sealed
from daemon.journal.records import Record
from drivers.rotation import RotatingCapture

TABLE = "T-1"
Surfaces = dict[str, list[str]]
_COMMITMENT = re.compile(r'(?<=(?:"ace|"ten|card)":")[0-9a-f]{64}')
_LOCKED = re.compile(r'(?<="locked":")[A-Za-z0-9+/=]+')
_REVEALED = '"type":"pitwire.card.revealed.v1"'


@dataclass
class Step:
    """What one step showed, by surface, in order."""

    name: str
    shown: Surfaces

    @property
    def reveals(self) -> bool:
        return any(_REVEALED in one for one in self.shown["bus"])


def masked(text: str) -> str:
    """Return it without commitments and sealed boxes, as long as it was."""
    plain = _COMMITMENT.sub("#" * 64, text)
    return _LOCKED.sub(lambda found: "#" * len(found[0]), plain)


def in_the_journal(record: Record) -> str:
    """Return what the journal shows of a record to whoever has no key."""
    place = f"{record.record} {record.epoch} {record.seq} {record.kind}"
    if is_sealed(record):
        return f"{place} sealed with {json.loads(record.blob)['key']}, {len(record.blob)} bytes"
    return f"{place} {record.blob.decode()}"


# --- telling two plays apart -----------------------------------------------------------------


def differences(one: list[Step], two: list[Step]) -> dict[str, str]:
    """Return by surface where two plays differ first, before the card is turned in either."""
    found: dict[str, str] = {}
    ends = [next((at for at, step in enumerate(all_) if step.reveals), None) for all_ in (one, two)]
    if ends[0] != ends[1] or [step.name for step in one] != [step.name for step in two]:
        found["order"] = f"turned at step {ends[0]} and at step {ends[1]}"
    end = min((at for at in ends if at is not None), default=len(one))
    for at, (first, second) in enumerate(zip(one[:end], two[:end], strict=False)):
        for surface in {*first.shown, *second.shown} - found.keys():
            ours, theirs = first.shown.get(surface, []), second.shown.get(surface, [])
            if ours != theirs:
                unlike = [pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]]
                found[surface] = f"step {at} ({first.name}): {unlike or (ours, theirs)}"
    if end < len(one) and before_it(one[end]) != before_it(two[end]):
        found.setdefault("bus", f"step {end}, before the card is turned")
    for surface, text in (("watch", watched), ("capture", captured)):
        if text(one[:end]) != text(two[:end]):
            found[surface] = "its text"
    return found


def before_it(step: Step) -> list[str]:
    """Return what the bus was told in this step before the card was turned."""
    told = step.shown["bus"]
    turned = next((at for at, blob in enumerate(told) if _REVEALED in blob), len(told))
    return told[:turned]


def _lines(steps: list[Step], surface: str) -> list[dict[str, Any]]:
    shown = [json.loads(one) for step in steps for one in step.shown.get(surface, [])]
    return [{"watching": TABLE, "first": True}, *shown]


def watched(steps: list[Step]) -> str:
    """Return what `pitwire watch` prints of these steps."""
    printed = io.StringIO()
    lines = _lines(steps, "frames")
    with (
        mock.patch.object(control_client, "follow", return_value=iter(lines)),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        watch._watch_table(TABLE, "")
    return printed.getvalue()


def captured(steps: list[Step]) -> str:
    """Return the files that `pitwire capture` writes of these steps, one for each role."""
    lines, files = _lines(steps, "chunks"), ""
    for role in sorted({one["role"] for one in lines if "role" in one}):
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(control_client, "follow", return_value=iter(lines)),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            path = Path(folder) / "file"
            with RotatingCapture(path, {"device": "any"}, 10**6, 1) as writer:
                capture._follow(TABLE, role, "", writer)
            files += path.read_text()
    return files
