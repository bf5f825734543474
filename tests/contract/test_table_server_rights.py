"""The rights of docs/table-server.md, on a real NATS server: enough to play, and no more."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from support.durable import nats_server

PAGE = (Path(__file__).parents[2] / "docs/table-server.md").read_text("utf-8")
USER: Final = re.findall(r"```\n(\{ user: server.*?)```", PAGE, re.DOTALL)[0]
SITE: Final = f"""
authorization {{ users: [
  {{ user: pitwire, password: secret }}
  {USER.replace("$SERVER_PASSWORD", "secret")}
] }}
"""
TABLE: Final = "riga-1.BAC-1"


class Site:
    """A pitwire that answers every command, and a table server; what the latter was forbidden."""

    def __init__(self, pitwire: Client, server: Client) -> None:
        self.pitwire = pitwire
        self.server = server
        self.forbidden: asyncio.Queue[str] = asyncio.Queue()

    async def hear_forbidden(self, error: Exception) -> None:
        if "permissions violation" in str(error).lower():
            self.forbidden.put_nowait(str(error))


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    with nats_server(tmp_path / "nats", SITE) as (_, url):
        it = Site(Client(), Client())
        await it.pitwire.connect(url.replace("//", "//pitwire:secret@"))
        await it.server.connect(url.replace("//", "//server:secret@"), error_cb=it.hear_forbidden)
        await it.pitwire.jetstream().add_stream(name="PIT", subjects=["pit.event.>"])

        async def answer(message: Msg) -> None:
            await message.respond(b"accepted")

        await it.pitwire.subscribe(f"pit.command.{TABLE}.*.*", cb=answer)
        await it.pitwire.flush()
        yield it
        await it.server.close()
        await it.pitwire.close()


async def test_a_table_server_reads_events_and_status_and_plays(site: Site) -> None:
    stream = site.server.jetstream()
    await site.pitwire.jetstream().publish(f"pit.event.{TABLE}.card.dealt", b"a card")
    events = await stream.pull_subscribe("pit.event.riga-1.>", durable="ledger", stream="PIT")
    (event,) = await events.fetch(1)
    await event.ack_sync()
    assert event.data == b"a card"
    status = await site.server.subscribe(f"pit.status.{TABLE}")
    await site.server.flush()
    await site.pitwire.publish(f"pit.status.{TABLE}", b"well")
    assert (await status.next_msg(5)).data == b"well"
    for authority in ("read", "play"):
        asked = await site.server.request(f"pit.command.{TABLE}.{authority}.server", b"{}")
        assert asked.data == b"accepted"
    assert site.forbidden.empty()


@pytest.mark.parametrize(
    "subject",
    [
        f"pit.command.{TABLE}.supervise.server",
        f"pit.command.{TABLE}.maintain.server",
        f"pit.command.{TABLE}.play.another",
        "pit.command.oslo.BAC-1.play.server",
        f"pit.event.{TABLE}.round.completed",
        f"pit.status.{TABLE}",
        "$JS.API.STREAM.PURGE.PIT",
        "$JS.API.STREAM.DELETE.PIT",
    ],
)
async def test_and_nothing_else(site: Site, subject: str) -> None:
    await site.server.publish(subject, b"{}")
    told = await asyncio.wait_for(site.forbidden.get(), 5)
    assert subject.lower() in told.lower()
