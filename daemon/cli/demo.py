"""Simulates devices on pseudo-terminals and runs the real daemon and a real NATS server on them.

A baccarat shoe and a roulette wheel are played, or the games that are named. A small table server
opens the rounds and closes the bets. Nothing is live: every event says that it is a rehearsal.

Examples:
  pitwire demo
  pitwire demo --game blackjack --rounds 5
  pitwire demo --speed 20 --seed 7 --json

Exit codes:
  0   the rounds were played, or it was stopped
  2   no such game
  69  the NATS server program is missing, or a part did not start
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from daemon.cli.completion import games
from daemon.cli.output import fail, note, print_json, wants_json
from daemon.exits import Exit


def command(
    rounds: Annotated[
        int | None,
        typer.Option(min=1, metavar="NUMBER", help="Stop after this many rounds at each table."),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            autocompletion=games,
            help="A game to play; give it again for more tables.",
        ),
    ] = None,
    speed: Annotated[
        float,
        typer.Option(min=0.5, max=50, metavar="FACTOR", help="How much faster than real time."),
    ] = 4.0,
    seed: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="The same seed deals the same cards and pockets."),
    ] = None,
) -> None:
    """Play rounds on simulated tables, without hardware."""
    import asyncio
    import secrets
    import signal
    import tempfile
    from pathlib import Path

    from daemon.demo.demo import DEMO_TABLES, GAMES, Demo, DemoError
    from daemon.demo.embedded_nats import NatsServerFailed, NatsServerMissing

    unknown = [key for key in game or () if key not in GAMES]
    if unknown:
        fail(Exit.USAGE, f"{unknown[0]} is no game of the demo: {', '.join(sorted(GAMES))}")
    tables = tuple(GAMES[key] for key in dict.fromkeys(game)) if game else DEMO_TABLES
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    show = print_json if wants_json() else _Screen().show
    with tempfile.TemporaryDirectory(prefix="pitwire-demo-") as folder:
        demo = Demo(Path(folder), speed, seed, show, tables)

        async def play() -> None:
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            for stop in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(stop, task.cancel if task else loop.stop)
            await demo.run(rounds, note)

        try:
            asyncio.run(play())
        except asyncio.CancelledError:
            note("stopped")
        except (DemoError, NatsServerFailed, NatsServerMissing) as error:
            fail(Exit.UNAVAILABLE, str(error))


_COLOURS = {
    "round.completed": "bold green",
    "spin.landed": "bold cyan",
    "dice.landed": "bold cyan",
    "violation.raised": "bold red",
    "round.held": "bold red",
    "card.dealt": "white",
}


class _Screen:
    """A rolling table: one line per event, the results in colour on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, soft_wrap=True)
        self._titled = False

    def show(self, envelope: dict[str, Any]) -> None:
        """Print one event."""
        from rich.text import Text

        from daemon.cli.event_format import event_line

        if not self._titled:
            self._titled = True
            title = f"{'time':12}  {'table':8} {'seq':>6}  {'event':22} what"
            self._console.print(Text(title, style="bold"))
        kind = envelope["type"].removeprefix("pitwire.").removesuffix(".v1")
        self._console.print(Text(event_line(envelope), style=_COLOURS.get(kind, "dim")))
