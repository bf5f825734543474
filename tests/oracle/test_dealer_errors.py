"""A dealer who errs: caught by the violation and at the moment that the product's table states.

`bench/blackjack_oracle.py` lets a hundred thousand dealers err.
"""

import pytest
from oracle.blackjack_erring import meet
from oracle.blackjack_errors import ERRORS
from support.vocabulary import VIOLATIONS

from daemon.gamekit.violations import Moment, Reader
from daemon.games.blackjack.violations import DEALER_ERRORS

ROUNDS = 20  # of each error before each reader
LATEST: list[Moment] = ["this card", "next card", "decision", "never"]
MET: list[tuple[str, Reader]] = [
    (error, reader) for error, rule in DEALER_ERRORS.items() for reader in rule.seen
]


@pytest.mark.slow
@pytest.mark.parametrize(("error", "reader"), MET, ids=map("-".join, MET))
def test_an_error_is_caught_as_the_table_says(error: str, reader: Reader) -> None:
    caught = meet(error, reader, ROUNDS, seed=1)
    assert not caught.differences, caught.differences[0]
    assert caught.rounds >= ROUNDS // 4, "a house or more gives occasion for it"


def test_every_error_of_the_table_is_made_here() -> None:
    assert set(ERRORS) == set(DEALER_ERRORS)


@pytest.mark.parametrize("code", VIOLATIONS)
def test_a_violation_says_when_it_is_seen_at_the_latest(code: str) -> None:
    for reader in ("identity", "position", "hole"):
        moments = [
            moment
            for rule in DEALER_ERRORS.values()
            for met, (word, moment) in rule.seen.items()
            if met == reader and word == code
        ]
        if moments:
            assert VIOLATIONS[code].seen[reader] == max(moments, key=LATEST.index)
