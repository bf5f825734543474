"""FEIG OBID: the published frames, what lies on the reader, and how it is asked."""

import re

import pytest
from support.recordings import BOTH, Source, recording

from protocols.cards import DECK
from protocols.checks import crc16_mcrf4xx
from protocols.device import Decoded
from protocols.instant import Instant, earliest
from protocols.readings import CardsPresent, CardTag, CommandReply, DeviceIdentity, Reading
from protocols.rejects import RejectReason
from protocols.shoes.feig_obid import DEVICE, FeigObidSettings
from protocols.shoes.feig_obid.layout import advanced, inventory, standard
from protocols.simulator import Cue, DrawCard, DrawCutCard, Fault, PowerOn

START = Instant("boot", 1_000_000_000)
POLL = bytes.fromhex("07 FF B0 01 00 1C 56")
ONE_TAG = bytes.fromhex("11 00 B0 00 01 03 00 E0 04 01 50 12 34 56 78 BA 40")
NO_TAG = bytes.fromhex("06 00 B0 01 5C 63")
UID = "E004015012345678"
ENROLLED = FeigObidSettings(
    enrolment=((UID, "AS"), *((f"E0{n:014X}", str(card)) for n, card in enumerate(DECK[1:])))
)


def decode(*chunks: bytes, settings: FeigObidSettings | None = None) -> list[Decoded]:
    one = DEVICE.decoder(settings or FeigObidSettings(poll=False))
    decoded = [said for chunk in chunks for said in one.feed(START, chunk)]
    decoded += one.tick(START.after(DEVICE.framing.silence_s))
    assert b"".join(said.raw for said in decoded) + one.pending == b"".join(chunks)
    return decoded


def bodies(
    *chunks: bytes, settings: FeigObidSettings | None = None
) -> list[Reading | RejectReason]:
    return [said.body for said in decode(*chunks, settings=settings)]


def listed(*uids: str, status: int = 0x00) -> bytes:
    sets = b"".join(b"\x03\x00" + bytes.fromhex(uid) for uid in uids)
    return standard(0xB0, bytes([status, len(uids)]) + sets, address=0)


# --- the published frames -----------------------------------------------------------------


def test_the_check_value_is_the_published_one() -> None:
    assert crc16_mcrf4xx(b"123456789") == 0x6F91
    assert crc16_mcrf4xx(b"") == 0xFFFF


@BOTH
def test_every_frame_has_the_right_check_value_but_the_one_that_lacks_a_byte(
    source: Source,
) -> None:
    lines = recording(source, "shoe", "feig_obid.hex").read_text().splitlines()
    frames = [
        bytes.fromhex(match[1])
        for line in lines
        if (match := re.match(r"\[[RG]\] ([0-9A-F ]+?) *\|", line))
    ]
    wrong = [one for one in frames if crc16_mcrf4xx(one[:-2]) != int.from_bytes(one[-2:], "little")]
    assert len(frames) == 8
    assert wrong == [bytes.fromhex("02 00 08 FF 64 38 21")]


@pytest.mark.parametrize(
    ("name", "frame"),
    [
        ("inventory", "07 FF B0 01 00 1C 56"),
        ("identify", "02 00 07 FF 65 6E 61"),
        ("cpu_reset", "02 00 07 FF 63 58 04"),
        ("rf_reset", "02 00 07 FF 69 02 AB"),
        ("reader_info", "02 00 08 FF 66 00 88 12"),
        ("system_reset", "02 00 08 FF 64 00 38 21"),
    ],
)
def test_a_command_is_the_published_one(name: str, frame: str) -> None:
    assert next(one.data for one in DEVICE.commands if one.name == name) == bytes.fromhex(frame)


def test_the_published_answers_are_understood() -> None:
    assert bodies(ONE_TAG, NO_TAG) == [
        CardsPresent((CardTag(UID, None),)),
        CardsPresent(()),
    ]


# --- what a frame says --------------------------------------------------------------------


def test_a_tag_is_a_card_by_the_sites_enrolment_alone() -> None:
    assert bodies(ONE_TAG, settings=ENROLLED)[0] == CardsPresent((CardTag(UID, DECK[0]),))
    assert bodies(listed("E0FF000000000001"), settings=ENROLLED)[0] == CardsPresent(
        (CardTag("E0FF000000000001", None),)
    )


def test_several_tags_are_named_in_one_order_whichever_answers_first() -> None:
    other = "E004015012345600"
    both = CardsPresent((CardTag(other, None), CardTag(UID, None)))
    assert bodies(listed(UID, other), listed(other, UID)) == [both, both]


