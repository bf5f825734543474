"""docs/kafka/connector.py on a real JetStream, with a list in Kafka's place."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from support.delivering import delivering, write
from support.durable import EPOCH, TABLE, body, events, nats_server, opened

from daemon.runtime.tasks import end_tasks

PAGE = Path(__file__).parents[3] / "docs/kafka/connector.py"


def connector() -> ModuleType:
    spec = importlib.util.spec_from_file_location("connector", PAGE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Topic:
    """Takes records until `fails_at` of them, and then fails once, before or after it took one."""

    def __init__(self, fails_at: int, *, after: bool) -> None:
        self.records: list[tuple[bytes, bytes, list[tuple[str, bytes]]]] = []
        self._fails_at: int | None = fails_at
        self._after = after

    async def send(self, key: bytes, value: bytes, headers: list[tuple[str, bytes]]) -> None:
        fails = len(self.records) == self._fails_at
        if not fails or self._after:
            self.records.append((key, value, headers))
        if fails:
            self._fails_at = None
            raise ConnectionError("Kafka is gone")


@pytest.mark.parametrize("after", [False, True], ids=["before it is kept", "after it was kept"])
async def test_no_event_is_lost_or_overtaken_when_kafka_goes(tmp_path: Path, after: bool) -> None:
    page, topic = connector(), Topic(4, after=after)
    with nats_server(tmp_path / "nats") as (_, url):
        async with opened(tmp_path / "journal.db") as it, delivering(it, url) as delivery:
            await write(it, delivery, *events(1, 10))
            await delivery.until_delivered()
        with pytest.raises(ConnectionError):
            await page.carry(url, topic.send, patience_s=0.5)
        again = asyncio.create_task(page.carry(url, topic.send, patience_s=0.5))
        async with asyncio.timeout(30):
            while len(topic.records) < 10 + after:  # noqa: ASYNC110 - filled by the task
                await asyncio.sleep(0.01)
        await end_tasks([again])
    assert list(dict.fromkeys(value for _, value, _ in topic.records)) == [
        body(seq) for seq in range(1, 11)
    ]
    assert {key for key, _, _ in topic.records} == {f"/pit/oslo/{TABLE}".encode()}
    ((name, message_id),) = topic.records[-1][2]
    assert name == "id"
    assert message_id.startswith(f"{TABLE}:{EPOCH}:10".encode())
