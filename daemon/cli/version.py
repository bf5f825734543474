"""`pitwire --version`: exactly which pitwire this is."""

from __future__ import annotations

from daemon.cli.output import answer


def show() -> None:
    """Print the version, the digest of the code that decides, and the Python it runs on.

    Two installations with the same digest give the same events for the same bytes; each
    `table.status` and each state record in the journal carry it.
    """
    import platform
    from importlib.metadata import version

    from daemon.runtime.recovery import code_digest

    facts = {
        "name": "pitwire",
        "version": version("pitwire"),
        "code": code_digest(),
        "python": platform.python_version(),
    }
    answer(
        facts,
        f"{facts['name']} {facts['version']}",
        f"code {facts['code']}",
        f"Python {facts['python']}",
    )
