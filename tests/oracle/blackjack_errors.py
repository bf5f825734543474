"""A dealer who errs once a round: the oracle's scripts with one fault in them, before each reader.

What a reader makes of it is said by `DEALER_ERRORS` of daemon/games/blackjack/violations.py. Each
error here makes a plan of a script: what is read and said, where the fault is. A script that gives
no occasion for the error makes none.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from oracle.blackjack_hands import VALUE
from oracle.blackjack_house import TURN_HOLE_CARD, Choice
from oracle.blackjack_player import Deal
from oracle.blackjack_sitting import Plan, Read, Say, Sitting, hidden
from oracle.blackjack_translation import is_hole_card

from protocols.cards import DECK, Card

VAIN: Final = 600  # rounds without an occasion: this house has none

Error = Callable[[Sitting, Random], Plan | None]


def one_of(found: list[int], chance: Random) -> int | None:
    """Return one of the occasions, None where there is none."""
    return chance.choice(found) if found else None


def another(table: Sitting, chance: Random) -> Card:
    """Return a card that is not the hole card."""
    return chance.choice([card for card in DECK if card != table.hole])


def before_bets_closed(table: Sitting, _chance: Random) -> Plan | None:
    announced = table.script.house.hole_card  # the house without one lets the first card do it
    return Plan(table.acts, 0, early=True) if announced else None


def without_decision(table: Sitting, chance: Random) -> Plan | None:
    i = one_of(table.where(lambda i: table.stood[i].turn is not None), chance)
    turn = table.stood[i].turn if i is not None else None
    if i is None or turn is None:
        return None
    return table.with_act(i, Read(another(table, chance), f"box{turn[0]}"))


def _to_box(boxes: Callable[[Sitting, int], tuple[int, ...]]) -> Error:
    """Return the error: one card more to one of these boxes, while another box is to decide."""

    def wanted(table: Sitting, i: int) -> list[int]:
        turn = table.stood[i].turn
        return [] if turn is None else [box for box in boxes(table, i) if box != turn[0]]

    def error(table: Sitting, chance: Random) -> Plan | None:
        i = one_of(table.where(lambda i: bool(wanted(table, i))), chance)
        if i is None:
            return None
        box = chance.choice(wanted(table, i))
        return table.with_act(i, Read(another(table, chance), f"box{box}"))

    return error


def _just_doubled(table: Sitting, i: int) -> tuple[int, ...]:
    """Return the box whose doubled card came right before."""
    if i < 2:
        return ()
    told, got = table.steps[i - 2], table.steps[i - 1]
    if not isinstance(told, Choice) or told.action != "double" or not isinstance(got, Deal):
        return ()
    return (told.box,) if told.box in table.stood[i].over else ()


def before_hole_turned(table: Sitting, chance: Random) -> Plan | None:
    def may_turn(i: int) -> bool:
        standing = table.stood[i]
        return standing.may_turn_hole and not standing.peek_due

    i = one_of(table.where(may_turn), chance)
    return None if i is None else table.with_act(i, Read(another(table, chance), "dealer"))


def past_17(table: Sitting, chance: Random) -> Plan | None:
    if table.script.result.total < 17 or len(table.script.result.dealer) < 2:
        return None
    return table.with_act(len(table.acts), Read(another(table, chance), "dealer"))


def after_round(table: Sitting, chance: Random) -> Plan | None:
    box = chance.choice(table.script.boxes)
    return table.with_act(len(table.acts), Read(another(table, chance), f"box{box}"))


def _decides_first(table: Sitting) -> Choice | None:
    """Return the first word, where it is a decision: what is missing then stands out at it.

    Where insurance does not wait for the hole card, it says nothing of what is missing.
    """
    word = table.first_word()
    if word is None or word.kind != "decision":
        return None
    early = table.script.rulings.insurance_before_hole_card
    return None if early and word.action in ("insurance", "even_money") else word


def _hole_at(table: Sitting) -> int | None:
    return next((i for i, step in enumerate(table.steps) if is_hole_card(step)), None)


def hole_missing(table: Sitting, _chance: Random) -> Plan | None:
    at = _hole_at(table)
    if at is None or _decides_first(table) is None:
        return None
    return Plan(table.without(at), None)


def hole_missing_goes_on(table: Sitting, chance: Random) -> Plan | None:
    at, word = _hole_at(table), _decides_first(table)
    if at is None or word is None:
        return None
    taken = Read(another(table, chance), f"box{word.box}")
    acts = list(table.instead(at, taken).acts)
    for i, act in enumerate(acts):
        if isinstance(act, Say) and (act.choice.box, act.choice.hand) == (word.box, word.hand):
            acts[i] = replace(act, seen=act.seen + 1)
    return Plan(tuple(acts), None)


def _up_cards(table: Sitting) -> list[int]:
    return table.where(lambda i: table.stood[i].dealing and not hidden(table.steps[i]))


def up_skipped(table: Sitting, _chance: Random) -> Plan | None:
    if _hole_at(table) is None or _decides_first(table) is None:
        return None
    at = next(i for i, step in enumerate(table.steps) if getattr(step, "slot", "") == "dealer.1")
    return Plan(table.without(at), None)


def up_missed(table: Sitting, chance: Random) -> Plan | None:
    at = one_of(_up_cards(table), chance)
    if at is None or _hole_at(table) is None or _decides_first(table) is None:
        return None
    return Plan(table.without(at), None)


def up_missed_without_hole(table: Sitting, chance: Random) -> Plan | None:
    at = one_of(_up_cards(table)[:-1], chance)  # after the last one a decision comes first
    if at is None or table.script.house.hole_card or _decides_first(table) is None:
        return None
    return Plan(table.without(at), None)


def _is_drawn(table: Sitting, i: int) -> bool:
    step = table.steps[i]
    return isinstance(step, Deal) and step.slot.startswith("box") and not table.stood[i].dealing


def _asked_next(table: Sitting, i: int) -> Choice | None:
    """Return the word for a hand that follows at once."""
    step = table.steps[i + 1] if i + 1 < len(table.steps) else None
    own = ("hit", "stand", "double", "split")
    return step if isinstance(step, Choice) and step.action in own else None


def drawn_missed(table: Sitting, chance: Random) -> Plan | None:
    found = table.where(lambda i: _is_drawn(table, i) and _asked_next(table, i) is not None)
    at = one_of(found, chance)
    return None if at is None else Plan(table.without(at), None)


def wrong_order(table: Sitting, chance: Random) -> Plan | None:
    def two_boxes(i: int) -> bool:
        pair = table.steps[i : i + 2]
        return (
            len(pair) == 2
            and all(isinstance(step, Deal) and step.slot.startswith("box") for step in pair)
            and table.stood[i + 1].dealing
        )

    i = one_of(table.where(two_boxes), chance)
    return None if i is None else table.instead(i, table.acts[i + 1], table.acts[i])


def drawn_to_another(table: Sitting, chance: Random) -> Plan | None:
    def occasion(i: int) -> bool:
        step, word = table.steps[i], _asked_next(table, i)
        if not _is_drawn(table, i) or word is None or hidden(step) or not table.stood[i].stood:
            return False
        own = f"box{word.box}.hand{word.hand}."
        return getattr(step, "slot", "").startswith(own) and bool(
            set(table.stood[i].stood) - {word.box}
        )

    i = one_of(table.where(occasion), chance)
    if i is None:
        return None
    act, word, told = table.acts[i], _asked_next(table, i), table.acts[i + 1]
    assert isinstance(act, Read)
    assert isinstance(told, Say)
    assert word is not None
    box = chance.choice(sorted(set(table.stood[i].stood) - {word.box}))
    return table.instead(i, replace(act, place=f"box{box}"), replace(told, seen=told.seen - 1))


def read_again(table: Sitting, chance: Random) -> Plan | None:
    i = one_of(table.where(lambda i: table.stood[i].last is not None), chance)
    if i is None:
        return None
    card, turn = table.stood[i].last, table.stood[i].turn
    assert card is not None
    assert turn is not None
    return table.with_act(i, Read(card, f"box{turn[0]}"))


def read_again_in_first_deal(table: Sitting, chance: Random) -> Plan | None:
    up = _up_cards(table)
    at = one_of(up[:-1], chance)
    if at is None or _hole_at(table) is None:
        return None
    cards = [act.card for act in table.acts[: len(up)] if isinstance(act, Read)]
    shifted = (*cards[: at + 1], *cards[at:-1])
    boxes, act = len(table.script.boxes), table.acts[at]
    assert isinstance(act, Read)
    if all(map(_is_blackjack, shifted[:boxes], shifted[boxes + 1 :])):
        return None  # no decision would be asked of such a table
    if at > boxes and _is_blackjack(cards[at - boxes - 1], cards[at]):
        return None  # a hand that is over: `card_to_21`
    return table.with_act(at + 1, act)


def _is_blackjack(first: Card, second: Card) -> bool:
    return sorted((VALUE[first.rank], VALUE[second.rank])) == [1, 10]


def hole_at_shoe(table: Sitting, _chance: Random) -> Plan | None:
    at = _hole_at(table)
    return None if at is None else table.instead(at, replace(table.acts[at], role="primary"))


def up_on_hole_reader(table: Sitting, chance: Random) -> Plan | None:
    at = one_of(_up_cards(table), chance)
    return None if at is None else table.instead(at, replace(table.acts[at], role="hole"))


def looked_at(table: Sitting, chance: Random) -> Plan | None:
    at = _hole_at(table)
    if at is None or table.hole is None:
        return None
    turned = table.steps.index(TURN_HOLE_CARD)
    stood = table.stood
    occasions = [
        i
        for i in range(at + 1, turned + 1)
        if not stood[i].may_turn_hole and not stood[i].may_check
    ]
    i = one_of(occasions, chance)
    return None if i is None else table.with_act(i, Read(table.hole, "dealer", "hole"))


def another_turned(table: Sitting, chance: Random) -> Plan | None:
    if TURN_HOLE_CARD not in table.steps:
        return None
    turned = table.steps.index(TURN_HOLE_CARD)
    return table.instead(turned, Read(another(table, chance), "dealer", "hole"))


ERRORS: Final[dict[str, Error]] = {
    "card_before_bets_closed": before_bets_closed,
    "card_without_decision": without_decision,
    "card_to_standing_hand": _to_box(lambda table, i: table.stood[i].stood),
    "card_to_21": _to_box(lambda table, i: table.stood[i].full),
    "second_card_after_double": _to_box(_just_doubled),
    "card_before_hole_card_is_turned": before_hole_turned,
    "dealer_past_17": past_17,
    "card_after_round": after_round,
    "hole_card_missing": hole_missing,
    "hole_card_missing_deal_goes_on": hole_missing_goes_on,
    "up_card_skipped": up_skipped,
    "up_card_missed": up_missed,
    "up_card_missed_without_hole_card": up_missed_without_hole,
    "drawn_card_missed": drawn_missed,
    "boxes_in_wrong_order": wrong_order,
    "drawn_card_to_another_box": drawn_to_another,
    "card_read_again": read_again,
    "card_read_again_in_first_deal": read_again_in_first_deal,
    "hole_card_at_the_shoe": hole_at_shoe,
    "up_card_on_hole_reader": up_on_hole_reader,
    "hole_card_looked_at": looked_at,
    "another_card_turned": another_turned,
}
