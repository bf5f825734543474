"""Time zones by their names, from this machine's own database."""

from __future__ import annotations

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its IANA name. Raises ValueError where this machine has none of it."""
    if name == "UTC":
        return UTC  # needs no database
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f'there is no time zone "{name}" on this machine') from error
