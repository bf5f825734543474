"""What a line looks like: the bytes of a while, through the decoders of many devices. Pure.

It says how sure it is and decides nothing: a table's device is what its configuration says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final, Literal

from daemon.devices.feed import DeviceFeed
from drivers.link import Chunk
from protocols.device import Decoded, DeviceSpec
from protocols.readings import CardsPresent, CardUnread, Reading
from protocols.rejects import RejectReason
from protocols.wiring import SerialWiring

Confidence = Literal["sure", "likely", "possible"]

USUAL: Final = (
    *(SerialWiring(baud) for baud in (4800, 9600, 19200, 38400, 57600, 115200)),
    SerialWiring(9600, bits=7, parity="E"),
    SerialWiring(9600, parity="E"),
)
"""How a line may be set where it is not as the device's maker sets it."""

_SURE_CHECKED: Final = 3
"""Readings that make sure where each has a check value: noise has one by chance in 256, cubed."""
_SURE_UNCHECKED: Final = 8
_LIKELY: Final = 2
_SURE_SHARE: Final = 0.9
_LIKELY_SHARE: Final = 0.5
_LEAST_SHARE: Final = 0.05
"""Of less, chance makes a frame that fits."""


@dataclass(frozen=True, slots=True)
class ListeningStep:
    """A wiring to listen at, and the devices that may be heard there."""

    wiring: SerialWiring
    devices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """What one device's decoder made of what was heard.

    readings  frames that say something of their own: not merely that a card was not recognised
    share     how much of all that was heard those frames are, from 0 to 1
    checked   whether this device's frames have a check value
    """

    device: str
    wiring: SerialWiring
    readings: int
    rejects: int
    share: float
    checked: bool

    @property
    def confidence(self) -> Confidence:
        """Return how sure it is that this device speaks."""
        enough = _SURE_CHECKED if self.checked else _SURE_UNCHECKED
        if self.readings >= enough and self.share >= _SURE_SHARE:
            return "sure"
        if self.readings >= _LIKELY and self.share >= _LIKELY_SHARE:
            return "likely"
        return "possible"


def own_steps(devices: Mapping[str, DeviceSpec]) -> tuple[ListeningStep, ...]:
    """Return each wiring that some device has by default, with the devices that have it."""
    keys_of: dict[SerialWiring, tuple[str, ...]] = {}
    for key, wiring in _recognisable(devices):
        keys_of[wiring] = (*keys_of.get(wiring, ()), key)
    return tuple(ListeningStep(wiring, keys) for wiring, keys in keys_of.items())


def other_steps(devices: Mapping[str, DeviceSpec]) -> tuple[ListeningStep, ...]:
    """Return the usual wirings, each with the devices that do not have it by default."""
    known = tuple(_recognisable(devices))
    steps = (
        ListeningStep(wiring, tuple(key for key, own in known if own != wiring)) for wiring in USUAL
    )
    return tuple(step for step in steps if step.devices)


def _recognisable(devices: Mapping[str, DeviceSpec]) -> Iterator[tuple[str, SerialWiring]]:
    """Yield the devices that speak on a serial line as their maker has it: not by a site's file."""
    for key, spec in devices.items():
        described = any("file" in field.metadata for field in fields(spec.settings))
        if isinstance(spec.wiring, SerialWiring) and not described:
            yield key, spec.wiring


def frames_of(spec: DeviceSpec, chunks: Sequence[Chunk]) -> list[Decoded]:
    """Return the frames that this device's decoder finds, up to the silence after them."""
    feed = DeviceFeed(spec, spec.settings())
    items = [heard for chunk in chunks for heard in feed.take(chunk)]
    if chunks and feed.wake_at is not None:
        items += feed.tick(feed.wake_at)
    return [heard.frame for heard in items if heard.frame is not None]


def judge(spec: DeviceSpec, wiring: SerialWiring, frames: Sequence[Decoded]) -> Guess:
    """Return what this device's decoder made of what was heard."""
    readings = rejects = told = 0
    for frame in frames:
        if isinstance(frame.body, RejectReason):
            rejects += bool(frame.raw)
        elif _tells(frame.body):
            readings, told = readings + 1, told + len(frame.raw)
    total = sum(len(frame.raw) for frame in frames)
    share = told / total if total > 0 else 0.0
    checked = spec.framing.checksum != "none"
    return Guess(spec.key, wiring, readings, rejects, share, checked)


def best(guesses: Sequence[Guess]) -> tuple[Guess, ...]:
    """Return the guesses that what was heard speaks for, the best first."""
    ranked = sorted(
        (guess for guess in guesses if guess.readings and guess.share >= _LEAST_SHARE),
        key=lambda guess: (-guess.share, not guess.checked, -guess.readings, guess.device),
    )
    return tuple(ranked)


def verdict(ranked: Sequence[Guess]) -> tuple[Guess, Confidence] | None:
    """Return the device that it looks like, and how sure that is; None where nothing fits.

    Two devices that are both sure of the same bytes leave it at likely: a person decides.
    """
    if not ranked:
        return None
    first, rivals = ranked[0], {guess.device for guess in ranked[1:] if guess.confidence == "sure"}
    if first.confidence == "sure" and rivals - {first.device}:
        return first, "likely"
    return first, first.confidence


def _tells(reading: Reading) -> bool:
    """Return whether a reading shows that its frame was understood."""
    return not isinstance(reading, CardUnread) and reading != CardsPresent(())
