"""The house's rules of roulette. The wheel is data: its pockets, their order, which are red."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from daemon.gamekit.house_rules import HouseRules

_POSITIVE = (
    "rotor_min_rpm",
    "rotor_max_rpm",
    "rotor_runaway_rpm",
    "flag1_debounce_s",
    "state1_max_s",
    "state2_warn_s",
    "state2_escalate_s",
    "state3_max_s",
    "state4_warn_s",
    "state4_void_s",
    "state5_max_s",
    "nmb_lap_s",
    "fastest_lap_s",
    "announce_wait_s",
    "drift_alarms_per_decade",
)
_RISING = (
    ("rotor_min_rpm", "rotor_max_rpm"),
    ("fastest_lap_s", "nmb_lap_s"),
    ("rotor_max_rpm", "rotor_runaway_rpm"),
    ("state2_warn_s", "state2_escalate_s"),
    ("state4_warn_s", "state4_void_s"),
)


@dataclass(frozen=True, slots=True)
class RouletteProfile(HouseRules):
    """One house's roulette. Sources: docs/rules/roulette.md, docs/rules/roulette.md#timers.

    wheel              pockets clockwise from zero, as the wheel spells them (`0` is not `00`)
    red                which of them are red; other numbers 1-36 are black, the rest green
    min_revolutions    fewer laps of the ball than this, or with the rotor, are no spin
    invalid_spin       `void`: such a spin ends the round; `respin`: its round is spun again
    unproven           a spin that the wheel does not prove valid: `hold` for a supervisor who saw
                       it, or `announced`: the dealer's `result.announce` confirms each
    announce_wait_s    how long that is waited for before the table is held
    bets_end           `announced`: by `bets.close`; `device`: the wheel's no-more-bets does it too
    rim_event          when `spin.started` and `spin.ball_in_rim` may leave
    rotor_min_rpm      band of the rotor from ball in rim to winning number
    rotor_max_rpm      upper end of that band
    off_speed          a rotor outside of it: `told`, on record; `held` where the house's book
                       states the band
    rotor_runaway_rpm  faster than this in any phase is a safety fault, and holds closed bets
    flag1_debounce_s   'ball not detected' blinks; only a flag that stays this long is a fault
    state1_max_s       before game; more where the wheel waits between games there
    state2_warn_s      launching, from the rotor's standstill to the ball in the rim
    state2_escalate_s  same, when the launch counts as stuck
    state3_max_s       ball in rim
    state4_warn_s      no more bets, still without a result
    state4_void_s      same, when the outcome is given up
    state5_max_s       winning number; more where the wheel waits between games there
    nmb_lap_s          the wheel's setting: the ball's lap time at which it calls no more bets
    fastest_lap_s      no ball that the wheel launches goes round in less
    laps_after_call    the maker's word that the ball goes round so often after that call; 0: the
                       house does not take it, and nothing proves it
    drift_alarms_per_decade  at most so many false alarms of drift in 3 652 500 fair spins

    Raises ValueError for a wheel or for limits that contradict themselves.
    """

    wheel: tuple[str, ...]
    red: tuple[str, ...]
    min_revolutions: float = 3.0
    invalid_spin: Literal["void", "respin"] = "void"
    unproven: Literal["hold", "announced"] = "hold"
    announce_wait_s: float = 30.0
    bets_end: Literal["announced", "device"] = "announced"
    rim_event: Literal["when_closed", "live"] = "when_closed"
    rotor_min_rpm: float = 10.0
    rotor_max_rpm: float = 20.0
    off_speed: Literal["told", "held"] = "told"
    rotor_runaway_rpm: float = 25.0
    flag1_debounce_s: float = 5.0
    state1_max_s: float = 15.0
    state2_warn_s: float = 12.0
    state2_escalate_s: float = 60.0
    state3_max_s: float = 20.0
    state4_warn_s: float = 35.0
    state4_void_s: float = 60.0
    state5_max_s: float = 10.0
    nmb_lap_s: float = 1.43
    fastest_lap_s: float = 0.5
    laps_after_call: float = 0.0
    drift_alarms_per_decade: float = 0.5

    def __post_init__(self) -> None:
        if not self.wheel or len(set(self.wheel)) != len(self.wheel):
            raise ValueError("wheel: every pocket once, at least one pocket")
        if strange := sorted(set(self.red) - set(self.wheel)):
            raise ValueError(f"red: {strange[0]} is no pocket of the wheel")
        if self.min_revolutions < 0:
            raise ValueError("min_revolutions: zero or more")
        if self.laps_after_call < 0:
            raise ValueError("laps_after_call: zero or more")
        for name in _POSITIVE:
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}: must be above zero")
        for low, high in _RISING:
            if getattr(self, low) >= getattr(self, high):
                raise ValueError(f"{low}: must be below {high}")
