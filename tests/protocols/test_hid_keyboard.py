"""Keyboard wedges: published reports, layouts, keys that join, scans that are spoiled."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support.notation import drawn
from support.recordings import BOTH, Source, recording

from daemon.runtime.catalog import games
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay
from drivers.capture import read_capture
from protocols.cards import DECK
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardUnread, Reading
from protocols.rejects import RejectReason
from protocols.shoes.hid_keyboard import DEVICE, HidKeyboardSettings
from protocols.shoes.hid_keyboard.keys import LAYOUTS, Layout
from protocols.shoes.hid_keyboard.layout import KEY_GAP_S, report
from protocols.shoes.hid_keyboard.simulator import HidKeyboardSimulator
from protocols.simulator import DrawCard

GOLDEN = Path(__file__).parents[1] / "captures" / "hid_keyboard"
START = Instant("boot", 1_000_000_000)
SUIT_NUMBER = HidKeyboardSettings(scheme="suit_number")
K, D, ENTER, TAB, F1 = 0x0E, 0x07, 0x28, 0x2B, 0x3A
UP = report()
TOO_MANY = report(*[1] * 6)


def decode(
    packets: Iterable[bytes], settings: HidKeyboardSettings | None = None, every_s: float = 0.008
) -> list[Decoded]:
    packets = list(packets)
    one, at = DEVICE.decoder(settings or HidKeyboardSettings()), START
    decoded: list[Decoded] = []
    for packet in packets:
        decoded += one.feed(at, packet)
        at = at.after(every_s)
    decoded += one.tick(at.after(KEY_GAP_S))
    assert b"".join(said.raw for said in decoded) + one.pending == b"".join(packets)
    return decoded


def bodies(
    packets: Iterable[bytes], settings: HidKeyboardSettings | None = None
) -> list[Reading | RejectReason]:
    return [said.body for said in decode(packets, settings)]


def typed(*keys: int, modifiers: int = 0) -> list[bytes]:
    """Return each key down, then all let go, then Enter."""
    packets = [packet for key in keys for packet in (report(key, modifiers=modifiers), UP)]
    return [*packets, report(ENTER), UP]


# --- recorded reports, and field bugs -----------------------------------------------------


def samples(source: Source) -> list[tuple[bytes, str]]:
    lines = recording(source, "shoe", "usb_hid_keyboard.hex").read_text().splitlines()
    found = (re.match(r"([0-9A-F ]+?) *\| (.*)", line) for line in lines)
    return [(b"\x81" + bytes.fromhex(one[1]), one[2]) for one in found if one]


@BOTH
def test_the_recorded_scan_is_the_label_that_its_notes_say(source: Source) -> None:
    scan = [packet for packet, _ in samples(source)[:8]]
    assert [note for _, note in samples(source)[:8]][-2:] == ["'\\n' down", "all up"]
    assert bodies(scan, SUIT_NUMBER) == [drawn("QD")]


@BOTH
def test_of_the_recorded_joined_keys_each_is_typed_once_and_an_error_discards_the_scan(
    source: Source,
) -> None:
    joined = [packet for packet, _ in samples(source)[8:11]]
    error = samples(source)[11]
    assert "ErrorRollOver" in error[1]
    end = [report(ENTER), UP]
    assert bodies([*joined, *end]) == [CardUnread("no card has the code '12'")]
    assert bodies([*joined, error[0], *end]) == [CardUnread("an error of the keyboard")]


def test_b10_no_key_is_typed_twice() -> None:
    """B10: `KD` became `KKDD`."""
    assert bodies(typed(K, D)) == [drawn("KD")]
    held = [report(K), report(K), report(K), UP, report(D), UP, report(ENTER), report(ENTER), UP]
    assert bodies(held) == [drawn("KD")]


def test_b11_an_error_or_a_key_without_a_meaning_spoils_the_whole_scan_and_only_that() -> None:
    """B11: an unknown key became text inside the code."""
    for spoil, why in (
        ([TOO_MANY], "an error of the keyboard"),
        ([report(F1), UP], "a key that no label has"),
        ([report(TAB), UP], "a key that no label has"),
        ([report(D, modifiers=0x01), UP], "a key that no label has"),
        ([report(D, F1), UP], "two keys at once"),
        ([report(D)[:-1], UP], "an error of the keyboard"),
        ([b"\x81\x00\x07\x07" + bytes(5), UP], "an error of the keyboard"),
        ([b"\x01" + report(D)[1:], UP], "an error of the keyboard"),
    ):
        packets = [report(K), UP, *spoil, report(D), UP, report(ENTER), UP, *typed(K, D)]
        assert bodies(packets) == [CardUnread(why), drawn("KD")], why


# --- what is typed ------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("fault", ["", "joined_keys", "key_held"])
def test_every_card_is_read_in_every_layout_however_its_keys_join(
    layout: Layout, fault: str
) -> None:
    settings = HidKeyboardSettings(layout=layout)
    for card in DECK:
        simulator = HidKeyboardSimulator(settings)
        simulator._on = {fault} if fault else set()
        simulator.cue(START, DrawCard(card))
        assert bodies(simulator.speak(START.after(10)), settings) == [CardDrawn(card)]


def test_fault_30_b39_a_layout_puts_letters_and_digits_elsewhere() -> None:
    azerty = HidKeyboardSettings(scheme="suit_number", layout="fr")
    a_01 = [0x14, 0x27, 0x1E]  # where others have Q, 0 and 1
    shifted = typed(*a_01, modifiers=0x02)
    assert bodies(shifted, azerty) == [drawn("AS")]
    assert bodies(shifted, SUIT_NUMBER) == [CardUnread("no card has the code 'Q)!'")]
    qwertz = LAYOUTS["de"]
    assert (qwertz[0x1C, "plain"], qwertz[0x1D, "plain"]) == ("z", "y")


def test_letters_are_read_as_capitals_unless_the_house_tells_them_apart() -> None:
    shifted = typed(K, D, modifiers=0x20)
    assert bodies(shifted) == bodies(typed(K, D)) == [drawn("KD")]
    exact = HidKeyboardSettings(upper_case=False)
    assert bodies(shifted, exact) == [drawn("KD")]
    assert bodies(typed(K, D), exact) == [CardUnread("no card has the code 'kd'")]


def test_the_keypad_types_digits_and_ends_a_label() -> None:
    eight_s = [report(0x60), UP, report(0x16), UP, report(0x58), UP]
    assert bodies(eight_s) == [drawn("8S")]


def test_b39_the_same_keys_are_another_label_or_none_under_another_layout() -> None:
    plain = [key for usage in (0x14, 0x1A, 0x2D, 0x1E) for key in (report(usage), UP)]
    keys = [*plain, report(0x1E, modifiers=0x02), UP, report(ENTER), UP]
    assert bodies(keys) == [CardUnread("no card has the code 'QW-1!'")]
    french = HidKeyboardSettings(scheme="suit_number", layout="fr")
    assert bodies(keys, french) == [CardUnread("a key that no label has")]
    digits = [report(0x14), UP, report(0x1A), UP, report(0x1E), UP, report(ENTER), UP]
    assert bodies(digits, french) == [CardUnread("no card has the code 'AZ&'")]


def test_b40_shifted_and_keypad_keys_are_what_they_mean() -> None:
    keys = [report(0x21, modifiers=0x02), UP, report(0x54), UP, report(0x59), UP]  # $ / 1
    assert bodies([*keys, report(ENTER), UP]) == [CardUnread("no card has the code '$/1'")]


def test_tab_ends_a_label_where_the_scanner_is_set_so() -> None:
    by_tab = HidKeyboardSettings(terminator="tab")
    assert bodies([*typed(K, D)[:-2], report(TAB), UP], by_tab) == [drawn("KD")]
    assert bodies(typed(K, D), by_tab) == [CardUnread("a key that no label has")]


# --- where a scan ends --------------------------------------------------------------------


def test_a_scan_is_one_frame_until_its_end_is_let_go() -> None:
    packets = typed(K, D)
    (one,) = decode(packets)
    assert (one.raw, one.at) == (b"".join(packets), START.after(0.008 * 5))


def test_a_label_is_whole_when_its_end_is_down_though_it_is_never_seen_let_go() -> None:
    whole = typed(K, D)[:-1]
    assert bodies(whole) == [drawn("KD")]
    assert bodies([*whole, *typed(K, D)]) == [drawn("KD")] * 2


def test_half_a_label_is_a_card_unread_when_it_is_silent() -> None:
    decoder = DEVICE.decoder(HidKeyboardSettings())
    assert decoder.feed(START, report(K)) == []
    assert decoder.wake_at == START.after(KEY_GAP_S)
    assert decoder.tick(START.after(KEY_GAP_S - 0.001)) == []
    (half,) = decoder.tick(START.after(KEY_GAP_S))
    assert (half.body, half.at) == (CardUnread("half a label"), START)
    assert decoder.wake_at is None
    late = [one for packet in typed(K, D) for one in decoder.feed(START.after(1), packet)]
    assert [one.body for one in late] == [drawn("KD")]


def test_the_rest_of_a_label_behind_a_pause_is_no_card() -> None:
    assert bodies(typed(D)) == [CardUnread("no card has the code 'D'")]


def test_a_terminator_alone_and_a_key_let_go_alone_say_nothing() -> None:
    assert bodies(typed()) == [RejectReason.LENGTH]
    assert bodies([UP, UP]) == [RejectReason.NOISE] * 2
    assert bodies([TOO_MANY]) == [RejectReason.MALFORMED]


def test_a_label_without_end_is_unread_once_and_bounded() -> None:
    packets = [packet for _ in range(1000) for packet in (report(K), UP)]
    said = bodies([*packets, report(ENTER), UP, *typed(K, D)])
    assert said[-1] == drawn("KD")
    assert said[-2] == CardUnread("a label without end")
    assert set(said[:-2]) == {RejectReason.LENGTH}


# --- the table, the settings --------------------------------------------------------------


def test_a_label_that_is_scanned_twice_within_the_window_is_one_card() -> None:
    dealt: list[bytes] = []
    game = games()["baccarat"]
    setup = setup_of(one_table(game.key, game.default_profile, DEVICE.key))
    run = OfflineReplay(setup, DEVICE, HidKeyboardSettings(), dealt.append)
    run.run(read_capture(GOLDEN / "double_scan.capture"))
    assert run.tally.readings == 4
    assert sum(b'"pitwire.card.dealt.v1"' in blob for blob in dealt) == 3


OWN = tuple((f"{number:03d}", str(card)) for number, card in enumerate(DECK, 101))


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"scheme": "number_suit"}, "'1|h', another card's label, is what is left of '10|h'"),
        ({"scheme": "number_52"}, "another card's label"),
        ({"card_map": (("KX", "KD"), *OWN)}, ""),
        ({"card_map": OWN[1:]}, "no code for AS"),
        ({"card_map": tuple((f"{code}é", card) for code, card in OWN)}, "'é' in '101é' is never"),
        ({"card_map": tuple((f"{code}a", card) for code, card in OWN)}, "in upper case"),
        ({"reread_s": -1.0}, "two equal cards"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, Any], complaint: str) -> None:
    if not complaint:
        HidKeyboardSettings(**wrong)
        return
    with pytest.raises(ValueError, match=re.escape(complaint)):
        HidKeyboardSettings(**wrong)


def test_a_house_may_have_letters_of_both_cases_and_codes_of_one_length() -> None:
    settings = HidKeyboardSettings(
        card_map=tuple((f"{code}a", card) for code, card in OWN), upper_case=False
    )
    label = [0x1E, 0x27, 0x1E, 0x04]  # 101a
    assert bodies(typed(*label), settings) == [drawn(OWN[0][1])]
