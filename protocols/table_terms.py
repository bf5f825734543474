"""Terms of a table that configuration, commands and daemon share: each is declared once, here."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

Mode = Literal["live", "rehearsal", "replay"]
"""Whether a table plays for money, plays a rehearsal, or plays a recording again."""

Role = Literal["primary", "hole", "witness"]
"""What a device is at its table: the one that the game reads, the reader of hole cards, or a second
source that contradicts."""

Inspected = Literal["wheel", "level", "trial_spin", "ball", "shoe", "discard_rack"]
"""What a person inspects at a table before it is played at."""

InspectionResult = Literal["passed", "failed"]
"""What an inspection came to."""

RoundControl = Literal["server", "device"]
"""Who opens and closes rounds: the table server, or the first card from the device."""

GameKey: TypeAlias = Annotated[str, "GameKey"]
"""Which game. The catalog of games has the words of this list; the contract names it so."""

ViolationCode: TypeAlias = Annotated[str, "ViolationCode"]
"""What kind of violation. The games have the words of this list; the contract names it so."""
