"""How often a damaged frame is another valid reading: one and two flipped bits, for each device.

Usage: python bench/wrong_accepts.py [--tries N] [device ...]. Seeded. A frame of the simulator's
own traffic is damaged and heard alone, with the device's silence behind it. Counted is what says
something else than the whole frame does; a card that could not be read is a doubt, and no harm.
Ends with 1 where a CRC lets one through.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from decode_rate import START, traffic

from protocols.catalog import devices
from protocols.device import DeviceSpec
from protocols.readings import CardUnread, CommandReply, DiceUnread, Reading
from protocols.rejects import RejectReason

NO_HARM = (RejectReason, CommandReply, CardUnread, DiceUnread)
FRAMES_MAX = 400


def readings(spec: DeviceSpec, frame: bytes) -> list[Reading]:
    """Return what a new decoder hears of a frame alone."""
    decoder = spec.decoder(spec.settings())
    heard = [*decoder.feed(START, frame), *decoder.tick(START.after(spec.framing.silence_s + 1.0))]
    return [one.body for one in heard if not isinstance(one.body, NO_HARM)]


def damaged(frame: bytes, bits: int, lot: random.Random) -> bytes:
    hurt = bytearray(frame)
    for place in lot.sample(range(8 * len(frame)), bits):
        hurt[place // 8] ^= 1 << place % 8
    return bytes(hurt)


def accepted(spec: DeviceSpec, frames: Sequence[bytes], bits: int, tries: int) -> int:
    """Return how many of so many damaged frames say something else."""
    lot = random.Random(bits)
    said = {frame: readings(spec, frame) for frame in frames}
    wrong = 0
    for _ in range(tries):
        frame = lot.choice(frames)
        wrong += any(one not in said[frame] for one in readings(spec, damaged(frame, bits, lot)))
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("devices", nargs="*")
    parser.add_argument("--tries", type=int, default=10_000)
    options = parser.parse_args()
    print(f"{'device':24} {'check value':12} {'one bit':>16} {'two bits':>16}")
    let_through = 0
    for key in options.devices or devices():
        spec = devices()[key]
        said, _ = traffic(spec)
        frames = [one for one in dict.fromkeys(said) if readings(spec, one)][:FRAMES_MAX]
        if not frames:
            print(f"{key:24} {spec.framing.checksum:12} no frame of it says anything alone")
            continue
        counts = [accepted(spec, frames, bits, options.tries) for bits in (1, 2)]
        told = " ".join(f"{one:7} {one / options.tries:8.3%}" for one in counts)
        print(f"{key:24} {spec.framing.checksum:12} {told}", flush=True)
        let_through += sum(counts) if spec.framing.checksum.startswith("crc") else 0
    return 1 if let_through else 0


if __name__ == "__main__":
    sys.exit(main())
