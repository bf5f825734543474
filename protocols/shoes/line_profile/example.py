"""A shoe that nobody makes: the example of a profile, the same as `config/devices/pine-shoe.toml`.

02 C n h p cc 03 bb      card number n, hand h (P, B or X for a burn), place p, card cc
02 N n 03 bb             a card was not read       02 K n 03 bb       the cut card
02 E n ee 03 bb          error ee                  02 F n ee 03 bb    it is over
02 S n 03 bb             started                   02 A n 03 bb       alive, every five seconds
bb  XOR of all from the first letter to 03, in hex; n runs from 1 to 9; 06 answers, 15 refuses
"""

from __future__ import annotations

from typing import Final

from protocols.shoes.line_profile.profile import (
    Cards,
    Check,
    Frame,
    Host,
    LineProfile,
    Message,
    Number,
)

EXAMPLE: Final = LineProfile(
    title="Pine card shoe (made up)",
    source="made up for this example; no such shoe exists",
    silence_s=12.0,
    frame=Frame(start="<STX>", end="<ETX>", longest=16),
    check=Check(kind="xor", last="end", place="after_end"),
    message=(
        Message("card", "C{number:1}{hand:1}{place:1}{card:2}"),
        Message("no_read", "N{number:1}"),
        Message("cut_card", "K{number:1}"),
        Message("error", "E{number:1}{code:2}"),
        Message("error_cleared", "F{number:1}{code:2}"),
        Message("started", "S{number:1}"),
        Message("standby", "A{number:1}"),
    ),
    cards=Cards(scheme="rank_suit"),
    hands={"P": "player", "B": "banker", "X": "burn"},
    errors={"01": "the lid is open", "02": "a card is jammed"},
    number=Number(first="1", last="9"),
    host=Host(ack="<ACK>", nak="<NAK>"),
)
