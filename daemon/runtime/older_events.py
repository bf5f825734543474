"""What an older version wrote, held against what this version derives from the same input.

The contract only grows: a later version says the same and more, in further fields and in further
events. What an older one left unsaid is no difference, and what it said has to be the same today.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from daemon.runtime.codec import event_json
from protocols.events import Event

TOLD_SINCE: Final = frozenset(
    {
        "decision.made",
        "insurance.opened",
        "insurance.closed",
        "round.commands_awaited",
        "spin.abandoned",
    }
)
"""Events that say what an older version did and did not tell."""


def is_older(envelope: Mapping[str, Any]) -> bool:
    """Return whether an older version wrote this envelope: it did not mark events of one cause."""
    return "more" not in envelope


def pass_over(due: list[Event], kind: str | None) -> None:
    """Drop from the events that are due what an older version did not tell.

    kind  of the event that it wrote; None: it wrote no more
    """
    while due and due[0].kind in TOLD_SINCE and due[0].kind != kind:
        due.pop(0)


def says_as_much(event: Event, envelope: Mapping[str, Any]) -> bool:
    """Return whether a derived event is of this kind and says all that an older envelope does."""
    data = json.loads(json.dumps(event_json(event)))
    return envelope["type"] == f"pitwire.{data['kind']}.v1" and _covers(data, envelope["data"])


def says(derived: bytes, envelope: Mapping[str, Any]) -> bool:
    """Return whether a derived envelope says all that an older one does."""
    return _covers(json.loads(derived), envelope)


def _covers(now: Any, then: Any) -> bool:
    if isinstance(now, dict) and isinstance(then, Mapping):
        return all(name in now and _covers(now[name], value) for name, value in then.items())
    return bool(now == then)
