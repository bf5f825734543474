"""`pitwire demo`: simulated tables, the real daemon, a real bus, and what a server hears."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from daemon.cli.options import JsonFlag
from daemon.cli.output import answer, fail, note
from daemon.exits import Exit


def command(
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many rounds at each table.")
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game", "-g", help="Play this game instead; may be given again for more tables."
        ),
    ] = None,
    speed: Annotated[float, typer.Option(min=0.5, max=50, help="Table time over real time.")] = 4.0,
    seed: Annotated[int | None, typer.Option(help="The lot of cards and pockets.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Watch simulated devices deal real rounds through the real daemon.

    A baccarat shoe and a roulette wheel, or the games that are named.

    Nothing here is live: the tables are rehearsals, and every event says so.
    """
    import asyncio
    import secrets
    import signal
    import tempfile
    from pathlib import Path

    from daemon.demo.demo import DEMO_TABLES, GAMES, Demo, DemoError
    from daemon.demo.embedded_nats import NatsServerFailed, NatsServerMissing

    unknown = [one for one in game or () if one not in GAMES]
    if unknown:
        known = ", ".join(sorted(GAMES))
        fail(Exit.USAGE, f"{unknown[0]} is no game of the demo: {known}", as_json=as_json)
    seats = tuple(GAMES[one] for one in dict.fromkeys(game)) if game else DEMO_TABLES
    lot = secrets.randbelow(1_000_000) if seed is None else seed
    show = answer if as_json else _Screen().show
    with tempfile.TemporaryDirectory(prefix="pitwire-demo-") as folder:
        house = Demo(Path(folder), speed, lot, show, seats)

        async def play() -> None:
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            for stop in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(stop, task.cancel if task else loop.stop)
            await house.run(rounds, note)

        try:
            asyncio.run(play())
        except asyncio.CancelledError:
            note("stopped.")
        except (DemoError, NatsServerFailed, NatsServerMissing) as error:
            fail(Exit.UNAVAILABLE, str(error), as_json=as_json)


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
