"""Every payload on a command subject: parsed or answered why not, as the published schema says."""

from random import Random

import pytest
from support.hostile_payloads import NOW, good, hostile_payloads, is_in_contract

from daemon.runtime.codec import input_blob, parse_input
from daemon.runtime.command_payload import (
    PAYLOAD_MAX,
    MalformedCommand,
    ParsedCommand,
    parse_command,
)
from daemon.table.inputs import Commanded, Input
from protocols.canonical import canonical
from protocols.commands import AUTHORITIES, VoidRound
from protocols.instant import Instant


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_parsed_that_the_schema_refuses(seed: int) -> None:
    parsed = 0
    for payload in hostile_payloads(seed, 500, NOW):
        call = parse_command(payload)
        assert isinstance(call, ParsedCommand | MalformedCommand)
        if isinstance(call, ParsedCommand):
            parsed += 1
            assert is_in_contract(payload), payload
            assert len(payload) <= PAYLOAD_MAX
        else:
            assert call.detail.isprintable(), call.detail
    assert parsed > 50


def test_a_journal_is_read_as_it_was_written_whatever_the_limits_are_now() -> None:
    """Commands had no limits once; a table goes on from what its journal has."""
    empty = Input(Instant("boot", 1), Commanded(VoidRound("", "\n"), "c" * 300))
    assert parse_input(input_blob(empty)) == empty


@pytest.mark.parametrize("kind", AUTHORITIES)
def test_what_the_schema_asks_for_is_parsed(kind: str) -> None:
    chance = Random(kind)
    for _ in range(50):
        payload = canonical(good(chance, kind, NOW))
        assert is_in_contract(payload), payload
        assert isinstance(parse_command(payload), ParsedCommand), payload
