"""`pitwire --version`: exactly which pitwire this is."""

from __future__ import annotations

from daemon.cli.output import answer


def show() -> None:
    """Print the version, two digests, and the Python it runs on.

    code     of the code that decides: two installations with the same one give the same events for
             the same bytes. Each `table.status` and each state record in the journal carry it
    program  of every file: what `[program] approved` in the configuration may list
    """
    import platform
    from importlib.metadata import version

    from daemon.runtime.recovery import code_digest
    from daemon.service.authentication import program

    facts = {
        "name": "pitwire",
        "version": version("pitwire"),
        "code": code_digest(),
        "program": program().digest,
        "python": platform.python_version(),
    }
    answer(
        facts,
        f"{facts['name']} {facts['version']}",
        f"code {facts['code']}",
        f"program {facts['program']}",
        f"Python {facts['python']}",
    )
