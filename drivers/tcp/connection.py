"""Connects to a serial server, or says why not, with the action for a technician.

A cable pulled behind a switch, or a server that loses its power, sends nothing: the kernel asks for
a sign of life where the line is quiet, and gives up what is not acknowledged.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from drivers.errors import LinkAbsent, LinkBusy, LinkDenied, LinkError, LinkLost, LinkRefused
from drivers.threads import in_thread

CONNECT_WITHIN_S: Final = 5.0
QUIET_S: Final = 5
"""Seconds without a byte after which the kernel asks whether the server is still there."""
ASK_AGAIN_S: Final = 2
ASK_TIMES: Final = 3
UNACKNOWLEDGED_MS: Final = 10_000
"""How long the server may leave a byte or that question unacknowledged: then it is gone."""

CHECK_NETWORK: Final = "check the network and the server's power"

_Address: TypeAlias = tuple[socket.AddressFamily, Any]

_UNREACHABLE: Final = frozenset(
    {errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN, errno.ETIMEDOUT}
)


async def connect(where: str, host: str, port: int) -> socket.socket:
    """Return a connected socket that does not block and notices a dead peer.

    A host of several addresses is tried at each in turn. Raises LinkAbsent, LinkBusy, LinkDenied or
    LinkRefused, the trouble of the last address.
    """
    trouble: LinkError = LinkAbsent(where, "has no address", "correct `host`")
    for family, address in await _addresses(where, host, port):
        try:
            return await _connected(family, address)
        except TimeoutError:
            trouble = _silent(where)
        except OSError as error:
            trouble = _trouble(where, error)
            trouble.__cause__ = error
    raise trouble


async def _addresses(where: str, host: str, port: int) -> Sequence[_Address]:
    """Look the host up. A resolver ends by itself, so a link has one look-up at a time."""
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        answers = await in_thread(f"looks up {host}", look_up)
    except UnicodeError as error:
        raise LinkRefused(where, "is no name of a host", "correct `host`") from error
    except socket.gaierror as error:
        raise _unknown(where, error) from error
    return [(family, address) for family, _, _, _, address in answers]


async def _connected(family: socket.AddressFamily, address: Any) -> socket.socket:
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.settimeout(0)
        _watch(connection)
        async with asyncio.timeout(CONNECT_WITHIN_S):
            await asyncio.get_running_loop().sock_connect(connection, address)
    except BaseException:
        connection.close()
        raise
    return connection


def _watch(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, QUIET_S)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, ASK_AGAIN_S)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, ASK_TIMES)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def lost(where: str, error: Exception | None) -> LinkLost:
    """Return the error of a connection that ended; None is its orderly end."""
    number = error.errno if isinstance(error, OSError) else None
    if error is None:
        what = "was closed by the server"
    elif number in _UNREACHABLE:
        what = "does not answer any more: the network or the server's power is gone"
    elif number == errno.ECONNRESET:
        what = "was cut off by the server: it started anew, or gave its slot to another"
    else:
        what = f"went away ({error})"
    trouble = LinkLost(where, what, CHECK_NETWORK)
    trouble.__cause__ = error
    return trouble


def slot_taken(where: str, what: str) -> LinkBusy:
    """Return the error of a server that serves another client."""
    return LinkBusy(
        where,
        what,
        "see on the server's own page who is connected and end that; a dead client keeps its slot"
        " until the server's keepalive notices",
    )


def _trouble(where: str, error: OSError) -> LinkError:
    if error.errno == errno.ECONNREFUSED:
        return slot_taken(
            where, "refuses: its slots are taken, or it serves no device on this TCP port"
        )
    if error.errno in _UNREACHABLE:
        return _silent(where)
    if error.errno in (errno.EACCES, errno.EPERM):
        return LinkDenied(
            where,
            "is outside the network that the service may use",
            "add IPAddressAllow= for it in a drop-in of the unit, and look at the firewall",
        )
    return LinkRefused(where, f"cannot be connected to: {error}", "correct `host` or `port`")


def _silent(where: str) -> LinkAbsent:
    return LinkAbsent(where, "does not answer", "check its power, the cable and `host`")


def _unknown(where: str, error: socket.gaierror) -> LinkError:
    if error.errno == socket.EAI_AGAIN:
        return LinkAbsent(
            where,
            "cannot be looked up: no name server answers",
            "check the network, or state the address itself as `host`",
        )
    if error.errno in (socket.EAI_NONAME, socket.EAI_NODATA, socket.EAI_ADDRFAMILY):
        return LinkAbsent(where, "is a name that nobody knows", "correct `host`")
    return LinkRefused(where, f"cannot be looked up: {error.strerror}", "correct `host`")
