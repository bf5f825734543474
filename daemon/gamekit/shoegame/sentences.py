"""What a house's rules of the shoe say, in plain English."""

from __future__ import annotations

from collections.abc import Iterator

from daemon.gamekit.shoegame.factory_order import ALARMS_AT
from daemon.gamekit.shoegame.rules import ShoeRules


def shoe_sentences(rules: ShoeRules) -> Iterator[str]:
    """Yield what these rules enforce, a sentence each."""
    if rules.decks is None:
        yield "The book states no number of decks: shoe.load does, and one without it is refused."
    else:
        yield f"The shoe holds {rules.decks} decks of 52, unless shoe.load says another number."
    if rules.verify == "required":
        yield "No round opens before every card of the shoe passed the scanner and none is missing."
    else:
        yield "A shoe may be verified card by card; a round may open without it."
    yield "No card may leave the shoe more often than there are decks in it."
    yield f"{ALARMS_AT + 1} cards of one suit in the order of a new deck hold the round."
    if rules.bets_end == "announced":
        yield "No card may leave the shoe before bets.close."
    else:
        yield "The first card of a round closes the bets."
    yield from _cut_card(rules)
    yield from _burns(rules)


def _cut_card(rules: ShoeRules) -> Iterator[str]:
    tolerance = rules.cut_card_tolerance
    about = f", give or take {tolerance}" if tolerance else " exactly"
    yield (
        f"The cut card lies {rules.cut_card_from_back} cards from the back{about};"
        " another place is put on record."
    )
    yield "The round in which the cut card comes out is the last of the shoe."
    if rules.cut_card_first_out == "this_round_is_last":
        yield "If it comes out before a round's first card, that round is dealt and is the last."
    else:
        yield "If it comes out before a round's first card, that round is void: shuffle now."


def _burns(rules: ShoeRules) -> Iterator[str]:
    burns = {
        "after every shuffle": rules.burn_after_shuffle,
        "after a misdeal, when the pit boss decides so": rules.burn_after_misdeal,
        "when the dealer changes": rules.burn_after_dealer_change,
    }
    for when, count in burns.items():
        if count:
            yield f"{count} {'card is' if count == 1 else 'cards are'} burned {when}."
    if rules.burn_at_discretion:
        yield "Any number of cards may be burned between rounds, at the house's discretion."
    elif not any(burns.values()):
        yield "No card is burned."
    match rules.burned_faces:
        case "shown":
            yield "The faces of burned cards are published."
        case "on_request":
            yield "Burned cards stay hidden until card.reveal asks for one."
        case "never":
            yield "Burned cards stay hidden."
