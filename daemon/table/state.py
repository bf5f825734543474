"""What a table is, fixed while it runs, and what it remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from daemon.gamekit.commitments import BENCH_VAULT, Concealed, Lock, Vault
from daemon.gamekit.spec import AnyGame, Context, Role, Round, RoundControl, Violation
from daemon.table.frame_tracking import Tags, Track
from protocols.commands import ResolveViolation
from protocols.device import DeviceSpec
from protocols.readings import Reading

DeviceState = Literal["absent", "connected", "stale", "garbled"]


NO_KEY: Final[Concealed[bytes]] = Concealed(b"")
"""The key of a table that hides nothing from anybody: a replay, a rehearsal on a bench."""


@dataclass(frozen=True, slots=True)
class RecordRef:
    """Where an input stands in the journal."""

    epoch: str
    record: int


NOWHERE: Final = RecordRef("", 0)
"""An input that no journal knows."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What is fixed while the table runs.

    key        seals hidden cards
    lock       encrypts them to the table server as well, where the table wants that
    enrolment  whether only enrolled devices are read
    """

    table: str
    game: AnyGame
    profile: object
    profile_key: str
    digest: str
    control: RoundControl
    devices: Mapping[Role, DeviceSpec]
    key: Concealed[bytes] = NO_KEY
    lock: Lock | None = None
    enrolment: bool = False


@dataclass(frozen=True, slots=True)
class OpenViolation:
    """A violation that holds the table and waits for a supervisor."""

    violation_id: str
    violation: Violation


@dataclass(frozen=True, slots=True)
class Decided:
    """A supervisor's decision; it takes effect when the last hold is resolved."""

    violation: Violation
    command: ResolveViolation


@dataclass(frozen=True, slots=True)
class Deferred:
    """A reading taken while the table was held; `hidden`: it may be of a hidden card."""

    role: Role
    device: str
    reading: Concealed[Reading]
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What an enrolled device is known by: its wire, and what it says of itself."""

    wire: str | None
    said: str | None


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything a table remembers; JSON in the journal's state records.

    wires, identities
              by role: what the wire says of the device, and what the device said last of itself
    unproven  the daemon restarted, or the device went away, in mid-round, and the primary device
              has not yet shown that nothing was missed
    """

    game: object
    round: Round | None = None
    rounds: int = 0
    violations: int = 0
    open: tuple[OpenViolation, ...] = ()
    decided: tuple[Decided, ...] = ()
    read_while_held: tuple[Deferred, ...] = ()
    tracks: dict[str, Track] = field(default_factory=dict)
    tags: dict[str, Tags] = field(default_factory=dict)
    devices: dict[str, DeviceState] = field(default_factory=dict)
    wires: dict[str, str] = field(default_factory=dict)
    identities: dict[str, str] = field(default_factory=dict)
    enrolled: dict[str, Enrolled] = field(default_factory=dict)
    unproven: bool = False
    maintenance: bool = False

    @property
    def held(self) -> bool:
        """Return whether an open violation holds the table."""
        return bool(self.open)


def context_of(setup: TableSetup, state: TableState, vault: Vault = BENCH_VAULT) -> Context[object]:
    """Return what the game may know of its table at this moment.

    vault  seals the cards of the input at hand; asking a question needs none
    """
    return Context(
        profile=setup.profile,
        digest=setup.digest,
        round=state.round,
        held=bool(state.open),
        control=setup.control,
        next_round_id=f"{setup.table}-{state.rounds + 1}",
        vault=vault,
        roles=frozenset(setup.devices),
        unproven=state.unproven,
    )
