"""What a profile cannot protect against, in sentences: what is not there is not noticed missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from protocols.shoes.line_profile.layout import FrameFormat
from protocols.shoes.line_profile.profile import LineProfile

_BLIND: Final = {
    "xor": "The XOR does not see bytes in another order, nor equal flips in two bytes: a port with"
    " seven bits loses the eighth of two of them unseen.",
    "sum8": "The sum does not see bytes in another order.",
    "lrc": "The LRC does not see bytes in another order.",
}


def limits(profile: LineProfile) -> Iterator[str]:
    """Yield what nothing in this description tells or protects."""
    how, says = FrameFormat(profile).delimiting(), {message.says for message in profile.message}
    if profile.check is None:
        yield "No check value: one flipped bit can make another card."
    elif profile.check.kind in _BLIND:
        yield _BLIND[profile.check.kind]
    if profile.number is None:
        yield (
            "No number: a lost frame leaves no trace, and a link lost in a round holds it until a"
            " person resolves it."
        )
        if profile.host.ack:
            yield "A frame sent again because its answer was lost cannot be told from another card."
        if not profile.reread_s:
            yield "A card that is read twice is two cards."
    if not how.start:
        yield "No start mark: half a frame spoils the one behind it, unless quiet is between them."
    if not how.start and not how.end:
        yield "No marks at all: frames are counted off from the last quiet."
    if not profile.silence_s:
        yield "No sign of life is asked for: silence cannot be told from a cut cable."
    for hand, other in (("player", "banker"), ("banker", "player")):
        if hand in profile.hands.values() and other not in profile.hands.values():
            yield f"No word for the {other}'s hand: a card for it is a card not read."
    if "no_read" not in says and not profile.cards.no_read:
        yield "No word for a card that was not read: such a card passes unnoticed."
    if "cut_card" not in says and not profile.cards.cut_card:
        yield "No word for the cut card: it passes unnoticed."
