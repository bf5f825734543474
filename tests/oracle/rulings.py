"""Which readings of the rulebooks the oracle plays by: one switch a rule.

`BOOKS` is what the books say. `TODAYS_PRODUCT` is what the product knows of it: the differential
plays by it. Whoever teaches the product a rule deletes its line in `TODAYS_PRODUCT`, and nothing
else: then the oracle judges that rule too. tests/oracle/DISAGREEMENTS.md gives the reading of each.
"""

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Rulings:
    """Each switch with the clause that it rests on; off is what the product did before."""

    dealer_checks: bool = True
    """Under an ace, when the insurance time is over, the dealer looks once at the hole card on its
    reader: DK blackjack 3.7, LV blackjack 3.7, GR blackjack 3.8. Off: never."""

    insurance_before_hole_card: bool = True
    """Insurance begins with the boxes' second cards: DK blackjack 2.5.2, LV blackjack 2.5.2, GR
    blackjack 2.5.2. Off: when the hole card lies."""

    insured_may_surrender: bool = True
    """A surrendered box may not insure: RU blackjack surrender. Off: nor may an insured box
    surrender."""

    bets_decide_boxes: bool = True
    """`bets.close` settles the boxes: DK blackjack 3.4, LV blackjack 3.4, GR blackjack 3.4. Off:
    `round.open` does."""

    pick_up_order: bool = True
    """In which order the cards leave the table: DK blackjack 3.6, LV blackjack 3.6, GR blackjack
    3.7, RU blackjack payment. Off: it is not compared."""

    split_21_may_double: bool = True
    """Two cards of 21 on a split hand are no blackjack and may be doubled: RU blackjack doubling.
    Off: they stand by themselves, as any 21 does there."""

    misdeal_burns: bool = True
    """Three cards after a misdeal, in its round and after it: GR baccarat 3.4, GR blackjack 3.5.
    Off: only between rounds, and only when `burn` asks for them."""

    cut_card_overdue: bool = True
    """No round opens when the cut card should have come long ago: DK blackjack 3.3, LV blackjack
    3.3, GR blackjack 3.3.1, DK baccarat 3.3.4, LV baccarat 3.3.4, GR baccarat 3.3.5. Off: nobody
    misses it."""

    enough_cards: Literal["as_cut", "worst_case", "off"] = "as_cut"
    """The same clauses: no round opens that the shoe may not be able to finish. `worst_case` counts
    the most cards that a round can take, `as_cut` takes the place of the cut card for enough."""

    cut_is_minimum: bool = True
    """The players of RU cut one deck or more: RU blackjack general. Off: one deck, as by eye."""

    decks_as_stated: bool = True
    """A shoe has the decks that its book states: DK baccarat 1.3.1, LV baccarat 1.3.1, GR baccarat
    1.3.1, RU blackjack general. Off: any number."""


BOOKS: Final = Rulings()
TODAYS_PRODUCT: Final = Rulings()
