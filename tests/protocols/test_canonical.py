"""One spelling per value: RFC 8785."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.canonical import canonical

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


def test_keys_are_sorted_and_nothing_stands_between() -> None:
    assert canonical({"b": 1, "a": [True, None]}) == b'{"a":[true,null],"b":1}'


def test_a_whole_number_has_no_fraction() -> None:
    assert canonical([1.0, 0.5, 8.7]) == b"[1,0.5,8.7]"


def test_text_is_itself_and_controls_are_escaped() -> None:
    assert canonical("€\n\x0f") == '"€\\n\\u000f"'.encode()


def test_a_set_has_one_order() -> None:
    assert canonical(frozenset({"b", "a"})) == b'["a","b"]'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e-7])
def test_what_has_no_plain_spelling_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"spelling|compliant"):
        canonical(value)


@given(PLAIN)
def test_it_reads_back_as_what_it_was(value: object) -> None:
    blob = canonical(value)
    assert json.loads(blob) == value
    assert canonical(json.loads(blob)) == blob
