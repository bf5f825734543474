"""A shoe is verified: every card through the scanner, 52 counts against its decks (rule G3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.baccarat_bench import NATURAL
from support.notation import card, dealt, drawn
from support.table_bench import kinds
from support.verify_bench import BOTH, CODES, WHOLE, failed, finish, loaded, verifying

from daemon.gamekit.spec import DeviceGap
from daemon.table.inputs import DeviceSaid, LinkUp, RolledBack
from daemon.table.transition import TableTransition
from protocols.commands import FinishVerify, OpenRound, ReplaceCard, ResolveAction, StartVerify
from protocols.events import (
    CardUnreadSeen,
    ShoeCardReplaced,
    ShoeVerified,
    ShoeVerifyStarted,
)
from protocols.readings import (
    BurnCountStated,
    CardOutOfGame,
    CardReassigned,
    CardUnread,
    CutCardSeen,
    Reading,
    ShoeErrorRaised,
    ShoeResult,
    ShoeStarted,
)
from protocols.refusals import Refusal
from protocols.shoes.angel_eye_ii_ex import DEVICE

# --- before play --------------------------------------------------------------------------------


def test_eight_decks_deck_by_deck_in_factory_order_are_whole_and_no_alarm() -> None:
    bench = verifying(8)
    assert bench.events[-1] == ShoeVerifyStarted("S1", 8, "start", "all")
    assert bench.draw(*CODES * 8) == []
    assert finish(bench) == ShoeVerified("S1", 8, "start", "all", 416, **WHOLE)
    assert bench.codes == []
    assert (bench.shoe.out, bench.shoe.verified) == (0, ("start",))
    bench.deal(*NATURAL)
    assert dealt(bench.events)[0] == ("player.1", "8S", 1)


def test_any_order_will_do() -> None:
    bench = verifying()
    bench.draw(*CODES[::-2], *CODES[::2])
    assert finish(bench).kind == "shoe.verified"


def test_two_decks_that_are_short_of_five_cards_are_not_released() -> None:
    bench = verifying(2)
    bench.draw(*CODES, *(one for one in CODES if one not in ("2S", "9H", "TH", "KD", "AC")))
    verdict = failed(bench)
    assert (verdict.expected, verdict.accounted, verdict.cards) == (104, 99, 99)
    assert verdict.missing == {"2S": 1, "9H": 1, "TH": 1, "KD": 1, "AC": 1}
    assert verdict.surplus == {}
    assert bench.refused(OpenRound("R1")) is Refusal.VERIFYING


def test_fifty_two_with_a_foreign_card_among_them_are_no_deck() -> None:
    bench = verifying()
    bench.draw(*CODES[:-1], "5S")
    verdict = failed(bench)
    assert (verdict.expected, verdict.accounted) == (52, 52)
    assert (verdict.missing, verdict.surplus) == ({"KC": 1}, {"5S": 1})


def test_a_card_whose_code_nobody_knows_is_named_and_is_missing() -> None:
    bench = verifying()
    bench.draw(*CODES[:-1])
    assert bench.hear(CardUnread("no card has the code '0X0'")) == [
        CardUnreadSeen(None, "no card has the code '0X0'")
    ]
    verdict = failed(bench)
    assert (verdict.accounted, verdict.unread, verdict.missing) == (51, 1, {"KC": 1})


def test_an_unread_card_that_passes_again_is_counted_then() -> None:
    bench = verifying()
    bench.draw(*CODES[:7])
    bench.hear(ShoeErrorRaised(1, "cannot read the card", blocking=True))
    bench.draw(*CODES[7:])
    assert finish(bench) == ShoeVerified("S1", 1, "start", "all", 52, **{**WHOLE, "unread": 1})
    assert bench.codes == []


def test_a_card_that_the_shoe_takes_for_a_locked_or_an_overdrawn_one_counts_as_well() -> None:
    bench = verifying()
    bench.draw(*CODES[:-2])
    assert bench.hear(CardOutOfGame(card("QC"), "locked")) == []
    heard = bench.hear(ShoeErrorRaised(2, "overdraw", blocking=True), CardReassigned(card("KC")))
    assert kinds(heard) == ["device.faulted"]
    assert finish(bench).kind == "shoe.verified"


@pytest.mark.parametrize(
    "said",
    [
        CutCardSeen(),
        ShoeStarted(),
        BurnCountStated(3),
        ShoeResult("player", player_pair=False, banker_pair=False),
    ],
)
def test_what_a_shoe_says_of_a_game_means_nothing_while_it_is_verified(said: Reading) -> None:
    bench = verifying()
    before = bench.state
    assert bench.hear(said) == []
    assert bench.state == before


def test_what_was_lost_on_its_way_is_missing_and_takes_nothing_from_the_shoe() -> None:
    bench = verifying()
    bench.draw(*CODES[:-1])
    turn = TableTransition(bench.setup, bench.state, bench.now)
    turn.play(DeviceGap("frames are missing"))
    bench.state = turn.state
    assert failed(bench).missing == {"KC": 1}
    assert bench.shoe.from_start


@pytest.mark.parametrize("action", ["accept", "void"])
def test_what_passes_while_the_table_is_held_is_counted_after_it(action: ResolveAction) -> None:
    bench = verifying()
    bench.draw(*CODES[:-1])
    bench.put(RolledBack("the bus knows more"))
    bench.draw(CODES[-1])
    assert bench.refused(FinishVerify(BOTH)) is Refusal.HELD
    bench.resolve("journal_rolled_back", action)
    assert finish(bench).kind == "shoe.verified"


def test_one_scanner_counts_and_the_hole_card_reader_does_not() -> None:
    bench = loaded()
    bench.setup = replace(bench.setup, devices={"primary": DEVICE, "hole": DEVICE})
    bench.put(LinkUp("hole", "reader", "bench"))
    bench.obey(StartVerify())
    bench.draw(*CODES)
    assert bench.put(DeviceSaid("hole", "reader", drawn("5D"), None, "01")) == []
    assert finish(bench).kind == "shoe.verified"
    assert bench.shoe.out == 0


# --- a failed count goes on ---------------------------------------------------------------------


def test_a_missing_card_is_put_in_on_record_and_the_count_goes_on() -> None:
    bench = verifying()
    bench.draw(*CODES[:-1])
    assert failed(bench).missing == {"KC": 1}
    bench.obey(ReplaceCard("boris", "found under the table", added="KC"))
    bench.draw("KC")
    assert finish(bench) == ShoeVerified("S1", 1, "start", "all", 52, **{**WHOLE, "replaced": 1})


def test_a_damaged_card_is_taken_out_and_its_replacement_passes() -> None:
    bench = verifying()
    bench.draw(*CODES)
    heard = bench.obey(ReplaceCard("boris", "a bent corner", removed="5D", added="5D"))
    assert heard == [ShoeCardReplaced("S1", "5D", "5D", "boris", "a bent corner")]
    assert failed(bench).missing == {"5D": 1}
    bench.draw("5D")
    assert finish(bench).kind == "shoe.verified"


def test_a_card_too_many_is_taken_out_on_record() -> None:
    bench = verifying()
    bench.draw(*CODES, "5S")
    assert failed(bench).surplus == {"5S": 1}
    bench.obey(ReplaceCard("boris", "of another deck", removed="5S"))
    assert finish(bench).kind == "shoe.verified"


@pytest.mark.parametrize(
    ("removed", "added"), [(None, None), ("KC", None), ("XX", None), (None, "XX"), ("AS", "1S")]
)
def test_a_replacement_names_cards_that_there_are(removed: str | None, added: str | None) -> None:
    bench = verifying()
    bench.draw("AS")
    assert bench.refused(ReplaceCard("boris", "why", removed, added)) is Refusal.VALUE_MISSING


def test_who_miscounted_begins_anew() -> None:
    bench = verifying()
    bench.draw("AS", "AS", "AS")
    bench.obey(StartVerify())
    bench.draw(*CODES)
    assert finish(bench).kind == "shoe.verified"
