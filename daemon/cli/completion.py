"""What the shell offers when a technician presses Tab: devices, games, profiles, commands, tables.

Everything comes from the catalogs, which are quick to load, except the tables: those are asked of
the running daemon, and where none answers nothing is offered.
"""

from __future__ import annotations

from collections.abc import Iterator

import typer


def device_types(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield the device types whose key begins so, each with its title."""
    from protocols.catalog import devices

    return (
        (spec.key, spec.title) for spec in devices().values() if spec.key.startswith(incomplete)
    )


def games(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield the games whose key begins so, each with its title."""
    from daemon.runtime import catalog

    return (
        (game.key, game.title)
        for game in catalog.games().values()
        if game.key.startswith(incomplete)
    )


def profiles(incomplete: str) -> Iterator[str]:
    """Yield the profiles that come with pitwire and begin so."""
    from config.load import builtin_profiles

    return (key for key in sorted(builtin_profiles()) if key.startswith(incomplete))


def messages(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield each message of the contract, with what it is."""
    from daemon.service.contract.messages import messages as known

    for message in known():
        if message.name.startswith(incomplete):
            yield message.name, message.text.partition("\n")[0]


def command_names(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield the table commands that begin so, each with what it does."""
    from daemon.cli.command_fields import TABLE_COMMANDS, summary_of

    return (
        (name, summary_of(command))
        for name, command in TABLE_COMMANDS.items()
        if name.startswith(incomplete)
    )


def tables(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Yield the running daemon's tables whose id begins so."""
    from daemon.cli.control_client import exchange
    from daemon.cli.options import DEFAULT_SOCKET

    socket = context.params.get("socket") or DEFAULT_SOCKET
    try:
        status = next(exchange(socket, {"verb": "status"}), {})
    except (OSError, ValueError):
        return
    yield from (
        table["table"]
        for table in status.get("tables", ())
        if table["table"].startswith(incomplete)
    )
