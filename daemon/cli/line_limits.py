"""What the line of a card's reader cannot show, and what to do about it, in plain English."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.device import DeviceSpec, Settings
from protocols.line_damage import has_check, misread_share, shows_loss

_WITNESSED = "The witness reads every card, too: where the two differ, the round is held."
_ELSE = "or let a witness read every card, and count the shoe before play and at its end"
_WATCHED = "Copies of a card beyond the decks and the order of a new deck hold in any case."


def line_limits(spec: DeviceSpec, settings: Settings, *, witness: bool = False) -> Iterator[str]:
    """Yield what a damage to the line of a shoe or scanner can do unseen; nothing for others.

    spec     as the settings make it
    witness  whether a second device at the table confirms its cards
    """
    if spec.kind != "shoe" or "identity" not in spec.proves:
        return
    if not has_check(spec):
        of_1000 = round(1000 * misread_share(spec, settings))
        yield (
            f"Its line has no check value: of 1000 single flipped bits {of_1000} make another card,"
            " and the round goes on with it (exact, for these settings)."
        )
        yield _WITNESSED if witness else f"Use a device with a check value, {_ELSE}. {_WATCHED}"
    if not shows_loss(spec):
        yield (
            "Its frames have no numbers: a card that the line lost whole shows only where a hand"
            " ends with another number of cards, or in a count of the shoe."
        )
        yield _WITNESSED if witness else f"Use a device that numbers its frames, {_ELSE}."
