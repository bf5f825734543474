"""Who looks on sees what passes, after it was written down, and never a hidden card."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hidden_bench import HiddenTable, greek

from daemon.devices.feed import ChunkRedactor
from daemon.devices.line_queue import QUEUE_MAX, LineQueue
from daemon.devices.live_views import LiveViews, Showing
from drivers.link import Chunk
from protocols.instant import Instant

BURNS = ("KS>burn", "9C>burn", "TD>burn", "2H>burn", "AS>burn", "7D>burn")
NOISE = b"\x05\xff\xfe\xfd"
AT = Instant("bench", 0)
BOTH: tuple[Showing, ...] = ("frames", "chunks")


class Onlooker:
    """A table and what is seen of it, frame by frame and chunk by chunk."""

    def __init__(self, written: Callable[[Callable[[], None]], None] = lambda done: done()) -> None:
        self.table = HiddenTable(house=greek)
        views = LiveViews(self.table.clock, written)
        self.table.session._views = views
        self._audiences = {showing: views.join(showing) for showing in BOTH}

    def seen(self, showing: Showing) -> list[dict[str, Any]]:
        lines = self._audiences[showing]._lines
        return [json.loads(lines.get_nowait()) for _ in range(lines.qsize())]


def test_a_frame_stands_with_what_it_says_and_what_it_did() -> None:
    one = Onlooker()
    raw = one.table.telegram("8S>player.1")
    one.table.hear(NOISE + raw)
    noise, card = one.seen("frames")
    assert (noise["raw"], noise["reject"]) == (NOISE.hex(), "length")
    assert card["raw"] == raw.hex()
    assert card["reading"]["card"] == {"rank": "8", "suit": "S"}
    assert [event["kind"] for event in card["events"]] == [
        one["type"].removeprefix("pitwire.").removesuffix(".v1")
        for one in one.table.events[-len(card["events"]) :]
    ]
    assert [chunk["raw"] for chunk in one.seen("chunks")] == [(NOISE + raw).hex()]


@pytest.mark.parametrize("showing", BOTH)
def test_two_tables_that_differ_in_a_hidden_card_look_the_same(showing: Showing) -> None:
    seen = []
    for first in ("KS", "2D"):
        one = Onlooker()
        one.table.shuffle()
        hidden = [one.table.telegram(text) for text in (f"{first}>burn", *BURNS[1:])]
        one.table.hear(hidden[0][:3])  # a card in two pieces
        one.table.hear(hidden[0][3:])
        one.table.hear(hidden[1] + hidden[2])
        one.table.hear(NOISE + hidden[3] + hidden[4] + hidden[5][:-1])
        shown = one.table.telegram("8S>player.1")
        one.table.hear(hidden[5][-1:] + shown)
        one.table.hear(one.table.telegram("5D>banker.1"))
        seen.append(one.seen(showing))
    assert seen[0] == seen[1]
    assert [line.get("concealed", False) for line in seen[0]] == (
        [True] * 7 + [False] * 2 if showing == "frames" else [True, False]
    )


def test_a_chunk_with_one_hidden_byte_in_it_is_hidden_whole_and_its_open_frame_is_shown() -> None:
    one = Onlooker()
    one.table.shuffle()
    frames = [one.table.telegram(text) for text in BURNS]
    shown = one.table.telegram("8S>player.1")
    one.table.hear(b"".join(frames) + shown)
    *hidden, last = one.seen("frames")
    assert [line.get("concealed") for line in hidden] == [True] * 6
    assert last["raw"] == shown.hex()
    assert [line.get("concealed") for line in one.seen("chunks")] == [True]


@pytest.mark.parametrize("showing", BOTH)
def test_f2_what_the_link_lost_is_shown_but_not_where_it_may_have_been_a_hidden_card(
    showing: Showing,
) -> None:
    one = Onlooker()
    one.table.hear(b"", lost="overrun 2")
    assert [line["lost"] for line in one.seen(showing)] == ["overrun 2"]
    one.table.shuffle()
    one.table.hear(b"", lost="overrun 2")
    assert one.seen(showing) == []


def test_what_lay_in_the_port_may_have_been_a_hidden_card() -> None:
    one = Onlooker()
    raw = one.table.telegram("KS>burn")
    one.table.hear(raw, stale=True)
    for showing in BOTH:
        (line,) = one.seen(showing)
        assert line["concealed"] is True
        assert "raw" not in line


def test_nothing_is_shown_before_it_is_written_down() -> None:
    waiting: list[Callable[[], None]] = []
    one = Onlooker(waiting.append)
    one.table.hear(one.table.telegram("8S>player.1"))
    assert not one.seen("frames")
    for done in waiting:
        done()
    assert len(one.seen("frames")) == 1


def test_who_left_is_shown_nothing_any_more() -> None:
    one = Onlooker()
    views = one.table.session._views
    assert views is not None
    views.leave(one._audiences["frames"])
    one.table.hear(one.table.telegram("8S>player.1"))
    assert not one.seen("frames")
    assert len(one.seen("chunks")) == 1


def test_who_joins_while_cards_lie_face_down_is_told_that_chunks_are_held_back() -> None:
    one = Onlooker()
    one.table.shuffle()
    one.table.draw(*BURNS[:2])
    views = one.table.session._views
    assert views is not None
    late = views.join("chunks")
    one.table.draw(BURNS[2])
    assert json.loads(late._lines.get_nowait())["concealed"] is True


def test_in_how_many_pieces_a_hidden_card_came_is_not_told() -> None:
    seen = []
    for pieces in (1, 8):
        one = Onlooker()
        one.table.shuffle()
        raw = one.table.telegram("KS>burn")
        for start in range(0, len(raw), len(raw) // pieces):
            one.table.hear(raw[start : start + len(raw) // pieces])
        seen.append(["concealed" in line for line in one.seen("chunks")])
    assert seen == [[True], [True]]


async def test_a_slow_reader_is_told_how_much_it_missed() -> None:
    audience = LineQueue()
    for number in range(QUEUE_MAX + 3):
        audience.tell(b"%d" % number)
    assert json.loads(await audience.next()) == {"missed": 3}
    assert await audience.next() == b"3", "the oldest are lost"


@given(st.data())
def test_a_byte_of_a_hidden_frame_is_never_in_a_chunk_that_is_shown(data: st.DataObject) -> None:
    frames = data.draw(
        st.lists(st.tuples(st.binary(min_size=1, max_size=6), st.booleans()), max_size=8)
    )
    stream = b"".join(raw for raw, _ in frames)
    cuts = data.draw(st.sets(st.integers(1, max(len(stream) - 1, 1))))
    pieces = [piece for piece in _cut(stream, sorted(cuts)) if piece]
    secret = [hidden for raw, hidden in frames for _ in raw]
    uncovered, shown = ChunkRedactor(), list[tuple[bytes, bool]]()
    for piece in pieces:
        uncovered.add(Chunk(AT, piece))
    for raw, hidden in frames:
        shown += [
            (chunk.data, covered) for chunk, covered in uncovered.account(len(raw), hidden=hidden)
        ]
    assert [piece for piece, _ in shown] == pieces, "each once, in order"
    place = 0
    for piece, covered in shown:
        assert covered == any(secret[place : place + len(piece)])
        place += len(piece)


def _cut(stream: bytes, places: Sequence[int]) -> list[bytes]:
    edges = [0, *places, len(stream)]
    return [stream[start:stop] for start, stop in itertools.pairwise(edges)]
