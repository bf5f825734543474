"""Memory between frames: what repeats, what follows, what is missing. Pure.

A decoder's reading depends on its frame alone; whether that frame is new is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from daemon.table.inputs import DeviceSaid
from protocols.device import DeviceSpec, SequenceRule
from protocols.instant import Instant
from protocols.readings import (
    CardDrawn,
    CardsPresent,
    CardTag,
    CardUnread,
    CommandReply,
    CutCardSeen,
    DeviceIdentity,
    Reading,
    ShoeStarted,
)
from protocols.replace import replace


@dataclass(frozen=True)  # no slots: protocols/replace.py
class Track:
    """The last frame of one device that frames to come are compared with.

    sequence  its number; empty where frames have none
    frame     `mark_of` what of it is `compared`: as long for every card, and never the bytes
              themselves
    wrap      the number that this device was seen to send after its last one, where several may
              follow
    again     whether the card has been read more than once
    hidden    whether it was read where the card might be a hidden one: so is a copy of it, later
    damaged   whether bytes that say nothing came after it: the first copy of another, perhaps
    waited    when a frame came last that had waited at its device for one to be sent again
    """

    sequence: str
    frame: str
    at: Instant
    wrap: str | None = None
    again: bool = False
    hidden: bool = False
    damaged: bool = False
    waited: Instant | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """fresh: apply it; repeat: the same frame again; gap: apply it, but something is missing."""

    kind: Literal["fresh", "repeat", "gap"]
    detail: str = ""


AT_ONCE_S = 0.005
"""No scanner reads a label twice in so little."""
FRESH = Verdict("fresh")
REPEAT = Verdict("repeat")


def judge(
    spec: DeviceSpec, last: Track | None, at: Instant, said: DeviceSaid
) -> tuple[Track | None, Verdict]:
    """Judge a frame by whatever its device has to tell a new one from the one before."""
    resent, reread = spec.resent_within_s, spec.reread_within_s
    if resent is not None and (reread is None or said.repeats is not None):
        now, verdict = track_resent(resent, last, at, said.raw, said.repeats, said.reading)
        return now if reread is None or now is None else replace(now, waited=at), verdict
    if reread is not None:
        return track_reread(reread, last, at, said.raw, said.reading)
    if _counts_every_frame(spec):
        return track_reread(0.0, last, at, compared(spec, said), said.reading)
    return track(spec.sequence, last, at, said.sequence, said.raw, said.reading)


def compared(spec: DeviceSpec, said: DeviceSaid) -> str:
    """Return what of a frame is compared with the next one: `Track.frame` is the mark of it.

    Its bytes, or those that it repeats. Its card where every frame is one: a separator before a
    token is no part of what it says.
    """
    return repr(said.reading) if _counts_every_frame(spec) else said.repeats or said.raw


def _counts_every_frame(spec: DeviceSpec) -> bool:
    """Return whether nothing but its time tells one frame of a shoe from another."""
    by_time = spec.reread_within_s is not None or spec.resent_within_s is not None
    return spec.kind == "shoe" and spec.sequence is None and not by_time


def track(
    rule: SequenceRule | None,
    last: Track | None,
    at: Instant,
    sequence: str | None,
    raw: str,
    reading: Reading,
) -> tuple[Track | None, Verdict]:
    """Judge one frame. A repeat leaves the track as it was, and nothing of it is written.

    A start of communication may reset the device's numbers, so it is never called a gap.
    """
    if rule is None or sequence is None:
        return last, FRESH
    now = Track(sequence, mark_of(raw), at)
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
    Where bytes came in between that say nothing, they may have been the first copy of an equal
    frame: then nobody knows, and that is a gap.
    """
    if isinstance(reading, CommandReply | DeviceIdentity):
        return last, FRESH
    if last is not None and repeats is not None and last.frame == mark_of(repeats):
        passed = at.since(last.at)
        if passed is not None and passed <= within_s and last.damaged:
            detail = "a frame was damaged, and what came then is the last card or another like it"
            return Track("", last.frame, at), Verdict("gap", detail)
        if passed is not None and passed <= within_s:
            return last, REPEAT
    return Track("", mark_of(raw if repeats is None else repeats), at), FRESH


