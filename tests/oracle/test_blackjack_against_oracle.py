"""The product's blackjack table against the oracle: every step of many rounds, no difference.

`bench/blackjack_oracle.py` plays a million.
"""

import pytest
from oracle.blackjack_differential import Job, jobs, run
from oracle.blackjack_house import HOUSES
from oracle.blackjack_translation import profile_fields
from support.blackjack_bench import profile

ROUNDS = 2400


@pytest.mark.parametrize("key", HOUSES)
def test_a_profile_states_what_the_table_of_the_rulebook_states(key: str) -> None:
    stated = profile(key)
    assert {name: getattr(stated, name) for name in profile_fields()} == {
        name: getattr(HOUSES[key], name) for name in profile_fields()
    }


@pytest.mark.slow
@pytest.mark.parametrize("job", jobs(ROUNDS, seed=1), ids=str)
def test_the_product_plays_as_the_oracle_does(job: Job) -> None:
    counts = run(job)
    assert not counts.differences, counts.differences[0]
    assert counts.rounds + counts.twins == job.rounds
    assert counts.refused >= 4 * job.rounds // 20
