"""What a publisher tells, and whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from daemon.delivery.comparison import Comparison
from protocols.instant import Instant

Tombstone: TypeAlias = Callable[[bytes, str], bytes]
"""(the refused event's blob, why) -> the payload of its `event.withheld`, same epoch and seq."""


@dataclass(frozen=True, slots=True)
class PublisherState:
    """The state of delivery. `error`, `action` and `since` are None while the bus takes events.

    lag      durable events that the bus does not have yet
    refused  events of this run that became tombstones
    """

    lag: int
    published: int
    refused: int
    error: str | None
    action: str | None
    since: Instant | None


@dataclass(frozen=True, slots=True)
class PublisherEvents:
    """Whom the publisher tells.

    compared  what the bus's newest event says
    damaged   what is wrong with the journal, in a sentence
    foreign   what somebody else wrote in this table's name, in a sentence
    unkept    which of the bus's settings may lose what it has taken, in sentences
    taken     the positions, from one to another, that the bus has just given to events of ours
    """

    compared: Callable[[Comparison], None]
    damaged: Callable[[str], None]
    foreign: Callable[[str], None]
    unkept: Callable[[Sequence[str]], None]
    taken: Callable[[int, int], None]
