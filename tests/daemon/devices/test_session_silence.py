"""A silence is told before what ends it, also where the link itself was held up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from support.inboxes import inbox_of

from daemon.devices.attachment import AttachedDevice
from daemon.devices.pace import MANY_LINES
from daemon.devices.session import Session
from daemon.runtime.inbox import Inbox
from daemon.service.assembly import one_table
from daemon.table.inputs import DeviceGarbled, DeviceSaid, DeviceSilent, InputBody
from drivers.clock import Clock
from drivers.errors import LinkEnded, LinkError
from drivers.link import EVERY_WIRING, Chunk, LinkSpec, OpenLink
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

    async def aclose(self) -> None: ...


class Seen:
    """A watcher that keeps only why bytes said nothing."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def decoded(self, _plug: AttachedDevice, one: Decoded, *, stale: bool) -> None:
        assert not stale
        if isinstance(one.body, RejectReason):
            self.words.append(one.body)

    def concealed(self, _plug: AttachedDevice) -> None: ...

    def link_changed(self, _plug: AttachedDevice, _word: str, _error: LinkError | None) -> None: ...


def noting(inbox: Inbox, words: list[str]) -> Inbox:
    """Write down what the table is told of its device."""
    put = inbox.put

    def noted(body: InputBody, *more: Any) -> Any:
        if isinstance(body, DeviceSaid | DeviceSilent | DeviceGarbled):
            words.append(body.kind)
        return put(body, *more)

    inbox.put = noted  # type: ignore[method-assign] # the same, and a note
    return inbox


async def told(*script: tuple[float, bytes | None]) -> list[str]:
    """Return what the table is told of the wheel."""
    link, words = ScriptedLink(list(script)), list[str]()
    inbox = noting(inbox_of(one_table("roulette", "roulette-dk", DEVICE.key), link), words)

    async def opening(_settings: object, _wiring: object, _clock: Clock) -> OpenLink:
        return link

    spec = LinkSpec("script", "Script", type(None), live=False, carries=EVERY_WIRING, open=opening)
    plug = AttachedDevice("primary", DEVICE, DEVICE.settings(), spec, None)
    await Session(plug, inbox, link, Seen(words)).run()
    return words


async def test_a_steady_wheel_is_not_silent() -> None:
    assert await told((0.5, LINE), (1.0, LINE), (2.9, LINE)) == ["device_said"] * 3


async def test_34_a_quiet_wheel_is_silent_once_and_then_heard_again() -> None:
    script = [(0.5, LINE), (2.5, None), (4.5, None), (5.0, LINE)]
    assert await told(*script) == ["device_said", "device_silent", "device_said"]


async def test_09_lines_that_were_held_up_end_a_silence_that_is_told_before_them() -> None:
    script = [(0.5, LINE), (134.0, LINE + LINE), (134.0, LINE)]
    assert await told(*script) == ["device_said", "device_silent", *["device_said"] * 3]


async def test_bytes_that_say_nothing_do_not_end_a_silence() -> None:
    script = [(0.5, LINE), (1.5, BENT), (2.5, BENT), (3.0, LINE)]
    assert await told(*script) == [
        "device_said",
        "malformed",
        "device_silent",
        "malformed",
        "device_said",
    ]


async def test_08_37_a_line_of_nothing_but_damage_is_called_garbled_once() -> None:
    script = [(0.01 * place, BENT) for place in range(2 * MANY_LINES)]
    assert [one for one in await told(*script) if one != "malformed"] == ["device_garbled"]
