"""The label scanner that sends lines: every public line, and what damage makes of them."""

from __future__ import annotations

from typing import Any

import pytest
from support.notation import drawn
from support.recordings import Source, recording

from protocols.bytetext import read_bytes
from protocols.cards import DECK, Card
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardsPresent, CardUnread, CutCardSeen, Reading
from protocols.rejects import RejectReason
from protocols.settingerror import SettingError
from protocols.shoes.barcode_lines import DEVICE, BarcodeLinesSettings
from protocols.shoes.barcode_lines.layout import line
from protocols.simulator import (
    Cue,
    DrawCard,
    DrawCutCard,
    Fault,
    PowerOn,
    SpinBall,
    StateResult,
)

AT = Instant("boot", 0)
NUMBERS = BarcodeLinesSettings(scheme="suit_number")
NUMBERS_CR = BarcodeLinesSettings(scheme="suit_number", terminator="<CR>")

PUBLIC: dict[str, tuple[BarcodeLinesSettings, Reading]] = {
    "D12<CR><LF>": (NUMBERS, CardDrawn(Card("Q", "D"))),
    "A01<CR><LF>": (NUMBERS, CardDrawn(Card("A", "S"))),
    "H10<CR><LF>": (NUMBERS, CardDrawn(Card("T", "H"))),
    "C13<CR><LF>": (NUMBERS, CardDrawn(Card("K", "C"))),
    "]C0D12<CR>": (
        BarcodeLinesSettings(scheme="suit_number", terminator="<CR>", aim="required"),
        CardDrawn(Card("Q", "D")),
    ),
    "<STX>D12<ETX>": (
        BarcodeLinesSettings(scheme="suit_number", prefix="<STX>", terminator="<ETX>"),
        CardDrawn(Card("Q", "D")),
    ),
    "01HX": (
        BarcodeLinesSettings(scheme="filler_suit_rank", terminator="", length=4),
        CardDrawn(Card("T", "H")),
    ),
    "00HX": (
        BarcodeLinesSettings(scheme="filler_suit_rank", terminator="", length=4),
        CardDrawn(Card("T", "H")),
    ),
    "NR<CR>": (NUMBERS_CR, CardUnread("no read")),
    "NC": (
        BarcodeLinesSettings(terminator="", length=2, no_card=("NC",)),
        CardsPresent(()),
    ),
}
"""The lines and what their notes say: under the settings of a scanner that sends such."""
NOT_RECORDED: dict[Source, set[str]] = {"simulated": {"01HX", "NC"}, "real": {"00HX"}}
"""Of the four characters our simulator fills two otherwise, and it has no word for 'no card'."""


def decode(*chunks: bytes, settings: BarcodeLinesSettings | None = None) -> list[Decoded]:
    decoder = DEVICE.decoder(settings or BarcodeLinesSettings())
    decoded = [one for chunk in chunks for one in decoder.feed(AT, chunk)]
    assert b"".join(one.raw for one in decoded) + decoder.pending == b"".join(chunks)
    return decoded


def bodies(
    *chunks: bytes, settings: BarcodeLinesSettings | None = None
) -> list[Reading | RejectReason]:
    return [one.body for one in decode(*chunks, settings=settings)]


# --- what a line says --------------------------------------------------------------------


@pytest.mark.parametrize("text", PUBLIC)
def test_a_public_line_says_what_its_note_says(text: str) -> None:
    settings, body = PUBLIC[text]
    assert bodies(read_bytes(text), settings=settings) == [body]


@pytest.mark.parametrize("source", NOT_RECORDED)
def test_no_recorded_line_is_left_out(source: Source) -> None:
    text = recording(source, "shoe", "barcode_ascii_lines.txt").read_text()
    lines = [one.partition("|")[0].strip() for one in text.splitlines()]
    recorded = {one for one in lines if one and not one.startswith("#")}
    assert recorded == set(PUBLIC) - NOT_RECORDED[source]


@pytest.mark.parametrize("card", DECK, ids=str)
def test_every_card_is_read(card: Card) -> None:
    assert bodies(f"{card}\r\n".encode()) == [CardDrawn(card)]


def test_the_cut_card_and_a_label_that_was_not_read_are_words_of_their_own() -> None:
    assert bodies(b"CUT\r\nNR\r\n?\r\n") == [
        CutCardSeen(),
        CardUnread("no read"),
        CardUnread("no read"),
    ]


