"""clients/python: its fold says what `table.status` says, after every event of random plays."""

from __future__ import annotations

import json
from itertools import cycle, islice

import pytest
from pitwire_play import FIELDS, NOTHING_TOLD, Json, after
from support.fold_law import setups
from support.killed_table import one_codec
from support.random_play import RandomPlay

from daemon.runtime.catalog import games
from daemon.runtime.codec import event_json, play_json
from protocols.events import Event

STEPS, TABLES = 200, 20


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(games()))
def test_the_fold_of_the_client_is_the_status(key: str) -> None:
    folded: Json = NOTHING_TOLD
    kinds = set()

    def heard(seq: int, event: Event) -> None:
        nonlocal folded
        kinds.add(event.kind)
        data = json.loads(json.dumps(event_json(event)))
        folded = after(folded, event.kind, data, seq)

    with one_codec():
        for seed, setup in enumerate(islice(cycle(setups(games()[key])), TABLES)):
            folded = NOTHING_TOLD
            table = RandomPlay(setup, seed, heard)
            for step in range(STEPS):
                table.step()
                assert folded == play_json(table.inbox.play), (setup.profile_key, seed, step)
                assert tuple(folded) == FIELDS
    assert {"round.opened", "violation.raised"} <= kinds
