"""Memory between frames: what repeats, what follows, what is missing. Pure.

A decoder's reading depends on its frame alone; whether that frame is new is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from protocols.device import SequenceRule
from protocols.instant import Instant
from protocols.readings import CommandReply, DeviceIdentity, Reading, ShoeStarted


@dataclass(frozen=True, slots=True)
class Track:
    """The last frame of one device that frames to come are compared with. `raw` is hex.

    sequence  its number; empty where frames have none and only say that they are sent again
    wrap      the number that this device was seen to send after its last one, where several may
              follow
    """

    sequence: str
    raw: str
    at: Instant
    wrap: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """fresh: apply it; repeat: the same frame again; gap: apply it, but something is missing."""

    kind: Literal["fresh", "repeat", "gap"]
    detail: str = ""


FRESH = Verdict("fresh")
REPEAT = Verdict("repeat")


def track(
    rule: SequenceRule | None,
    last: Track | None,
    at: Instant,
    sequence: str | None,
    raw: str,
    reading: Reading,
) -> tuple[Track | None, Verdict]:
    """Judge one frame. A repeat leaves the track as it was: it is counted, not journalled.

    A start of communication may reset the device's numbers, so it is never called a gap.
    """
    if rule is None or sequence is None:
        return last, FRESH
    now = Track(sequence, raw, at)
    if last is None or isinstance(reading, ShoeStarted):
        if last is not None and _repeats(rule, last, now):
            return last, REPEAT
        return now, FRESH
    if _repeats(rule, last, now):
        return last, REPEAT
    wraps = last.sequence == rule.digits[-1] and sequence in rule.wraps_to
    now = replace(now, wrap=sequence if wraps else last.wrap)
    followers = _followers(rule, last)
    if sequence in followers:
        return now, FRESH
    expected = " or ".join(sorted(followers))
    return now, Verdict("gap", f"expected frame {expected} after {last.sequence}, got {sequence}")


def track_resent(
    within_s: float,
    last: Track | None,
    at: Instant,
    raw: str,
    repeats: str | None,
    reading: Reading,
) -> tuple[Track | None, Verdict]:
    """Judge one frame of a device whose frames have no number but say that they are sent again.

    It is a repeat when it repeats the last one and comes within `within_s` seconds of it. A frame
    sent again whose first copy never arrived is fresh. Answers to the host may come in between.
    """
    if isinstance(reading, CommandReply | DeviceIdentity):
        return last, FRESH
    if last is not None and last.raw == repeats:
        passed = at.since(last.at)
        if passed is not None and passed <= within_s:
            return last, REPEAT
    return Track("", raw if repeats is None else repeats, at), FRESH


def _repeats(rule: SequenceRule, last: Track, now: Track) -> bool:
    if (now.sequence, now.raw) != (last.sequence, last.raw):
        return False
    passed = now.at.since(last.at)
    return passed is not None and passed <= rule.repeat_s


def _followers(rule: SequenceRule, last: Track) -> frozenset[str]:
    place = rule.digits.find(last.sequence)
    if place < 0:  # the extra number of a longer wrap ('0' after '9') is followed by the first
        return frozenset(rule.digits[0])
    if place + 1 < len(rule.digits):
        return frozenset(rule.digits[place + 1])
    # A device that wraps now to one number and now to another has lost a frame at one of them.
    return rule.wraps_to if last.wrap is None else frozenset(last.wrap)
