"""Every scenario is derived again from its raw frames; one changed byte of it is found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.scenario import Played, every_capture, every_scenario, play, play_capture

from daemon.journal.records import Record
from daemon.runtime.audit import Audited, audit
from daemon.runtime.catalog import games
from daemon.runtime.codec import EnvelopeFields
from protocols.canonical import canonical

STAMP = EnvelopeFields("replay", "", "replay", "", "")
each_scenario = pytest.mark.parametrize(
    "path", every_scenario(), ids=lambda path: f"{path.parent.name}/{path.stem}"
)


def audited(played: Played, records: list[Record] | None = None) -> Audited:
    return audit(records or played.records, played.setup, STAMP, played.readers)


@each_scenario
def test_a_scenario_is_derived_again_to_the_byte(path: Path) -> None:
    played = play(path)
    report = audited(played)
    assert report.difference is None
    assert (report.records, report.passed_over) == (len(played.records), 0)
    assert report.events == len(played.events)


@pytest.mark.parametrize(
    "path", every_capture(), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_a_recording_of_a_device_is_derived_again_to_the_byte(path: Path) -> None:
    played = play_capture(path)
    report = audited(played)
    assert report.difference is None
    assert (report.records, report.passed_over) == (len(played.records), 0)


def changed(blob: bytes, at: int) -> bytes:
    """Change one bit of a blob's text so that it stays text."""
    return blob[:at] + bytes([blob[at] ^ 1]) + blob[at + 1 :]


def places(blob: bytes, name: str) -> range:
    """Return where the value of a member stands."""
    key = f'"{name}":"'.encode()
    first = blob.rindex(key) + len(key)  # of the envelope: its data come before
    return range(first, blob.index(b'"', first))


SHORT = [
    min(of_game, key=lambda one: one.stat().st_size)
    for game in sorted(games())
    if (of_game := [one for one in every_scenario() if one.parent.name == game])
]
"""The shortest scenario of each game that has one."""
EVERY = 5
"""Of so many bytes of an event one is changed; prime to nothing that an event is made of."""


@pytest.mark.parametrize("path", SHORT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_one_changed_byte_of_a_frame_is_found_and_named(path: Path) -> None:
    played = play(path)
    for number, record in enumerate(played.records):
        if record.kind != "input" or b'"raw":"' not in record.blob:
            continue
        for at in places(record.blob, "raw"):
            records = list(played.records)
            records[number] = replace(record, blob=changed(record.blob, at))
            difference = audited(played, records).difference
            assert difference is not None, (record, at)
            assert difference.record == record.record


NOT_DERIVED = ("time", "clockquality")


@pytest.mark.parametrize("path", SHORT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_one_changed_byte_of_an_event_is_found_and_named(path: Path) -> None:
    played = play(path)
    for number, record in enumerate(played.records):
        if record.kind != "event":
            continue
        own = {at for name in NOT_DERIVED for at in places(record.blob, name)}
        own |= {*places(record.blob, "profile")}
        for at in sorted({*range(number % EVERY, len(record.blob), EVERY)} - own):
            records = list(played.records)
            records[number] = replace(record, blob=changed(record.blob, at))
            difference = audited(played, records).difference
            assert difference is not None, (record, at)
            assert difference.record == record.record


@pytest.mark.parametrize("path", SHORT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_event_that_is_missing_added_or_of_other_rules_is_found(path: Path) -> None:
    played = play(path)
    for number, record in enumerate(played.records):
        if record.kind != "event":
            continue
        fewer = played.records[:number] + played.records[number + 1 :]
        more = played.records[: number + 1] + played.records[number:]
        assert audited(played, fewer).difference is not None
        assert audited(played, more).difference is not None
        envelope = json.loads(record.blob)
        other = replace(record, blob=canonical({**envelope, "profile": "b2:00"}))
        rest = played.records[number + 1 :]
        report = audited(played, [*played.records[:number], other, *rest])
        assert report.other_profile == (record.record, "b2:00"), "it is named, and passed over"
