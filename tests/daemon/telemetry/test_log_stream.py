"""The log's stream loses lines rather than time, and says how many."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest

from daemon.telemetry import log_stream
from daemon.telemetry.log_stream import LogStream


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def line(number: int) -> str:
    return json.dumps({"event": "x" * 500, "number": number}) + "\n"


def test_lines_come_out_in_order(pipe: tuple[int, int]) -> None:
    stream = LogStream(pipe[1])
    for number in range(100):
        stream.write(line(number))
    stream.close()
    assert os.read(pipe[0], 1 << 16).decode() == "".join(map(line, range(100)))


def test_a_reader_that_stops_costs_lines_and_is_told_how_many(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_stream, "ROOM", 50)
    stream = LogStream(pipe[1])
    for number in range(1000):  # the pipe holds 64 KiB, the queue 50 lines
        stream.write(line(number))
    read, kept, lost = bytearray(), list[int](), 0
    while len(kept) + lost < 1000:
        stream.write(line(1000))  # it says what it lost before the next line
        read += os.read(pipe[0], 1 << 16)
        *whole, rest = read.split(b"\n")
        read = bytearray(rest)
        for one in map(json.loads, whole):
            lost += one.get("count", 0)
            kept += [one["number"]] if one.get("number", 1000) < 1000 else []
    stream.close()
    assert kept == list(range(len(kept)))
    assert lost > 0


def test_nobody_reads_and_nothing_is_raised() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    stream = LogStream(writing)
    for number in range(10):
        stream.write(line(number))
    stream.close()
    os.close(writing)
