"""`pitwire demo`: what a newcomer runs first."""

import json
import os
import signal
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from support.whole_rig import PITWIRE, needs_nats

pytestmark = needs_nats


@pytest.fixture(scope="module")
def played() -> tuple[int, list[dict[str, Any]]]:
    command = [*PITWIRE, "demo", "--rounds", "3", "--speed", "20", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
    assert done.returncode == 0, done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


Played = tuple[int, list[dict[str, Any]]]


def test_every_line_is_a_cloudevent_of_a_rehearsal(played: Played) -> None:
    for one in played[1]:
        assert one["specversion"] == "1.0"
        assert one["id"] == f"{one['epoch']}.{int(one['sequence'])}"
        assert one["source"] in {"/pit/house/BAC-1", "/pit/house/ROU-1"}
        assert one["type"].startswith("pitwire.")
        assert one["type"].endswith(".v1")
        assert one["mode"] == "rehearsal"


def test_three_rounds_of_baccarat_are_completed(played: Played) -> None:
    outcomes = [
        one["data"]["outcome"]
        for one in played[1]
        if one["type"] == "pitwire.round.completed.v1" and one["source"].endswith("BAC-1")
    ]
    assert len(outcomes) >= 3
    assert {one["game"] for one in outcomes} == {"baccarat"}


def test_three_balls_land_in_pockets_of_the_wheel(played: Played) -> None:
    pockets = [
        one["data"]["pocket"] for one in played[1] if one["type"] == "pitwire.spin.landed.v1"
    ]
    assert len(pockets) >= 3
    assert set(pockets) <= {str(number) for number in range(37)}


def test_nothing_is_held(played: Played) -> None:
    assert not [one for one in played[1] if one["type"] == "pitwire.round.held.v1"]


def test_each_table_has_seq_without_gaps(played: Played) -> None:
    seqs = defaultdict(list)
    for one in played[1]:
        seqs[one["source"]].append(int(one["sequence"]))
    assert set(seqs) == {"/pit/house/BAC-1", "/pit/house/ROU-1"}
    for source, found in seqs.items():
        assert found == list(range(1, len(found) + 1)), source


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_an_endless_demo_and_all_that_it_started(
    stop: signal.Signals, tmp_path: Path
) -> None:
    command = [*PITWIRE, "demo", "--speed", "20", "--json"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    try:
        assert process.stdout is not None
        while "round.opened" not in (line := process.stdout.readline()):
            assert line, process.stderr and process.stderr.read()
        children = descendants(process.pid)
        assert len(children) == 2, "a daemon and a bus"
        os.killpg(process.pid, stop)  # a terminal tells the whole group
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert "pitwire.table.stopped.v1" in out
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
    assert not list(tmp_path.iterdir())


def descendants(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for one in tasks for child in one.read_text().split()]


def test_blackjack_shows_a_full_table_with_a_split_a_peek_and_a_reveal() -> None:
    command = [*PITWIRE, "demo", "--game", "blackjack", "--rounds", "1", "--speed", "30", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [one["type"].removeprefix("pitwire.").removesuffix(".v1") for one in events]
    assert {"hand.split", "card.sealed", "card.peeked", "card.revealed"} <= set(kinds)
    assert kinds.index("card.sealed") < kinds.index("card.peeked") < kinds.index("hand.split")
    assert "round.held" not in kinds
    (ended,) = [one["data"]["outcome"] for one in events if "outcome" in one["data"]]
    assert {hand["box"] for hand in ended["hands"]} == set(range(1, 8))


def test_a_game_that_the_demo_does_not_know_is_named_with_those_that_it_knows() -> None:
    done = subprocess.run(
        [*PITWIRE, "demo", "--game", "snap"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("pitwire: snap is no game of the demo: baccarat, blackjack")
