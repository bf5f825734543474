"""Prints what a profile enforces, where each value is from, each violation, and the digest.

A value is from a clause of the house's book, or ours, with the reason; where a profile does not
say it the value is the operator's own. The digest is in every event of a table that plays by the
profile. `pitwire check` shows it for each configured table, with the rules that the table
overrides.

Examples:
  pitwire rules baccarat-lv
  pitwire rules house.toml
  pitwire rules roulette-dk --device napsa
  pitwire rules blackjack-lv --json

Exit codes:
  0   the rules were printed
  2   no such profile, or the file cannot be read
  78  the profile is wrong; every problem is told
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from daemon.cli.completion import profiles
from daemon.cli.line_limits import line_limits
from daemon.cli.output import fail, note, print_json, say, wants_json, why
from daemon.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from config.load import TableConfig
    from daemon.gamekit.house_rules import HouseRules
    from daemon.gamekit.sentence import Sentence
    from daemon.gamekit.spec import AnyGame
    from daemon.gamekit.violations import DealerError, Moment, Reader, Sight, ViolationRule
    from protocols.device import DeviceKind, DeviceSpec


def command(
    profile: Annotated[
        str,
        typer.Argument(
            metavar="PROFILE",
            autocompletion=profiles,
            help="A profile that comes with pitwire, or a profile file (.toml).",
        ),
    ],
    device: Annotated[
        str | None,
        typer.Option(
            metavar="DEVICE", help="Tell only what this device cannot prove; else every one."
        ),
    ] = None,
) -> None:
    """Print the rules and violations of a house's profile."""
    from daemon.runtime.catalog import games

    table, clauses = _resolved(profile)
    game = games()[table.game]
    unproven = _unproven(game, table, device)
    sentences = _sentences(game, table)
    values = _values(table.profile, clauses)
    errors = game.dealer_errors
    violations = {
        code: dataclasses.replace(rule, resolutions=game.resolutions(code, table.profile))
        for code, rule in game.violations.items()
    }
    if wants_json():
        print_json(
            {
                "profile": profile,
                "game": game.key,
                "digest": table.profile_digest,
                "rules": dataclasses.asdict(table.profile),
                "from": {name: source for name, (_, source) in values.items()},
                "says": [sentence.text for sentence in sentences],
                "not_proven": unproven,
                "clauses": [clauses.get(sentence.topic) for sentence in sentences],
                "violations": {code: dataclasses.asdict(rule) for code, rule in violations.items()},
                "dealer_errors": {
                    name: dataclasses.asdict(error) for name, error in errors.items()
                },
            }
        )
        return
    say(f"{profile}: {game.title}")
    say(f"digest {table.profile_digest}", "")
    _print_rules(sentences, clauses, values)
    _print_not_proven(unproven)
    _print_violations(violations, errors)


def _unproven(game: AnyGame, table: TableConfig, device: str | None) -> dict[str, list[str]]:
    """Return what each device that may play there, or this one, cannot prove."""
    return {
        spec.key: [*game.not_proven(table.profile, spec), *_limits(spec)]
        for spec in _devices_for(game.device_kind, device)
    }


