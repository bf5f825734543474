"""Whether a wrong round is the line's fault alone: its bytes are those of another true round.

A damage may be excused only so: the device itself, dealt other cards, would have sent byte for byte
what reached the table until the round was completed; and the table made of it what those cards are
worth by the oracle. Neither the table's decoder nor its numbers are asked. So a table that takes a
reject for nothing, a card for another, or drops one that it read, is excused in no case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from support.true_rounds import Dealer, Reader, TrueRound

from protocols.cards import Card
from protocols.instant import Instant
from protocols.simulator import DrawCard, PowerOn

Excuse = Literal["misread", "doubled", "vanished", "wrong"]
_ORDER: Final = ("dragon.1", "tiger.1", "player.1", "banker.1", "player.2", "banker.2", "player.3",
                 "banker.3")  # fmt: skip
_DRAW_S: Final = 1.5


def excuse_of(
    reader: Reader, dealer: Dealer, drawn: Sequence[Card], outcome: Mapping[str, Any], came: bytes
) -> Excuse:
    """Return what the damage did to the line, `wrong` where a table could have known.

    drawn  the cards that were truly drawn
    came   what reached the table in this round, until it was completed
    """
    other, spaces = _true_round(dealer, outcome), reader.spaces
    if other is None:
        return "wrong"
    said = said_of(reader, other).translate(None, spaces)
    if not came.translate(None, spaces).startswith(said):
        return "wrong"
    return _difference(drawn, [one.card for one in other.cards])


def said_of(reader: Reader, dealt: TrueRound) -> bytes:
    """Return what the device sends where these cards are drawn, with nobody to answer it."""
    simulator, now = reader.spec.simulator(reader.settings), Instant("replay", 0)
    simulator.cue(now, PowerOn())
    said: list[bytes] = []
    for cue in (None, *dealt.cards):
        until = now.after(_DRAW_S)
        if cue is not None:
            simulator.cue(now, DrawCard(cue.card, cue.target, cue.place))
        while (due := simulator.wake_at) is not None and until.reached(due):
            frames = simulator.speak(due)
            said += frames if cue is not None else ()
        now = until
    return b"".join(said)


def _true_round(dealer: Dealer, outcome: Mapping[str, Any]) -> TrueRound | None:
    """Return the round of a published outcome's cards, None where they make another one."""
    stated = outcome.get("cards") or [outcome[key] for key in ("dragon", "tiger")]
    ordered = sorted(stated, key=lambda one: _ORDER.index(one["slot"]))
    cards = [Card(one["rank"], one["suit"]) for one in ordered]
    try:
        other = dealer(cards[::-1])
    except IndexError:  # such cards are not a whole round
        return None
    return other if other.agrees(outcome) else None


def _difference(drawn: Sequence[Card], stated: Sequence[Card]) -> Excuse:
    """Return by what one change of the cards drawn those begin that were stated."""
    many = len(stated)
    for place in range(len(drawn)):
        before, rest = drawn[:place], drawn[place + 1 :]
        if stated == [*before, *rest][:many]:
            return "vanished"
        if place < many and stated == [*before, stated[place], *rest][:many]:
            return "misread"
        if place < many and stated == [*before, stated[place], *drawn[place:]][:many]:
            return "doubled"
    return "wrong"
