"""Device with a serial line of its own, described by a profile. See `profile.py` for its parts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from protocols.device import DeviceSpec, SequenceRule
from protocols.framing import Framing
from protocols.shoes.line_profile.decoder import decoder_of
from protocols.shoes.line_profile.example import EXAMPLE
from protocols.shoes.line_profile.layout import FrameFormat
from protocols.shoes.line_profile.limits import limits
from protocols.shoes.line_profile.profile import CheckKind, LineProfile, Number
from protocols.shoes.line_profile.simulator import LineProfileSimulator

__all__ = ["DEVICE", "LineProfileSettings"]


@dataclass(frozen=True, slots=True)
class LineProfileSettings:
    """What differs between sites: everything. A configuration names the profile's file."""

    profile: LineProfile = field(default=EXAMPLE, metadata={"file": "toml"})


def _described(settings: LineProfileSettings) -> DeviceSpec:
    profile = settings.profile
    return replace(
        DEVICE,
        title=profile.title,
        source=profile.source,
        wiring=profile.wiring,
        framing=_framing(profile),
        sequence=_sequence(profile.number) if profile.number else None,
        silence_s=profile.silence_s or None,
        reread_within_s=profile.reread_s or None,
        writes="poll" if profile.host.poll else "handshake" if profile.host.ack else "none",
        notes=(*DEVICE.notes, *limits(profile)),
    )


def _sequence(number: Number) -> SequenceRule:
    return SequenceRule(number.every(), frozenset((number.first,)), number.repeat_s)


def _framing(profile: LineProfile) -> Framing:
    how = FrameFormat(profile).delimiting()
    # A check value in bytes behind the end mark may hold a start mark.
    plain = profile.check is None or profile.check.encoding != "raw"
    return Framing(
        self_starting=len(how.start) == 1 and how.length is None and plain,
        checksum="none" if profile.check is None else _family(profile.check.kind),
        ends_by="mark" if how.length is None else "length",
        silence_s=how.gap_s,
        pending_max=how.whole_max - 1,
    )


def _family(kind: CheckKind) -> Literal["xor", "sum", "crc16"]:
    match kind:
        case "xor":
            return "xor"
        case "sum8" | "lrc":
            return "sum"
        case _:
            return "crc16"


DEVICE: Final = DeviceSpec(
    key="line_profile",
    title="Device described by a profile",
    kind="shoe",
    maturity="experimental",
    source="the device's own manual, as a technician writes it down",
    wiring=EXAMPLE.wiring,
    framing=_framing(EXAMPLE),
    settings=LineProfileSettings,
    decoder=lambda settings: decoder_of(settings.profile),
    simulator=lambda settings: LineProfileSimulator(settings.profile),
    described=_described,
    proves=frozenset({"identity"}),
    notes=("A profile is as right as the manual it was written from: verify it on the device.",),
)
