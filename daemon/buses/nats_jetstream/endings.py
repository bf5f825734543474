"""Why a server does not let us in, and why it ended a connection: sentences for people."""

from __future__ import annotations

import re
from typing import Final

import nats.errors
from nats.aio.client import Client

_LOST: Final = nats.errors.UnexpectedEOF | nats.errors.StaleConnectionError


def is_silent(client: Client) -> bool:
    """Return whether no server said a word before the connection failed."""
    return _last_words(client) is None


def hung_up(client: Client, error: Exception, last_server: Exception | None) -> bool:
    """Return whether a server was there and ended the connection, and no word of it was heard.

    It may have said why: the reset of a connection can overtake the words before it.
    """
    return is_silent(client) and isinstance(_cause(error, last_server), ConnectionResetError)


def is_lost(error: Exception | None) -> bool:
    """Return whether a connection ended without a word of the server."""
    return error is None or isinstance(error, OSError | _LOST)


def why_refused(place: str, client: Client, error: Exception, last_server: Exception | None) -> str:
    """Return why a client could not connect. `last_server`: why the last that it tried did not."""
    cause = _cause(error, last_server)
    said = (_last_words(client) or str(cause) or type(cause).__name__).removeprefix("nats: ")
    if hung_up(client, error, last_server):
        return f"the bus at {place} hung up without a word"
    if is_silent(client) and isinstance(cause, OSError | TimeoutError):
        return f"the bus at {place} cannot be reached ({said})"
    return f"the bus at {place} refuses us ({said})"


def _cause(error: Exception, last_server: Exception | None) -> Exception:
    if isinstance(error, nats.errors.NoServersError):  # it tells only that none is left
        return last_server or error
    return error


def why_ended(place: str, error: Exception | None) -> str:
    """Return why a connection ended."""
    if error is None or is_lost(error):
        return f"the connection to the bus at {place} is lost"
    said = str(error).removeprefix("nats: ")
    return f"the bus at {place} ended the connection ({said})"


def _last_words(client: Client) -> str | None:
    """Return the reason that the server gave when it hung up, and the client did not read."""
    reader = getattr(client._transport, "_io_reader", None)  # noqa: SLF001 - it is read nowhere else
    unread = bytes(getattr(reader, "_buffer", b""))
    found = re.search(rb"-ERR ('[^'\r\n]*')", unread)
    return found[1].decode("utf-8", "replace") if found else None
