"""What is against the rules of Sic Bo. Source: docs/rules/README.md#violations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from daemon.gamekit.violations import GO_ON, TABLE_VIOLATIONS, VALUE, VALUE_MISSING, ViolationRule

VIOLATIONS: Final[Mapping[str, ViolationRule]] = {
    "dice_before_no_more_bets": ViolationRule(
        "No dice land before 'no more bets'.", holds=True, resolutions=GO_ON, cause="early"
    ),
    "dice_not_thrown": ViolationRule(
        "Only dice that were seen to be shaken since the last result decide a round.",
        holds=True,
        resolutions=VALUE,
    ),
    "dice_unread": ViolationRule(
        "The dice of a throw were not all read for sure.", holds=True, resolutions=VALUE
    ),
    "dice_conflict": ViolationRule(
        "Two different results in one round.",
        holds=True,
        resolutions=VALUE_MISSING,
        cause="malfunction",
    ),
    **TABLE_VIOLATIONS,
}
