"""A silence is told before what ends it, also where the link itself was held up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from daemon.inputs import DeviceSaid, DeviceSilent, InputBody, LinkUp
from daemon.reconnect import DEVICE as BACKOFF
from daemon.session import Plug, Session
from drivers.clock import Clock
from drivers.errors import LinkEnded, LinkError
from drivers.link import EVERY_WIRING, Chunk, LinkSpec
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.rejects import RejectReason
from protocols.wheels.napsa import DEVICE

LINE = b"NS0542010\r\n"
BENT = b"NS05?2010\r\n"


@dataclass
class ScriptedLink:
    """A link and the clock beside it: it says each thing at its second, and then it ends."""

    script: list[tuple[float, bytes | None]]
    where: str = "script"
    scale: float = 1.0
    second: float = 0.0

    def now(self) -> Instant:
        return Instant("boot", round(self.second * 1e9))

    def wall(self) -> datetime:
        return datetime.now(UTC)

    async def read(self, _timeout_s: float | None) -> Chunk | None:
        if not self.script:
            raise LinkEnded(self.where, "is over", "nothing to do")
        self.second, data = self.script.pop(0)
        return None if data is None else Chunk(self.now(), data)

    def write(self, data: bytes) -> None: ...

    def account(self, offset: int) -> None: ...

    def close(self) -> None: ...


class Heard:
    """An inbox that keeps what it is given, by name, and a watcher that sees nothing."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def put(self, body: InputBody, _at: Instant | None = None, _done: object = None) -> None:
        if isinstance(body, DeviceSaid | DeviceSilent | LinkUp):
            self.words.append(body.kind)

    def conceals(self, _role: object) -> bool:
        return False

    def reject(
        self, _key: str, reason: RejectReason, _raw: bytes, _at: Instant, **_: object
    ) -> None:
        self.words.append(reason)

    def decoded(self, _plug: Plug, _one: Decoded, **_: object) -> None: ...

    def link_changed(self, _plug: Plug, _word: str, _error: LinkError | None) -> None: ...


def told(*script: tuple[float, bytes | None]) -> list[str]:
    """Return what the table is told, after the link is up."""
    link, heard = ScriptedLink(list(script)), Heard()

    async def opening(_settings: object, _wiring: object, _clock: Clock) -> ScriptedLink:
        return link

    open_it: Callable[..., object] = opening
    spec = LinkSpec("script", "Script", type(None), False, EVERY_WIRING, open_it)  # type: ignore[arg-type]  # noqa: FBT003 - a row
    plug = Plug("primary", DEVICE, DEVICE.settings(), spec, None)
    session = Session(plug, heard, link, heard, BACKOFF)  # type: ignore[arg-type]
    asyncio.run(session.run())
    assert heard.words.pop(0) == "link_up"
    return heard.words


def test_a_steady_wheel_is_not_silent() -> None:
    assert told((0.5, LINE), (1.0, LINE), (2.9, LINE)) == ["device_said"] * 3


def test_a_quiet_wheel_is_silent_once_and_then_heard_again() -> None:
    script = [(0.5, LINE), (2.5, None), (4.5, None), (5.0, LINE)]
    assert told(*script) == ["device_said", "device_silent", "device_said"]


def test_09_lines_that_were_held_up_end_a_silence_that_is_told_before_them() -> None:
    script = [(0.5, LINE), (134.0, LINE + LINE), (134.0, LINE)]
    assert told(*script) == ["device_said", "device_silent", *["device_said"] * 3]


def test_bytes_that_say_nothing_do_not_end_a_silence() -> None:
    script = [(0.5, LINE), (1.5, BENT), (2.5, BENT), (3.0, LINE)]
    assert told(*script) == [
        "device_said",
        "malformed",
        "device_silent",
        "malformed",
        "device_said",
    ]
