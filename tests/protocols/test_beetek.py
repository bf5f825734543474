"""The Bee-Tek shoe: its tokens, the order of the stream, and what damage makes of them."""

from __future__ import annotations

import pytest
from support.notation import card, draw_cue, drawn
from support.recordings import BOTH, Source, recording

from protocols.cards import DECK, Card
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardUnread, Reading, ShoeErrorRaised
from protocols.rejects import RejectReason
from protocols.shoes.beetek import DEVICE, BeetekSettings
from protocols.shoes.beetek.layout import CARDS
from protocols.simulator import (
    Cue,
    DrawCutCard,
    Fault,
    PowerOn,
    SpinBall,
    StateResult,
)

AT = Instant("boot", 0)


def decode(*chunks: bytes, settings: BeetekSettings | None = None) -> list[Decoded]:
    decoder = DEVICE.decoder(settings or BeetekSettings())
    decoded = [one for chunk in chunks for one in decoder.feed(AT, chunk)]
    assert b"".join(one.raw for one in decoded) + decoder.pending == b"".join(chunks)
    assert len(decoder.pending) <= DEVICE.framing.pending_max
    return decoded


def bodies(*chunks: bytes, settings: BeetekSettings | None = None) -> list[Reading | RejectReason]:
    return [one.body for one in decode(*chunks, settings=settings)]


# --- the public shapes -----------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("end", [b"", b"\r\n", b"\n", b"\r"])
def test_the_public_lines_say_what_their_readers_say(source: Source, end: bytes) -> None:
    recorded = recording(source, "shoe", "beetek_lines.txt").read_bytes().split(b"\n")
    lines = [one for one in recorded if one and not one.startswith(b"#")]
    found = bodies(b"".join(line + end for line in lines))
    assert [one for one in found if isinstance(one, CardDrawn)] == [
        drawn(code) for code in ("4S", "TH", "TD", "KC", "AD")
    ]
    assert [type(one) for one in found[5:9]] == [CardUnread] * 4
    assert found[9:] == [RejectReason.UNSUPPORTED] * 2


@pytest.mark.parametrize("one", DECK, ids=str)
def test_every_card_is_read_rank_first(one: Card) -> None:
    assert bodies(f" [Game]<Card:{one}> ".encode()) == [CardDrawn(one)]


@pytest.mark.parametrize("text", ["10S", "TS", "S10", "ST"])
def test_a_ten_has_two_spellings_in_either_order(text: str) -> None:
    assert bodies(f" [Game]<Card:{text}> ".encode()) == [drawn("TS")]


def test_no_spelling_names_two_cards_and_every_card_has_one() -> None:
    assert set(CARDS.values()) == set(DECK)
    assert len(CARDS) == 2 * (52 + 4)  # both orders; the four tens twice
    assert CARDS["H3"] == card("3H")


@pytest.mark.parametrize("text", ["1S", "0D", "11H", "14S", "XH", "4X", "4s", "4", "", "4SS", "SH"])
def test_what_is_no_card_is_never_a_card(text: str) -> None:
    assert bodies(f" [Game]<Card:{text}> ".encode()) == [RejectReason.VALUE]


def test_a_card_of_the_burn_mode_has_no_target_unless_the_site_burns_by_it() -> None:
    data = b" [Manual Burn Cards]<Card:KC>  [Game]<Card:4S> "
    assert bodies(data) == [drawn("KC"), drawn("4S")]
    burns = BeetekSettings(manual_burn_is_burn=True)
    assert bodies(data, settings=burns) == [drawn("KC>burn"), drawn("4S")]


@pytest.mark.parametrize("operation", ["Game", "Manual Burn Cards"])
def test_game_in_place_of_a_card_is_a_card_that_passed_unread(operation: str) -> None:
    (one,) = bodies(f" [{operation}]<Game> ".encode())
    assert isinstance(one, CardUnread)


@pytest.mark.parametrize("operation", ["Game", "GameAlarm"])
def test_alarm_e3_is_a_card_that_passed_unread(operation: str) -> None:
    found = bodies(f" [{operation}]<Alarm:E3 Card Not Read> ".encode())
    assert found == [CardUnread("alarm E3 Card Not Read")]


@pytest.mark.parametrize(
    ("text", "code"), [("E1", 101), ("E4 Lid", 104), ("E31 Some", 131), ("Fan", 100), ("E3x", 100)]
)
def test_any_other_alarm_is_a_blocking_error_with_a_code_of_this_shoe_alone(
    text: str, code: int
) -> None:
    found = bodies(f" [GameAlarm]<Alarm:{text}> ".encode())
    assert found == [ShoeErrorRaised(code, f"alarm {text}", blocking=True)]


@pytest.mark.parametrize(
    "text",
    ["<W0x01>", "[Game]<W0xfe>", "[Diagnostic]<Card:4S>", "[GameAlarm]<Card:4S>", "[Game]<Lid>"],
)
def test_what_nobody_has_explained_is_shown_raw(text: str) -> None:
    (one,) = decode(f" {text} ".encode())
    assert one.body is RejectReason.UNSUPPORTED
    assert text.encode() in one.raw


