"""Sealed records: they open as they were, in their place, with their key, and tell nothing else."""

import base64
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.gamekit.commitments import Concealed
from daemon.journal.chain import genesis, link
from daemon.journal.cipher import PADDED_TO, Cipher, Unopened, is_sealed, opened
from daemon.journal.records import Record
from protocols.canonical import canonical

OLD, NEW = (
    Concealed(b"old key of 32 bytes, long enough"),
    Concealed(b"new key of 32 bytes, long enough"),
)
CIPHER = Cipher("BJ-1", [NEW])
HIDDEN = Record(7, "000001-aa", None, "input", b'{"card":"KS"}')


def sealed_bytes(record: Record) -> bytes:
    return base64.b64decode(json.loads(record.blob)["sealed"])


@given(st.binary(max_size=5000))
def test_what_was_sealed_opens_as_it_was(blob: bytes) -> None:
    record = replace(HIDDEN, blob=blob)
    assert CIPHER.open(CIPHER.seal(record)) == record


def test_a_sealed_body_is_canonical_json_and_only_the_body_changes() -> None:
    sealed = CIPHER.seal(HIDDEN)
    assert is_sealed(sealed)
    assert not is_sealed(HIDDEN)
    assert canonical(json.loads(sealed.blob)) == sealed.blob
    assert replace(sealed, blob=HIDDEN.blob) == HIDDEN


def test_the_same_record_gives_the_same_bytes_again_so_that_a_replay_is_equal() -> None:
    assert CIPHER.seal(HIDDEN) == Cipher("BJ-1", [NEW]).seal(HIDDEN)


@pytest.mark.parametrize("length", [0, 1, PADDED_TO - 2, PADDED_TO - 1, PADDED_TO, 3 * PADDED_TO])
def test_its_length_says_how_many_blocks_it_fills_and_no_more(length: int) -> None:
    inside = len(sealed_bytes(CIPHER.seal(replace(HIDDEN, blob=b"x" * length)))) - 24 - 16
    assert inside == (length // PADDED_TO + 1) * PADDED_TO  # one byte at least marks the end


def test_a_number_that_comes_again_with_another_body_has_another_nonce() -> None:
    """After a power cut the last records' numbers come again: never two bodies under one nonce."""
    first, again = CIPHER.seal(HIDDEN), CIPHER.seal(replace(HIDDEN, blob=b'{"card":"2H"}'))
    assert sealed_bytes(first)[:24] != sealed_bytes(again)[:24]


MOVED = {
    "record": replace(CIPHER.seal(HIDDEN), record=8),
    "epoch": replace(CIPHER.seal(HIDDEN), epoch="000002-bb"),
    "kind": replace(CIPHER.seal(HIDDEN), kind="state"),
}


@pytest.mark.parametrize("what", MOVED)
def test_put_elsewhere_it_does_not_open(what: str) -> None:
    with pytest.raises(Unopened, match="damaged"):
        CIPHER.open(MOVED[what])


def test_put_into_another_tables_journal_it_does_not_open() -> None:
    with pytest.raises(Unopened, match="record 7 of BJ-2 is damaged"):
        Cipher("BJ-2", [NEW]).open(CIPHER.seal(HIDDEN))


@given(st.data())
def test_any_flipped_bit_is_damage_and_names_the_record(data: st.DataObject) -> None:
    whole = json.loads(CIPHER.seal(HIDDEN).blob)
    raw = bytearray(base64.b64decode(whole["sealed"]))
    bit = data.draw(st.integers(0, len(raw) * 8 - 1))
    raw[bit // 8] ^= 1 << bit % 8
    torn = canonical({**whole, "sealed": base64.b64encode(raw).decode()})
    with pytest.raises(Unopened, match="record 7 of BJ-1 is damaged") as caught:
        CIPHER.open(replace(HIDDEN, blob=torn))
    assert "journal verify" in caught.value.action


@pytest.mark.parametrize(
    "blob",
    [b'{"key":"', b'{"key":"aa"}', b'{"key":"aa","sealed":"!"}', b'{"key":"aa","sealed":7}',
     b'{"key":"","sealed":[]}'],
)  # fmt: skip
def test_what_is_no_sealed_body_is_damage_too(blob: bytes) -> None:
    with pytest.raises(Unopened):
        CIPHER.open(replace(HIDDEN, blob=blob))


def test_another_key_is_told_from_damage_and_both_keys_are_named() -> None:
    sealed = Cipher("BJ-1", [OLD]).seal(HIDDEN)
    with pytest.raises(Unopened, match="sealed with the key") as caught:
        CIPHER.open(sealed)
    assert json.loads(sealed.blob)["key"] in caught.value.what
    assert json.loads(CIPHER.seal(HIDDEN).blob)["key"] in caught.value.what


def test_after_a_rotation_the_old_key_opens_and_the_new_one_seals() -> None:
    both = Cipher("BJ-1", [NEW, OLD])
    assert both.open(Cipher("BJ-1", [OLD]).seal(HIDDEN)) == HIDDEN
    assert both.seal(HIDDEN) == CIPHER.seal(HIDDEN)


def test_without_a_key_it_says_which_record_and_where_a_key_would_be_named() -> None:
    with pytest.raises(Unopened, match="record 7 of BJ-1 is sealed, and no sealing key") as caught:
        opened("BJ-1", CIPHER.seal(HIDDEN), None)
    assert all(one in caught.value.action for one in ("[sealing] key", "--key", "credential"))
    assert opened("BJ-1", HIDDEN, None) == HIDDEN


def test_the_chain_runs_over_what_is_stored_and_needs_no_key() -> None:
    sealed = CIPHER.seal(HIDDEN)
    assert link(genesis("BJ-1"), sealed) == link(genesis("BJ-1"), CIPHER.seal(HIDDEN))
    assert link(genesis("BJ-1"), sealed) != link(genesis("BJ-1"), HIDDEN)


def test_nothing_of_the_card_or_the_key_stands_in_an_error() -> None:
    for cipher, record in (
        (CIPHER, MOVED["record"]),
        (CIPHER, Cipher("BJ-1", [OLD]).seal(HIDDEN)),
    ):
        with pytest.raises(Unopened) as caught:
            cipher.open(record)
        text = repr(caught.value) + str(caught.value) + caught.value.action
        assert not any(one in text for one in ("KS", OLD.value.decode(), NEW.value.decode()))
