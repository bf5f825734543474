"""The pages of help: whole at 80 columns, plain, and true to the options there are."""

import re
from collections.abc import Iterator
from contextvars import copy_context
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner, Result

from daemon.cli import journal
from daemon.cli.command_fields import TABLE_COMMANDS
from daemon.cli.main import SECTIONS, app
from daemon.exits import Exit

PAGES: dict[tuple[str, ...], Any] = {
    **{(verb.name,): verb.callback for verb in app.registered_commands if verb.name},
    **{
        ("journal", verb.name): verb.callback
        for verb in journal.app.registered_commands
        if verb.name
    },
}
"""Every verb, as it is typed, and its function."""
EVERY_PAGE = pytest.mark.parametrize("words", [(), ("journal",), *PAGES], ids=" ".join)
EVERY_VERB = pytest.mark.parametrize("words", PAGES, ids=" ".join)


def typed(*words: str, columns: int = 80) -> Result:
    runner, width = CliRunner(), {"COLUMNS": str(columns), "TERMINAL_WIDTH": str(columns)}
    return copy_context().run(runner.invoke, app, list(words), env=width)


def section(page: str, title: str) -> list[str]:
    """Return the lines under a heading."""
    found = re.search(rf"^ *{title}.*:\n((?:.+\n)+)", page, re.MULTILINE)
    return found.group(1).splitlines() if found else []


@EVERY_PAGE
def test_a_page_of_help_is_whole_at_80_columns(words: tuple[str, ...]) -> None:
    page = typed(*words, "--help")
    assert page.exit_code == 0
    _usage, *lines = page.output.splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines if line.endswith(("...", "…"))] == []


@pytest.mark.parametrize("columns", [40, 20, 1])
@EVERY_PAGE
def test_a_narrow_terminal_gets_every_page(words: tuple[str, ...], columns: int) -> None:
    assert typed(*words, "--help", columns=columns).exit_code == 0


@EVERY_PAGE
def test_a_page_of_help_is_plain_text(words: tuple[str, ...]) -> None:
    assert not set("\x1b╭│╰") & set(typed(*words, "--help").output)


@EVERY_VERB
def test_the_list_of_verbs_has_each_summary_in_one_line(words: tuple[str, ...]) -> None:
    *group, verb = words
    summary = (PAGES[words].__doc__ or "").partition("\n")[0].rstrip(".")
    listed = typed(*group, "--help").output.splitlines()
    assert [line.split(maxsplit=1) for line in listed].count([verb, summary]) == 1


def test_the_list_of_verbs_is_in_sections() -> None:
    listed = typed("--help").output
    for title, verbs in SECTIONS.items():
        names = [line.split()[0] for line in section(listed, title)]
        own = [verb.__name__.rpartition(".")[2].replace("_", "-") for verb in verbs]
        assert names[: len(own)] == own


def examples(page: str) -> Iterator[list[str]]:
    """Yield the words of each `pitwire` in the page's examples."""
    for line in section(page, "Examples"):
        yield re.split(r"[|>]", line.partition("pitwire ")[2])[0].split()


@EVERY_VERB
def test_a_verb_has_examples_and_each_uses_options_that_there_are(words: tuple[str, ...]) -> None:
    page = typed(*words, "--help").output
    there_are = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", "\n".join(section(page, "Options"))))
    assert section(page, "Examples")
    for example in examples(page):
        assert tuple(example[: len(words)]) == words
        assert {word for word in example if word.startswith("-")} <= there_are


@EVERY_VERB
def test_the_exit_codes_of_a_verb_are_those_of_pitwire(words: tuple[str, ...]) -> None:
    lines = section(typed(*words, "--help").output, "Exit codes")
    assert {int(line.split()[0]) for line in lines} <= {int(code) for code in Exit}


def test_every_exit_code_is_explained() -> None:
    lines = section(typed("--help").output, "Exit codes")
    assert [int(line.split()[0]) for line in lines] == [int(code) for code in Exit]


@EVERY_VERB
def test_no_option_is_described_by_a_type_of_python(words: tuple[str, ...]) -> None:
    page = typed(*words, "--help").output
    assert re.findall(r"<(?:str|int|float|list|path)\b", page) == []


@pytest.mark.parametrize("name", TABLE_COMMANDS)
def test_the_page_of_send_lists_every_command_with_its_fields(name: str) -> None:
    page = typed("send", "--help").output
    after = page.partition(f"\n    {name} ")[2]
    described = re.split(r"\n    \S|\n\n", after)[0]
    for field in TABLE_COMMANDS[name].__dataclass_fields__:
        assert (f"{field}=" in described) == (field != "kind")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("demo", "--speed", "fast"), "'--speed': it should be a valid number"),
        (("demo", "--rounds", "0"), "'--rounds': it should be greater than or equal to 1"),
        (("new-device", "x", "--kind", "box"), "'box' is not one of 'shoe', 'wheel', 'dice'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_value_is_told_in_plain_words(words: tuple[str, ...], sentence: str) -> None:
    wrong = typed(*words)
    assert wrong.exit_code == Exit.USAGE
    assert wrong.stderr.splitlines()[-1].endswith(sentence)
    assert "Value error" not in wrong.stderr


def test_without_a_verb_the_list_is_shown_and_the_line_is_wrong() -> None:
    shown = typed()
    assert shown.exit_code == Exit.USAGE
    assert "Usage: pitwire" in shown.stderr
    assert shown.stdout == ""


def test_no_verb_has_the_name_of_another() -> None:
    click = typer.main.get_command(app)
    verbs: dict[str, Any] = click.commands  # type: ignore[attr-defined] # a group
    assert len(PAGES) == len(set(PAGES)) == len(verbs) - 1 + len(verbs["journal"].commands)
