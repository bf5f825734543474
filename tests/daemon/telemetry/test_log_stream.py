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
    read = bytearray()
    while b"log_lines_lost" not in read:
        read += os.read(pipe[0], 1 << 16)
        stream.write(line(1000))
    stream.close()
    read += os.read(pipe[0], 1 << 16)
    said = [json.loads(one) for one in read.splitlines()]
    kept = [one["number"] for one in said if "number" in one and one["number"] < 1000]
    assert kept == list(range(len(kept)))
    lost = sum(one["count"] for one in said if one["event"] == "log_lines_lost")
    assert len(kept) + lost >= 1000


def test_nobody_reads_and_nothing_is_raised() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    stream = LogStream(writing)
    for number in range(10):
        stream.write(line(number))
    stream.close()
    os.close(writing)