# --- the stream ------------------------------------------------------------------------------


def test_a_card_an_alarm_and_a_card_stay_in_their_order() -> None:
    data = b" [Game]<Card:4S>  [GameAlarm]<Alarm:E7 Lid>  [Game]<Card:5S> <W0x01> [Game]<Game> "
    found = bodies(data)
    assert found[0] == drawn("4S")
    assert isinstance(found[1], ShoeErrorRaised)
    assert found[2:4] == [drawn("5S"), RejectReason.UNSUPPORTED]
    assert isinstance(found[4], CardUnread)


@pytest.mark.parametrize("gap", [b"", b" ", b"  ", b"\r\n", b" \r\n "])
def test_tokens_may_share_their_space_or_have_none(gap: bytes) -> None:
    assert bodies(b"[Game]<Card:4S>" + gap + b"[Game]<Card:5S>") == [drawn("4S"), drawn("5S")]


def test_the_same_card_twice_is_two_cards_of_two_decks() -> None:
    assert bodies(2 * b" [Game]<Card:4S> ") == [drawn("4S")] * 2


def test_the_last_card_is_said_at_once_whatever_ends_its_line() -> None:
    decoder = DEVICE.decoder(BeetekSettings())
    assert [one.body for one in decoder.feed(AT, b" [Game]<Card:4S>")] == [drawn("4S")]
    assert decoder.pending == b""


def test_noise_between_tokens_costs_no_card() -> None:
    found = bodies(b"\x00\xff [Game]<Card:4S> ]]> hm [Game]<Card:5S> ")
    assert found == [RejectReason.NOISE, drawn("4S"), RejectReason.NOISE, drawn("5S")]


def test_a_token_that_lost_its_head_or_its_end_says_nothing() -> None:
    assert bodies(b"ame]<Card:4S> [Game]<Card:5S> ") == [
        RejectReason.NOISE,
        RejectReason.MALFORMED,
        drawn("5S"),
    ]
    assert bodies(b" [Game]<Card:4 [Game]<Card:5S> ") == [RejectReason.LENGTH, drawn("5S")]
    assert bodies(b" [Game] <Card:4S> ") == [RejectReason.LENGTH, RejectReason.MALFORMED]


def test_a_bad_byte_spoils_its_token_alone() -> None:
    found = bodies(b" [Game]<Ca\xf2d:4S>  [G\x00me]<Card:6S>  [Game]<Card:5S> ")
    assert found == [RejectReason.NOISE, RejectReason.NOISE, drawn("5S")]


def test_an_endless_token_is_given_up() -> None:
    found = bodies(b"[Game]<" + b"x" * 5000, b" [Game]<Card:4S>")
    assert found == [RejectReason.LENGTH, drawn("4S")]


# --- the simulator ---------------------------------------------------------------------------


def said(*cues: Cue) -> bytes:
    shoe = DEVICE.simulator(BeetekSettings())
    for one in cues:
        shoe.cue(AT, one)
    return b"".join(shoe.speak(AT.after(5)))


def test_the_simulator_speaks_the_public_shapes() -> None:
    assert said(draw_cue("4S>player.1")) == b" [Game]<Card:4S> "
    assert said(Fault("mode_button"), draw_cue("KC")) == b" [Manual Burn Cards]<Card:KC> "
    assert said(Fault("ten_in_digits"), draw_cue("TD")) == b" [Game]<Card:10D> "
    assert said(Fault("unreadable"), draw_cue("4S")) == b" [Game]<Game> "
    alarm = b" [GameAlarm]<Alarm:E3 Card Not Read> "
    assert said(Fault("not_read_alarm"), draw_cue("4S")) == alarm


def test_a_token_takes_its_time_on_the_line() -> None:
    shoe = DEVICE.simulator(BeetekSettings())
    shoe.cue(AT, draw_cue("4S"))
    shoe.cue(AT, draw_cue("5S"))
    one = 17 * 10 / 9600
    assert shoe.wake_at == AT.after(one)
    assert shoe.speak(AT.after(0.02)) == [b" [Game]<Card:4S> "]
    assert shoe.wake_at == AT.after(one).after(one)


def test_a_flipped_bit_is_another_card_or_none() -> None:
    assert bodies(said(Fault("bit_flip"), draw_cue("4S"))) == [drawn("4C")]
    assert bodies(said(Fault("bit_flip"), draw_cue("4H"))) == [RejectReason.VALUE]


@pytest.mark.parametrize(
    "cue", [DrawCutCard(), StateResult("player"), SpinBall("17"), Fault("no such fault")]
)
def test_the_simulator_refuses_what_the_shoe_cannot_say(cue: Cue) -> None:
    shoe = DEVICE.simulator(BeetekSettings())
    shoe.cue(AT, PowerOn())
    with pytest.raises(ValueError, match=r"public|results|ball|fault"):
        shoe.cue(AT, cue)
    assert shoe.wake_at is None
