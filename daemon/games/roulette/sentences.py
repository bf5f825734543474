"""What a house's rules of roulette say, in plain English."""

from __future__ import annotations

from collections.abc import Iterator

from daemon.gamekit.sentence import Sentence
from daemon.games.roulette.profile import RouletteProfile
from protocols.device import DeviceSpec


def sentences(rules: RouletteProfile) -> Iterator[Sentence]:
    """Yield what these rules enforce, a sentence each."""
    yield Sentence(
        "wheel", f"The wheel has {len(rules.wheel)} pockets, clockwise: {' '.join(rules.wheel)}."
    )
    red = " ".join(rules.red)
    yield Sentence("red", f"Red are {red}; other numbers are black, every zero is green.")
    if rules.bets_end == "announced":
        yield Sentence("bets_end", "No ball may land before bets.close.")
    else:
        yield Sentence("bets_end", "The wheel's no-more-bets closes the bets too.")
    yield Sentence(
        "min_revolutions",
        f"The ball runs against the rotor, at least {rules.min_revolutions:g} times round the"
        " track; less is no spin and gives no result.",
    )
    yield from _proof(rules)
    yield Sentence(
        "two_statements",
        "A result without a checksum is sure when two statements of the wheel agree.",
    )
    yield from _limits(rules)
    yield from rules.sentences()


def _proof(rules: RouletteProfile) -> Iterator[Sentence]:
    if rules.min_revolutions == 0:
        return
    if rules.unproven == "hold":
        text = "A spin that the wheel does not prove valid holds the round for who saw the ball."
    else:
        text = (
            "A spin that the wheel does not prove valid waits for the dealer's result.announce,"
            f" and after {rules.announce_wait_s:g} s holds the round."
        )
    yield Sentence("unproven", text)
    after = "An invalid spin ends its round."
    if rules.invalid_spin == "respin":
        after = "After an invalid spin the same round is spun again; its bets stay closed."
    yield Sentence("invalid_spin", after)
    if rules.laps_after_call:
        yield Sentence(
            "laps_after_call",
            f"The house takes the maker's word for {rules.laps_after_call:g} laps after the wheel's"
            " no more bets: a ball that is knocked off then counts as a spin.",
        )


def not_proven(rules: RouletteProfile, device: DeviceSpec) -> Iterator[str]:
    """Yield what of a spin this wheel cannot prove, and who has to watch it instead."""
    if rules.min_revolutions > 0:
        yield from _validity_not_proven(rules, device)
    if "ball_seen" not in device.proves:
        yield "It does not see the ball: that it ran and came to rest is for the dealer to watch."
    if "order" not in device.proves:
        yield (
            "It does not number its spins: what ran in a silence is for the supervisor to know, and"
            " a round that waited has lost its spin."
        )
    if "identity" not in device.proves:
        yield (
            "It states no pocket that is understood: the dealer reads the wheel, and no round"
            " lands by what he reads."
        )


def _validity_not_proven(rules: RouletteProfile, device: DeviceSpec) -> Iterator[str]:
    required = rules.min_revolutions
    who = "a supervisor answers" if rules.unproven == "hold" else "the dealer answers"
    if "laps" not in device.proves:
        yield f"It does not show how often the ball goes round: of {required:g} times {who}."
    else:
        rim_s = (required - 1 - rules.laps_after_call) * rules.nmb_lap_s
        if rim_s > 0:
            yield (
                f"It proves {required:g} laps only of a ball that stays in the rim for about"
                f" {rim_s + 1:.1f} s, where it calls no more bets at {rules.nmb_lap_s:g} s a lap;"
                f" of a shorter one {who}."
            )
    if "direction" not in device.proves:
        yield f"It does not show which way the ball runs; of its running against the rotor {who}."


def _limits(rules: RouletteProfile) -> Iterator[Sentence]:
    outside = "is put on record" if rules.off_speed == "told" else "holds the round"
    yield Sentence(
        "off_speed",
        f"The rotor turns at {rules.rotor_min_rpm:g} to {rules.rotor_max_rpm:g} rpm while the ball"
        f" runs; what is outside of that {outside}.",
    )
    yield Sentence(
        "rotor_runaway_rpm",
        f"A rotor above {rules.rotor_runaway_rpm:g} rpm is a safety fault, and holds the round"
        " once its bets are closed.",
    )
    yield Sentence(
        "flag1_debounce_s", f"A ball that is not seen for {rules.flag1_debounce_s:g} s is a fault."
    )
    yield Sentence(
        "state4_void_s",
        f"A spin without a result is named after {rules.state4_warn_s:g} s and given up after"
        f" {rules.state4_void_s:g} s.",
    )
    if rules.rim_event == "when_closed":
        yield Sentence("rim_event", "Where the ball is, is told when the bets are closed.")
    yield Sentence(
        "drift_alarms_per_decade",
        f"A fair wheel raises at most {rules.drift_alarms_per_decade:g} alarms of drift in ten"
        " years at 1000 spins a day.",
    )
