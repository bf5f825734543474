"""Rounds of blackjack written on a line: `1.1.2=8D d2=TC! 1.1:split check:no turn:d2`."""

from oracle.blackjack import Round
from oracle.blackjack_house import HOUSES, Choice, House
from oracle.rulings import BOOKS, Rulings

from protocols.cards import find_card

DK, LV, GR, RU = HOUSES.values()


def long_slot(word: str) -> str:
    if word.startswith("d"):
        return f"dealer.{word[1:]}"
    box, hand, card = word.split(".")
    return f"box{box}.hand{hand}.card{card}"


def short_slot(slot: str) -> str:
    for long, short in (("dealer.", "d"), ("box", ""), ("hand", ""), ("card", "")):
        slot = slot.replace(long, short)
    return slot


def word(choice: Choice) -> str:
    if choice.kind == "decision":
        return f"{choice.box}.{choice.hand}:{'dark' if choice.dark else choice.action}"
    if choice.kind == "card.reveal":
        return f"turn:{short_slot(choice.slot)}"
    return {"insurance.close": "close", "hole_card.peek": "peek"}[choice.kind]


def legal(played: Round) -> set[str]:
    return {word(choice) for choice in played.legal()}


def go(played: Round, text: str) -> Round:
    """Play the steps: a card must be the due one, hidden as written; a choice must be legal."""
    for step in text.split():
        slot, is_card, face = step.partition("=")
        if is_card:
            card = find_card(face.rstrip("!"))
            assert card is not None
            assert played.due() == long_slot(slot), step
            assert played.hidden() == face.endswith("!"), step
            played.card(card)
        elif step.startswith("check:"):
            assert played.check() == (step == "check:yes"), step
        else:
            chosen = [choice for choice in played.legal() if word(choice) == step]
            assert chosen, f"{step} is not among {legal(played)}"
            played.choose(chosen[0])
    return played


def table(house: House, text: str, rulings: Rulings = BOOKS) -> Round:
    """Play from the first card; the boxes in play are those of the first cards."""
    boxes = [step[0] for step in text.split() if step[1:].startswith(".1.1=")]
    return go(Round(house, tuple(map(int, boxes)), rulings), text)


def ended(played: Round) -> str:
    result = played.result()
    dealer = f"dealer {'blackjack' if result.blackjack else result.total}"
    hands = (f"{hand.box}.{hand.hand} {hand.total} {hand.result}" for hand in result.hands)
    return ", ".join((dealer, *hands))


TWO_SPLITS = "1.1.1=8S d1=6H 1.1.2=8D"
PLAIN = "1.1.1=TS 2.1.1=9S d1=7C 1.1.2=6H 2.1.2=9H"
