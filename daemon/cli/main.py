"""`pitwire`: the one entry point. Verbs live in the files beside this one."""

from __future__ import annotations

import io
import os
import sys
from types import ModuleType
from typing import Annotated, Final

import typer

from daemon.cli import (
    authenticate,
    capture,
    check,
    decode,
    demo,
    detect,
    devices,
    journal,
    new_device,
    replay,
    rules,
    run,
    schema,
    send,
    simulate,
    status,
    tail,
    version,
    watch,
)
from daemon.cli.output import choose_json
from daemon.cli.verb import JsonOption, Sections, add_verb
from daemon.exits import Exit

RECORDS: Final = "Record and read records"
SECTIONS: Final[dict[str, tuple[ModuleType, ...]]] = {
    "Run": (run, demo),
    "Look at tables and command them": (status, tail, watch, send),
    "Find and try devices": (devices, detect, simulate, new_device),
    RECORDS: (capture, decode, replay),
    "Set up": (check, rules, schema, authenticate),
}
"""Which verbs `pitwire --help` lists, under which headings."""
_EXIT_CODES: Final = """\b
Exit codes:
  0   done
  1   the verb ran, and the answer is no
  2   the command line is wrong
  69  something needed is missing: the daemon, a device, a program
  70  a defect of pitwire
  74  the journal cannot be trusted
  78  the configuration is wrong"""

app = typer.Typer(
    name="pitwire",
    cls=Sections,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog=_EXIT_CODES,
)


@app.callback()
def pitwire(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print version, digests and Python; then exit.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Hardware bridge for casino tables: card shoes and wheels to a table server.

    `pitwire VERB --help` describes a verb, with examples.
    """
    choose_json(chosen=as_json)
    if show_version:
        version.show()
    elif context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise SystemExit(int(Exit.USAGE))


for _section, _verbs in SECTIONS.items():
    for _verb in _verbs:
        _name = _verb.__name__.rpartition(".")[2].replace("_", "-")
        _manual = _verb.MANUAL if hasattr(_verb, "MANUAL") else _verb.__doc__
        add_verb(app, _name, _verb.command, _section, str(_manual))
app.add_typer(journal.app, name="journal", rich_help_panel=RECORDS)


def main() -> None:
    """Run one verb; the only place that ends the process on a broken pipe or a Ctrl-C.

    What is printed is UTF-8, as every file of ours: a stream of another encoding could not hold it.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app(prog_name="pitwire")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.OK)
    except KeyboardInterrupt:
        sys.exit(128 + 2)


if __name__ == "__main__":
    main()
