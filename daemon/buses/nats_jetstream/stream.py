"""The stream that takes events and leases: made, widened, read, and what its refusals mean."""

from __future__ import annotations

from typing import Any, Final

import nats.errors
from nats.aio.client import Client
from nats.js import api
from nats.js.errors import APIError, NotFoundError

from daemon.buses.nats_jetstream.subjects import stored_under
from daemon.delivery.bus import BusRefused, BusUnavailable, LeaseChanged

TROUBLE: Final = (nats.errors.Error, APIError, OSError, TimeoutError, ValueError)
"""What a call of the client may raise that is a condition of the bus."""
ACK_S: Final = 5.0  # a busy disk may take seconds; a lost connection is told at once
_OVERLAPS: Final = 10065


async def make_stream(client: Client, name: str, root: str, window_s: float) -> api.StreamConfig:
    """Make the stream if it is missing, and return how it is; refuse one that takes other things.

    One that pitwire made before there were leases is made to take them too. Raises BusUnavailable
    and the client's own errors.
    """
    manager = client.jetstream(timeout=ACK_S)
    wanted = stored_under(root)
    try:
        info = await manager.stream_info(name)
    except NotFoundError:
        info = await _add_stream(client, name, wanted, window_s)
    taken = info.config.subjects or []
    if sorted(taken) not in (sorted(wanted), wanted[:1]):
        raise BusUnavailable(
            f"the stream {name} takes {', '.join(taken)}",
            f"let it take {' and '.join(wanted)} and nothing else, or name another stream in the"
            " config",
        )
    widened: dict[str, Any] = {}
    if len(taken) < len(wanted):
        widened["subjects"] = wanted
    if not info.config.allow_rollup_hdrs:
        widened["allow_rollup_hdrs"] = True  # old leases are deleted by the next one
    if info.config.duplicate_window < window_s:
        widened["duplicate_window"] = window_s
    if not info.config.allow_atomic:
        widened["allow_atomic"] = True  # batches; a server before 2.12 leaves it out
    if widened:
        info = await manager.update_stream(info.config, **widened)
    return info.config


async def _add_stream(
    client: Client, name: str, subjects: list[str], window_s: float
) -> api.StreamInfo:
    config = api.StreamConfig(
        name=name,
        subjects=subjects,
        storage=api.StorageType.FILE,
        duplicate_window=window_s,
        allow_direct=True,
        allow_rollup_hdrs=True,
        allow_atomic=True,
    )
    try:
        return await client.jetstream(timeout=ACK_S).add_stream(config)
    except APIError as error:
        if error.err_code != _OVERLAPS:
            raise
        raise BusUnavailable(
            f"another stream takes part of {' or '.join(subjects)}",
            "end it: one event would get two places; `nats stream ls` lists the streams",
        ) from error


async def last_message(client: Client, stream: str, subject: str) -> api.RawStreamMsg | None:
    """Return the newest message on this subject, as the stream's leader has it."""
    try:
        return await client.jetstream(timeout=ACK_S).get_last_msg(stream, subject)
    except NotFoundError:
        return None


async def message_from(
    client: Client, stream: str, subject: str, number: int
) -> api.RawStreamMsg | None:
    """Return the first message on this subject at this position or behind it."""
    manager = client.jetstream(timeout=ACK_S)
    try:
        return await manager.get_msg(stream, seq=number, subject=subject, next=True)
    except NotFoundError:
        return None


async def message_at(client: Client, stream: str, number: int) -> api.RawStreamMsg | None:
    """Return the message at this position, None where it is gone."""
    try:
        return await client.jetstream(timeout=ACK_S).get_msg(stream, seq=number)
    except NotFoundError:
        return None


def refusal(
    error: dict[str, Any], subject: str, stream: str
) -> BusUnavailable | BusRefused | LeaseChanged:
    """Return what a negative acknowledgement means: only what can never fit is refused for good."""
    description = error.get("description", "no reason given")
    match error.get("err_code"):
        case 10054:
            return BusRefused(f"larger than the stream {stream} takes ({description})")
        case 10060:
            return BusUnavailable(
                f"another stream than {stream} takes {subject}",
                "end that stream, or name it in the config",
            )
        case 10071:
            return LeaseChanged(f"{subject}: {description}")
        case code:
            return BusUnavailable(
                f"the stream {stream} does not take events ({description}, {code})",
                "look at the stream's limits and at the server's disk",
            )
