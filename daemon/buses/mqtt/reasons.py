"""What a broker's reason codes mean (OASIS MQTT 5.0, "Reason Code"), and the next action.

Only what can never be taken is refused for good and becomes a tombstone; everything else is waited
for. A broker that takes an event which nobody subscribes to throws it away: that too is waited for.
"""

from __future__ import annotations

from typing import Final

from daemon.delivery.bus import BusRefused, BusUnavailable

NO_SUBSCRIBERS: Final = 0x10
NOT_AUTHORISED: Final = 0x87
TAKEN_OVER: Final = 0x8E
TOO_LARGE: Final = 0x95
PROTOCOL_ERROR: Final = 0x82
_FAILURE: Final = 0x80

_NAMES: Final = {
    0x80: "unspecified error",
    0x81: "malformed packet",
    0x82: "protocol error",
    0x83: "implementation specific error",
    0x84: "unsupported protocol version",
    0x85: "client identifier not valid",
    0x86: "bad user name or password",
    0x87: "not authorized",
    0x88: "server unavailable",
    0x89: "server busy",
    0x8A: "banned",
    0x8B: "server shutting down",
    0x8C: "bad authentication method",
    0x8D: "keep alive timeout",
    0x8E: "session taken over",
    0x8F: "topic filter invalid",
    0x90: "topic name invalid",
    0x91: "packet identifier in use",
    0x93: "receive maximum exceeded",
    0x95: "packet too large",
    0x96: "message rate too high",
    0x97: "quota exceeded",
    0x98: "administrative action",
    0x99: "payload format invalid",
    0x9A: "retain not supported",
    0x9B: "QoS not supported",
    0x9C: "use another server",
    0x9D: "server moved",
    0x9F: "connection rate exceeded",
}

_ACTIONS: Final = {
    0x84: "use a broker of MQTT 5",
    0x85: "let the broker take the client identifiers pit.<site>.<table>",
    0x86: "compare the user and the password file with the broker's",
    0x87: "allow our user on the broker",
    0x8A: "ask whoever runs the broker",
    0x8E: "find the other client of this name in the broker's log",
    0x90: "let the broker take topics under pit/",
    0x97: "raise the broker's limit for our user",
    0x98: "ask whoever runs the broker",
    0x9C: "put the other server's url into the config",
    0x9D: "put the other server's url into the config",
    0x9F: "raise the broker's limit for our user",
}


def name(code: int) -> str:
    """Return the specification's word for a code."""
    return _NAMES.get(code, f"reason 0x{code:02X}")


def is_failure(code: int) -> bool:
    """Return whether a code says no."""
    return code >= _FAILURE


def connection_refused(place: str, code: int) -> BusUnavailable:
    """Return what it means that the broker does not let us in."""
    action = _ACTIONS.get(code, "look at the broker's log")
    return BusUnavailable(f"the broker at {place} refuses us: {name(code)}", action)


def disconnected(place: str, code: int) -> BusUnavailable:
    """Return what it means that the broker ended the connection."""
    action = _ACTIONS.get(code, "look at the broker's log")
    return BusUnavailable(f"the broker at {place} ended the connection: {name(code)}", action)


def not_taken(topic: str, code: int) -> BusUnavailable | BusRefused | None:
    """Return what the acknowledgement of an event means; None where it was taken."""
    if code == NO_SUBSCRIBERS:
        return BusUnavailable(
            f"nobody subscribes to {topic}: the broker would throw the event away",
            "connect the table server, with a session that outlives its absence (docs/buses.md)",
        )
    if not is_failure(code):
        return None
    if code in {TOO_LARGE, 0x99}:
        return BusRefused(f"the broker refuses it for good: {name(code)}")
    if code == NOT_AUTHORISED:
        return BusUnavailable(
            f"the broker forbids us to publish on {topic}", "allow it for our user on the broker"
        )
    action = _ACTIONS.get(code, "look at the broker's log; the event is repeated")
    return BusUnavailable(f"the broker does not take {topic}: {name(code)}", action)


def not_heard(topic: str, code: int) -> BusUnavailable | None:
    """Return what the acknowledgement of a subscription means; None where it was granted."""
    if not is_failure(code):
        return None
    why = "" if code == NOT_AUTHORISED else f" ({name(code)})"
    return BusUnavailable(
        f"the broker does not let us listen on {topic}{why}",
        "allow it in the access list of our user",
    )
