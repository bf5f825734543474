"""A table's house rules: a profile that comes with pitwire or the house's own, and overrides."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, Final

from config.complaints import Findings, shown
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
    profile = _profile(written, game, known, sheet)
    findings.problems += sheet.problems
    findings.remarks += sheet.remarks
    overrides = branch(table, "rules") or {}
    if profile is None:
        return None
    _remark_overrides(profile, key, overrides, (*path, "rules"), findings)
    merged = {**profile.rules, **overrides}
    applied = findings.check(known.games[game].profile, merged, (*path, "rules"))
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


OWN: Final = "the operator's own"
"""Where a value is from of which a profile does not say it, and each that a table overrides."""


def clauses_of(written: str) -> Mapping[str, str]:
    """Return where each rule is from, and what else a sentence is about. The text is good."""
    profile = ProfileFile.model_validate(tomllib.loads(written))
    return {**dict.fromkeys(profile.rules, OWN), **profile.clauses}


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


def _remark_overrides(
    profile: ProfileFile, key: str, overrides: Tree, path: Path, findings: Findings
) -> None:
    """Say of each rule that a table overrides what the profile has, and where that is from."""
    for name, value in overrides.items():
        if profile.rules.get(name) != value:
            there = "none"
            if name in profile.rules:
                there = f"{shown(profile.rules[name])} ({profile.clauses.get(name, OWN)})"
            what = f"{shown(value)} is {OWN}"
            findings.remark((*path, name), what, f"profile {key} has {there}")


def _profile(written: str, game: str, known: Known, sheet: Findings) -> ProfileFile | None:
    """Return a profile whose rules are each of them stated and valid."""
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
    if own := sorted(set(profile.rules) - set(profile.clauses)):
        what = f"where these are from is not said, so each is {OWN}: {', '.join(own)}"
        sheet.remark(
            ("clauses",), what, "state the clause of the house's book, or 'ours: ' and why"
        )
    return profile


def _digested(rules: Any, key: str, path: Path, findings: Findings) -> ResolvedProfile | None:
    try:
        return ResolvedProfile(rules, key, digest_of(rules))
    except ValueError as error:
        findings.problem((*path, "rules"), str(error), "expected a number of an ordinary size")
        return None
