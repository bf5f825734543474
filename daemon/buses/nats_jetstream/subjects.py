"""The subjects of a table.

    pit.event.<site>.<table>.<noun>.<verb>     events
    pit.lease.<site>.<table>.owner, .claim     who serves the table, and who asks for it
    pit.status.<site>.<table>                  status
    pit.command.<site>.<table>.<authority>.<user>   commands

Everything that is not live has the root `pit-rehearsal`.
"""

from __future__ import annotations

from typing import Final

from daemon.delivery.bus import Address

LIVE: Final = "pit"


def root_of(address: Address) -> str:
    """Return what the subjects of this mode begin with."""
    return LIVE if address.mode == "live" else "pit-rehearsal"


def stored_under(root: str) -> list[str]:
    """Return what the stream of this root takes, and nothing else."""
    return [f"{root}.event.>", f"{root}.lease.>"]


def event(address: Address, kind: str = ">") -> str:
    """Return the subject of the table's events of this kind; by itself, of all of them."""
    return f"{root_of(address)}.event.{address.site}.{address.table}.{kind}"


def lease(address: Address, part: str = "*") -> str:
    """Return the subject of the table's lease, `owner` or `claim`; by itself, of both."""
    return f"{root_of(address)}.lease.{address.site}.{address.table}.{part}"


def status(address: Address) -> str:
    """Return where the table's status goes."""
    return f"{root_of(address)}.status.{address.site}.{address.table}"


def commands(address: Address) -> str:
    """Return where the table's commands come from: whatever the authority and the user."""
    return f"{root_of(address)}.command.{address.site}.{address.table}.*.*"
