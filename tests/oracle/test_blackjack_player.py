"""The random player of blackjack: whole scripts, the same from the same seed, and what they prove.

The oracle is held here against itself over random houses: every field of the profile at random.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from oracle.blackjack import Round
from oracle.blackjack_house import HOUSES, PEEK, Choice
from oracle.blackjack_player import (
    Check,
    Deal,
    Script,
    Shoe,
    Step,
    any_house,
    every_choice,
    place,
    play,
    scripts,
)

from protocols.cards import DECK, Card, find_card


def take(played: Round, step: Step) -> None:
    match step:
        case Deal(card=card):
            played.card(card)
        case Check(blackjack=blackjack):
            assert played.check() == blackjack
        case Choice():
            played.choose(step)


def random_rounds(seed: int, count: int) -> list[Script]:
    chance = Random(seed)
    return [
        script
        for house in (*HOUSES.values(), *(any_house(chance) for _ in range(200)))
        for script in islice(scripts(house, chance), count)
    ]


def test_a_choice_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    chance = Random(1)
    for script in random_rounds(seed=1, count=1):
        played = Round(script.house, script.boxes)
        for step in script.steps:
            before = played.due(), played.legal()
            illegal = sorted(every_choice(script.boxes) - played.legal(), key=place)
            for choice in chance.sample(illegal, 40):
                with pytest.raises(ValueError, match="refused"):
                    played.choose(choice)
            assert played.legal() <= every_choice(script.boxes)
            assert (played.due(), played.legal()) == before
            take(played, step)


def test_a_script_played_again_ends_the_same() -> None:
    for script in random_rounds(seed=2, count=20):
        played = Round(script.house, script.boxes)
        for step in script.steps:
            assert not played.over
            if isinstance(step, Deal):
                assert (step.slot, step.hidden) == (played.due(), played.hidden())
            take(played, step)
        assert played.result() == script.result


def test_no_round_stops_short() -> None:
    for script in random_rounds(seed=3, count=20):
        played = Round(script.house, script.boxes)
        for step in script.steps:
            assert played.due() or played.legal()
            take(played, step)
        assert played.over


def scripts_in_a_process(hash_seed: str) -> str:
    program = (
        "from itertools import islice; from random import Random\n"
        "from oracle.blackjack_house import HOUSES\nfrom oracle.blackjack_player import scripts\n"
        "print(*islice(scripts(HOUSES['blackjack-ru'], Random(4)), 50))"
    )
    tests = Path(__file__).parents[1]
    paths = os.pathsep.join((str(tests), str(tests.parent)))
    return subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_the_same_seed_gives_the_same_scripts_in_every_process() -> None:
    one = scripts_in_a_process("1")
    assert one.count("Script(") == 50
    assert scripts_in_a_process("2") == one


def another(card: Card, *, same_bits: bool) -> Card:
    """Return another rank; one that is a ten or an ace where this one is, if a peek will tell."""
    swap = {"A": "A", "T": "Q", "J": "K", "Q": "T", "K": "J"} if same_bits else {}
    found = find_card(swap.get(card.rank, "9" if card.rank == "3" else "3") + "S")
    assert found is not None
    return found


def test_what_is_due_and_legal_does_not_depend_on_a_card_that_lies_face_down() -> None:
    for script in random_rounds(seed=5, count=20):
        peeks = any(isinstance(step, Check) or step == PEEK for step in script.steps)
        shown, other = (Round(script.house, script.boxes) for _ in range(2))
        hidden: set[str] = set()
        for step in script.steps:
            if isinstance(step, Choice) and step.kind == "card.reveal" and step.slot in hidden:
                break
            take(shown, step)
            if isinstance(step, Deal) and step.hidden:
                hidden.add(step.slot)
                other.card(another(step.card, same_bits=peeks and step.slot == "dealer.2"))
            else:
                take(other, step)
            assert (shown.due(), shown.legal()) == (other.due(), other.legal())
            assert shown.over == other.over


def test_a_shoe_holds_whole_decks_whatever_is_wanted_from_it() -> None:
    shoe = Shoe(2, Random(6))
    shoe.refill()
    drawn = [shoe.draw(wanted) for wanted in [1, 10] * 52]
    assert [card.rank for card in drawn[:16:2]] == ["A"] * 8
    assert sorted(map(str, drawn)) == sorted(2 * [str(card) for card in DECK])


def kinds(script: Script) -> Iterator[str]:
    for step in script.steps:
        if isinstance(step, Choice):
            yield "dark" if step.dark else step.action or step.kind
        elif isinstance(step, Check):
            yield "check"
    for hand in script.result.hands:
        if hand.hand == 4:
            yield "fourth hand"
        if len(script.result.dealer) == 1 and hand.result == "blackjack":
            yield "blackjack paid at once"


def test_what_is_rare_is_played_often() -> None:
    chance = Random(7)
    counts = Counter(
        name
        for house in (HOUSES["blackjack-gr"], HOUSES["blackjack-ru"])
        for script in islice(scripts(house, chance), 1000)
        for name in kinds(script)
    )
    for name in (
        *("split", "double", "dark", "surrender", "insurance", "even_money", "hole_card.peek"),
        *("check", "fourth hand", "blackjack paid at once"),
    ):
        assert counts[name] >= 20, counts


def test_play_yields_steps_that_are_done_already() -> None:
    played = Round(HOUSES["blackjack-dk"], (1,))
    shoe = Shoe(1, Random(8))
    shoe.refill()
    first = next(play(played, shoe, Random(8)))
    assert isinstance(first, Deal)
    assert played.hands[1][0].cards == [first.card]
