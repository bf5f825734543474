"""What a good file becomes: names replaced by what they stand for. Nothing left to look up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from config.errors import Problem
from protocols.table_terms import Mode, Role, RoundControl


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """One device of a table.

    device     key of the device; `settings` is an instance of its settings dataclass
    link_kind  key of the link; `link` is an instance of its settings dataclass
    """

    role: Role
    device: str
    settings: Any
    link_kind: str
    link: Any


@dataclass(frozen=True, slots=True)
class TableConfig:
    """One table.

    profile         the house's rules, overrides applied: an instance of the game's dataclass
    profile_key     the name it has in the file
    profile_digest  digest of the rules as they apply
    sealed_to       base64 of the table server's public key, where it wants face-down cards
    enrolment       whether only devices are read that a person has enrolled
    witness_wait_s  how long a result waits for the witness before it is published
    time_zone       IANA name of the zone in which the table stands
    day_starts      the local time at which its day begins, as `06:00`
    devices         in the file's order; exactly one is the primary, no role is there twice
    """

    id: str
    mode: Mode
    game: str
    profile: Any
    profile_key: str
    profile_digest: str
    round_control: RoundControl
    sealed_to: str | None
    enrolment: bool
    witness_wait_s: float
    time_zone: str
    day_starts: str
    devices: tuple[DeviceConfig, ...]


@dataclass(frozen=True, slots=True)
class BusConfig:
    """A kind of bus, and an instance of its settings dataclass."""

    kind: str
    settings: Any


@dataclass(frozen=True, slots=True)
class LogConfig:
    """Level (`debug`, `info`, `warning`, `error`) and format (`json`, `console`)."""

    level: str
    format: str


@dataclass(frozen=True, slots=True)
class BridgeConfig:
    """The whole file.

    time_scale  clock seconds per real second; 1 wherever a table is live
    journal     path of the journal's file
    journal_key path of the file of the key that signs it; None: a credential, or its own file
    keep_days, keep_megabytes  how much of the journal is kept; None: everything
    approved    digests of the programs that may be started here; none: any
    sealing_key path of the sealing key's file; None: what the service manager hands over, if any
    metrics     host and port to listen on, None for off
    control     path of the control socket
    source      name of the file, for people
    digest      digest of everything above: two daemons with the same one are configured alike
    warnings    what works, and had better be changed
    remarks     what is worth knowing: values that are the operator's own
    """

    site: str
    time_scale: float
    journal: str
    journal_key: str | None
    keep_days: int | None
    keep_megabytes: int | None
    approved: tuple[str, ...]
    sealing_key: str | None
    bus: BusConfig
    metrics: tuple[str, int] | None
    control: str
    log: LogConfig
    tables: tuple[TableConfig, ...]
    source: str
    digest: str
    warnings: tuple[Problem, ...]
    remarks: tuple[Problem, ...]
