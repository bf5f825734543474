"""A crash between seal and reveal loses nothing; a key that is not there is named."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from support.hidden_bench import EPOCH, KEYS, MASTER, TABLE, HiddenTable, blackjack, greek

from daemon.gamekit.commitments import Concealed
from daemon.journal.cipher import Cipher, is_sealed
from daemon.journal.records import Record
from daemon.runtime.codec import StateCodec
from daemon.runtime.recovery import Recovered, recover
from daemon.service.sealing_keys import SealingKeys
from daemon.table.inputs import Stopping

BURNS = ("KS>burn", "9C>burn", "TD>burn", "2H>burn", "AS>burn", "7D>burn")
OTHER = SealingKeys([Concealed(b"another key of thirty-two bytes!")]).of(TABLE)


def played() -> tuple[HiddenTable, list[tuple[int, Any]]]:
    """Burn six, ask for two of them, deal a round; the state after each thing that was written."""
    states: list[tuple[int, Any]] = []
    one = HiddenTable()
    one.shuffle()
    for text in BURNS:
        one.draw(text)
        states.append((len(one.records), one.dump()))
    one.obey("card.reveal", slot="burn.2")
    states.append((len(one.records), one.dump()))
    one.obey("round.open", round_id="R1")
    one.obey("bets.close", round_id="R1")
    one.draw("8S>player.1", "5C>banker.1")
    states.append((len(one.records), one.dump()))
    one.draw("KD>player.2", "2H>banker.2")
    states.append((len(one.records), one.dump()))
    return one, states


def recovered(records: list[Record], cipher: Cipher | None = KEYS.cipher) -> Recovered:
    last = next((one for one in reversed(records) if one.kind == "state"), None)
    after = [one for one in records if last is None or one.record > last.record]
    return recover(greek(), last, after, cipher)


def test_at_every_moment_a_crash_gives_the_table_back_with_its_hidden_cards() -> None:
    one, states = played()
    codec = StateCodec(one.setup.game)
    for length, state in states:
        back = recovered(one.records[:length])
        assert (back.differs, back.holds) == (None, False)
        assert codec.dump(back.state) == state


def test_what_was_sealed_before_the_crash_is_turned_after_it_and_is_the_same_to_the_byte() -> None:
    whole = HiddenTable()
    whole.shuffle()
    whole.draw(*BURNS)
    before = list(whole.records)
    whole.obey("card.reveal", slot="burn.1")
    again = HiddenTable(records=before)
    again.obey("card.reveal", slot="burn.1")
    assert again.found("card.revealed") == whole.found("card.revealed")
    assert again.found("card.revealed")[0]["rank"] == "K"


def test_a_second_run_writes_the_same_records_to_the_byte() -> None:
    assert played()[0].records == played()[0].records


def test_without_its_mark_a_replay_would_seal_otherwise_and_be_held() -> None:
    """The nonces are of the record's number: a journal whose records were moved does not agree."""
    one, _ = played()
    start = next(place for place, rec in enumerate(one.records) if rec.kind == "state")
    later = one.records[start + 1 :]
    clear = [KEYS.cipher.open(rec) if is_sealed(rec) else rec for rec in later]
    moved = [replace(rec, record=rec.record + 1) for rec in clear]
    back = recover(greek(), one.records[start], moved, KEYS.cipher)
    assert back.differs is not None
    assert back.holds


@pytest.mark.parametrize("cipher", [None, OTHER.cipher], ids=["no key", "another key"])
def test_without_the_right_key_the_table_opens_held_and_says_what_is_missing(
    cipher: Cipher | None,
) -> None:
    one, _ = played()
    back = recovered(one.records, cipher)
    assert back.holds
    assert back.differs is not None
    sealed = next(r.record for r in reversed(one.records) if r.kind == "state")
    assert f"record {sealed} of {TABLE} is sealed" in back.differs
    hint = "[sealing] key" if cipher is None else "put the key of that time"
    assert hint in back.differs
    keys = cipher and OTHER
    assert HiddenTable(keys=keys, records=one.records).inbox.state.held


def test_a_damaged_record_is_told_from_a_wrong_key() -> None:
    one, _ = played()
    place = next(i for i in reversed(range(len(one.records))) if one.records[i].kind == "state")
    whole = one.records[place]
    blob = json.loads(whole.blob)
    blob["sealed"] = "AAAA" + blob["sealed"][4:]
    torn = replace(whole, blob=json.dumps(blob, separators=(",", ":")).encode())
    back = recovered([*one.records[:place], torn, *one.records[place + 1 :]])
    assert back.differs is not None
    assert f"record {whole.record} of {TABLE} is damaged" in back.differs
    assert "journal verify" in back.differs