def test_a_label_that_no_card_has_is_a_card_that_nobody_knows() -> None:
    found = bodies(b"4006381333931\r\nKKDD\r\nkd\r\nKD \r\n")
    assert [type(one) for one in found] == [CardUnread] * 4


@pytest.mark.parametrize("text", ["]E04006381333931", "]A0KD", "]Q1KD"])
@pytest.mark.parametrize("aim", ["optional", "required"])
def test_a_symbol_that_cards_are_not_printed_in_is_no_card(aim: Any, text: str) -> None:
    settings = BarcodeLinesSettings(aim=aim)
    assert bodies(f"{text}\r\n".encode(), settings=settings) == [RejectReason.UNSUPPORTED]


def test_a_card_without_the_identifier_that_is_asked_for_says_nothing() -> None:
    required = BarcodeLinesSettings(aim="required", aim_codes=("C", "A"))
    assert bodies(b"KD\r\n", settings=required) == [RejectReason.MALFORMED]
    assert bodies(b"]C1KD\r\n]A0KD\r\n", settings=required) == [drawn("KD")] * 2
    assert bodies(b"NR\r\n", settings=required) == [CardUnread("no read")]
    optional = BarcodeLinesSettings(aim="optional")
    assert bodies(b"KD\r\n]C0KD\r\n", settings=optional) == [drawn("KD")] * 2


def test_a_label_that_is_too_short_is_torn_but_a_token_may_be_short() -> None:
    settings = BarcodeLinesSettings(shortest=2)
    assert bodies(b"K\r\n?\r\nKD\r\n", settings=settings) == [
        RejectReason.LENGTH,
        CardUnread("no read"),
        drawn("KD"),
    ]


def test_prefix_and_suffix_belong_to_the_line_and_not_to_the_label() -> None:
    settings = BarcodeLinesSettings(prefix="#", suffix="!", terminator="<CR>")
    assert bodies(b"#KD!\r#8S!\r", settings=settings) == [drawn("KD"), drawn("8S")]
    assert bodies(b"KD!\r#8S!\r", settings=settings) == [RejectReason.NOISE, drawn("8S")]


# --- the stream --------------------------------------------------------------------------


def test_an_empty_line_says_nothing() -> None:
    assert bodies(b"\r\nKD\r\n\r\n") == [RejectReason.NOISE, drawn("KD"), RejectReason.NOISE]


def test_one_bad_byte_spoils_its_line_and_no_other() -> None:
    found = bodies(b"8S\r\n\xff\xfe\x00\xc2\xb2\r\nKD\r\n")
    assert found == [drawn("8S"), RejectReason.MALFORMED, drawn("KD")]


def test_a_line_too_long_is_given_up_with_its_end_which_may_look_like_a_card() -> None:
    found = bodies(b"x" * 500, b"y" * 100 + b"KD\r\n8S\r\n")
    assert found == [RejectReason.LENGTH, RejectReason.LENGTH, drawn("8S")]


def test_counted_labels_that_have_shifted_are_lost_until_quiet() -> None:
    settings = BarcodeLinesSettings(scheme="filler_suit_rank", terminator="", length=4)
    decoder = DEVICE.decoder(settings)
    first = decoder.feed(AT, b"01HX\x0001H301H4")
    assert [one.body for one in first] == [drawn("TH"), RejectReason.MALFORMED]
    assert decoder.feed(AT.after(0.1), b"01H5")[0].body is RejectReason.MALFORMED
    later = decoder.feed(AT.after(1.0), b"01H6")
    assert [one.body for one in later] == [drawn("6H")]


def test_half_a_label_is_given_up_by_quiet_alone() -> None:
    decoder = DEVICE.decoder(BarcodeLinesSettings())
    assert decoder.feed(AT, b"K") == []
    assert decoder.wake_at == AT.after(0.2)
    assert decoder.tick(AT.after(0.1)) == []
    (one,) = decoder.tick(AT.after(0.2))
    assert (one.raw, one.body, one.at) == (b"K", RejectReason.LENGTH, AT)
    assert (decoder.wake_at, decoder.pending) == (None, b"")


def test_b44_a_scan_without_its_end_is_no_card_and_a_second_end_makes_none() -> None:
    """Case B44: `KD`, 300 ms, `KD` and two line ends: nothing, then one card."""
    decoder = DEVICE.decoder(BarcodeLinesSettings())
    assert decoder.feed(AT, b"KD") == []
    found = decoder.feed(AT.after(0.3), b"KD\r\n\r\n")
    assert [one.body for one in found] == [RejectReason.LENGTH, drawn("KD"), RejectReason.NOISE]


