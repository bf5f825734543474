"""What a description of a line device must be, and what is refused at its key."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.described import BINARY, UNCHECKED

from protocols.settingerror import SettingError
from protocols.shoes.line_profile.example import EXAMPLE
from protocols.shoes.line_profile.profile import (
    Cards,
    Check,
    CheckKind,
    Frame,
    Host,
    LineProfile,
    Meaning,
    Message,
    Number,
)
from protocols.shoes.line_profile.template import FIELDS, WIDTH_MAX, Template

# --- what a description must be ----------------------------------------------------------

BAD: list[tuple[Any, tuple[str | int, ...], str]] = [
    (lambda: Frame(end=""), ("end",), "neither by a mark nor by its length"),
    (lambda: Frame(start="<CR>"), ("start",), "cannot be told from the end mark"),
    (lambda: Frame(start="<XX>"), ("start",), "<XX> names no byte"),
    (lambda: Frame(length=257), ("length",), "no length"),
    (lambda: Frame(longest=0), ("longest",), "no length"),
    (lambda: Frame(gap_s=0.0), ("gap_s",), "no pause"),
    (lambda: Check("xor", last="end"), ("last",), "cannot cover it"),
    (lambda: Message("card", "C{crad:2}"), ("line",), 'no field is called "crad"; did you mean "c'),
    (lambda: Message("card", "C{card:0}"), ("line",), "is no field"),
    (lambda: Message("card", "C{card:33}"), ("line",), "too wide"),
    (lambda: Message("card", "C{card}{any}"), ("line",), r"nothing tells where \{card\} ends"),
    (lambda: Message("card", "{card:2}{card:2}"), ("line",), "is there twice"),
    (lambda: Message("card", "{card:2"), ("line",), "a brace is open"),
    (lambda: Message("card", "C"), ("line",), r"says a card and has no \{card\}"),
    (lambda: Message("no_read", "C{card}"), ("line",), "does not say a card"),
    (lambda: Message("started", "C{code}"), ("line",), "does not say an error"),
    (lambda: Message("started", ""), ("line",), "the line is empty"),
    (lambda: Cards(codes={"1": "AS"}), ("codes",), "no code for 2S, 3S"),
    (lambda: Cards(no_read=("KD",)), ("codes",), "a token names no card"),
    (lambda: Number("9", "1"), ("first",), "no numbers to count by"),
    (lambda: Number("1", "10"), ("first",), "no numbers to count by"),
    (lambda: Number("0000", "9999"), ("first",), "no numbers to count by"),
    (lambda: Number("²", "9"), ("first",), "no numbers to count by"),
    (lambda: Number("1", "9", repeat_s=0.0), ("repeat_s",), "no time"),
    (lambda: Host(ack="<>"), ("ack",), "names no byte"),
    (lambda: Host(poll_s=0.0), ("poll_s",), "no pause"),
    (lambda: replace(UNCHECKED, message=()), ("message",), "no message says a card"),
    (lambda: replace(UNCHECKED, silence_s=-1.0), ("silence_s",), "no silence"),
    (lambda: replace(UNCHECKED, reread_s=0.9), ("reread_s",), "draws two equal cards"),
    (lambda: replace(EXAMPLE, reread_s=0.1), ("reread_s",), "tell one card from another"),
    (lambda: replace(EXAMPLE, number=None), ("message", 0, "line"), "does not say how to count"),
    (lambda: replace(EXAMPLE, hands={}), ("message", 0, "line"), r"does not say what \{hand\}"),
    (
        lambda: replace(UNCHECKED, reread_s=0.0, number=Number("1", "9")),
        ("message", 0, "line"),
        r"has no \{number",
    ),
    (lambda: replace(UNCHECKED, host=Host(nak="!")), ("host", "nak"), "no check value that could"),
    (
        lambda: replace(UNCHECKED, check=Check("xor", encoding="raw")),
        ("check",),
        "can look like that mark",
    ),
    (
        lambda: replace(UNCHECKED, check=Check("xor", place="after_end")),
        ("check",),
        "no start mark",
    ),
    (
        lambda: replace(BINARY, message=(Message("card", "{card:1}"),)),
        ("message", 0, "line"),
        "this line has 1 bytes, and every line has 3",
    ),
    (
        lambda: replace(EXAMPLE, frame=Frame("<STX>", "<ETX>", longest=5)),
        ("message", 0, "line"),
        "the longest has 5",
    ),
    (
        lambda: replace(EXAMPLE, number=Number("01", "99")),
        ("message", 0, "line"),
        r"\{number:1\} is 1 wide, and \[number\] counts with 2",
    ),
    (
        lambda: replace(EXAMPLE, cards=Cards("suit_number")),
        ("message", 0, "line"),
        r"\{card:2\} is 2 wide, and a card's code has 3",
    ),
    (
        lambda: replace(EXAMPLE, hands={"PL": "player", "BA": "banker"}),
        ("message", 0, "line"),
        r"\{hand:1\} is 1 wide, and a word of \[hands\] has 2",
    ),
]


@pytest.mark.parametrize(("make", "key", "complaint"), BAD, ids=[one[2] for one in BAD])
def test_a_description_that_cannot_be_is_refused_at_its_key(
    make: Any, key: tuple[str | int, ...], complaint: str
) -> None:
    with pytest.raises(SettingError, match=complaint) as caught:
        make()
    assert caught.value.path == key


@given(st.text("AB;,{}:0123456789cardnyhou", max_size=40), st.text("AB;,0123", max_size=80))
def test_a_template_reads_a_line_in_one_way_or_refuses_itself(line: str, text: str) -> None:
    try:
        template = Template(line)
    except SettingError:
        return
    found = template.read(text)
    if found is None:
        return
    rest = iter(found)
    rebuilt = b"".join(
        one if isinstance(one, bytes) else next(rest).encode("latin-1") for one in template.parts
    )
    assert rebuilt == text.encode()
    assert all(1 <= len(one) <= WIDTH_MAX for one in found)


PARTS = (LineProfile, Frame, Check, Message, Cards, Number, Host)
PAGE = Path(__file__).parents[2] / "docs/line-profile.md"


@pytest.mark.parametrize(
    "word",
    [
        *(one.name for part in PARTS for one in fields(part)),
        *(one for kind in (CheckKind, Meaning) for one in get_args(kind)),
        *FIELDS,
    ],
)
def test_the_page_for_technicians_knows_every_word(word: str) -> None:
    page = PAGE.read_text("utf-8")
    assert f"`{word}`" in page or f"[{word}" in page or f".{word}]" in page