def test_what_this_version_cannot_read_is_not_quoted_where_it_was_hidden() -> None:
    """The text goes to the bus: a card in it would be a leak."""
    one, _ = played()
    place = next(i for i, rec in enumerate(one.records) if rec.kind == "input" and is_sealed(rec))
    clear = KEYS.cipher.open(one.records[place])
    strange = replace(clear, blob=clear.blob.replace(b'"card_drawn"', b'"card_foreseen"'))
    back = recovered([*one.records[:place], KEYS.cipher.seal(strange)])
    assert back.holds
    assert back.differs is not None
    assert f"record {clear.record}, which is sealed" in back.differs
    assert not [word for word in ("foreseen", "rank", "'K'", "KS") if word in back.differs]


def test_a_key_is_changed_between_rounds_after_a_stop() -> None:
    one = HiddenTable()
    one.shuffle()
    one.draw(*BURNS)
    one.inbox.put(Stopping("signal"))
    assert one.records[-1].kind == "state"
    both = SealingKeys([Concealed(b"new key of thirty-two bytes long"), MASTER]).of(TABLE)
    setup = replace(greek(), key=both.commitments)
    back = recover(setup, one.records[-1], [], both.cipher)
    assert (back.differs, back.holds) == (None, False)
    again = HiddenTable(keys=both, records=one.records)
    again.obey("card.reveal", slot="burn.1")
    (told,) = again.found("card.revealed")
    assert (told["rank"], told["suit"]) == ("K", "S")


def test_a_key_that_is_changed_while_a_card_lies_face_down_holds_the_table() -> None:
    """What was committed to with the old key is not what the new one would say."""
    one, states = hole_card("QS")
    sealed = states[6][0]
    both = SealingKeys([Concealed(b"new key of thirty-two bytes long"), MASTER]).of(TABLE)
    last = next(rec for rec in reversed(one.records[:sealed]) if rec.kind == "state")
    after = [rec for rec in one.records[:sealed] if rec.record > last.record]
    back = recover(blackjack(both), last, after, both.cipher)
    assert back.differs == "the journal has card.sealed, replay gives card.sealed"
    assert back.holds


def test_records_count_on_and_each_seals_under_its_own_nonce() -> None:
    one, _ = played()
    assert all(b.record == a.record + 1 for a, b in pairwise(one.records))
    assert {r.epoch for r in one.records} == {EPOCH}
    nonces = [json.loads(r.blob)["sealed"][:32] for r in one.records if is_sealed(r)]
    assert len(nonces) == len(set(nonces))


# --- a hole card -----------------------------------------------------------------------------


def hole_card(second: str) -> tuple[HiddenTable, list[tuple[int, Any]]]:
    """Deal to one box, seal the second card, play, turn it; with the state at each step."""
    one, states = HiddenTable(house=blackjack), list[tuple[int, Any]]()

    def obeyed(name: str, **fields: Any) -> None:
        answer = one.obey(name, **fields)
        assert answer["answer"] == "accepted", answer
        states.append((len(one.records), one.dump()))

    obeyed("shoe.load", shoe_id="S1", decks=8)
    obeyed("round.open", round_id="R1", boxes=[1])
    obeyed("bets.close", round_id="R1")
    for code in ("TD", "6C", "9H", second):
        one.say(code)
        states.append((len(one.records), one.dump()))
    obeyed("decision", round_id="R1", box=1, hand=1, action="stand")
    obeyed("card.reveal", round_id="R1", slot="dealer.2")
    return one, states


def test_a_hole_card_outlives_a_crash_at_any_moment_and_is_turned_all_the_same() -> None:
    one, states = hole_card("QS")
    codec = StateCodec(one.setup.game)
    assert one.found("card.revealed")[0]["rank"] == "Q"
    for length, state in states:
        records = one.records[:length]
        last = next(rec for rec in reversed(records) if rec.kind == "state")
        after = [rec for rec in records if rec.record > last.record]
        back = recover(blackjack(), last, after, KEYS.cipher)
        assert (back.differs, back.holds) == (None, False)
        assert codec.dump(back.state) == state


def shown_before_the_reveal(second: str) -> list[tuple[int, str, int | None, str | int]]:
    """Return what the journal shows to whoever has no key: of a sealed body, its length."""
    shown: list[tuple[int, str, int | None, str | int]] = []
    for one in hole_card(second)[0].records:
        if b"pitwire.card.revealed.v1" in one.blob:
            return shown
        clear = re.sub(r"[0-9a-f]{64}", "#", one.blob.decode())  # but for the commitments
        shown.append((one.record, one.kind, one.seq, len(one.blob) if is_sealed(one) else clear))
    raise AssertionError("it was never turned")


def test_until_it_is_turned_the_journal_shows_the_same_of_any_hole_card() -> None:
    queen, two = shown_before_the_reveal("QS"), shown_before_the_reveal("2H")
    assert queen == two
    assert [one[1] for one in queen].count("event") > 5