def test_a_list_that_ends_early_says_so() -> None:
    assert bodies(listed(UID, status=0x94)) == [CardsPresent((CardTag(UID, None),), complete=False)]


def test_an_advanced_answer_holds_more_than_a_standard_one() -> None:
    uids = [f"E004{number:012X}" for number in range(40)]
    sets = b"".join(b"\x03\x00" + bytes.fromhex(uid) for uid in uids)
    frame = advanced(0xB0, b"\x00\x28" + sets, address=0)
    assert len(frame) == 409
    assert bodies(frame) == [CardsPresent(tuple(CardTag(uid, None) for uid in uids))]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x00", RejectReason.LENGTH),
        (b"\x00\x02\x03\x00" + bytes.fromhex(UID), RejectReason.LENGTH),
        (b"\x00\x01\x03\x00" + bytes.fromhex(UID)[:-1], RejectReason.LENGTH),
        (b"\x00\x01\x04\x00" + bytes.fromhex(UID), RejectReason.UNSUPPORTED),
        (b"\x00\x01\x03\x00" + b"\xe1" + bytes(7), RejectReason.VALUE),
        (b"\x00\x02" + 2 * (b"\x03\x00" + bytes.fromhex(UID)), RejectReason.VALUE),
        (b"\x01\x00", RejectReason.LENGTH),
    ],
)
def test_a_list_that_is_not_as_it_must_be_names_no_tag(data: bytes, reason: RejectReason) -> None:
    assert bodies(standard(0xB0, data, address=0)) == [reason]


def test_other_answers() -> None:
    assert bodies(
        standard(0xB0, b"\x84", address=0),
        standard(0x65, b"\x00\x03\x00", address=0),
        standard(0x69, b"\x00", address=0),
        standard(0x66, b"\x00\x01", address=0),
        standard(0x63, b"\x80", address=0),
    ) == [
        CommandReply("refused", "inventory", "84"),
        DeviceIdentity("OBID 0300"),
        CommandReply("ok", "rf_reset"),
        CommandReply("value", "reader_info", "01"),
        CommandReply("refused", "cpu_reset", "80"),
    ]


def test_another_reader_on_the_line_is_not_listened_to() -> None:
    third = FeigObidSettings(address=3, poll=False)
    assert bodies(ONE_TAG, settings=third) == [RejectReason.UNSUPPORTED]