def _values(rules: HouseRules, clauses: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return each rule that the house has, as its file writes it, and where it is from."""
    from config.complaints import shown

    stated = dataclasses.asdict(rules)
    return {
        name: (shown(stated[name]), clauses[name])
        for name in stated
        if stated[name] is not None and name in clauses
    }


def _print_rules(
    sentences: Sequence[Sentence],
    clauses: Mapping[str, str],
    values: Mapping[str, tuple[str, str]],
) -> None:
    for number, sentence in enumerate(sentences, 1):
        say(f"{number:3}. {sentence.text}")
        if sentence.topic in clauses:
            say(f"     {clauses[sentence.topic]}")
    say("", "Values, and where each is from")
    for name, (value, source) in values.items():
        say(f"  {name} = {value}")
        say(f"      {source}")


def _sentences(game: AnyGame, table: TableConfig) -> list[Sentence]:
    """Return what the rules enforce, and what of it no table proves whose device opens rounds."""
    from daemon.gamekit.sentence import ROUNDS_BY_DEVICE

    by_device = [ROUNDS_BY_DEVICE] if "device" in game.controls else []
    return [*game.sentences(table.profile), *by_device]


def _limits(spec: DeviceSpec) -> Iterator[str]:
    """Yield what the line of a device cannot show, as its settings are without an operator's."""
    settings = spec.settings()
    return line_limits(spec.under(settings), settings)


def _print_not_proven(unproven: Mapping[str, list[str]]) -> None:
    if any(unproven.values()):
        say("", "What a device cannot prove of this")
    for key, sentences in unproven.items():
        if sentences:
            say(f"  {key}")
        for sentence in sentences:
            say(f"      {sentence}")


def _devices_for(kind: DeviceKind, key: str | None) -> list[DeviceSpec]:
    from protocols.catalog import devices

    if key is not None and key not in devices():
        fail(Exit.USAGE, f"{key} is no device: {', '.join(sorted(devices()))}")
    return [spec for spec in devices().values() if spec.kind == kind and key in (None, spec.key)]


def _print_violations(
    violations: Mapping[str, ViolationRule],
    errors: Mapping[str, DealerError],
) -> None:
    say("", "Violations")
    for code, rule in violations.items():
        say(f"  {code}: {rule.rule}")
        say(f"      {_consequence(rule)}")
        if rule.seen:
            say(f"      shown at: {_moments(rule.seen)}")
    if errors:
        say("", "What dealers do wrong, and when each kind of reader shows it")
    for wrong in errors.values():
        say(f"  {wrong.what}")
        say(f"      {_moments(wrong.seen)}")


def _resolved(profile: str) -> tuple[TableConfig, Mapping[str, str]]:
    """Return a table that plays by this profile, and the clauses by topic, or say why not."""
    from config.errors import ConfigError
    from config.load import builtin_profiles
    from config.profiles import clauses_of, games_of
    from daemon.runtime.catalog import games
    from daemon.service.assembly import one_table
    from protocols.catalog import devices

    own = Path(profile)
    if own.suffix == ".toml":
        written = {profile: _read(own)}
        named = str(own.resolve())
    else:
        written, named = dict(builtin_profiles()), profile
    if profile not in written:
        known = ", ".join(sorted(written))
        fail(Exit.USAGE, f"{profile} is no profile: {known}")
    key = games_of(written).get(profile, "")
    game = games().get(key)
    if game is None:
        fail(Exit.CONFIG, f"{profile} names no game that pitwire plays: {key!r}")
    device = next(name for name, spec in devices().items() if spec.kind == game.device_kind)
    try:
        table = one_table(key, named, device, round_control=game.controls[0])
        return table, clauses_of(written[profile])
    except ConfigError as error:
        for problem in error.problems:
            note(problem.sentence(error.source))
        raise SystemExit(int(Exit.CONFIG)) from error


def _consequence(rule: ViolationRule) -> str:
    if not rule.holds:
        return "on record; play goes on"
    return f"holds the round; a supervisor may: {', '.join(rule.resolutions)}"


def _moments(seen: Mapping[Reader, Moment] | Mapping[Reader, Sight]) -> str:
    """Return when each kind of reader shows something; where all agree, once."""
    told = {reader: one if isinstance(one, str) else _sight(*one) for reader, one in seen.items()}
    if len(told) > 1 and len(set(told.values())) == 1:
        return f"{next(iter(told.values()))} (every reader)"
    return " · ".join(f"{reader}: {moment}" for reader, moment in told.items())


def _sight(code: str, moment: str) -> str:
    return moment if moment == "never" else f"{moment} ({code})"


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(Exit.USAGE, f"{path} cannot be read: {why(error)}")
