"""A whole table server for one blackjack table.

    python blackjack_server.py nats://127.0.0.1:4222 riga-1 BJ-1 server ledger.db

A bet is on a box, `box2`. What its player decides makes further bets, from the event that tells it:
`box2.hand2` of a split, `box2.hand1.double`, `box2.insurance`. Each is settled once, by itself.
What may be decided the table says (`awaited`), so there is no rule of blackjack here. What it
settles with is an example; the house's rules say what is paid.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from game_server import Game, GameServer, Move, serve
from ledger import Json
from pitwire_table import Answer

BACK: Final[Mapping[str, Fraction]] = MappingProxyType(
    {
        "win": Fraction(2),
        "lose": Fraction(0),
        "push": Fraction(1),
        "blackjack": Fraction(5, 2),
        "even_money": Fraction(2),
        "surrender": Fraction(1, 2),
    }
)
"""What the bet on a hand gets back, its stake included, as a multiple of it."""
INSURED: Final = Fraction(3)
"""The same, of an insurance where the dealer has blackjack."""


class Blackjack(Game):
    """Bets on boxes, each of one player, who decides.

    boxes       how many the table has
    deciding_s  how long a player has for a decision; then the hand stands, without insurance
    """

    def __init__(
        self, betting_s: float = 15.0, deciding_s: float = 15.0, decks: int = 6, boxes: int = 7
    ) -> None:
        super().__init__(betting_s, decks)
        self._deciding_s = deciding_s
        self._boxes = {f"box{number}" for number in range(1, boxes + 1)}

    def takes(self, spot: str, taken: Collection[str]) -> bool:
        """Return whether there is such a box, and it is free."""
        return spot in self._boxes and spot not in taken

    def raised(self, now: Json) -> Mapping[str, tuple[str, Fraction]]:
        """Return the bets that splits, doubles and insurances have made."""
        more = {f"box{box}.insurance": (f"box{box}", Fraction(1, 2)) for box in now["insured"]}
        for one in now["hands"]:
            box, hand = f"box{one['box']}", f"box{one['box']}.hand{one['hand']}"
            if one["hand"] > 1:
                more[hand] = (box, Fraction(1))
            if one["doubled"]:
                more[f"{hand}.double"] = (box, Fraction(1))
        return more

    def back(self, spot: str, stake: int, outcome: Json) -> int:
        """Return what a bet gets back; one of which the outcome knows nothing gets its stake."""
        box, *more = spot.split(".")
        if more == ["insurance"]:
            return int(stake * INSURED) if outcome["dealer_blackjack"] else 0
        place = (box, more[0] if more else "hand1")
        results = {
            (f"box{one['box']}", f"hand{one['hand']}"): one["result"] for one in outcome["hands"]
        }
        return int(stake * BACK[results[place]]) if place in results else stake

    def move(self, now: Json, spots: Collection[str]) -> Move | None:
        """Return what the house says now, or says for a player who says nothing."""
        if now["phase"] == "betting":
            boxes = sorted(int(spot.removeprefix("box")) for spot in spots)
            return Move("bets.close", {"boxes": boxes}, self.betting_s) if boxes else None
        awaited = {one["command"]: one for one in reversed(now["awaited"])}
        if "insurance.close" in awaited:
            asked = "decision" in awaited  # a box that is not insured yet
            return Move("insurance.close", after_s=self._deciding_s if asked else 0.0)
        if "hole_card.peek" in awaited:  # before the first hand is played, or never
            return Move("hole_card.peek")
        if (hand := awaited.get("decision")) is not None:
            stand = decision(now, hand["box"], hand["hand"], "stand")
            return Move("decision", stand, self._deciding_s) if stand is not None else None
        if (card := awaited.get("card.reveal")) is not None:
            return Move("card.reveal", {"slot": card["slot"]})
        return None


def decision(now: Json, box: int, hand: int, action: str) -> dict[str, Any] | None:
    """Return a decision's fields; None: the table does not wait for it."""
    for one in now["awaited"]:
        its_turn = (one["command"], one["box"], one["hand"]) == ("decision", box, hand)
        if its_turn and action in one["actions"]:
            place = f"box{box}.hand{hand}."
            cards = sum(slot.startswith(place) for slot in now["cards"])
            return {"box": box, "hand": hand, "action": action, "hand_cards": cards}
    return None


class BlackjackServer(GameServer):
    """A table server whose players decide."""

    async def decide(self, who: str, box: int, hand: int, action: str) -> Answer | None:
        """Send what a player chose; None: it is not his box, or not awaited now.

        His money for a double, a split or an insurance is to be set aside before.
        """
        round_id = self.ledger.open_round()
        if round_id is None or f"box{box}" not in self.ledger.spots(round_id, who):
            return None
        fields = decision(self.ledger.play["round"], box, hand, action)
        if fields is None:
            return None
        return await self.obey("decision", round_id=round_id, **fields)


if __name__ == "__main__":
    asyncio.run(serve(Blackjack(), sys.argv[1:], BlackjackServer))
