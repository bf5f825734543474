"""What a device module provides: a decoder, its host commands, a simulator, and facts as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from protocols.framing import Framing
from protocols.instant import Instant
from protocols.readings import Reading
from protocols.rejects import RejectReason
from protocols.simulator import Simulator
from protocols.wiring import Wiring

Maturity = Literal["experimental", "beta", "stable"]
DeviceKind = Literal["shoe", "wheel", "dice"]
Proof = Literal["laps", "direction", "ball_seen", "order", "identity", "position"]
"""What a device's own frames can prove: how often the ball went round, against which rotor, that it
was seen at all; that no card or spin is missing, which card or pocket it is, which slot it went to.
"""


@dataclass(frozen=True, slots=True)
class Decoded:
    """One frame, or one stretch of bytes that was none.

    at        when its last byte arrived
    raw       its bytes, exactly: every raw + pending = everything fed; empty for silence
    body      what it says, or why it says nothing
    sequence  the device's own frame number where the frame carries one
    reply     what to answer the device, once the reading is durable
    repeats   where the frame says that it is sent again: the frame it repeats, as first sent
    """

    at: Instant
    raw: bytes
    body: Reading | RejectReason
    sequence: str | None = None
    reply: bytes | None = None
    repeats: bytes | None = None


class FrameMeaning(NamedTuple):
    """What a whole frame says, from its bytes alone; the fields as in `Decoded`."""

    body: Reading | RejectReason
    sequence: str | None = None
    reply: bytes | None = None


class Decoder(Protocol):
    """Bytes to readings, for one open link. Never raises on bytes, keeps no clock."""

    wake_at: Instant | None
    """When `tick` wants to be called next, if at all."""

    @property
    def pending(self) -> bytes:
        """Return the bytes fed and not yet accounted for."""

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        """Take bytes that arrived at `at` and return what they complete."""

    def tick(self, at: Instant) -> Sequence[Decoded]:
        """Let time pass: close half frames by silence, poll, retry.

        A decoder that polls (`DeviceSpec.writes`) is ticked once when its link opens, and asks.
        """


@dataclass(frozen=True, slots=True)
class SequenceRule:
    """The device numbers its frames: `digits` in order; what may follow the last is `wraps_to`.

    A text of digits stands for numbers of one digit each.
    A frame with the number of the one before it, equal to the byte and within `repeat_s`, is that
    same frame sent again.
    """

    digits: Sequence[str]
    wraps_to: frozenset[str]
    repeat_s: float


@dataclass(frozen=True, slots=True)
class HostCommand:
    """A command the host may send: `name`, what it does, and its bytes."""

    name: str
    meaning: str
    data: bytes
    changes_device: bool


Settings: TypeAlias = Any
"""A device's own frozen dataclass of settings; `DeviceSpec.settings` is its type."""


@dataclass(frozen=True, slots=True)
class DeviceSpec:
    """Everything pitwire knows about one kind of device. One per module, named DEVICE.

    key        module name = config value = metric label = capture folder
    settings   frozen dataclass type, every field with a default; a field with the metadata
               `file` ("toml" or "dbc") holds what is in such a file, and the operator's file gives
               its path
    silence_s  longest silence of a healthy device, None where silence is normal
    proves     what its frames prove of a round; the rest a person has to watch
    writes     what the decoder or the daemon may send to the device
    resent_within_s
               for how long after a frame the device may send it again where its frames say so
               (`Decoded.repeats`) and carry no number; None where they do not
    reread_within_s
               within which an equal frame is the same card read again, where frames neither carry
               a number nor say that they are sent again: no two cards can pass in it. None where
               every frame is another
    gone_after_s
               how long a tag is not named before it has left a reader that says what lies on it
               (`CardsPresent`); None where no tags are read
    described  where facts of the device depend on its settings: the spec that they make
    """

    key: str
    title: str
    kind: DeviceKind
    maturity: Maturity
    source: str
    wiring: Wiring
    framing: Framing
    settings: type[Settings]
    decoder: Callable[[Settings], Decoder]
    simulator: Callable[[Settings], Simulator]
    commands: Sequence[HostCommand] = ()
    sequence: SequenceRule | None = None
    silence_s: float | None = None
    writes: Literal["none", "handshake", "poll", "control"] = "none"
    notes: Sequence[str] = field(default=())
    resent_within_s: float | None = None
    reread_within_s: float | None = None
    gone_after_s: float | None = None
    described: Callable[[Settings], DeviceSpec] | None = None
    proves: frozenset[Proof] = frozenset()

    def under(self, settings: Settings) -> DeviceSpec:
        """Return the device as these settings make it."""
        return self if self.described is None else self.described(settings)
