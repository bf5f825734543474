"""Where cards may lie face down there is a sealing key, or the file is refused, and says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from config.errors import ConfigError, Problem
from config.load import BridgeConfig, Known, load

HIDING = 'rules = { burn_reasons = ["discretion"] }'
KEY = '[sealing]\nkey = "/etc/pitwire/sealing-key"\n[metrics]'
PUBLIC = "A" * 43 + "="


@pytest.fixture
def hiding(good: str) -> str:
    """Return a file whose baccarat table may hide cards."""
    return good.replace('profile = "baccarat-lv"', f'profile = "baccarat-lv"\n{HIDING}')


def test_a_live_table_that_hides_cards_needs_a_key(
    hiding: str, problems: Callable[[str], tuple[Problem, ...]]
) -> None:
    (one,) = problems(hiding)
    assert one.where == "table[1].profile"
    assert "no sealing key" in one.what
    assert "[sealing] key" in one.expected
    assert "/etc/credstore/pitwire-sealing-key" in one.expected


def test_one_that_hides_nothing_does_not(good: str, loaded: Callable[[str], BridgeConfig]) -> None:
    assert loaded(good).sealing_key is None


def test_a_rehearsal_does_not(hiding: str, loaded: Callable[[str], BridgeConfig]) -> None:
    assert loaded(hiding.replace('id = "BAC-07"', 'id = "BAC-07"\nmode = "rehearsal"'))


def test_a_named_key_will_do(hiding: str, loaded: Callable[[str], BridgeConfig]) -> None:
    config = loaded(hiding.replace("[metrics]", KEY))
    assert config.sealing_key == "/etc/pitwire/sealing-key"


def test_so_will_a_key_that_is_handed_over(hiding: str, known: Known) -> None:
    config = load(hiding, replace(known, sealing=True), source="pitwire.toml")
    assert config.sealing_key is None


def test_nothing_is_sealed_to_a_server_without_a_key_not_even_in_rehearsal(
    good: str, problems: Callable[[str], tuple[Problem, ...]]
) -> None:
    text = good.replace(
        'id = "BAC-07"', f'id = "BAC-07"\nmode = "rehearsal"\nsealed_to = "{PUBLIC}"'
    )
    (one,) = problems(text)
    assert one.where == "table[1].sealed_to"
    assert "without a sealing key" in one.what


def test_the_servers_key_reaches_its_table_alone(
    good: str, loaded: Callable[[str], BridgeConfig]
) -> None:
    text = good.replace("[metrics]", KEY).replace(
        'id = "BAC-07"', f'id = "BAC-07"\nsealed_to = "{PUBLIC}"'
    )
    assert [one.sealed_to for one in loaded(text).tables] == [None, PUBLIC]


@pytest.mark.parametrize("wrong", ["", "AAAA", "A" * 44, "A" * 42 + "==", "-" * 43 + "="])
def test_what_is_no_public_key_is_refused(
    good: str, problems: Callable[[str], tuple[Problem, ...]], wrong: str
) -> None:
    text = good.replace("[metrics]", KEY).replace(
        'id = "BAC-07"', f'id = "BAC-07"\nsealed_to = "{wrong}"'
    )
    (one,) = problems(text)
    assert (one.where, one.expected) == (
        "table[1].sealed_to",
        "expected the base64 of a public key of 32 bytes",
    )


def test_the_whole_file_is_told_of_both(good: str, known: Known) -> None:
    text = good.replace('profile = "baccarat-lv"', f'profile = "baccarat-lv"\n{HIDING}')
    with pytest.raises(ConfigError) as caught:
        load(text.replace("pockets = 38", "pockets = 3"), known, source="x")
    assert len(caught.value.problems) == 2
