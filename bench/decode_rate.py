"""How fast each decoder is: frames a second on its simulator's own traffic, MB/s on noise.

Usage: python bench/decode_rate.py [device ...]. One core, best of three. Shoes are dealt decks,
wheels spin, dice are thrown; the decoder's replies go back to the simulator, so a polled device
talks too. Where a device sends packets these are counted: a keyboard types a label in many.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, product

from protocols.cards import DECK
from protocols.catalog import devices
from protocols.device import DeviceKind, DeviceSpec
from protocols.faces import FACES
from protocols.instant import Instant, earliest
from protocols.simulator import Cue, DrawCard, PowerOn, SpinBall, ThrowDice

START = Instant("bench", 0)
CHUNK = 4096
FRAMES = 200_000
NOISE = random.Random(1).randbytes(2_000_000)
SECONDS_FOR: dict[DeviceKind, float] = {"shoe": 2.0, "wheel": 60.0, "dice": 5.0}
CUES: dict[DeviceKind, Sequence[Cue]] = {
    "shoe": tuple(DrawCard(card) for card in DECK),
    "wheel": tuple(SpinBall(str(pocket)) for pocket in range(37)),
    "dice": tuple(ThrowDice(faces) for faces in product(FACES.values(), repeat=3)),
}


def traffic(spec: DeviceSpec) -> tuple[list[bytes], int]:
    """Return what the device says to all its cues, and how many frames the decoder sees in it."""
    simulator, decoder = spec.simulator(spec.settings()), spec.decoder(spec.settings())
    at, said, seen = START, [], 0
    for cue in (PowerOn(), *CUES[spec.kind]):
        with suppress(ValueError):
            simulator.cue(at, cue)
        for one in decoder.tick(at):  # one that polls asks
            if one.reply is not None:
                simulator.hear(at, one.reply)
        end = at.after(SECONDS_FOR[spec.kind])
        while (due := earliest(simulator.wake_at, decoder.wake_at)) and not due.ns > end.ns:
            at = Instant(at.boot, max(due.ns, at.ns + 1))
            decoded = list(decoder.tick(at))
            for frame in simulator.speak(at):
                said.append(frame)
                decoded += decoder.feed(at, frame)
            seen += len(decoded)
            for one in decoded:
                if one.reply is not None:
                    simulator.hear(at, one.reply)
        at = end
    return said, seen


def chunks(spec: DeviceSpec, frames: Sequence[bytes]) -> list[bytes]:
    """Return the frames as a link would hand them over: a stream is cut anywhere."""
    unit: str = spec.wiring.unit
    if unit != "stream":
        return list(frames)
    data = iter(b"".join(frames))
    return list(iter(lambda: bytes(islice(data, CHUNK)), b""))


def best(work: Callable[[], int]) -> float:
    """Return the greatest rate of three: what `work` counts, per second."""
    rates = []
    for _ in range(3):
        start = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - start))
    return max(rates)


def feed_all(spec: DeviceSpec, pieces: Sequence[bytes], passes: int) -> int:
    """Feed everything `passes` times, each to a new decoder: none may know it by heart."""
    done = 0
    for _ in range(passes):
        decoder = spec.decoder(spec.settings())
        heard = sum(len(decoder.feed(START, piece)) for piece in pieces)
        done += heard if spec.wiring.unit == "stream" else len(pieces)
    return done


def feed_noise(spec: DeviceSpec) -> int:
    decoder = spec.decoder(spec.settings())
    for start in range(0, len(NOISE), CHUNK):
        decoder.feed(START, NOISE[start : start + CHUNK])
    return len(NOISE)


def rows(keys: Sequence[str]) -> Iterator[str]:
    for key in keys:
        spec = devices()[key]
        said, seen = traffic(spec)
        if not seen:
            yield f"{key:24} its simulator said nothing"
            continue
        pieces, passes = chunks(spec, said), max(1, FRAMES // seen)
        frames = best(partial(feed_all, spec, pieces, passes))
        noise = best(partial(feed_noise, spec)) / 1e6
        yield f"{key:24} {frames:12,.0f} {noise:12.1f}"


if __name__ == "__main__":
    print(f"{'device':24} {'frames/s':>12} {'noise MB/s':>12}")
    for row in rows(sys.argv[1:] or list(devices())):
        print(row)
