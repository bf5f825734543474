"""The day by which a table counts."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from protocols.gaming_day import GamingDay

RIGA = ZoneInfo("Europe/Riga")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("wall", "day"),
    [
        ("2026-11-30T03:59:59.999999+00:00", "2026-11-29"),  # 05:59:59 in Riga, UTC+2 in winter
        ("2026-11-30T04:00:00+00:00", "2026-11-30"),
        ("2026-11-30T23:30:00+00:00", "2026-11-30"),  # past midnight there
        ("2026-07-01T02:59:59+00:00", "2026-06-30"),  # UTC+3 in summer
        ("2026-07-01T03:00:00+00:00", "2026-07-01"),
        ("2027-01-01T05:59:00+02:00", "2026-12-31"),
    ],
)
def test_a_day_begins_at_its_hour_where_the_table_stands(wall: str, day: str) -> None:
    assert GamingDay(RIGA, time(6)).of(at(wall)) == day


@pytest.mark.parametrize("starts", [time(2, 30), time(3, 30), time(3), time(4)])
@pytest.mark.parametrize("night", ["2026-03-29", "2026-10-25"])
def test_it_never_goes_back_in_a_night_in_which_the_hour_changes(night: str, starts: time) -> None:
    day, first = GamingDay(RIGA, starts), at(f"{night}T00:00:00+00:00") - timedelta(hours=6)
    days = [day.of(first + timedelta(minutes=minute)) for minute in range(24 * 60)]
    assert days == sorted(days)
    assert set(days) == {(at(night) - timedelta(days=1)).date().isoformat(), night}
