"""How a verb is put on the command line: its page of help, its place in the list, and `--json`.

The page of `pitwire VERB --help` is the docstring of the verb's function, then the rest of its
manual: for most verbs the docstring of their file. The first line is the summary that
`pitwire --help` lists; it fits there at 80 columns. Paragraphs are wrapped to the terminal; one
whose first line ends with a colon, such as `Examples:`, keeps its lines.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from daemon.cli.output import choose_json

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print JSON on stdout, one value per line.")
]
_AS_IT_STANDS: Final = "\b\n"
"""How the help formatter is told to keep a paragraph's lines."""


def add_verb(
    app: typer.Typer, name: str, verb: Callable[..., None], section: str, manual: str = ""
) -> None:
    """Put a verb on the command line, under this heading of the list.

    manual  what its page says after the function's own docstring
    """
    page = f"{inspect.getdoc(verb)}\n\n{manual}".strip()
    app.command(
        name,
        cls=Page,
        short_help=page.partition("\n")[0].rstrip("."),
        help="\n\n".join(_paragraphs(page)),
        rich_help_panel=section,
    )(_with_json(verb))


def _paragraphs(page: str) -> Iterator[str]:
    """Yield the page's paragraphs; those with a heading are marked to keep their lines."""
    for paragraph in page.split("\n\n"):
        heading, _, rest = paragraph.partition("\n")
        yield _AS_IT_STANDS + paragraph if heading.endswith(":") and rest else paragraph


def _with_json(verb: Callable[..., None]) -> Callable[..., None]:
    """Return the verb with a `--json` option, which it need not know of."""

    @functools.wraps(verb)
    def run(*, json: bool, **values: Any) -> None:
        if json:
            choose_json(chosen=True)
        verb(**values)

    signature = inspect.signature(verb, eval_str=True)
    flag = inspect.Parameter(
        "json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=JsonOption
    )
    # typer reads a command's options from its signature.
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), flag])  # type: ignore[attr-defined]
    return run


class Page(TyperCommand):
    """A verb whose help and errors speak of what is typed, and not of Python's types."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; a wrong value is told in plain words. Raises BadParameter."""
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            plain = error.message.removeprefix("Value error, ").partition(", unable to parse")[0]
            error.message = plain.replace("Input should be", "it should be").rstrip(".")
            raise

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the lists; typer's own way adds the Python type of each argument."""
        titles = {"argument": "Arguments", "option": "Options"}
        for kind, title in titles.items():
            rows = [
                (param.metavar if kind == "argument" else record[0], record[1])
                for param in self.get_params(ctx)
                if param.param_type_name == kind and (record := param.get_help_record(ctx))
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Sections(TyperGroup):
    """Lists verbs under the headings that they were added with, each summary whole."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the lists; typer's own way cuts a summary that is too long."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            verb: Any = self.get_command(ctx, name)
            title = verb.rich_help_panel or "Verbs"
            sections.setdefault(title, []).append((name, verb.get_short_help_str()))
        width = max(len(name) for rows in sections.values() for name, _ in rows)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), summary) for name, summary in rows])