def track_reread(
    within_s: float, last: Track | None, at: Instant, raw: str, reading: Reading
) -> tuple[Track | None, Verdict]:
    """Judge one frame of a shoe or scanner that neither numbers its frames nor says they repeat.

    Time decides, not the value: no two cards can pass it within `within_s` seconds, so an equal
    frame in that time is the same card read again; with 0 none is. It runs from the last look at
    the card, which may lie there longer; an equal frame after that is another card of another deck.
    Two equal frames at once have waited on their way, or came twice, and time tells nothing of
    them: that is a gap. So does it of what comes right behind a frame that was sent again: until
    then it was kept in the scanner. What tells of no card may come in between.
    """
    if not isinstance(reading, CardDrawn | CardUnread | CutCardSeen):
        return last, FRESH
    since = None if last is None or last.waited is None else at.since(last.waited)
    waited = since is not None and since <= within_s
    now = Track("", mark_of(raw), at, waited=at if waited else None)
    passed = None if last is None or last.frame != now.frame else at.since(last.at)
    if passed is None or passed > max(within_s, AT_ONCE_S):
        return now, FRESH
    if passed < AT_ONCE_S:
        detail = "two equal labels arrived at once: nobody knows whether it was one card or two"
        return now, Verdict("gap", detail)
    if waited:
        detail = "a label waited until the one before was sent again, and is equal: one card or two"
        return now, Verdict("gap", detail)
    return (replace(now, again=True), REPEAT) if passed <= within_s else (now, FRESH)


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of one reader.

    lying  those that lie on it; with an instant: since when one was not named
    come   those that came onto it since the shoe was loaded: a card of a shoe comes once
    """

    lying: dict[str, Instant | None]
    come: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Coming:
    """What came onto a reader: `new` in this shoe, or `again`."""

    new: tuple[CardTag, ...] = ()
    again: tuple[CardTag, ...] = ()


def track_tags(
    gone_after_s: float, last: Tags | None, at: Instant, present: CardsPresent
) -> tuple[Tags, Coming]:
    """Judge what lies on a reader: the tag's own number tells one card from another, no value.

    A tag has left when a whole `gone_after_s` went by without its name. What lies there at the
    first look lay there before. Nothing changes while nothing comes and nothing goes.
    """
    named = {tag.uid: tag for tag in present.tags}
    if last is None:
        return Tags(dict.fromkeys(named)), Coming()
    lying: dict[str, Instant | None] = {}
    for uid, since in last.lying.items():
        passed = 0.0 if since is None else at.since(since)
        left = passed is None or passed >= gone_after_s
        if uid not in named and not left:
            lying[uid] = at if since is None and present.complete else since
        elif uid in named and not left:
            lying[uid] = None
    came = [tag for uid, tag in named.items() if uid not in lying]
    coming = Coming(
        tuple(tag for tag in came if tag.uid not in last.come),
        tuple(tag for tag in came if tag.uid in last.come),
    )
    tags = Tags({**lying, **dict.fromkeys(tag.uid for tag in came)}, last.come | set(named))
    return tags, coming


def mark_of(raw: str) -> str:
    """Return the BLAKE2b-256, in hex, of a frame that is in hex itself."""
    return blake2b(raw.encode(), digest_size=32).hexdigest()


def _repeats(rule: SequenceRule, last: Track, now: Track) -> bool:
    if (now.sequence, now.frame) != (last.sequence, last.frame):
        return False
    passed = now.at.since(last.at)
    return passed is not None and passed <= rule.repeat_s


def _followers(rule: SequenceRule, last: Track) -> frozenset[str]:
    if last.sequence not in rule.digits:
        # The extra number of a longer wrap ('0' after '9') is followed by the first.
        return frozenset((rule.digits[0],))
    place = rule.digits.index(last.sequence)
    if place + 1 < len(rule.digits):
        return frozenset((rule.digits[place + 1],))
    # A device that wraps now to one number and now to another has lost a frame at one of them.
    return rule.wraps_to if last.wrap is None else frozenset((last.wrap,))
