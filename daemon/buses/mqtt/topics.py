"""Subjects of the contract as topics of MQTT, and the names of our clients: in this file only.

    pit.event.<site>.<table>.<noun>.<verb>   pit/event/<site>/<table>/<noun>/<verb>
    pit.status.<site>.<table>                pit/status/<site>/<table>        retained
    pit.command.<site>.<table>.<authority>.<user>
                                             pit/command/<site>/<table>/<authority>/<user>
    a reply subject                          pit/answer/<user>/<client>
    the end of the stream                    pit/newest/<site>/<table>        retained
    -                                        pit/owner/<site>/<table>

Modes that are not live have the root `pit-rehearsal`, as on every bus. A broker has no stream to
ask for a table's newest event, so its copy is kept in a topic of its own. The events themselves are
never retained: a broker would hand one of each kind, however old, to whoever subscribes. `owner` is
for daemons alone: there one asks whether another one serves the table.
"""

from __future__ import annotations

from typing import Final

from daemon.delivery.bus import Address

OURS: Final = "pitwire"
"""The sender of the daemon's own questions, which are under `read`."""


def root(address: Address) -> str:
    """Return the first level of all of the table's topics."""
    return "pit" if address.mode == "live" else "pit-rehearsal"


def event_topic(address: Address, kind: str) -> str:
    """Return where an event of this kind goes: `card.dealt` is `…/card/dealt`."""
    return f"{root(address)}/event/{address.site}/{address.table}/{kind.replace('.', '/')}"


def newest_topic(address: Address) -> str:
    """Return where the newest event is kept."""
    return f"{root(address)}/newest/{address.site}/{address.table}"


def status_topic(address: Address) -> str:
    """Return where the status is kept."""
    return f"{root(address)}/status/{address.site}/{address.table}"


def command_topic(address: Address, authority: str, user: str) -> str:
    """Return where this user commands the table under an authority; `+` for all of them."""
    return f"{root(address)}/command/{address.site}/{address.table}/{authority}/{user}"


def sender(topic: str) -> tuple[str, str]:
    """Return (authority, user) of a command's topic."""
    authority, user = topic.split("/")[-2:]
    return authority, user


def owner_topic(address: Address) -> str:
    """Return where daemons ask who serves the table."""
    return f"{root(address)}/owner/{address.site}/{address.table}"


def answer_topic(address: Address, user: str, client: str) -> str:
    """Return where a client of this user hears the answers to its own commands."""
    return f"{root(address)}/answer/{user}/{client}"


def is_answer_topic(address: Address, topic: str) -> bool:
    """Return whether an answer may go there.

    The sender of a command chooses the topic. It must not be one to which it could not write: we
    may write events.
    """
    wild = "#" in topic or "+" in topic or "\0" in topic
    return topic.startswith(f"{root(address)}/answer/") and not wild


def client_id(address: Address) -> str:
    """Return the table's own client identifier: a broker has one client of a name, never two.

    Without `/`, `+` and `#`, which brokers refuse where an access rule contains the identifier.
    """
    return f"{root(address)}.{address.site}.{address.table}"
