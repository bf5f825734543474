"""The house itself: budgets, names, what the README promises."""

import ast
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from support.vocabulary import VIOLATIONS, kind

from daemon.cli.main import app
from daemon.exits import Exit
from daemon.runtime.catalog import games
from protocols.catalog import devices
from protocols.commands import Command
from protocols.device import DeviceSpec
from protocols.events import Event
from protocols.readings import Reading
from protocols.refusals import Refusal
from protocols.simulator import Cue

ROOT = Path(__file__).parents[2]
ROOMS = ("protocols", "drivers", "config", "daemon")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
README = (ROOT / "README.md").read_text()


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


LONGEST_FILE, LONGEST_FUNCTION, LONGEST_CLASS = 400, 56, 250


def too_long(path: Path) -> list[str]:
    """Return the functions and classes of a file that are longer than they may be."""
    limits: dict[type[ast.AST], int] = {
        ast.FunctionDef: LONGEST_FUNCTION,
        ast.AsyncFunctionDef: LONGEST_FUNCTION,
        ast.ClassDef: LONGEST_CLASS,
    }
    return [
        f"{node.name}: {lines} lines"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > limits[type(node)]
    ]


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_test_file_is_small_enough_to_answer_one_question(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_small_enough_to_hold(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST_FILE
    assert not too_long(path)


def patterns(path: Path) -> list[str]:
    """Return the literals of a file that look like regular expressions."""
    literals = (
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )
    texts = (one.decode("latin-1") if isinstance(one, bytes) else one for one in literals)
    return [text for text in texts if re.search(r"\(\?|\[", text)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_pattern_is_possessive_for_debians_python_matches_them_wrong(path: Path) -> None:
    """CPython before 3.11.5 loses matches of them (gh-106052); Debian 12 has 3.11.2."""
    assert not [
        text for text in patterns(path) if any(one in text for one in ("++", "*+", "?+", "(?>"))
    ]


def test_a_reading_or_a_cue_is_named_as_its_class() -> None:
    for one in (*get_args(Reading), *get_args(Cue)):
        assert kind(one) == snake(one.__name__)


def test_an_event_is_a_noun_and_what_happened_to_it() -> None:
    for one in get_args(Event):
        assert re.fullmatch(r"[a-z]+\.[a-z_]+", kind(one)), one


def test_no_two_words_of_the_contract_are_the_same() -> None:
    words = [kind(one) for one in (*get_args(Event), *get_args(Command))]
    assert len(words) == len(set(words))


def test_every_violation_that_holds_can_be_resolved() -> None:
    for code, rule in VIOLATIONS.items():
        assert bool(rule.resolutions) == rule.holds, code


@pytest.mark.parametrize("verb", [one.name for one in app.registered_commands])
def test_the_readme_shows_every_verb(verb: str) -> None:
    assert f"`pitwire {verb}" in README


@pytest.mark.parametrize("code", list(Exit))
def test_the_readme_lists_every_exit_code(code: Exit) -> None:
    assert f"| {int(code)} |" in README


@pytest.mark.parametrize("command", ["make run", "make test", "make bench"])
def test_the_readme_names_commands_that_exist(command: str) -> None:
    assert command in README
    assert f"\n{command.removeprefix('make ')}:" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("spec", devices().values(), ids=lambda spec: spec.key)
def test_the_readme_says_how_mature_a_device_is(spec: DeviceSpec) -> None:
    line = next(line for line in README.splitlines() if line.startswith(f"| `{spec.key}`"))
    assert f"| {spec.maturity} |" in line


def test_the_readme_lists_the_rooms_of_the_daemon_from_top_to_bottom() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    rows = next(
        contract["layers"]
        for contract in contracts["contracts"]
        if contract["name"].startswith("the daemon's rooms")
    )
    rooms = [room.removeprefix("daemon.") for row in rows for room in row.split(" | ")]
    section = README.partition("`daemon/` has rooms of its own")[2].partition("\n## ")[0]
    shown = re.findall(
        r"`(\w+)(?:/|\.py)`", "".join(re.findall(r"^\| (`.+?) \|", section, re.MULTILINE))
    )
    assert shown == rooms


def test_the_daemon_has_no_room_that_no_wall_knows() -> None:
    folders = {path.name for path in (ROOT / "daemon").iterdir() if (path / "__init__.py").exists()}
    section = README.partition("`daemon/` has rooms of its own")[2].partition("\n## ")[0]
    assert {room for room in folders if f"`{room}/`" not in section} == set()


DAEMON = "\n".join(path.read_text() for path in SOURCES if path.is_relative_to(ROOT / "daemon"))


@pytest.mark.parametrize("refusal", list(Refusal), ids=str)
def test_every_refusal_of_the_contract_can_be_given(refusal: Refusal) -> None:
    assert f"Refusal.{refusal.name}" in DAEMON


@pytest.mark.parametrize("code", VIOLATIONS)
def test_every_violation_of_the_vocabulary_can_be_raised(code: str) -> None:
    assert DAEMON.count(f'"{code}"') > 1, "its rule names it once"


def test_the_list_of_log_names_is_whole() -> None:
    used = set(re.findall(r'log\.(?:info|warning|error)\(\s*"([a-z_]+)"', DAEMON))
    logs = (ROOT / "daemon" / "telemetry" / "logs.py").read_text()
    listed = logs.split("Names in use:")[1].split(".")[0]
    assert set(listed.split()) == used


HANDS_OF_21 = {("protocols/events/hand.py", "blackjack")}
"""Where a game's name is the word for something else."""


@pytest.mark.parametrize("game", sorted(games()))
def test_no_other_file_names_a_game(game: str) -> None:
    own = (ROOT / "daemon/games" / game, ROOT / "daemon/games" / f"{game}.py")
    named = {
        (path.relative_to(ROOT).as_posix(), game)
        for path in SOURCES
        if path not in own and own[0] not in path.parents
        if f'"{game}"' in path.read_text() or f"games.{game}" in path.read_text()
    }
    assert named <= HANDS_OF_21
