"""A table's house rules: a profile that comes with pitwire or the house's own, and overrides."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from config.complaints import Findings
from config.digest import digest_of
from config.places import Path
from config.raw import Tree, branch, parse, text
from config.schema import ProfileFile
from config.vocabulary import Known


@dataclass(frozen=True, slots=True)
class ResolvedProfile:
    """The rules as they apply to a table, under the name in its file, and their digest."""

    rules: Any
    key: str
    digest: str


def resolve_profile(
    table: Tree, path: Path, known: Known, folder: FilePath, findings: Findings
) -> ResolvedProfile | None:
    """Return the rules of a table; None with every problem added. Own files are in `folder`."""
    game, key = text(table, "game"), text(table, "profile")
    if key is None or game is None or game not in known.games:
        return None
    written = _written(key, game, path, known, folder, findings)
    if written is None:
        return None
    sheet = Findings(written, f"profile {key}")
    rules = _rules(written, game, known, sheet)
    findings.problems += sheet.problems
    overrides = branch(table, "rules") or {}
    if rules is None:
        return None
    applied = findings.check(known.games[game].profile, {**rules, **overrides}, (*path, "rules"))
    return None if applied is None else _digested(applied, key, path, findings)


def games_of(profiles: Mapping[str, str]) -> Mapping[str, str]:
    """Return the game of each profile, by its name; a profile that is no TOML has none."""
    games: dict[str, str] = {}
    for key, written in profiles.items():
        try:
            games[key] = str(tomllib.loads(written).get("game"))
        except tomllib.TOMLDecodeError:
            continue
    return games


def clauses_of(written: str) -> Mapping[str, str]:
    """Return where the house's document states what, by topic. The profile's text is good."""
    return ProfileFile.model_validate(tomllib.loads(written)).clauses


def _written(
    key: str, game: str, path: Path, known: Known, folder: FilePath, findings: Findings
) -> str | None:
    """Return the TOML text of a profile."""
    if key in known.profiles:
        return known.profiles[key]
    if not key.endswith(".toml"):
        fitting = [profile for profile, of in games_of(known.profiles).items() if of == game]
        findings.unknown((*path, "profile"), f"profile of {game}", key, fitting)
        return None
    try:
        return (folder / key).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        findings.problem(
            (*path, "profile"),
            f'the profile "{key}" cannot be read: {why}',
            f"expected a TOML file, its path absolute or seen from {folder}",
        )
        return None


def _rules(written: str, game: str, known: Known, sheet: Findings) -> Mapping[str, Any] | None:
    """Return the rules in a profile's text, each of them stated and valid."""
    tree = parse(written, sheet)
    if tree is None:
        return None
    profile = sheet.check(ProfileFile, tree, ())
    if profile is None:
        return None
    if profile.game != game:
        what = f'these are rules of "{profile.game}", the table plays "{game}"'
        sheet.problem(("game",), what, f"expected a profile of {game}")
        return None
    rules = sheet.check(known.games[game].profile, profile.rules, ("rules",))
    if rules is None:
        return None
    for field in dataclasses.fields(rules):
        # TOML has no null: a rule that a house does not have is left out.
        if field.name not in profile.rules and getattr(rules, field.name) is not None:
            what = f'"{field.name}" is missing'
            sheet.problem(("rules",), what, "a profile states every rule of its game")
    return profile.rules


def _digested(rules: Any, key: str, path: Path, findings: Findings) -> ResolvedProfile | None:
    try:
        return ResolvedProfile(rules, key, digest_of(rules))
    except ValueError as error:
        findings.problem((*path, "rules"), str(error), "expected a number of an ordinary size")
        return None