def test_b44_a_label_whose_end_comes_first_is_read_where_the_scanner_is_set_so() -> None:
    """Case B44: the end, `KD`, 300 ms."""
    settings = BarcodeLinesSettings(prefix="<CR>", terminator="", length=2)
    decoder = DEVICE.decoder(settings)
    found = [*decoder.feed(AT, b"\rKD"), *decoder.tick(AT.after(0.3))]
    assert [one.body for one in found] == [drawn("KD")]


# --- settings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "key", "complaint"),
    [
        ({"terminator": ""}, "terminator", "neither by a terminator nor by its length"),
        ({"terminator": "<CRLF>"}, "terminator", "<CRLF> names no byte"),
        ({"prefix": "<CR>", "terminator": "<CR>"}, "prefix", "cannot be told"),
        ({"length": 65}, "length", "no length"),
        ({"shortest": 0}, "shortest", "at least 0"),
        ({"shortest": 5, "length": 4}, "shortest", "at least 5"),
        ({"aim_codes": ()}, "aim_codes", "are no symbologies"),
        ({"aim_codes": ("C0",)}, "aim_codes", "are no symbologies"),
        ({"gap_s": 0.0}, "gap_s", "no pause"),
        ({"reread_s": 0.9}, "reread_s", "draws two equal cards"),
        ({"no_card": ("NR",)}, "no_card", "says something else"),
        ({"no_card": ("KD",)}, "no_card", "says something else"),
        ({"no_read": ("KD",)}, None, "a token names no card"),
        ({"card_map": (("1", "AS"),)}, None, "no code for 2S"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    settings: dict[str, Any], key: str | None, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        BarcodeLinesSettings(**settings)
    if key is not None:
        assert isinstance(caught.value, SettingError)
        assert caught.value.path == (key,)


def test_the_settings_say_how_its_lines_are_framed_and_what_is_unprotected() -> None:
    counted = DEVICE.under(
        BarcodeLinesSettings(
            terminator="", length=4, reread_s=0.0, no_read=(), cut_card=(), aim="required"
        )
    )
    assert (counted.framing.ends_by, counted.framing.pending_max) == ("length", 3)
    assert counted.reread_within_s is None
    assert [note.split()[0] for note in counted.notes[len(DEVICE.notes) :]] == [
        "No",  # terminator
        "No",  # text for what was not read
        "No",  # label of the cut card
        "A",  # label scanned twice is two cards
    ]
    marked = DEVICE.under(BarcodeLinesSettings(prefix="<STX>", terminator="<ETX>", reread_s=0.1))
    assert marked.framing.self_starting
    assert marked.reread_within_s == 0.1


# --- the simulator -----------------------------------------------------------------------


def said(*cues: Cue, settings: BarcodeLinesSettings | None = None) -> list[bytes]:
    scanner = DEVICE.simulator(settings or BarcodeLinesSettings())
    for one in cues:
        scanner.cue(AT, one)
    return list(scanner.speak(AT.after(5)))


def test_the_simulator_sends_what_the_settings_say() -> None:
    king = DrawCard(Card("K", "D"), "player", 1)
    assert said(king, DrawCutCard()) == [b"KD\r\n", b"CUT\r\n"]
    for text, (settings, body) in PUBLIC.items():
        if isinstance(body, CardDrawn) and text != "01HX":  # its first two are a deck's number
            assert said(DrawCard(body.card), settings=settings) == [read_bytes(text)]
    assert line(PUBLIC["01HX"][0], "01HX") == b"01HX"


def test_a_card_that_trembles_is_scanned_twice_within_the_window() -> None:
    scanner = DEVICE.simulator(BarcodeLinesSettings())
    scanner.cue(AT, Fault("double_scan"))
    scanner.cue(AT, DrawCard(Card("K", "D")))
    assert scanner.speak(AT.after(0.01)) == [b"KD\r\n"]
    assert scanner.speak(AT.after(0.01 + BarcodeLinesSettings().reread_s)) == [b"KD\r\n"]
    assert scanner.wake_at is None


@pytest.mark.parametrize("cue", [StateResult("player"), SpinBall("17"), Fault("no such fault")])
def test_the_simulator_refuses_what_a_scanner_cannot_say(cue: Cue) -> None:
    scanner = DEVICE.simulator(BarcodeLinesSettings())
    scanner.cue(AT, PowerOn())
    with pytest.raises(ValueError, match=r"labels|fault"):
        scanner.cue(AT, cue)
    assert scanner.wake_at is None
