"""The stream that takes events and leases: made, widened, read, and what its refusals mean."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Sequence
from typing import Any, Final

import nats.errors
from nats.aio.client import Client
from nats.js import api
from nats.js.errors import APIError, NotFoundError

from daemon.buses.nats_jetstream.settings import NatsSettings
from daemon.buses.nats_jetstream.subjects import stored_under
from daemon.delivery.bus import BusRefused, BusUnavailable, LeaseChanged

TROUBLE: Final = (nats.errors.Error, APIError, OSError, TimeoutError, ValueError)
"""What a call of the client may raise that is a condition of the bus."""
ACK_S: Final = 5.0  # a busy disk may take seconds; a lost connection is told at once
_OVERLAPS: Final = 10065


async def make_stream(
    client: Client, name: str, root: str, settings: NatsSettings
) -> api.StreamInfo:
    """Make the stream if it is missing, and return how it is; refuse one that takes other things.

    What the settings say is changed where it differs, and what older versions of pitwire left out
    is added. Raises BusUnavailable and the client's own errors.
    """
    manager = client.jetstream(timeout=ACK_S)
    subjects = stored_under(root)
    try:
        info = await manager.stream_info(name)
    except NotFoundError:
        new = api.StreamConfig(
            name=name,
            subjects=subjects,
            storage=api.StorageType.FILE,
            allow_direct=True,
            **_asked(settings),
        )
        return await _made(name, subjects, manager.add_stream(new))
    taken = info.config.subjects or []
    if sorted(taken) not in (sorted(subjects), subjects[:1]):
        raise BusUnavailable(
            f"the stream {name} takes {', '.join(taken)}",
            f"let it take {' and '.join(subjects)} and nothing else, or name another stream in the"
            " config",
        )
    asked = {"subjects": subjects, **_asked(settings)}
    if (info.config.duplicate_window or 0) > settings.duplicate_window_s:
        del asked["duplicate_window"]
    if len(taken) == len(subjects):
        del asked["subjects"]
    changes = {key: value for key, value in asked.items() if getattr(info.config, key) != value}
    if changes:
        await _made(name, subjects, manager.update_stream(info.config, **changes))
        info = await manager.stream_info(name)
    return info


def _asked(settings: NatsSettings) -> dict[str, Any]:
    """Return what the settings say of a stream, and what every stream of ours needs."""
    asked: dict[str, Any] = {
        "duplicate_window": settings.duplicate_window_s,
        "discard": api.DiscardPolicy(settings.discard),
        "allow_rollup_hdrs": True,  # old leases are deleted by the next one
        "allow_atomic": True,  # batches; a server before 2.12 leaves it out
    }
    if settings.replicas is not None:
        asked["num_replicas"] = settings.replicas
    if settings.max_age_s is not None:
        asked["max_age"] = settings.max_age_s
    if settings.placement_cluster is not None or settings.placement_tags:
        tags = list(settings.placement_tags) or None
        asked["placement"] = api.Placement(settings.placement_cluster, tags)
    return asked


async def _made(
    name: str, subjects: Sequence[str], change: Awaitable[api.StreamInfo]
) -> api.StreamInfo:
    try:
        return await change
    except APIError as error:
        if error.err_code == _OVERLAPS:
            raise BusUnavailable(
                f"another stream takes part of {' or '.join(subjects)}",
                "end it: one event would get two places; `nats stream ls` lists the streams",
            ) from error
        raise BusUnavailable(
            f"the stream {name} cannot be made as [bus] says ({error.description})",
            "look at replicas, max_age_s, placement and the duplicate window there, and at the"
            " limits of the server and of our account",
        ) from error


def stream_info(answer: bytes) -> api.StreamInfo | None:
    """Return what an answer to STREAM.INFO says; None where it is none, or a refusal."""
    try:
        said = json.loads(answer)
        return None if "error" in said else api.StreamInfo.from_response(said)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


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
