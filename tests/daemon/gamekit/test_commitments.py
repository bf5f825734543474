"""Commitments: bound to every part of their place, opened by the sealed card and nothing else."""

import copy
import pickle
from dataclasses import fields, replace
from random import Random

import pytest

from daemon.gamekit.commitments import (
    Commitments,
    Concealed,
    Nonces,
    Place,
    Vault,
    commit,
    opens,
    opens_bit,
)
from protocols.cards import DECK, Card

KEY = bytes(range(32))
VAULT = Vault(KEY, "BJ-1", "000001-aa", 17)
PLACE = VAULT.place("S1", "R1", "dealer.2", "b2:00")
KING = Card("K", "S")


def seal(
    card: Card = KING, place: Place = PLACE, vault: Vault = VAULT
) -> tuple[Commitments, Nonces]:
    one = vault.seal(card, place, 4)
    return one.commitments, one.nonces.value


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_reveal_opens_what_was_sealed_and_no_other_card_does(card: Card) -> None:
    commitments, nonces = seal(card)
    assert [one for one in DECK if opens(commitments, PLACE, one, nonces)] == [card]


@pytest.mark.parametrize("part", [one.name for one in fields(Place)])
def test_it_is_bound_to_every_part_of_its_place(part: str) -> None:
    commitments, nonces = seal()
    elsewhere = replace(PLACE, **{part: getattr(PLACE, part) + "x"})
    assert not opens(commitments, elsewhere, KING, nonces)
    other = seal(place=elsewhere)[1]
    assert not {other.card, other.ten, other.ace} & {nonces.card, nonces.ten, nonces.ace}


def test_parts_do_not_run_into_each_other() -> None:
    left = replace(PLACE, shoe="S1", round_id="1R")
    right = replace(PLACE, shoe="S11", round_id="R")
    nonces = seal(place=left)[1]
    assert commit(KING, left, nonces).card != commit(KING, right, nonces).card


def test_the_record_and_the_key_change_every_commitment() -> None:
    ours = seal()[0]
    for vault in (replace(VAULT, record=18), replace(VAULT, key=bytes(32))):
        theirs = seal(vault=vault)[0]
        assert not {theirs.card, theirs.ten, theirs.ace} & {ours.card, ours.ten, ours.ace}


def test_a_restart_makes_the_same_bytes_again() -> None:
    assert seal() == seal(vault=Vault(KEY, "BJ-1", "000001-aa", 17))


def test_a_peeked_bit_is_the_sealed_one() -> None:
    commitments, nonces = seal()
    ten = (commitments.ten, PLACE, "is_ten")
    assert opens_bit(*ten, answer=True, nonce=nonces.ten)
    assert not opens_bit(*ten, answer=False, nonce=nonces.ten)
    assert not opens_bit(commitments.ten, PLACE, "is_ace", answer=True, nonce=nonces.ten)
    next_round = replace(PLACE, round_id="R2")
    assert not opens_bit(commitments.ten, next_round, "is_ten", answer=True, nonce=nonces.ten)
    assert opens_bit(commitments.ace, PLACE, "is_ace", answer=False, nonce=nonces.ace)


def test_the_nonce_of_one_question_opens_no_other() -> None:
    commitments, nonces = seal()
    assert len({nonces.card, nonces.ten, nonces.ace}) == 3
    assert not opens_bit(commitments.ten, PLACE, "is_ten", answer=True, nonce=nonces.card)


def test_every_length_is_the_same_for_every_card() -> None:
    lengths = {
        tuple(len(getattr(seal(card)[0], name)) for name in ("card", "ten", "ace")) for card in DECK
    }
    assert lengths == {(64, 64, 64)}


def test_ten_thousand_forged_reveals_and_none_is_accepted() -> None:
    """Another card with the true nonces, with nonces bent, swapped, made up, of another record."""
    lot = Random(20261130)
    accepted = 0
    for number in range(12_000):
        card, other = lot.sample(DECK, 2)
        vault = replace(VAULT, record=lot.randrange(1, 10_000))
        commitments, nonces = seal(card, vault=vault)
        match number % 6:
            case 0:  # another card, the true nonces
                forged = (other, nonces)
            case 1:  # another card, nonces out of the air
                forged = (other, Nonces(*(lot.randbytes(32).hex() for _ in range(3))))
            case 2:  # the true card, one digit of one nonce bent
                name = lot.choice(("card", "ten", "ace"))
                digits = list(getattr(nonces, name))
                place = lot.randrange(64)
                digits[place] = "0123456789abcdef"[int(digits[place], 16) ^ lot.randrange(1, 16)]
                forged = (card, replace(nonces, **{name: "".join(digits)}))
            case 3:  # nonces in another order
                forged = (other, Nonces(nonces.ten, nonces.ace, nonces.card))
            case 4:  # what the same vault sealed in another record
                again = replace(vault, record=vault.record + 1)
                forged = (other, seal(other, vault=again)[1])
            case _:  # what would open it elsewhere
                elsewhere = replace(PLACE, round_id="R2")
                forged = (card, seal(card, place=elsewhere, vault=vault)[1])
        accepted += opens(commitments, PLACE, *forged)
    assert accepted == 0


def test_a_concealed_value_stands_in_no_text_and_no_comparison() -> None:
    hidden = Concealed(KING)
    shown = f"{hidden!r} {hidden} {hidden!s:>20} {[hidden]} {VAULT.seal(KING, PLACE, 4)}"
    assert not [one for one in ("=Card(", "rank", "'K'", "KS", seal()[1].card) if one in shown]
    assert hidden != Concealed(KING)
    assert KEY.hex() not in repr(VAULT)


def test_a_concealed_value_is_not_copied_out_of_the_process() -> None:
    for copying in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="concealed"):
            copying(Concealed(KING))
