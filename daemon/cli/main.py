"""`pitwire`: the one entry point. Verbs live in the files beside this one."""

from __future__ import annotations

import os
import sys

import typer

from daemon.cli import (
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
    watch,
)
from daemon.exits import Exit

app = typer.Typer(
    name="pitwire",
    help="Hardware bridge for casino tables: card shoes and roulette wheels to a table server.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit codes: 0 ok · 1 the answer is no · 2 usage · 69 something needed is not there ·"
    " 70 a fault of pitwire's own · 74 journal · 78 configuration.",
)
_VERBS = (
    run,
    demo,
    devices,
    detect,
    simulate,
    decode,
    replay,
    watch,
    capture,
    tail,
    send,
    status,
    check,
    rules,
    new_device,
    schema,
)
for verb in _VERBS:
    app.command(name=verb.__name__.rsplit(".", 1)[-1].replace("_", "-"))(verb.command)
app.add_typer(journal.app, name="journal")


def main() -> None:
    """Run one verb; the only place that ends the process on a broken pipe or a Ctrl-C."""
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.OK)
    except KeyboardInterrupt:
        sys.exit(128 + 2)


if __name__ == "__main__":
    main()
