"""A few of the journal's harms, each time the tests run; `bench/journal_harm.py` does them all."""

from __future__ import annotations

import pytest
from support.harness import run_all
from support.harness_bitflip import BitFlip
from support.harness_failwrite import FailWrite
from support.harness_powercut import PowerCut
from support.harness_tamper import KINDS, TamperHarness

# What a file layer raises on purpose, apsw also shows as raised where nobody can catch it.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_power_cuts_lose_nothing_that_was_acknowledged() -> None:
    report = run_all(PowerCut(rounds=4, states=250))
    assert report.failures == []
    assert report.done == 250


def test_the_harness_of_power_cuts_notices_a_disk_that_does_not_sync() -> None:
    assert run_all(PowerCut(rounds=1, states=40, lying=True)).failures


def test_failing_writes_and_syncs_lose_nothing_that_was_acknowledged() -> None:
    report = run_all(FailWrite(sample=120))
    assert report.failures == []
    assert len(report.outcomes) >= 3, "some are waited out, some end the daemon"


def test_flipped_bits_are_found_or_harmless() -> None:
    report = run_all(BitFlip(), count=160)
    assert report.failures == []
    assert min(report.outcomes["found"], report.outcomes["harmless"]) > 20


def test_every_kind_of_tampering_is_found() -> None:
    report = run_all(TamperHarness(), count=2 * (len(KINDS) + 3))
    assert report.failures == []