def test_the_hosts_own_requests_say_nothing() -> None:
    for one in DEVICE.commands:
        assert {said.body for said in decode(one.data)} <= {
            RejectReason.NOISE,
            RejectReason.LENGTH,
            RejectReason.CHECKSUM,
        }


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"address": 256}, "address 256"),
        ({"enrolment": (("e004015012345678", "AS"),)}, "is no UID"),
        ({"enrolment": (("E104015012345678", "AS"),)}, "is no UID"),
        ({"enrolment": ((UID, "AS"),)}, "no code for 2S"),
        ({"enrolment": (*ENROLLED.enrolment, (UID, "KD"))}, "is there twice: for AS and KD"),
    ],
)
def test_an_enrolment_with_gaps_or_doubles_is_refused(
    settings: dict[str, object], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        FeigObidSettings(**settings)  # type: ignore[arg-type] # wrong on purpose


# --- how it is asked ----------------------------------------------------------------------


def test_it_asks_when_its_link_opens_and_each_answer_carries_the_next_question() -> None:
    decoder = DEVICE.decoder(FeigObidSettings())
    (first,) = decoder.tick(START)
    assert (first.raw, first.body, first.reply) == (b"", RejectReason.SILENCE, POLL)
    assert decoder.wake_at == START.after(0.3)
    (answer,) = decoder.feed(START.after(0.1), NO_TAG)
    assert (answer.body, answer.reply) == (CardsPresent(()), POLL)
    assert decoder.wake_at == START.after(0.4)


def test_it_asks_anew_only_when_the_answer_is_overdue() -> None:
    decoder = DEVICE.decoder(FeigObidSettings())
    decoder.tick(START)
    assert decoder.tick(START.after(0.2)) == []
    (late,) = decoder.tick(START.after(0.3))
    assert (late.body, late.reply) == (RejectReason.SILENCE, POLL)


def test_an_answer_that_comes_after_it_asked_anew_leaves_one_question_out() -> None:
    decoder = DEVICE.decoder(FeigObidSettings())
    decoder.tick(START)
    decoder.tick(START.after(0.3))
    late, next_one = decoder.feed(START.after(0.35), NO_TAG + NO_TAG)
    assert (late.reply, next_one.reply) == (POLL, None)


def test_answers_to_commands_carry_no_question() -> None:
    decoder = DEVICE.decoder(FeigObidSettings())
    assert decoder.feed(START, standard(0x65, b"\x00\x01", address=0))[0].reply is None


def test_where_another_host_asks_it_only_listens() -> None:
    assert {one.reply for one in decode(ONE_TAG, NO_TAG)} == {None}
    decoder = DEVICE.decoder(FeigObidSettings(poll=False))
    assert (decoder.tick(START), decoder.wake_at) == ([], None)


def test_it_asks_in_the_frames_and_of_the_reader_that_the_site_states() -> None:
    settings = FeigObidSettings(frames="advanced", address=3)
    assert DEVICE.decoder(settings).tick(START)[0].reply == inventory(settings)
    assert inventory(settings)[:7] == bytes.fromhex("02 00 09 03 B0 01 00")


# --- the simulated reader -----------------------------------------------------------------


def heard(
    *cues: Cue, settings: FeigObidSettings | None = None, seconds: float = 2.0
) -> list[object]:
    """Return what differs from the frame before, in order: readings, and rejects with bytes."""
    device = DEVICE.simulator(settings or FeigObidSettings())
    decoder = DEVICE.decoder(settings or FeigObidSettings())
    now, until, said = START, START.after(seconds), list[object]()
    for one in cues:
        device.cue(now, one)
    decoded = list(decoder.tick(now))
    while True:
        for frame in decoded:
            if frame.raw and frame.body not in said[-1:]:
                said.append(frame.body)
            if frame.reply is not None:
                device.hear(now.after(0.005), frame.reply)
        due = earliest(device.wake_at, decoder.wake_at)
        if due is None or not until.reached(due):
            return said
        now = due
        decoded = list(decoder.tick(now))
        for data in device.speak(now):
            decoded += decoder.feed(now, data)


def tags(*cards: int) -> CardsPresent:
    return CardsPresent(tuple(CardTag(f"E0040150000000{n:02X}", None) for n in cards))


NOTHING = CardsPresent(())
SEVEN = DrawCard(DECK[7])


def test_a_card_lies_on_the_reader_and_is_gone() -> None:
    assert heard(PowerOn(), SEVEN) == [tags(7), NOTHING]
    first = heard(DrawCard(DECK[0]), settings=ENROLLED)[0]
    assert first == CardsPresent((CardTag(UID, DECK[0]),))


FAULTS: dict[str, list[object]] = {
    "two_cards": [tags(0, 7, 51), NOTHING],
    "foreign_tag": [
        CardsPresent((*tags(7).tags, CardTag("E0070000000000FF", None))),
        NOTHING,
    ],
    "bit_flip": [RejectReason.CHECKSUM, tags(7), NOTHING],
    "torn": [RejectReason.LENGTH, tags(7), NOTHING],
    "drop_next": [tags(7), NOTHING],
    "more_data": [tags(7), NOTHING],
    "rf_warning": [CommandReply("refused", "inventory", "84")],
    "silent": [],
}


def test_every_fault_is_told_here() -> None:
    assert set(DEVICE.simulator(FeigObidSettings()).faults) == set(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_shows_as_what_it_is(name: str) -> None:
    said = [one for one in heard(Fault(name), SEVEN) if one is not RejectReason.NOISE]
    assert list(dict.fromkeys(said)) == FAULTS[name]


def test_a_list_of_two_may_end_after_the_first() -> None:
    first = heard(Fault("two_cards"), Fault("more_data"))[0]
    assert first == CardsPresent(tags(0).tags, complete=False)


def test_a_damaged_request_is_not_answered_nor_one_to_another_reader() -> None:
    device = DEVICE.simulator(FeigObidSettings(address=3))
    device.hear(START, POLL[:-1] + b"\x00")
    device.hear(START, inventory(FeigObidSettings(address=4)))
    assert device.wake_at is None
    device.hear(START, inventory(FeigObidSettings(address=3)))
    assert device.wake_at == START.after(0.2)


def test_what_it_cannot_play_is_said() -> None:
    device = DEVICE.simulator(FeigObidSettings())
    for cue in (DrawCutCard(), Fault("fire")):
        with pytest.raises(ValueError, match=r"tags of cards|fire"):
            device.cue(START, cue)
