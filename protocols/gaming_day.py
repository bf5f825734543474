"""The day by which a table counts: it begins at an hour of the house's own, in its own zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final


@dataclass(frozen=True, slots=True)
class GamingDay:
    """When a table's day begins.

    zone    where the table stands
    starts  the local time at which a day begins; what is before it is of the day before
    """

    zone: tzinfo = UTC
    starts: time = time()

    def of(self, wall: datetime) -> str:
        """Return the day that an aware wall time is of, as `2026-11-30`.

        It never goes back while the wall clock does not: where the hour at which a day begins comes
        twice, as in autumn, the first begins it; where it does not come, as in spring, the moment
        that takes its place does.
        """
        date = wall.astimezone(self.zone).date()
        begins = datetime.combine(date, self.starts, self.zone).astimezone(UTC)
        return (date - timedelta(days=wall < begins)).isoformat()


MIDNIGHT_UTC: Final = GamingDay()
"""The day of a table that nobody says anything of."""
