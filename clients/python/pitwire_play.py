"""The fold of a table's events: what `table.status` says of the play, kept by who listens.

Copy this file where your server follows more than its own rounds. Standard library only. A play is
JSON as in `table.status`, the fields FIELDS of it; nothing that was given is ever changed::

    play = NOTHING_TOLD                # or {name: status[name] for name in FIELDS}, and its `seq`
    play = after(play, kind, data, seq)

Between two events of one cause (`more`) the play is one in which the table never was. An event
that is not known here changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

Json: TypeAlias = Mapping[str, Any]
FIELDS: Final = ("round", "violations", "decided", "spin", "maintenance", "dealer")
NOTHING_TOLD: Final[Json] = MappingProxyType(
    {
        "round": None,
        "violations": [],
        "decided": [],
        "spin": None,
        "maintenance": False,
        "dealer": None,
    }
)
_HOLD: Final = (
    "violation_id", "code", "rule", "detail", "round_id", "slot", "expected", "read", "resolutions",
)  # fmt: skip
_RUNNING: Final = ("spin.started", "spin.ball_in_rim", "spin.no_more_bets")
_ENDED: Final = ("spin.landed", "spin.invalid", "spin.abandoned")


def after(play: Json, kind: str, data: Json, seq: int) -> Json:
    """Return the play after one more event of the table; seq: the event's own."""
    match kind:
        case "table.started":
            return _retold(data.get("play") or NOTHING_TOLD, seq)
        case "table.recovered" if data.get("play") is not None:
            return _retold(data["play"], seq)
        case "round.opened":
            return {**play, "round": _new_round(data)}
        case "round.completed":
            return {**play, "round": None}
        case "round.voided":
            return {**play, "round": None, "spin": None}
        case "maintenance.started" | "maintenance.finished":
            return {**play, "maintenance": kind == "maintenance.started"}
        case "dealer.changed":
            return {**play, "dealer": data["badge"]}
        case _:
            pass
    play = {**_held(play, kind, data), "spin": _spin(play["spin"], kind, data)}
    if play["round"] is None:
        return play
    now = _hands(_cards(_phase(play["round"], kind, data), kind, data, seq), kind, data)
    return {**play, "round": now}


def _new_round(data: Json) -> Json:
    opened = {
        "round_id": data["round_id"],
        "profile": data["profile"],
        "phase": "betting",
        "bets_closed_by": None,
        "boxes": None,
        "cards": {},
        "hands": [],
        "insurance": None,
        "insured": [],
        "awaited": [],
        "void_required": None,
    }
    return _with_boxes(opened, data.get("boxes"))


def _new_hand(box: int, hand: int) -> dict[str, Any]:
    return {
        "box": box,
        "hand": hand,
        "split": False,
        "doubled": False,
        "card_due": None,
        "end": None,
    }


def _with_boxes(now: Json, boxes: list[int] | None) -> Json:
    return {**now, "boxes": boxes, "hands": [_new_hand(box, 1) for box in boxes or ()]}


def _spin(spin: Json | None, kind: str, data: Json) -> Json | None:
    if kind in _RUNNING:
        return {"spin": data["spin"], "phase": kind.removeprefix("spin.")}
    if kind in _ENDED and spin is not None and spin["spin"] == data["spin"]:
        return None  # a result that waited for a witness may come when the next ball runs
    return spin


def _held(play: Json, kind: str, data: Json) -> Json:
    match kind:
        case "violation.raised" if data["holds"]:
            raised = {name: data.get(name) for name in _HOLD}
            return {**play, "violations": [*play["violations"], raised]}
        case "violation.resolved":
            number, action = data["violation_id"], data["action"]
            left = [one for one in play["violations"] if one["violation_id"] != number]
            waits = {"violation_id": number, "action": action, "card": data.get("card")}
            decided = [] if action == "void" else [*play["decided"], waits]
            return {**play, "violations": left, "decided": decided}
        case "round.held":
            return {**play, "decided": data["decided"]}
        case "round.resumed":
            return {**play, "decided": []}
        case _:
            return play


def _phase(now: Json, kind: str, data: Json) -> Json:
    match kind:
        case "round.bets_closed":
            closed = {**now, "phase": "dealing", "bets_closed_by": data["by"]}
            boxes = data.get("boxes")
            return closed if boxes == closed["boxes"] else _with_boxes(closed, boxes)
        case "round.commands_awaited":
            return {**now, "awaited": data["commands"]}
        case "round.void_required":
            return {**now, "void_required": data["reason"]}
        case "insurance.opened" | "insurance.closed":
            return {**now, "insurance": kind.removeprefix("insurance.").replace("opened", "open")}
        case _:
            return now


def _cards(now: Json, kind: str, data: Json, seq: int) -> Json:
    """Fold what lies where. A burned card lies in no slot of the round."""
    cards = dict(now["cards"])
    match kind:
        case "card.dealt":
            cards[data["slot"]] = _face_up(data, seq)
        case "card.sealed":
            down = {"commitments": data["commitments"], "seq": seq, "peeked": None}
            cards[data["slot"]] = down
        case "card.peeked" if "commitments" in cards.get(data["slot"], {}):
            peeked = {data["question"]: data["answer"]}
            cards[data["slot"]] = {**cards[data["slot"]], "seq": seq, "peeked": peeked}
        case "card.revealed" if data["slot"] in cards:
            cards[data["slot"]] = _face_up(data, seq)
        case "hand.split" if data["moved_from"] in cards:
            cards[data["moved_to"]] = cards.pop(data["moved_from"])
        case _:
            return now
    return {**now, "cards": cards}


def _face_up(data: Json, seq: int) -> Json:
    return {"rank": data["rank"], "suit": data["suit"], "seq": seq}


def _hands(now: Json, kind: str, data: Json) -> Json:
    match kind, data.get("action"):
        case (("card.dealt" | "card.sealed"), _):
            place = data["slot"].rpartition(".")[0]
            hands = [
                {**one, "card_due": None} if f"box{one['box']}.hand{one['hand']}" == place else one
                for one in now["hands"]
            ]
            return {**now, "hands": hands}
        case "decision.made", "insurance":
            return {**now, "insured": [*now["insured"], data["box"]]}
        case "decision.made", "hit":
            return _with_hand(now, data, card_due="up")
        case "decision.made", "double":
            due = "down" if data.get("dark") else "up"
            return _with_hand(now, data, doubled=True, card_due=due)
        case "hand.split", _:
            now, new = _with_hand(now, data, split=True), _new_hand(data["box"], data["new_hand"])
            places = [(one["box"], one["hand"]) for one in now["hands"]]
            at = places.index((data["box"], data["hand"])) + 1
            hands = [*now["hands"][:at], {**new, "split": True}, *now["hands"][at:]]
            return {**now, "hands": hands}
        case "hand.resolved", _:
            return _with_hand(now, data, end=data["end"])
        case _:
            return now


def _with_hand(now: Json, data: Json, **changed: Any) -> Json:
    """Return the round with that hand changed, which is new where it was not known."""
    place = (data["box"], data["hand"])
    hands = {(one["box"], one["hand"]): one for one in now["hands"]}
    hands[place] = {**hands.get(place, _new_hand(*place)), **changed}
    return {**now, "hands": list(hands.values())}


def _retold(play: Json, seq: int) -> Json:
    """Return a play that one event tells as a whole: each card is told by that event."""
    if (now := play["round"]) is None:
        return play
    cards = {slot: {**card, "seq": seq} for slot, card in now["cards"].items()}
    return {**play, "round": {**now, "cards": cards}}
