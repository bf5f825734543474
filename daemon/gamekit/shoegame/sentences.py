"""What a house's rules of the shoe say, in plain English."""

from __future__ import annotations

from collections.abc import Iterator

from daemon.gamekit.sentence import Sentence
from daemon.gamekit.shoe import ALARMS_AT
from daemon.gamekit.shoegame.rules import ShoeRules


def shoe_sentences(rules: ShoeRules) -> Iterator[Sentence]:
    """Yield what these rules enforce, a sentence each."""
    if rules.decks is None:
        decks = "The book states no number of decks: shoe.load does, and one without it is refused."
    else:
        decks = f"The shoe holds {rules.decks} decks of 52; shoe.load with others is refused."
    yield Sentence("decks", decks)
    if rules.verify == "required":
        verify = (
            "No round opens before every card of the shoe passed the scanner and none is missing;"
            " when the shoe is closed they are counted again."
        )
    else:
        verify = "A shoe may be verified card by card; a round may open without it."
    yield Sentence("verify", verify)
    yield Sentence(
        "pack_returns", "A pack of cards that left the table is verified before it is dealt again."
    )
    yield Sentence(
        "composition", "No card may leave the shoe more often than there are decks in it."
    )
    alarm = f"{ALARMS_AT + 1} cards of one suit in the order of a new deck hold the round."
    yield Sentence("factory_order", alarm)
    if rules.bets_end == "announced":
        yield Sentence("bets_end", "No card may leave the shoe before bets.close.")
    else:
        yield Sentence("bets_end", "The first card of a round closes the bets.")
    yield from _cut_card(rules)
    yield from _burns(rules)
    yield from rules.sentences()


def _cut_card(rules: ShoeRules) -> Iterator[Sentence]:
    tolerance = rules.cut_card_tolerance
    about = f", give or take {tolerance}" if tolerance else " exactly"
    if rules.cut_card_min_from_back is not None:
        place = f"The cut card lies {rules.cut_card_place} cards from the back or more"
        topic = "cut_card_min_from_back"
    else:
        place = f"The cut card lies {rules.cut_card_place} cards from the back{about}"
        topic = "cut_card_from_back"
    yield Sentence(topic, f"{place}; another place is put on record.")
    yield Sentence(
        "cut_card_missing",
        f"No round opens when the cut card has not come with {rules.fewest_behind_cut} cards left.",
    )
    yield Sentence(
        "enough_cards",
        "No round opens with fewer cards left than it can take; what lies behind the cut card is"
        " taken for enough.",
    )
    yield Sentence(
        "last_round", "The round in which the cut card comes out is the last of the shoe."
    )
    if rules.cut_card_first_out == "this_round_is_last":
        first = "If it comes out before a round's first card, that round is dealt and is the last."
    else:
        first = "If it comes out before a round's first card, that round is void: shuffle now."
    yield Sentence("cut_card_first_out", first)


def _burns(rules: ShoeRules) -> Iterator[Sentence]:
    burns = (
        ("burn_after_shuffle", rules.burn_after_shuffle, "after every shuffle"),
        (
            "burn_after_misdeal",
            rules.burn_after_misdeal,
            "after a misdeal, when the pit boss decides so",
        ),
        ("burn_after_dealer_change", rules.burn_after_dealer_change, "when the dealer changes"),
    )
    for rule, count, when in burns:
        if count:
            cards = "card is" if count == 1 else "cards are"
            yield Sentence(rule, f"{count} {cards} burned {when}.")
    if rules.burn_at_discretion:
        discretion = "Any number of cards may be burned between rounds, at the house's discretion."
        yield Sentence("burn_at_discretion", discretion)
    elif not any(count for _, count, _ in burns):
        yield Sentence("burn_at_discretion", "No card is burned.")
    match rules.burned_faces:
        case "shown":
            faces = "The faces of burned cards are published."
        case "on_request":
            faces = "Burned cards stay hidden until card.reveal asks for one."
        case "never":
            faces = "Burned cards stay hidden."
    yield Sentence("burned_faces", faces)
