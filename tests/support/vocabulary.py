"""The words of every game together, as tests of the whole vocabulary need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args, get_origin

from daemon.gamekit.violations import ViolationRule
from daemon.runtime.catalog import games
from protocols.events import Event

VIOLATIONS: Final[Mapping[str, ViolationRule]] = {
    code: rule for game in games().values() for code, rule in game.violations.items()
}


def kind(described: Any) -> str:
    """Return the `kind` of an event, a command, a reading or a cue; an event may be generic."""
    default: str = (get_origin(described) or described).__dataclass_fields__["kind"].default
    return default


EVENT_KINDS: Final = frozenset(kind(event) for event in get_args(Event))
