"""What damage of a device's line shows, and what makes another card or takes one away unseen.

The share of misreads is exact, for a device as it is set: every bit of every card's frame, as the
device's own simulator sends it, is flipped, and the frame heard alone. A link that checks what it
carries (USB, CAN) hands over no such frame, nor does a frame with a check value let one flipped bit
pass. What more than one bit does: `bench/cards.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protocols.cards import DECK, Card
from protocols.device import DeviceSpec, Settings
from protocols.instant import Instant
from protocols.readings import CardDrawn
from protocols.simulator import DrawCard, PowerOn

_START = Instant("misreads", 0)
_DRAW_S = 2.0
_WAKES_MAX = 50


def has_check(spec: DeviceSpec) -> bool:
    """Return whether a single flipped bit of a frame is noticed by its check value, or its link."""
    return spec.framing.checksum != "none" or spec.wiring.unit == "packet"


def shows_loss(spec: DeviceSpec) -> bool:
    """Return whether a lost frame shows: by numbers, by asking again, or since it is sent again."""
    answered = spec.resent_within_s is not None and spec.writes == "handshake"
    return spec.sequence is not None or spec.gone_after_s is not None or answered


def misread_share(spec: DeviceSpec, settings: Settings) -> float:
    """Return which share of single flipped bits in a card's frame makes another card's frame.

    spec  as the settings make it (`DeviceSpec.under`)
    """
    if has_check(spec):
        return 0.0
    flips = others = 0
    for card, frame in card_frames(spec, settings).items():
        for damaged in _flipped(frame):
            flips += 1
            others += is_misread(spec, settings, card, damaged)
    return others / flips if flips else 0.0


def is_misread(spec: DeviceSpec, settings: Settings, card: Card, frame: bytes) -> bool:
    """Return whether a frame, heard alone, says another card than this one."""
    return any(said != card for said in _cards(spec, settings, frame))


def card_frames(spec: DeviceSpec, settings: Settings) -> Mapping[Card, bytes]:
    """Return the frame of each card; none of a device that has to be asked."""
    simulator, now = spec.simulator(settings), _START
    simulator.cue(now, PowerOn())
    found: dict[Card, bytes] = {}
    for card in DECK:
        simulator.cue(now, DrawCard(card, "player", 1))
        until = now.after(_DRAW_S)
        for _ in range(_WAKES_MAX):
            due = simulator.wake_at
            if due is None or not until.reached(due):
                break
            for frame in simulator.speak(due):
                if _cards(spec, settings, frame) == [card]:
                    found.setdefault(card, frame)
        now = until
    return found


def _flipped(frame: bytes) -> Iterator[bytes]:
    for place in range(len(frame)):
        for bit in range(8):
            yield frame[:place] + bytes((frame[place] ^ 1 << bit,)) + frame[place + 1 :]


def _cards(spec: DeviceSpec, settings: Settings, frame: bytes) -> list[Card]:
    decoder = spec.decoder(settings)
    heard = [*decoder.feed(_START, frame)]
    heard += decoder.tick(_START.after(spec.framing.silence_s + 1.0))
    return [one.body.card for one in heard if isinstance(one.body, CardDrawn)]
