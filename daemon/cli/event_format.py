"""One event as one line for people."""

from __future__ import annotations

from typing import Any

_FIRST = (
    "winner",
    "slot",
    "card",
    "pocket",
    "faces",
    "spin",
    "code",
    "detail",
    "device",
    "condition",
)
"""What people look for first; the rest follows in alphabetical order."""
_COMMITMENT = 8
"""Digits of a commitment that people compare; a program compares them all."""


def event_line(envelope: dict[str, Any]) -> str:
    """Return the event's time, table, seq, kind and fields."""
    kind = envelope["type"].removeprefix("pitwire.").removesuffix(".v1")
    table = envelope["source"].rsplit("/", 1)[-1]
    clock = envelope["time"][11:23]
    return f"{clock}  {table:8} {int(envelope['sequence']):6}  {kind:22} {event_words(envelope)}"


def event_words(envelope: dict[str, Any]) -> str:
    """Return an event's fields as `key=value`, the most important first."""
    data = dict(envelope["data"])
    data.pop("round_id", None)
    data.pop("profile", None)
    if "outcome" in data:
        data = data["outcome"]
        for listed in ("cards", "pick_up"):
            data.pop(listed, None)
    for nonce in ("nonce", "card_nonce", "ten_nonce", "ace_nonce"):
        data.pop(nonce, None)  # long, and only of use to a program
    if "rank" in data and data["rank"] is not None:
        data["card"] = data.pop("rank") + data.pop("suit")
    keys = sorted(data, key=lambda key: (_FIRST.index(key) if key in _FIRST else len(_FIRST), key))
    return " ".join(f"{key}={_shown(data[key])}" for key in keys if data[key] is not None)


def _shown(value: Any) -> Any:
    """Return a card as its two letters, a commitment as its first digits, a hand as its end."""
    if isinstance(value, list):
        return ",".join(str(_shown(item)) for item in value) or "none"
    if not isinstance(value, dict):
        return value
    if value.keys() >= {"box", "hand", "result"}:
        return f"{value['box']}.{value['hand']}:{value['total']}-{value['result']}"
    if value.keys() >= {"rank", "suit"}:
        return value["rank"] + value["suit"]
    return value["card"][:_COMMITMENT] + "…" if value.keys() >= {"card", "ten", "ace"} else value


def card_or(value: Any) -> Any:
    """Return a card as its two letters, a list with commas, anything else unchanged."""
    if isinstance(value, dict) and value.keys() == {"rank", "suit"}:
        return value["rank"] + value["suit"]
    if isinstance(value, list):
        return ",".join("?" if item is None else str(item) for item in value) or "none"
    return value
