"""`--version`, `--json` before or behind the verb, and what Tab offers."""

import json
import os
import subprocess
from contextvars import copy_context

import pytest
from support.whole_rig import PITWIRE
from typer.testing import CliRunner, Result

from daemon.cli.command_fields import TABLE_COMMANDS
from daemon.cli.main import app
from daemon.runtime.recovery import code_digest
from protocols.catalog import devices


def typed(*words: str) -> Result:
    return copy_context().run(CliRunner().invoke, app, list(words))


def test_the_version_names_the_code_that_decides() -> None:
    shown = typed("--version")
    assert shown.exit_code == 0
    first, *others = shown.output.splitlines()
    assert first.startswith("pitwire ")
    assert f"code {code_digest()}" in others


def test_f17_what_is_printed_is_utf_8_whatever_the_locale_says() -> None:
    """A verb that prints more than ASCII was a traceback on an ASCII stdout."""
    locale = {**os.environ, "PYTHONIOENCODING": "ascii"}
    rules = [*PITWIRE, "rules", "blackjack-ru"]
    shown = subprocess.run(rules, capture_output=True, check=True, env=locale)
    assert "\N{MIDDLE DOT}" in shown.stdout.decode("utf-8")


def test_the_version_as_json_has_the_same_facts() -> None:
    facts = json.loads(typed("--version", "--json").output)
    assert facts.keys() == {"name", "version", "code", "program", "python"}
    assert facts["code"] == code_digest()


@pytest.mark.parametrize(
    "words", [("--json", "check", "/nowhere"), ("check", "/nowhere", "--json")], ids=" ".join
)
def test_json_is_asked_for_before_or_behind_the_verb(words: tuple[str, ...]) -> None:
    shown = typed(*words)
    assert json.loads(shown.stderr) == {
        "error": "/nowhere cannot be read: No such file or directory",
        "exit": 78,
    }


def test_one_run_does_not_choose_for_the_next() -> None:
    def both() -> str:
        CliRunner().invoke(app, ["--json", "check", "/nowhere"])
        return CliRunner().invoke(app, ["check", "/nowhere"]).stderr

    assert copy_context().run(both).startswith("pitwire: /nowhere cannot be read")


def offered(*words: str) -> set[str]:
    """Return what bash would offer for the last word."""
    line = {"COMP_WORDS": " ".join(("pitwire", *words)), "COMP_CWORD": str(len(words))}
    done = subprocess.run(
        PITWIRE,
        env={**os.environ, **line, "_PITWIRE_COMPLETE": "complete_bash"},
        capture_output=True,
        text=True,
        check=True,
    )
    return {word.partition(",")[2] or word for word in done.stdout.split()}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("dev",), {"devices"}),
        (("decode", "angel"), {"angel_eye_ii_ex"}),
        (("watch", "x", "--device", "zebra"), {"zebra_ssi"}),
        (("replay", "x", "-g", "rou"), {"roulette"}),
        (("rules", "baccarat-l"), {"baccarat-lv"}),
        (("send", "x", "shoe.verify."), {name for name in TABLE_COMMANDS if "verify" in name}),
        (("decode", ""), set(devices())),
        (("tail", "--socket", "/nowhere", "--table", ""), set()),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_tab_offers_what_the_catalogs_have(words: tuple[str, ...], expected: set[str]) -> None:
    assert offered(*words) == expected


@pytest.mark.parametrize("option", ["--install-completion", "--show-completion"])
def test_completion_can_be_installed_and_shown(option: str) -> None:
    assert option in typed("--help").output
