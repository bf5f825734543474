"""The day of a table: its zone, its beginning, and who can wait for its inspections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC

import pytest

from config.load import BridgeConfig, ConfigError, Known, load
from config.time_zones import zone_of

Loaded = Callable[[str], BridgeConfig]


def test_a_table_says_where_it_stands_and_when_its_day_begins(good: str, loaded: Loaded) -> None:
    first = loaded(good).tables[0]
    assert (first.time_zone, first.day_starts) == ("UTC", "06:00")
    written = 'id = "R-01"\ntime_zone = "Europe/Riga"\nday_starts = "05:30"'
    config = loaded(good.replace('id = "R-01"', written))
    assert (config.tables[0].time_zone, config.tables[0].day_starts) == ("Europe/Riga", "05:30")
    assert config.digest != loaded(good).digest


@pytest.mark.parametrize("starts", ["6:00", "24:00", "06:60", "06:00:00", ""])
def test_a_time_that_no_day_begins_at_is_told(starts: str, good: str, loaded: Loaded) -> None:
    with pytest.raises(ConfigError) as told:
        loaded(good.replace('id = "R-01"', f'id = "R-01"\nday_starts = "{starts}"'))
    (problem,) = told.value.problems
    assert problem.where == "table[0].day_starts"
    assert problem.expected == 'expected a time of day such as "06:00"'


@pytest.mark.parametrize("zone", ["Europe/Rigga", "Europe", "/etc/passwd", "../UTC"])
def test_a_zone_that_this_machine_does_not_know_is_told(
    zone: str, good: str, loaded: Loaded
) -> None:
    with pytest.raises(ConfigError) as told:
        loaded(good.replace('id = "R-01"', f'id = "R-01"\ntime_zone = "{zone}"'))
    (problem,) = told.value.problems
    assert problem.where == "table[0].time_zone"
    assert problem.what == f'there is no time zone "{zone}" on this machine'


def test_utc_needs_no_database() -> None:
    assert zone_of("UTC") is UTC


def test_r15_a_live_table_whose_device_opens_rounds_cannot_wait_for_an_inspection(
    good: str, known: Known
) -> None:
    baccarat = replace(known.games["baccarat"], inspects=lambda _: ("shoe",))
    asks = replace(known, games={**known.games, "baccarat": baccarat})
    with pytest.raises(ConfigError) as told:
        load(good, asks, source="test")
    (problem,) = told.value.problems
    assert problem.where == "table[1].round_control"
    assert problem.what == 'by "baccarat-lv" no round opens before the inspections of the day'
    by_server = good.replace('round_control = "device"', "")
    rehearsal = good.replace(
        'round_control = "device"', 'round_control = "device"\nmode = "rehearsal"'
    )
    for text in (by_server, rehearsal):
        assert load(text, asks, source="test").tables
