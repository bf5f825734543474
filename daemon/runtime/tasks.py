"""Ending tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

_AGAIN_S: Final = 0.2


async def end_tasks(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks and return when all have ended, whatever they end with.

    They are cancelled again and again: a call with a time limit that is answered in the moment of
    the cancellation swallows it (`asyncio.wait_for` before Python 3.12).
    """
    ending = tuple(tasks)
    while running := [task for task in ending if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=_AGAIN_S)
    await asyncio.gather(*ending, return_exceptions=True)
