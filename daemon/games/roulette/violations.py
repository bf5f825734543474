"""What is against the rules of roulette. Source: docs/rules/README.md#violations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from daemon.gamekit.violations import (
    GO_ON,
    TABLE_VIOLATIONS,
    VALUE,
    VALUE_MISSING,
    VOID_ONLY,
    ViolationRule,
)

VIOLATIONS: Final[Mapping[str, ViolationRule]] = {
    "invalid_spin": ViolationRule(
        "The ball runs against the rotor, at least the required number of laps.",
        holds=True,
        resolutions=VOID_ONLY,
    ),
    "spin_unproven": ViolationRule(
        "A spin counts when its laps and its direction are proven, or a person saw them.",
        holds=True,
        resolutions=GO_ON,
    ),
    "ball_before_no_more_bets": ViolationRule(
        "No ball lands before 'no more bets'.", holds=True, resolutions=GO_ON, cause="early"
    ),
    "pocket_unknown": ViolationRule(
        "A result that no pocket of this wheel has.",
        holds=True,
        resolutions=VALUE_MISSING,
        cause="malfunction",
    ),
    "pocket_conflict": ViolationRule(
        "Two statements of one result differ.",
        holds=True,
        resolutions=VALUE_MISSING,
        cause="malfunction",
    ),
    "spin_lost": ViolationRule(
        "A spin ended without its result being seen.",
        holds=True,
        resolutions=VALUE,
        cause="malfunction",
    ),
    "spin_timeout": ViolationRule(
        "The spin takes longer than a wheel can.",
        holds=True,
        resolutions=GO_ON,
        cause="malfunction",
    ),
    "rotor_out_of_range": ViolationRule(
        "The rotor races, or turns outside the band that the house's book states.",
        holds=True,
        resolutions=GO_ON,
    ),
    "rotor_speed_unusual": ViolationRule(
        "The rotor turns outside its usual band; no book states one.", holds=False, resolutions=()
    ),
    "sensor_fault": ViolationRule(
        "The wheel reports a fault of sensor, motor or ball.",
        holds=True,
        resolutions=GO_ON,
        cause="malfunction",
    ),
    "wheel_closed": ViolationRule(
        "The wheel closed in mid-spin.", holds=True, resolutions=VOID_ONLY, cause="malfunction"
    ),
    **TABLE_VIOLATIONS,
}
