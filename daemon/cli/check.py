"""Reads the file as the daemon would, the profiles, device files and keys that it names too.

Every problem is told at once, with file, key, what was expected, and the nearest valid name.
Warnings do not fail the check, nor do remarks: each rule that is the operator's own, by a table's
`rules` or in a profile that does not say where it is from.
With --bus it also signs in to the bus, asks for each table's newest event, and warns of settings of
the stream that may lose events; with `manage_stream` it makes the stream as the daemon would.

Examples:
  pitwire check
  pitwire check config/examples/desk.toml
  pitwire check --bus
  pitwire check --schema > pitwire.schema.json

Exit codes:
  0   no problems
  69  the file is right, and the bus cannot be used (--bus)
  78  problems: the daemon would not start
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from daemon.cli.configuration import load_configuration
from daemon.cli.line_limits import line_limits
from daemon.cli.options import DEFAULT_CONFIG
from daemon.cli.output import answer, fail, note, print_json, wants_json
from daemon.exits import Exit

if TYPE_CHECKING:
    from config.load import BridgeConfig, TableConfig


def command(
    config: Annotated[
        Path,
        typer.Argument(
            envvar="PITWIRE_CONFIG", metavar="FILE", readable=False, help="The configuration file."
        ),
    ] = DEFAULT_CONFIG,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the file's JSON Schema, for editors, instead.")
    ] = False,
    bus: Annotated[bool, typer.Option("--bus", help="Try the bus too: sign in, and ask.")] = False,
) -> None:
    """Check a configuration file."""
    from config.editor import json_schema
    from daemon.runtime.catalog import buses
    from daemon.service.assembly import known
    from daemon.service.authentication import not_approved
    from daemon.service.bus_check import BusFindings, try_bus

    if schema:
        print_json(json_schema(known()))
        return
    loaded, _ = load_configuration(config)
    if (refusal := not_approved(loaded)) is not None:
        fail(Exit.CONFIG, f"{config}: {refusal}")
    about_key = _about_journal_key(loaded)
    unwise = buses()[loaded.bus.kind].warns(loaded.bus.settings)
    if not wants_json():
        for problem in loaded.warnings:
            note("warning: " + problem.sentence(str(config)))
        for remark in loaded.remarks:
            note("remark: " + remark.sentence(str(config)))
        for sentence in unwise:
            note("warning: [bus] " + sentence)
        if about_key is not None:
            note("warning: " + about_key)
    found = asyncio.run(try_bus(loaded)) if bus else BusFindings()
    if not wants_json():
        for sentence in found.unkept:
            note("warning: [bus] " + sentence)
    if found.problems:
        fail(Exit.UNAVAILABLE, *found.problems)
    said = _as_json(loaded, unwise)
    said["bus"]["may_lose"] = found.unkept
    answer(said, *_lines(loaded), f"{config}: no problems")


def _about_journal_key(loaded: BridgeConfig) -> str | None:
    from daemon.service.journal_key import check_signing_key
    from daemon.service.sealing_keys import BadKey

    try:
        return check_signing_key(loaded)
    except BadKey as error:
        fail(Exit.CONFIG, f"{error.what}; {error.action}")


def _as_json(loaded: BridgeConfig, unwise: Sequence[str]) -> dict[str, Any]:
    return {
        "ok": True,
        "digest": loaded.digest,
        "warnings": [dataclasses.asdict(problem) for problem in loaded.warnings],
        "not_proven": {table.id: list(_not_proven(table)) for table in loaded.tables},
        "untold": {table.id: list(_untold(table)) for table in loaded.tables},
        "remarks": [dataclasses.asdict(remark) for remark in loaded.remarks],
        "bus": {"unwise": list(unwise), "lacks": list(_lacks(loaded))},
        "described": [device for table in loaded.tables for device in _described(table)],
    }


def _lines(loaded: BridgeConfig) -> Iterator[str]:
    """Yield what the bus cannot do and what each table is, for people."""
    yield from (f"[bus] {loaded.bus.kind}: {sentence}" for sentence in _lacks(loaded))
    for table in loaded.tables:
        rules = f"{table.game} by {table.profile_key}"
        yield f"{table.id}: {rules}, {table.mode}, {table.profile_digest}"
        if table.round_control == "device":
            yield (
                "  rounds are opened by the device: what a round is cannot be checked against"
                " the table server"
            )
        yield from (f"  {sentence}" for sentence in _not_proven(table))
        yield from (f"  {sentence}" for sentence in _untold(table))
        for device in _described(table):
            yield f"  {device['role']}: {device['device']}, {device['title']}"
            yield from (f"    {sentence}" for sentence in device["notes"])


def _lacks(loaded: BridgeConfig) -> tuple[str, ...]:
    from daemon.runtime.catalog import buses

    return buses()[loaded.bus.kind].lacks


def _not_proven(table: TableConfig) -> Iterator[str]:
    """Yield what of its rules the table's devices cannot prove, and what their lines hide."""
    from daemon.runtime.catalog import games
    from protocols.catalog import devices

    witness = any(device.role == "witness" for device in table.devices)
    for device in table.devices:
        spec = devices()[device.device].under(device.settings)
        if device.role == "primary":
            for sentence in games()[table.game].not_proven(table.profile, spec):
                yield f"{device.device}: {sentence}"
        if device.role != "witness":
            for sentence in line_limits(spec, device.settings, witness=witness):
                yield f"{device.device}: {sentence}"


def _untold(table: TableConfig) -> Iterator[str]:
    """Yield what the links of a table may lose and cannot tell of."""
    from drivers.catalog import link_kinds

    for device in table.devices:
        untold = link_kinds()[device.link_kind].untold
        if untold is not None and (sentence := untold(device.link)):
            yield f"{device.device}: its link cannot tell all that it loses: {sentence}"


def _described(table: TableConfig) -> Iterator[dict[str, Any]]:
    """Yield the devices that their settings describe, and what to know of them."""
    from protocols.catalog import devices

    for device in table.devices:
        spec = devices()[device.device]
        if spec.described is not None:
            described = spec.under(device.settings)
            yield {
                "table": table.id,
                "role": device.role,
                "device": device.device,
                "title": described.title,
                "notes": list(described.notes),
            }
