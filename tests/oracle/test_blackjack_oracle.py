"""The blackjack oracle against rounds worked out by hand from the rulebook, rule by rule.

A round is written as it is played, one word a step: `1.1.2=8D` box 1, hand 1, card 2; `d1=6H` the
dealer's first; `!` behind a card: dealt face down. `1.2:hit` is box 1 hand 2, `turn:d2` a reveal.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from oracle.blackjack import HOUSES, Choice, House, Round, dealer_distribution

from protocols.cards import DECK, find_card

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
        else:
            chosen = [choice for choice in played.legal() if word(choice) == step]
            assert chosen, f"{step} is not among {legal(played)}"
            played.choose(chosen[0])
    return played


def table(house: House, text: str) -> Round:
    """Play from the first card; the boxes in play are those of the first cards."""
    boxes = [step[0] for step in text.split() if step[1:].startswith(".1.1=")]
    return go(Round(house, tuple(map(int, boxes))), text)


def ended(played: Round) -> str:
    result = played.result()
    dealer = f"dealer {'blackjack' if result.blackjack else result.total}"
    hands = (f"{hand.box}.{hand.hand} {hand.total} {hand.result}" for hand in result.hands)
    return ", ".join((dealer, *hands))


# -- whole rounds: (house, steps, how it ended)

TWO_SPLITS = "1.1.1=8S d1=6H 1.1.2=8D"
ROUNDS = {
    "deal order: boxes, dealer, boxes, hole card; dealer stands on 17": (
        DK,
        "2.1.1=5S 4.1.1=TH d1=7C 2.1.2=6D 4.1.2=9S d2=TD! 2.1:stand 4.1:stand turn:d2",
        "dealer 17, 2.1 11 lose, 4.1 19 win",
    ),
    "dealer draws to 16": (
        DK,
        "1.1.1=TS d1=6H 1.1.2=8D d2=TC! 1.1:stand turn:d2 d3=2S",
        "dealer 18, 1.1 18 push",
    ),
    "dealer draws as often as it takes, an ace falling from eleven to one": (
        DK,
        "1.1.1=TS d1=2H 1.1.2=8D d2=AC! 1.1:stand turn:d2 d3=2S d4=KS d5=AD d6=5C",
        "dealer 21, 1.1 18 lose",
    ),
    "dealer busts, the bust hand has lost before": (
        DK,
        "1.1.1=TS 2.1.1=TD d1=6H 1.1.2=8D 2.1.2=5D d2=TC! 1.1:stand 2.1:hit 2.1.3=7S turn:d2 d3=KS",
        "dealer 26, 1.1 18 win, 2.1 22 lose",
    ),
    "a blackjack gets no decision, and a dealer's 21 of three cards does not reach it": (
        DK,
        "1.1.1=AS 2.1.1=9S d1=6H 1.1.2=KH 2.1.2=9D d2=5C! 2.1:stand turn:d2 d3=TS",
        "dealer 21, 1.1 21 blackjack, 2.1 18 lose",
    ),
    "ten up: no peek, the dealer's blackjack surfaces at the reveal; blackjacks push": (
        DK,
        "1.1.1=AS 2.1.1=5S d1=TC 1.1.2=KH 2.1.2=6D d2=AD! 2.1:hit 2.1.3=TH turn:d2",
        "dealer blackjack, 1.1 21 push, 2.1 21 lose",
    ),
    "only blackjacks: the hole card is turned, and no further card changes a hand": (
        DK,
        "1.1.1=AS d1=6C 1.1.2=KH d2=TD! turn:d2",
        "dealer 16, 1.1 21 blackjack",
    ),
    "only busts: the hole card is turned, the dealer does not draw": (
        GR,
        "1.1.1=TS d1=6C 1.1.2=6H d2=6D! 1.1:hit 1.1.3=6S turn:d2",
        "dealer 12, 1.1 22 lose",
    ),
    "soft 17 stands": (
        DK,
        "1.1.1=TS d1=6C 1.1.2=8H d2=AD! 1.1:stand turn:d2",
        "dealer 17, 1.1 18 win",
    ),
    "soft 17 draws where the field says so, hard 17 does not": (
        replace(GR, soft_17="draw"),
        "1.1.1=TS d1=6C 1.1.2=8H d2=AD! 1.1:stand turn:d2 d3=TH",
        "dealer 17, 1.1 18 win",
    ),
    "soft 18 stands there too": (
        replace(GR, soft_17="draw"),
        "1.1.1=TS d1=7C 1.1.2=8H d2=AD! 1.1:stand turn:d2",
        "dealer 18, 1.1 18 push",
    ),
    "a second card to both hands, first hand first, then play": (
        LV,
        (
            f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=3S 1.2.2=2C 1.1:hit 1.1.3=9H 1.1:stand 1.2:stand"
            " turn:d2 d3=TH"
        ),
        "dealer 26, 1.1 20 win, 1.2 10 win",
    ),
    "first hand finished, then the second gets its second card": (
        GR,
        (
            f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=3S 1.1:hit 1.1.3=9H 1.1:stand 1.2.2=TS 1.2:stand"
            " turn:d2 d3=3H"
        ),
        "dealer 19, 1.1 20 win, 1.2 18 lose",
    ),
    "ten and king are equal in value": (
        DK,
        "1.1.1=TS d1=9C 1.1.2=KH d2=TD! 1.1:split 1.1.2=9S 1.2.2=TH 1.1:stand 1.2:stand turn:d2",
        "dealer 19, 1.1 19 push, 1.2 20 win",
    ),
    "a re-split hand comes directly after its parent: played 1, 3, 4, 2; four hands at most": (
        RU,
        (
            f"{TWO_SPLITS} 1.1:split 1.1.2=8C 1.1:split 1.1.2=TS 1.1:stand"
            " 1.3.2=8H 1.3:split 1.3.2=9S 1.3:stand 1.4.2=8S 1.4:hit 1.4.3=5D"
            " 1.2.2=TD 1.2:stand d2=TC d3=2C"
        ),
        "dealer 18, 1.1 18 push, 1.3 17 lose, 1.4 21 win, 1.2 18 push",
    ),
    "split aces get one card each; ace and ten on a split hand is 21": (
        DK,
        "1.1.1=AS d1=6C 1.1.2=AH d2=5D! 1.1:split 1.1.2=KS 1.2.2=9H turn:d2 d3=TH",
        "dealer 21, 1.1 21 push, 1.2 20 lose",
    ),
    "a dealer's blackjack beats a split 21": (
        DK,
        "1.1.1=TS d1=KC 1.1.2=TH d2=AD! 1.1:split 1.1.2=AS 1.2.2=9H 1.2:stand turn:d2",
        "dealer blackjack, 1.1 21 lose, 1.2 19 lose",
    ),
    "split aces hand by hand, and aces split once": (
        RU,
        "1.1.1=AS d1=6C 1.1.2=AH 1.1:split 1.1.2=AD 1.2.2=9H d2=TS d3=3H",
        "dealer 19, 1.1 12 lose, 1.2 20 win",
    ),
    "a double gets exactly one card, bust or not": (
        DK,
        (
            "1.1.1=TS 2.1.1=5D d1=6C 1.1.2=6H 2.1.2=5S d2=TD! 1.1:double 1.1.3=6D"
            " 2.1:double 2.1.3=2C turn:d2 d3=5H"
        ),
        "dealer 21, 1.1 22 lose, 2.1 12 lose",
    ),
    "a double on a split hand": (
        GR,
        (
            f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=3S 1.1:double 1.1.3=9H 1.2.2=2H"
            " 1.2:double 1.2.3=KD turn:d2 d3=TD"
        ),
        "dealer 26, 1.1 20 win, 1.2 20 win",
    ),
    "a dark double is turned when a later box asks": (
        RU,
        (
            "1.1.1=5S 2.1.1=TH d1=6C 1.1.2=6D 2.1.2=7S 1.1:dark 1.1.3=TD! turn:1.1.3 2.1:stand"
            " d2=TS d3=AD"
        ),
        "dealer 17, 1.1 21 win, 2.1 17 push",
    ),
    "a dark double is turned at the end": (
        RU,
        "1.1.1=AS d1=6C 1.1.2=6D 1.1:dark 1.1.3=TD! d2=TS d3=KH turn:1.1.3",
        "dealer 26, 1.1 17 win",
    ),
    "no hole card: the second card comes after the boxes, face up": (
        RU,
        "1.1.1=TS d1=9C 1.1.2=8D 1.1:stand d2=8H",
        "dealer 17, 1.1 18 win",
    ),
    "no hole card and only busts: the round ends without the dealer's second": (
        RU,
        "1.1.1=TS d1=9C 1.1.2=6D 1.1:hit 1.1.3=KS",
        "dealer 9, 1.1 26 lose",
    ),
    "surrender, the whole table, in any order": (
        RU,
        (
            "1.1.1=TS 2.1.1=9S 3.1.1=8S d1=TC 1.1.2=6H 2.1.2=7H 3.1.2=8H 3.1:surrender"
            " 1.1:surrender 2.1:surrender"
        ),
        "dealer 10, 1.1 16 surrender, 2.1 16 surrender, 3.1 16 surrender",
    ),
    "a surrender stays one against a dealer's blackjack": (
        RU,
        "1.1.1=TS 2.1.1=9S d1=TC 1.1.2=6H 2.1.2=9H 1.1:surrender 2.1:stand d2=AS",
        "dealer blackjack, 1.1 16 surrender, 2.1 18 lose",
    ),
    "surrender with an ace up, while insurance runs": (
        RU,
        "1.1.1=TS 2.1.1=9S d1=AC 1.1.2=6H 2.1.2=9H 1.1:surrender close 2.1:stand d2=7S",
        "dealer 18, 1.1 16 surrender, 2.1 18 push",
    ),
    "a blackjack is paid at once under nine or less; the dealer needs no second card": (
        RU,
        "1.1.1=AS d1=9C 1.1.2=KH",
        "dealer 9, 1.1 21 blackjack",
    ),
    "a blackjack paid at once does not keep the dealer drawing, the other hand does": (
        RU,
        "1.1.1=AS 2.1.1=TH d1=2C 1.1.2=KH 2.1.2=TD 2.1:stand d2=TS d3=AH d4=4C",
        "dealer 17, 1.1 21 blackjack, 2.1 20 win",
    ),
    "an unpaid blackjack waits for the dealer's second under a ten, and no third follows": (
        RU,
        "1.1.1=AS d1=TC 1.1.2=KH d2=2S",
        "dealer 12, 1.1 21 blackjack",
    ),
    "an unpaid blackjack pushes": (
        RU,
        "1.1.1=AS 2.1.1=TH d1=TC 1.1.2=KH 2.1.2=6D 2.1:hit 2.1.3=TS d2=AD",
        "dealer blackjack, 1.1 21 push, 2.1 26 lose",
    ),
    "even money: paid, and alone it ends the round once insurance is closed": (
        RU,
        "1.1.1=AS d1=AC 1.1.2=KH 1.1:even_money close",
        "dealer 11, 1.1 21 even_money",
    ),
    "even money refused: the blackjack waits for the second card": (
        RU,
        "1.1.1=AS d1=AC 1.1.2=KH close d2=TS",
        "dealer blackjack, 1.1 21 push",
    ),
    "a live insurance wants the second card although its hand is bust; no third follows": (
        RU,
        "1.1.1=TS d1=AC 1.1.2=6H 1.1:insurance close 1.1:hit 1.1.3=KH d2=2S",
        "dealer 13, 1.1 26 lose",
    ),
    "insured, peeked, yes: the reveal at once and no decision is played": (
        DK,
        (
            "1.1.1=TS 2.1.1=AH d1=AC 1.1.2=6H 2.1.2=KD d2=KH! 2.1:insurance 1.1:insurance"
            " close peek turn:d2"
        ),
        "dealer blackjack, 1.1 16 lose, 2.1 21 push",
    ),
    "nobody insured, peeked all the same, no: the round is played": (
        DK,
        "1.1.1=TS d1=AC 1.1.2=9H d2=8H! close peek 1.1:stand turn:d2",
        "dealer 19, 1.1 19 push",
    ),
    "insurance may be closed before the hole card has come": (
        DK,
        "1.1.1=TS d1=AC 1.1.2=9H close d2=8H! peek 1.1:stand turn:d2",
        "dealer 19, 1.1 19 push",
    ),
    "a first card dealt down is turned after the boxes' second cards, then insurance runs": (
        replace(GR, dealer_first_card="down_then_revealed"),
        "1.1.1=TS d1=AC! 1.1.2=9H turn:d1 d2=7H! 1.1:insurance close peek 1.1:stand turn:d2",
        "dealer 18, 1.1 19 win",
    ),
    "it may be turned after the dealer's own second too": (
        replace(GR, dealer_first_card="down_then_revealed"),
        "1.1.1=TS d1=9C! 1.1.2=9H d2=7H! turn:d1 1.1:stand turn:d2 d3=5C",
        "dealer 21, 1.1 19 lose",
    ),
    "21 moves on by itself": (
        GR,
        "1.1.1=5S 2.1.1=TH d1=7C 1.1.2=6D 2.1.2=9S d2=TD! 1.1:hit 1.1.3=TS 2.1:stand turn:d2",
        "dealer 17, 1.1 21 win, 2.1 19 win",
    ),
    "21 may draw where it does not": (
        replace(RU, auto_stand_on_21=False),
        "1.1.1=5S d1=7C 1.1.2=6D 1.1:hit 1.1.3=TS 1.1:hit 1.1.4=2C",
        "dealer 7, 1.1 23 lose",
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_worked_out_by_hand(name: str) -> None:
    house, text, end = ROUNDS[name]
    played = table(house, text)
    assert played.over
    assert ended(played) == end
    assert (played.due(), played.legal()) == (None, frozenset())


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_is_over_at_its_last_step_and_not_before(name: str) -> None:
    house, text, _ = ROUNDS[name]
    played = table(house, " ".join(text.split()[:-1]))
    assert not played.over
    with pytest.raises(ValueError, match="not over"):
        played.result()


# -- what is legal at one point: (house, steps so far, card due, choices)

PLAIN = "1.1.1=TS 2.1.1=9S d1=7C 1.1.2=6H 2.1.2=9H"
ACE_UP = "1.1.1=TS 2.1.1=AH d1=AC 1.1.2=6H 2.1.2=KD"
DARK = "1.1.1=5S 2.1.1=TH d1=6C 1.1.2=6D 2.1.2=7S 1.1:dark"
POINTS = {
    "nothing during the first deal": (DK, "1.1.1=TS d1=AC", "1.1.2", ""),
    "no decision before the hole card is sealed": (DK, PLAIN, "d2", ""),
    "then the first hand's": (DK, f"{PLAIN} d2=AS!", None, "1.1:hit 1.1:stand 1.1:double"),
    "a hit waits for its card": (DK, f"{PLAIN} d2=AS! 1.1:hit", "1.1.3", ""),
    "a third card ends double": (DK, f"{PLAIN} d2=AS! 1.1:hit 1.1.3=2S", None, "1.1:hit 1.1:stand"),
    "the next box after a bust": (
        DK,
        f"{PLAIN} d2=AS! 1.1:hit 1.1.3=9S",
        None,
        "2.1:hit 2.1:stand 2.1:double 2.1:split",
    ),
    "at the end the reveal, nothing else": (
        DK,
        f"{PLAIN} d2=AS! 1.1:stand 2.1:stand",
        None,
        "turn:d2",
    ),
    "no peek, no insurance with a ten up": (
        DK,
        "1.1.1=TS d1=KC 1.1.2=6H d2=AS!",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "insurance runs as soon as the boxes have two cards; players wait for the hole card": (
        DK,
        ACE_UP,
        "d2",
        "close",
    ),
    "then a box with blackjack may insure too": (
        DK,
        f"{ACE_UP} d2=5S!",
        None,
        "1.1:insurance 2.1:insurance close",
    ),
    "no peek and no decision while it runs; once a box": (
        DK,
        f"{ACE_UP} d2=5S! 1.1:insurance",
        None,
        "2.1:insurance close",
    ),
    "closed before the hole card: it has to come first": (DK, f"{ACE_UP} close", "d2", ""),
    "after it the peek, before any decision": (DK, f"{ACE_UP} d2=5S! close", None, "peek"),
    "peeked once, no": (
        DK,
        f"{ACE_UP} d2=5S! close peek",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "peeked, yes": (DK, f"{ACE_UP} d2=TD! close peek", None, "turn:d2"),
    "only blackjacks: nothing waits for the peek": (
        DK,
        "2.1.1=AH d1=AC 2.1.2=KD d2=5S! close",
        None,
        "peek turn:d2",
    ),
    "only blackjacks: the reveal waits for the end of insurance": (
        DK,
        "2.1.1=AH d1=AC 2.1.2=KD d2=5S!",
        None,
        "2.1:insurance close",
    ),
    "no hole card: insurance closes and play begins, surrender excludes insurance": (
        RU,
        f"{ACE_UP} 1.1:insurance close",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "a blackjack is offered even money, cannot insure and cannot surrender": (
        RU,
        ACE_UP,
        None,
        "1.1:insurance 1.1:surrender 2.1:even_money close",
    ),
    "a surrendered box cannot insure": (
        RU,
        f"{ACE_UP} 1.1:surrender 2.1:even_money",
        None,
        "close",
    ),
    "no dealer's second before insurance is closed": (
        RU,
        f"{ACE_UP} 1.1:surrender",
        None,
        "2.1:even_money close",
    ),
    "any box may surrender, one plays": (
        RU,
        PLAIN,
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:surrender 2.1:surrender",
    ),
    "a hand that has asked may not surrender, another still may": (
        RU,
        f"{PLAIN} 1.1:hit",
        "1.1.3",
        "2.1:surrender",
    ),
    "after a third card none may": (
        RU,
        f"{PLAIN} 1.1:hit 1.1.3=2C",
        None,
        "1.1:hit 1.1:stand",
    ),
    "a hand that stood has played": (
        RU,
        f"{PLAIN} 1.1:stand",
        None,
        "2.1:hit 2.1:stand 2.1:double 2.1:split 2.1:surrender",
    ),
    "a split hand may not surrender": (RU, f"{TWO_SPLITS} 1.1:split", "1.1.2", ""),
    "a split's second card is a third card of the table": (
        RU,
        "1.1.1=8S 2.1.1=9S d1=7C 1.1.2=8H 2.1.2=7H 1.1:split 1.1.2=2C",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark",
    ),
    "dark where the hand cannot bust: hard 11": (
        RU,
        "1.1.1=5S d1=7C 1.1.2=6H",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark 1.1:surrender",
    ),
    "dark where the hand cannot bust: soft": (
        RU,
        "1.1.1=AS d1=7C 1.1.2=9H",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark 1.1:surrender",
    ),
    "not dark on hard 12": (
        RU,
        "1.1.1=5S d1=7C 1.1.2=7H",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:surrender",
    ),
    "a dark card cannot be turned before it lies": (RU, DARK, "1.1.3", "2.1:surrender"),
    "then any time": (
        RU,
        f"{DARK} 1.1.3=TD!",
        None,
        "turn:1.1.3 2.1:hit 2.1:stand 2.1:double",
    ),
    "while the dealer draws": (RU, f"{DARK} 1.1.3=TD! 2.1:stand d2=4S", "d3", "turn:1.1.3"),
    "no double after a split": (
        DK,
        f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=3S 1.2.2=8C",
        None,
        "1.1:hit 1.1:stand",
    ),
    "no second split": (
        GR,
        f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=8C",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "no double at all": (
        replace(DK, double="no"),
        f"{PLAIN} d2=AS!",
        None,
        "1.1:hit 1.1:stand",
    ),
    "equal rank only": (
        replace(RU, split_on="rank", surrender=False),
        "1.1.1=TS d1=7C 1.1.2=KH",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "four hands, no fifth": (
        RU,
        f"{TWO_SPLITS} 1.1:split 1.1.2=8C 1.1:split 1.1.2=8H 1.1:split 1.1.2=8S",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "aces that may be split again, one card each": (
        replace(RU, split_aces_once=False),
        "1.1.1=AS d1=7C 1.1.2=AH 1.1:split 1.1.2=AD",
        None,
        "1.1:stand 1.1:split",
    ),
    "split aces that are played on": (
        replace(RU, split_aces_one_card=False),
        "1.1.1=AS d1=7C 1.1.2=AH 1.1:split 1.1.2=AD",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark",
    ),
    "both hands get their card before a re-split": (
        replace(DK, splits_allowed=2),
        f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=8C",
        "1.2.2",
        "",
    ),
    "the re-split hands too": (
        replace(DK, splits_allowed=2),
        f"{TWO_SPLITS} d2=TC! 1.1:split 1.1.2=8C 1.2.2=5C 1.1:split 1.1.2=2C",
        "1.3.2",
        "",
    ),
    "a split 21 is no blackjack and may be doubled where it does not stand by itself": (
        replace(RU, auto_stand_on_21=False),
        "1.1.1=TS d1=7C 1.1.2=TH 1.1:split 1.1.2=AD",
        None,
        "1.1:hit 1.1:stand 1.1:double 1.1:dark",
    ),
    "21 gets hit and stand where it does not stand by itself": (
        replace(RU, auto_stand_on_21=False),
        "1.1.1=5S d1=7C 1.1.2=6H 1.1:hit 1.1.3=TD",
        None,
        "1.1:hit 1.1:stand",
    ),
    "a first card dealt down: all waits for it, but for the dealer's own second": (
        replace(GR, dealer_first_card="down_then_revealed"),
        "1.1.1=TS d1=AC! 1.1.2=6H",
        "d2",
        "turn:d1",
    ),
    "and still, when that has come": (
        replace(GR, dealer_first_card="down_then_revealed"),
        "1.1.1=TS d1=AC! 1.1.2=6H d2=5S!",
        None,
        "turn:d1",
    ),
    "a first card dealt down without a hole card: the dealer's second waits for it too": (
        replace(RU, dealer_first_card="down_then_revealed"),
        "1.1.1=AS d1=KC! 1.1.2=KH",
        None,
        "turn:d1",
    ),
    "surrender waits for the hole card": (replace(DK, surrender=True), PLAIN, "d2", ""),
    "surrender waits for it while insurance runs": (
        replace(DK, surrender=True),
        ACE_UP,
        "d2",
        "close",
    ),
    "no insurance at all": (replace(DK, insurance=False), f"{ACE_UP} d2=5S!", None, "peek"),
    "a hole card and no peek": (
        replace(DK, peek="none"),
        f"{ACE_UP} d2=TS! close",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "no hole card, nothing to peek at": (
        replace(RU, peek="ace_up", surrender=False),
        f"{ACE_UP} close",
        None,
        "1.1:hit 1.1:stand 1.1:double",
    ),
    "no hole card and no blackjack paid at once: it waits under a ten or an ace": (
        replace(RU, blackjacks_paid_at_once=False),
        "1.1.1=AS d1=TC 1.1.2=KH",
        "d2",
        "",
    ),
    "under a nine no second card of the dealer's can change it": (
        replace(RU, blackjacks_paid_at_once=False),
        "1.1.1=AS d1=9C 1.1.2=KH",
        None,
        "",
    ),
}


@pytest.mark.parametrize("name", POINTS)
def test_what_is_due_and_legal_at_a_point(name: str) -> None:
    house, text, due, choices = POINTS[name]
    played = table(house, text)
    assert played.due() == (long_slot(due) if due else None)
    assert legal(played) == set(choices.split())


def test_a_box_is_dealt_by_its_number_not_by_its_place_in_the_list() -> None:
    assert go(Round(DK, (4, 2)), "2.1.1=5S 4.1.1=TH d1=7C 2.1.2=6D").due() == "box4.hand1.card2"


def test_the_second_card_goes_over_to_the_new_hand() -> None:
    text = "1.1.1=TS d1=9C 1.1.2=KH d2=TD! 1.1:split 1.1.2=9S 1.2.2=3H 1.1:stand 1.2:stand turn:d2"
    first, second = table(DK, text).result().hands
    assert (" ".join(map(str, first.cards)), " ".join(map(str, second.cards))) == ("TS 9S", "KH 3H")


def test_a_result_says_what_was_doubled_and_what_is_soft() -> None:
    text = "1.1.1=AS 2.1.1=9S d1=9C 1.1.2=2H 2.1.2=8S d2=TD! 1.1:double 1.1.3=5S 2.1:stand turn:d2"
    first, second = table(DK, text).result().hands
    assert (first.total, first.soft, first.doubled) == (18, True, True)
    assert (second.total, second.soft, second.doubled) == (17, False, False)


# -- the dealer alone

PUBLISHED = {  # per cent, all standing on 17, full shoe
    6: "17 14.525 18 13.926 19 13.368 20 17.953 21 7.287 blackjack 4.749 bust 28.192",
    8: "17 14.522 18 13.932 19 13.363 20 17.971 21 7.284 blackjack 4.745 bust 28.184",
}


@pytest.mark.parametrize("decks", PUBLISHED)
def test_the_dealer_ends_as_often_as_published(decks: int) -> None:
    found = dealer_distribution(decks)
    figures = PUBLISHED[decks].split()
    assert {name: f"{float(100 * share):.3f}" for name, share in found.items()} == dict(
        zip(figures[::2], figures[1::2], strict=True)
    )
    assert sum(found.values()) == 1
    blackjack = Fraction(2 * 4 * decks * 16 * decks, 52 * decks * (52 * decks - 1))
    assert found["blackjack"] == blackjack


# -- what is refused


def test_a_round_has_one_to_seven_different_boxes() -> None:
    for boxes in ((), (0,), (8,), (2, 2)):
        with pytest.raises(ValueError, match="boxes"):
            Round(DK, boxes)


def test_no_card_is_taken_where_none_is_due() -> None:
    played = table(DK, f"{PLAIN} d2=AS!")
    with pytest.raises(ValueError, match="no card is due"):
        played.card(DECK[0])
