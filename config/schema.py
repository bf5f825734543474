"""The shape of the operator's file, as written. What its names mean is `meaning.py`'s to check."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from protocols.table_terms import Mode, Role, RoundControl

_SITE: Final = r"^[a-z0-9-]+$"
_TABLE_ID: Final = r"^[A-Za-z0-9-]+$"
_PORT: Final = r"(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5]?[0-9]{1,4})"
_LISTEN: Final = rf"^(|([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\]):{_PORT})$"
_PATH: Final = r"^/[^\x00]*$"
_TIME_OF_DAY: Final = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
_DIGEST: Final = r"^b2:[0-9a-f]{64}$"
_PUBLIC_KEY: Final = r"^[A-Za-z0-9+/]{43}=$"

# Both become a part of bus subjects, where dots, blanks and wildcards have a meaning.
Site = Annotated[str, Field(pattern=_SITE, max_length=32)]
TableId = Annotated[str, Field(pattern=_TABLE_ID, max_length=32)]
Listen = Annotated[str, Field(pattern=_LISTEN)]
PublicKey = Annotated[str, Field(pattern=_PUBLIC_KEY)]
Digest = Annotated[str, Field(pattern=_DIGEST)]
TimeOfDay = Annotated[str, Field(pattern=_TIME_OF_DAY)]
AbsolutePath = Annotated[str, Field(pattern=_PATH)]

PATTERNS: Final = {
    _SITE: "expected small letters, digits and -",
    _TABLE_ID: "expected letters, digits and -",
    _LISTEN: 'expected "host:port", or "" for off',
    _PATH: "expected an absolute path",
    _TIME_OF_DAY: 'expected a time of day such as "06:00"',
    _DIGEST: 'expected a digest: "b2:" and 64 hexadecimal digits',
    _PUBLIC_KEY: "expected the base64 of a public key of 32 bytes",
}
"""What each pattern asks for, for people."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class _Kinded(BaseModel):
    """A kind, and beside it the settings of that kind."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    kind: str


class BusFile(_Kinded):
    """Where events go: a kind of bus, and its settings."""


class LinkFile(_Kinded):
    """How a device is wired: a kind of link, and its settings."""


class JournalFile(_Section):
    """The journal's file, and the key that signs it; by default one that systemd hands over.

    keep_days, keep_megabytes  how much of it is kept; by default everything
    """

    path: AbsolutePath = "/var/lib/pitwire/journal.db"
    key: AbsolutePath | None = None
    keep_days: int | None = Field(default=None, ge=7, le=36500)
    keep_megabytes: int | None = Field(default=None, ge=64, le=10_000_000)


class ProgramFile(_Section):
    """Which programs may be started here; `pitwire --version` prints the digest. None: any."""

    approved: list[Digest] = []


class SealingFile(_Section):
    """The key that hides face-down cards; by default the credential that systemd hands over."""

    key: AbsolutePath | None = None


class MetricsFile(_Section):
    """Where Prometheus finds the metrics: host:port, or nothing to keep them off."""

    listen: Listen = ""


class ControlFile(_Section):
    """The socket by which the command line reaches the daemon."""

    socket: AbsolutePath = "/run/pitwire/control.sock"


class LogFile(_Section):
    """How much is logged, and for whom: `json` for machines, `console` for people."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["json", "console"] = "json"


class DeviceFile(_Section):
    """One device of a table."""

    role: Role
    device: str
    settings: dict[str, Any] = {}
    link: LinkFile


class TableFile(_Section):
    """One table. `rules` overrides single rules of its profile.

    enrolment  whether only devices are read that a person has enrolled (`device.enrol`)
    sealed_to  the table server's public key (X25519, base64), where it wants face-down cards
    witness_wait
               for how many seconds a result waits for the table's witness before it is published
    time_zone, day_starts
               where the table stands (IANA name), and the local time at which its day begins:
               inspections are of a day
    """

    id: TableId
    mode: Mode = "live"
    game: str
    profile: str
    rules: dict[str, Any] = {}
    round_control: RoundControl = "server"
    sealed_to: PublicKey | None = None
    enrolment: bool = False
    witness_wait: float = Field(default=0, ge=0, le=60)
    time_zone: str = "UTC"
    day_starts: TimeOfDay = "06:00"
    device: list[DeviceFile] = Field(min_length=1)


class BridgeFile(_Section):
    """The whole file."""

    site: Site
    time_scale: float = Field(default=1.0, gt=0, le=1000)
    journal: JournalFile = JournalFile()
    program: ProgramFile = ProgramFile()
    sealing: SealingFile = SealingFile()
    bus: BusFile
    metrics: MetricsFile = MetricsFile()
    control: ControlFile = ControlFile()
    log: LogFile = LogFile()
    table: list[TableFile] = Field(min_length=1)


class ProfileFile(_Section):
    """A profile: a house's rules for one game, and the document that states them.

    clauses  a rule, or what a sentence of `pitwire rules` is about -> where it is from: the clause
             that states it, or `ours: ` and why. A rule without one is the operator's own
    """

    game: str
    title: str
    source: str
    rules: dict[str, Any]
    clauses: dict[str, str] = {}


SECTIONS: Final[dict[tuple[str, ...], type[BaseModel]]] = {
    (): BridgeFile,
    ("journal",): JournalFile,
    ("program",): ProgramFile,
    ("sealing",): SealingFile,
    ("bus",): BusFile,
    ("metrics",): MetricsFile,
    ("control",): ControlFile,
    ("log",): LogFile,
    ("table",): TableFile,
    ("table", "device"): DeviceFile,
    ("table", "device", "link"): LinkFile,
}
"""Which model holds the keys under which path (positions left out): for nearest names."""
