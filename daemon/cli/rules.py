"""`pitwire rules`: what a profile enforces, in plain English or as JSON, with its digest."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from daemon.cli.say import answer, fail, note, why
from daemon.cli.shared import JsonFlag
from daemon.exits import Exit


def command(
    profile: Annotated[
        str, typer.Argument(help="A profile that comes with pitwire, or a profile file (.toml).")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Print the rules that a profile enforces, every violation of them, and its digest.

    The digest is in every event of a table that plays by it, and in each `round.opened`.
    """
    from config.errors import ConfigError
    from config.load import builtin_profiles
    from config.profiles import games_of
    from daemon.catalog import games
    from daemon.known import one_table
    from daemon.violations import violations_of
    from protocols.catalog import devices

    own = Path(profile)
    if own.suffix == ".toml":
        written = {profile: _read(own, as_json=as_json)}
        named = str(own.resolve())
    else:
        written, named = dict(builtin_profiles()), profile
    if profile not in written:
        known = ", ".join(sorted(written))
        fail(Exit.USAGE, f"{profile} is no profile: {known}", as_json=as_json)
    key = games_of(written).get(profile, "")
    game = games().get(key)
    if game is None:
        fail(Exit.CONFIG, f"{profile} names no game that pitwire plays: {key!r}", as_json=as_json)
    device = next(name for name, one in devices().items() if one.kind == game.device_kind)
    try:
        table = one_table(key, named, device, round_control=game.controls[0])
    except ConfigError as error:
        for problem in error.problems:
            note(problem.sentence(error.source))
        raise SystemExit(int(Exit.CONFIG)) from error
    sentences = list(game.sentences(table.profile))
    violations = violations_of(game.device_kind)
    if as_json:
        answer(
            {
                "profile": profile,
                "game": key,
                "digest": table.profile_digest,
                "rules": dataclasses.asdict(table.profile),
                "says": sentences,
                "violations": {code: dataclasses.asdict(one) for code, one in violations.items()},
            }
        )
        return
    print(f"{profile}: {game.title}")
    print(f"digest {table.profile_digest}\n")
    for number, sentence in enumerate(sentences, 1):
        print(f"{number:3}. {sentence}")
    print("\nViolations")
    for code, rule in violations.items():
        print(f"  {code}: {rule.rule}")
        print(f"      {_consequence(rule)}")


def _consequence(rule: Any) -> str:
    if not rule.holds:
        return "on record; play goes on"
    return f"holds the round; a supervisor may: {', '.join(rule.resolutions)}"


def _read(path: Path, *, as_json: bool) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(Exit.USAGE, f"{path} cannot be read: {why(error)}", as_json=as_json)
