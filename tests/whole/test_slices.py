"""However a stream is cut on its way, the journal is the same to the byte. Packets are not cut."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.memory_journal import MemoryJournal

from daemon.demo.demo import DEMO_TABLES
from daemon.journal.records import Record
from daemon.runtime.catalog import games
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay
from drivers.capture import read_capture
from drivers.capture_model import Capture, CaptureLine
from protocols.catalog import devices

FOLDER = Path(__file__).parent.parent / "captures"
SCENARIOS = sorted(FOLDER.glob("*/*.capture"))
STREAMED = [path for path in SCENARIOS if devices()[path.parent.name].wiring.unit == "stream"]
Cut = Callable[[bytes], list[bytes]]


def journal_of(capture: Capture, cut: Cut) -> list[Record]:
    """Replay on a table of the device's kind, each of its moments cut in pieces."""
    spec = devices()[capture.header["device"]]
    game = next(one for one in games().values() if one.device_kind == spec.kind)
    setup = setup_of(one_table(game.key, game.default_profile, spec.key))
    kept = MemoryJournal()
    moments = tuple(piece for moment in capture.lines for piece in pieces(moment, cut))
    OfflineReplay(setup, spec, spec.settings(), lambda _: None, kept).run(
        Capture(capture.header, moments)
    )
    return kept.kept


def first_difference(ours: list[Record], whole: list[Record]) -> tuple[Record, Record] | None:
    """Return the first two that differ; a whole journal is too long to be shown."""
    assert len(ours) == len(whole)
    return next((pair for pair in zip(ours, whole, strict=True) if pair[0] != pair[1]), None)


def pieces(moment: CaptureLine, cut: Cut) -> Iterator[CaptureLine]:
    if moment.direction == "device" and isinstance(moment.data, bytes):
        for part in cut(moment.data):
            yield CaptureLine(moment.seconds, "device", part)
    else:
        yield moment


@cache
def golden(path: Path) -> tuple[Capture, list[Record]]:
    capture = read_capture(path)
    return capture, journal_of(capture, lambda data: [data])


def cut_by(seed: int, longest: int) -> Cut:
    lot = Random(seed)

    def cut(data: bytes) -> list[bytes]:
        parts = []
        while data:
            length = lot.randint(1, longest)
            parts.append(data[:length])
            data = data[length:]
        return parts

    return cut


def test_every_seat_of_the_house_has_scenarios() -> None:
    assert {path.parent.name for path in SCENARIOS} >= {seat.device for seat in DEMO_TABLES}


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_scenario_leaves_a_journal_with_events(path: Path) -> None:
    records = golden(path)[1]
    assert [one.record for one in records] == list(range(1, len(records) + 1))
    assert {"input", "event"} <= {one.kind for one in records}


@pytest.mark.parametrize("path", STREAMED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_byte_by_byte_the_journal_is_the_same(path: Path) -> None:
    capture, whole = golden(path)
    ours = journal_of(capture, lambda data: [bytes([one]) for one in data])
    assert first_difference(ours, whole) is None


@pytest.mark.parametrize("path", STREAMED, ids=lambda path: f"{path.parent.name}/{path.stem}")
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32), longest=st.integers(1, 24))
def test_in_any_slices_the_journal_is_the_same(path: Path, seed: int, longest: int) -> None:
    capture, whole = golden(path)
    assert first_difference(journal_of(capture, cut_by(seed, longest)), whole) is None
