"""A verb of the command line that goes on until it is stopped: what it prints, line by line."""

from __future__ import annotations

import asyncio
import json
import signal
from typing import Any, Self

from support.whole_rig import PATIENCE_S, PITWIRE


class Verb:
    """Use as `async with Verb("watch", …)`. What it started is gone afterwards."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.said: list[str] = []
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            *PITWIRE,
            *self.words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            preexec_fn=_hears_ctrl_c,
        )
        return self

    async def __aexit__(self, *_exc: object) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.communicate()

    async def line(self, part: str = "") -> str:
        """Return the next line of stdout that has this part."""
        assert self._process is not None
        return await self._next(self._process.stdout, part)

    async def note(self, part: str = "") -> str:
        """Return the next line of stderr that has this part."""
        assert self._process is not None
        return await self._next(self._process.stderr, part)

    async def json(self, part: str = "") -> dict[str, Any]:
        value: dict[str, Any] = json.loads(await self.line(part))
        return value

    async def stop(self) -> int:
        """Press Ctrl-C; return the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return await self._process.wait()

    def sleep(self) -> None:
        """Stop it as a busy machine would: it notices nothing until `wake`."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def _next(self, stream: asyncio.StreamReader | None, part: str) -> str:
        assert stream is not None
        async with asyncio.timeout(PATIENCE_S):
            while line := (await stream.readline()).decode():
                self.said.append(line)
                if part in line:
                    return line
        raise AssertionError(f"it ended without {part!r}: {''.join(self.said)}")


def _hears_ctrl_c() -> None:
    """A shell lets what it starts in the background ignore Ctrl-C, and that is inherited."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
