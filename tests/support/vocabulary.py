"""The words of every game together, as tests of the whole vocabulary need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from daemon.gamekit.violations import ViolationRule
from daemon.service.catalog import games

VIOLATIONS: Final[Mapping[str, ViolationRule]] = {
    code: rule for game in games().values() for code, rule in game.violations.items()
}
