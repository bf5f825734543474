"""A digest is of the value, not of the way it is held."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.digest import digest_of, plain


@dataclass(frozen=True, slots=True)
class Rules:
    words: frozenset[str]
    tolerance: float
    where: Path


def test_a_digest_is_blake2b_256_of_canonical_json() -> None:
    canonical = '{"a":"é","b":[1,true,null,0.5]}'.encode()
    expected = "b2:" + hashlib.blake2b(canonical, digest_size=32).hexdigest()
    assert digest_of({"b": (1.0, True, None, 0.5), "a": "é"}) == expected


def test_a_set_has_one_order() -> None:
    words = [f"word{number}" for number in range(40)]
    one, other = frozenset(words), frozenset(reversed(words))
    assert plain(Rules(one, 2.0, Path("/x"))) == {
        "words": sorted(words),
        "tolerance": 2.0,
        "where": "/x",
    }
    assert digest_of(one) == digest_of(other)


def test_a_number_without_one_spelling_has_no_digest() -> None:
    with pytest.raises(ValueError, match="canonical"):
        digest_of({"a": 1e-9})
