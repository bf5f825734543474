"""The operator's file, from text to a `BridgeConfig`; or every problem in it, at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path as FilePath
from types import MappingProxyType

from config.checks import (
    check_days,
    check_ids,
    check_ports,
    check_roles,
    check_round_control,
    check_sealing,
    check_time_scale,
)
from config.complaints import Findings
from config.digest import digest_of
from config.errors import ConfigError, Problem
from config.meaning import Resolved, ResolvedTable, resolve_bus, resolve_tables
from config.raw import parse
from config.resolved import BridgeConfig, BusConfig, DeviceConfig, LogConfig, TableConfig
from config.schema import BridgeFile, TableFile
from config.vocabulary import Known, KnownDevice, KnownGame, KnownLink

__all__ = [
    "BridgeConfig",
    "ConfigError",
    "DeviceConfig",
    "Known",
    "KnownDevice",
    "KnownGame",
    "KnownLink",
    "TableConfig",
    "builtin_profiles",
    "load",
]


def load(text: str, known: Known, *, source: str) -> BridgeConfig:
    """Return what the text configures. Raises ConfigError with every problem.

    `source` names the text for people; where it is a path, a profile's path is seen from its
    folder.
    """
    findings = Findings(text)
    tree = parse(text, findings)
    if tree is None:
        raise ConfigError(findings.problems, source)
    shape = findings.check(BridgeFile, tree, ())
    bus = resolve_bus(tree, known, findings)
    tables = tuple(resolve_tables(tree, known, FilePath(source).parent, findings))
    check_ids(tree, findings)
    check_time_scale(tree, findings)
    check_roles(tree, findings)
    check_round_control(tree, findings)
    check_days(tree, tables, known, findings)
    check_ports(tables, findings)
    check_sealing(tree, tables, known, findings)
    if findings.problems or shape is None or bus is None:
        raise ConfigError(_in_order(findings.problems), source)
    try:
        return _assemble(shape, bus, tables, source, findings)
    except ValueError as error:
        expected = "expected numbers of an ordinary size"
        raise ConfigError([Problem("", None, str(error), expected)], source) from error


def builtin_profiles() -> Mapping[str, str]:
    """Return the TOML texts of the profiles that come with pitwire, by name."""
    folder = files("config").joinpath("profiles")
    profiles = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(".toml"))
    return MappingProxyType(
        {name.removesuffix(".toml"): file.read_text("utf-8") for name, file in profiles}
    )


def _in_order(problems: Sequence[Problem]) -> Sequence[Problem]:
    """Return the problems by line, those of profiles last; one that two tables share, once."""
    return sorted(
        dict.fromkeys(problems), key=lambda problem: (problem.file or "", problem.line or 0)
    )


def _assemble(
    shape: BridgeFile,
    bus: Resolved,
    tables: Sequence[ResolvedTable],
    source: str,
    findings: Findings,
) -> BridgeConfig:
    config = BridgeConfig(
        site=shape.site,
        time_scale=shape.time_scale,
        journal=shape.journal.path,
        journal_key=shape.journal.key,
        keep_days=shape.journal.keep_days,
        keep_megabytes=shape.journal.keep_megabytes,
        approved=tuple(shape.program.approved),
        sealing_key=shape.sealing.key,
        bus=BusConfig(bus.kind, bus.settings),
        metrics=_address(shape.metrics.listen),
        control=shape.control.socket,
        log=LogConfig(shape.log.level, shape.log.format),
        tables=tuple(_table(*pair) for pair in zip(shape.table, tables, strict=True)),
        source="",
        digest="",
        warnings=(),
        remarks=(),
    )
    return replace(
        config,
        source=source,
        digest=digest_of(config),
        warnings=tuple(dict.fromkeys(findings.warnings)),
        remarks=tuple(dict.fromkeys(findings.remarks)),
    )


def _table(shape: TableFile, resolved: ResolvedTable) -> TableConfig:
    profile = resolved.profile
    if profile is None:
        raise AssertionError("a profile without a problem is resolved")
    return TableConfig(
        id=shape.id,
        mode=shape.mode,
        game=shape.game,
        profile=profile.rules,
        profile_key=profile.key,
        profile_digest=profile.digest,
        round_control=shape.round_control,
        sealed_to=shape.sealed_to,
        enrolment=shape.enrolment,
        witness_wait_s=float(shape.witness_wait),
        time_zone=shape.time_zone,
        day_starts=shape.day_starts,
        devices=tuple(
            DeviceConfig(
                role=written.role,
                device=written.device,
                settings=device.settings,
                link_kind=written.link.kind,
                link=device.link.settings if device.link else None,
            )
            for written, device in zip(shape.device, resolved.devices, strict=True)
        ),
    )


def _address(listen: str) -> tuple[str, int] | None:
    host, _, port = listen.rpartition(":")
    return (host.strip("[]"), int(port)) if port else None
