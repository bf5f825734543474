"""What a house's rules of roulette say, in plain English."""

from __future__ import annotations

from collections.abc import Iterator

from daemon.gamekit.sentence import Sentence
from daemon.games.roulette.profile import RouletteProfile


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
    yield Sentence(
        "two_statements",
        "A result without a checksum is sure when two statements of the wheel agree.",
    )
    yield from _limits(rules)
    yield from rules.sentences()


def _limits(rules: RouletteProfile) -> Iterator[Sentence]:
    yield Sentence(
        "rotor_max_rpm",
        f"The rotor turns at {rules.rotor_min_rpm:g} to {rules.rotor_max_rpm:g} rpm while the ball"
        f" runs; {rules.rotor_runaway_rpm:g} rpm is a safety fault.",
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
