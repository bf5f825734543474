"""What a house's rules of blackjack say, in plain English."""

from __future__ import annotations

from collections.abc import Iterator

from daemon.gamekit.sentence import Sentence
from daemon.gamekit.shoegame import shoe_sentences
from daemon.games.blackjack.profile import BlackjackProfile


def sentences(rules: BlackjackProfile) -> Iterator[Sentence]:
    """Yield what these rules enforce, a sentence each."""
    yield from shoe_sentences(rules)
    yield from _dealer(rules)
    yield from _offers(rules)
    yield from _hands(rules)
    yield _pick_up(rules)


def _dealer(rules: BlackjackProfile) -> Iterator[Sentence]:
    yield Sentence(
        "boxes",
        "The bets decide which of seven boxes are in play: bets.close names them, or round.open"
        " did; without one nothing is dealt.",
    )
    yield Sentence(
        "deal",
        "One card goes to each box in play from the dealer's left, one to the dealer, a second to"
        " each box; a card to any other hand is a violation.",
    )
    if rules.dealer_first_card == "down_then_revealed":
        down = "The dealer's first card is dealt face down and turned before the insurance."
        yield Sentence("dealer_first_card", down)
    if rules.hole_card:
        hole = (
            "The dealer's second card is dealt face down before the boxes play: no hand is played"
            " before it is sealed, and nobody learns it before it is turned."
        )
    else:
        hole = "The dealer takes no second card before the boxes are done."
    yield Sentence("hole_card", hole)
    if rules.peek == "ace_up":
        peek = (
            "Under an ace the hole card is asked once for a blackjack, after the insurance and"
            " before a hand is played: by hole_card.peek, or by the dealer's look on its reader."
        )
    else:
        peek = "The hole card is never peeked at." if rules.hole_card else "There is no peek."
    yield Sentence("peek", peek)
    stands = "draws to a soft 17" if rules.soft_17 == "draw" else "stands on every 17"
    yield Sentence(
        "soft_17",
        f"The dealer draws to 16 and {stands}, and takes no third card that can change no hand.",
    )


def _offers(rules: BlackjackProfile) -> Iterator[Sentence]:
    if rules.insurance:
        offered = (
            "Insurance is offered under an ace, from the boxes' second cards until insurance.close."
        )
    else:
        offered = "There is no insurance."
    yield Sentence("insurance", offered)
    if rules.even_money:
        yield Sentence(
            "even_money", "Under an ace a box with blackjack is offered even money instead."
        )
    if rules.blackjacks_paid_at_once:
        yield Sentence(
            "blackjacks_paid_at_once",
            "Blackjacks are paid at once, unless the dealer shows a ten or an ace.",
        )
    if rules.surrender:
        surrender = (
            "Any box may surrender until the first third card of the table, an insured one too."
        )
    else:
        surrender = "There is no surrender."
    yield Sentence("surrender", surrender)


def _hands(rules: BlackjackProfile) -> Iterator[Sentence]:
    yield Sentence("decisions", "A hand takes a card only on the server's decision.")
    if rules.auto_stand_on_21:
        yield Sentence("auto_stand_on_21", "A hand of 21 is asked nothing and takes no card.")
    if rules.doubles_split_21:
        yield Sentence(
            "double_split_21",
            "But a split hand of 21 in two cards, no blackjack, is asked: it doubles or stands.",
        )
    match rules.double:
        case "no":
            double = "No hand may double."
        case "first_two":
            double = (
                "The first two cards may be doubled, not those of a split hand; one card follows."
            )
        case "first_two_and_split":
            double = "Any two cards may be doubled, a split hand's too; exactly one card follows."
    yield Sentence("double", double)
    if rules.double_dark:
        dark = "That card is dealt face down on request, where the hand cannot go bust."
        yield Sentence("double_dark", dark)
    times = "once" if rules.splits_allowed == 1 else f"{rules.splits_allowed} times"
    equal = "equal value, ten and king too" if rules.split_on == "value" else "equal rank"
    yield Sentence("splits_allowed", f"A box may split two cards of {equal}, {times}.")
    if rules.split_aces_once:
        yield Sentence("split_aces_once", "Aces from a split are not split again.")
    if rules.split_aces_one_card:
        yield Sentence("split_aces_one_card", "Split aces get one card each and stand.")
    if rules.after_split == "both_then_play":
        after = "After a split both hands get their second card, then the first plays."
    else:
        after = "After a split the first hand is played out before the second gets its card."
    yield Sentence("after_split", after)


def _pick_up(rules: BlackjackProfile) -> Sentence:
    if rules.pick_up == "dealer_last":
        order = (
            "Bust hands are taken at once; at the end the boxes from the last to the first,"
            " split-out cards first, then the dealer's cards."
        )
    else:
        order = (
            "At the end all cards are taken, bust hands too: the dealer's first, then the boxes"
            " from the last to the first."
        )
    return Sentence("pick_up", order)
