"""A shoe by its DBC: two examples in logs, our own, and every way a mapping cannot be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.notation import drawn
from support.recordings import BOTH, Source, recording
from support.shoe_recordings import PINE

from config.dbc import read_dbc
from drivers.capture import read_capture
from protocols.can_frame import packet
from protocols.cards import DECK
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardUnread, CutCardSeen, ShoeErrorRaised, ShoeStarted
from protocols.rejects import RejectReason
from protocols.shoes.dbc_profile import DEVICE, DbcProfileSettings
from protocols.shoes.dbc_profile.layout import EXAMPLE
from protocols.simulator import DrawCard, PowerOn, StateResult

AT = Instant("boot", 0)
OURS = DbcProfileSettings()


def said(data: str, settings: DbcProfileSettings = OURS, identifier: int = 645) -> Decoded:
    (one,) = DEVICE.decoder(settings).feed(AT, packet(identifier, bytes.fromhex(data)))
    return one


# --- examples in logs ---------------------------------------------------------------------------


def mapped(source: Source) -> DbcProfileSettings:
    """Return how the shoe in a log is mapped."""
    if source == "simulated":
        return PINE
    return DbcProfileSettings(
        dbc=read_dbc(recording(source, "shoe", "*.dbc").read_bytes()),
        message="SHOE_CARD",
        rank="CardRank",
        suit="CardSuit",
        suits=(("diamond", "D"), ("club", "C"), ("spade", "S"), ("heart", "H")),
        event="CardEvent",
        events=(
            ("drawn", "drawn"),
            ("burn", "burned"),
            ("cut_card", "cut_card"),
            ("no_read", "unread"),
            ("bad_code", "unread"),
            ("reverse", "error"),
        ),
        target="",
        sequence="ShoeSeq",
    )


@BOTH
def test_the_card_in_a_log_is_the_eight_of_spades(source: Source) -> None:
    settings = mapped(source)
    decoder = DEVICE.decoder(settings)
    heard = [
        one
        for moment in read_capture(recording(source, "shoe", "canopen_candump.log")).lines
        if isinstance(moment.data, bytes)
        for one in decoder.feed(AT, moment.data)
        if not isinstance(one.body, RejectReason)
    ]
    number = {"simulated": "2", "real": "5"}[source]
    assert [(one.body, one.sequence) for one in heard] == [(drawn("8S"), number)]
    rule = DEVICE.under(settings).sequence
    assert rule is not None
    assert (rule.digits[0], rule.digits[-1], rule.wraps_to) == ("0", "255", frozenset("0"))


@pytest.mark.parametrize(
    ("source", "identifier", "unread", "lid", "reason"),
    [
        ("simulated", 645, "0603000010000000", "0605000010000000", "blurred"),
        ("real", 673, "0600040100100000", "0600060100100000", "no_read"),
    ],
)
def test_an_unread_card_is_told_and_a_lid_is_not_understood(
    source: Source, identifier: int, unread: str, lid: str, reason: str
) -> None:
    settings = mapped(source)
    assert said(unread, settings, identifier).body == CardUnread(reason)
    assert said(lid, settings, identifier).body is RejectReason.UNSUPPORTED


# --- our example -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "body"),
    [
        ("001081000000", drawn("8S>player")),
        ("0020D2000000", drawn("KH>banker")),
        ("000013000000", drawn("AD")),
        ("0001A4000000", drawn("TC>burn")),
        ("000200000000", CutCardSeen()),
        ("000300000000", CardUnread("no read")),
        ("000400000000", ShoeErrorRaised(104, "jam", blocking=True)),
        ("000500000000", ShoeStarted()),
        ("000081000000", drawn("8S")),
        ("000080000000", CardUnread("no card has rank 8 and suit 0")),
        ("000001000000", CardUnread("no card has rank 0 and suit 1")),
        ("0000E1000000", CardUnread("no card has rank out of limits and suit 1")),
        ("000085000000", CardUnread("no card has rank 8 and suit out of limits")),
        ("003081000000", RejectReason.VALUE),
        ("000681000000", RejectReason.VALUE),
        ("0010810000", RejectReason.LENGTH),
        ("00108100000000", RejectReason.LENGTH),
    ],
)
def test_a_message_says_what_the_database_and_the_mapping_make_of_it(
    data: str, body: object
) -> None:
    assert said(data).body == body


def test_a_message_carries_its_count() -> None:
    assert said("FF1081000000").sequence == "255"
    uncounted = replace(OURS, sequence="")
    assert said("FF1081000000", uncounted).sequence is None
    assert DEVICE.under(uncounted).sequence is None


def test_without_an_event_every_message_is_a_card() -> None:
    settings = replace(OURS, event="", events=())
    assert said("001281000000", settings).body == drawn("8S>player")


def test_every_card_comes_back_as_it_was_drawn() -> None:
    simulator, decoder = DEVICE.simulator(OURS), DEVICE.decoder(OURS)
    for one in DECK:
        simulator.cue(AT, DrawCard(one, "banker"))
    heard = [decoder.feed(AT, data)[0].body for data in simulator.speak(AT)]
    assert heard == [CardDrawn(one, "banker") for one in DECK]


def test_a_shoe_that_has_no_such_message_refuses_the_cue() -> None:
    simulator = DEVICE.simulator(replace(OURS, events=(("drawn", "drawn"),)))
    with pytest.raises(ValueError, match="no message for started"):
        simulator.cue(AT, PowerOn())
    with pytest.raises(ValueError, match="cannot play"):
        simulator.cue(AT, StateResult("player"))


# --- what cannot be ----------------------------------------------------------------------------

SUITS = OURS.suits
(MESSAGE,) = EXAMPLE
MULTIPLEXED = (
    replace(
        MESSAGE,
        signals=tuple(
            replace(signal, refused="is multiplexed") if signal.name == "Rank" else signal
            for signal in MESSAGE.signals
        ),
    ),
)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"message": "CARDS"}, "no message 'CARDS'; it has CARD"),
        ({"rank": "Rang"}, "CARD has no signal 'Rang'; it has Count, Event"),
        ({"suits": SUITS[:3]}, "Suit: not one value each for C"),
        ({"suits": (*SUITS, ("0", "C"))}, "Suit: not one value each for C"),
        ({"suits": (*SUITS[:3], ("4", "C"), ("clubs", "C"))}, "4 of Suit has two meanings"),
        ({"suits": (*SUITS[:3], ("shields", "C"))}, "Suit has no value 'shields'; it has 'none'"),
        ({"ranks": OURS.ranks[1:]}, "Rank: not one value each for A"),
        ({"ranks": (*OURS.ranks[1:], ("14", "A"))}, "Rank is never 14: 0 to 13"),
        ({"sequence": "Event"}, "Event cannot count"),
        ({"sequence": "TimeMs"}, "TimeMs cannot count"),
        ({"dbc": MULTIPLEXED}, "Rank is multiplexed: that is not"),
        ({"dbc": ()}, "it has none at all"),
    ],
)
def test_a_mapping_that_does_not_fit_its_database_is_refused(
    changes: dict[str, Any], what: str
) -> None:
    with pytest.raises(ValueError, match=what):
        replace(OURS, **changes)
