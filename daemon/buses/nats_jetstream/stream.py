"""The stream that takes the events, and what its refusals mean."""

from __future__ import annotations

from typing import Any, Final

from nats.aio.client import Client
from nats.js import api
from nats.js.errors import APIError, NotFoundError

from daemon.delivery.bus import BusRefused, BusUnavailable

ACK_S: Final = 5.0  # a busy disk may take seconds; a lost connection is told at once
_OVERLAPS: Final = 10065


async def make_stream(client: Client, name: str, subject: str, window_s: float) -> None:
    """Make the stream if it is missing; refuse one that takes other things than events.

    Raises BusUnavailable and the client's own errors.
    """
    manager = client.jetstream(timeout=ACK_S)
    try:
        info = await manager.stream_info(name)
    except NotFoundError:
        info = await _add_stream(client, name, subject, window_s)
    if info.config.subjects != [subject]:
        raise BusUnavailable(
            f"the stream {name} takes {', '.join(info.config.subjects or [])}",
            f"let it take {subject} and nothing else, or name another stream in the config",
        )
    if info.config.duplicate_window < window_s:
        await manager.update_stream(info.config, duplicate_window=window_s)


async def _add_stream(client: Client, name: str, subject: str, window_s: float) -> api.StreamInfo:
    config = api.StreamConfig(
        name=name,
        subjects=[subject],
        storage=api.StorageType.FILE,
        duplicate_window=window_s,
        allow_direct=True,
    )
    try:
        return await client.jetstream(timeout=ACK_S).add_stream(config)
    except APIError as error:
        if error.err_code != _OVERLAPS:
            raise
        raise BusUnavailable(
            f"another stream takes part of {subject}",
            "end it: one event would get two places; `nats stream ls` lists the streams",
        ) from error


def refusal(error: dict[str, Any], subject: str, stream: str) -> BusUnavailable | BusRefused:
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
        case code:
            return BusUnavailable(
                f"the stream {stream} does not take events ({description}, {code})",
                "look at the stream's limits and at the server's disk",
            )
