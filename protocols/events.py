"""What the bridge publishes: the closed union `Event`.

`kind` is the middle of the CloudEvents type (`pitwire.<kind>.v1`) and the end of the bus subject.
The contract: additive changes keep v1; anything else is a v2 beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocols.cards import Rank, Suit
from protocols.readings import Direction, Winner

# --- devices -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeviceConnected:
    """The device's link is open. `stale_bytes` lay in the port before; they were not applied."""

    device: str
    role: str
    where: str
    stale_bytes: int = 0
    kind: Literal["device.connected"] = "device.connected"


@dataclass(frozen=True, slots=True)
class DeviceDisconnected:
    """The device's link went away or could not be opened."""

    device: str
    role: str
    reason: str
    kind: Literal["device.disconnected"] = "device.disconnected"


@dataclass(frozen=True, slots=True)
class DeviceStale:
    """The link is open but the device has been silent for longer than a healthy one is."""

    device: str
    role: str
    silent_s: float
    kind: Literal["device.stale"] = "device.stale"


@dataclass(frozen=True, slots=True)
class DeviceFaulted:
    """The device reports a fault, or its bytes are rejected too often. Named by `condition`."""

    device: str
    role: str
    condition: str
    detail: str
    kind: Literal["device.faulted"] = "device.faulted"


@dataclass(frozen=True, slots=True)
class DeviceRecovered:
    """A condition that was reported by faulted or stale is over."""

    device: str
    role: str
    condition: str
    kind: Literal["device.recovered"] = "device.recovered"


@dataclass(frozen=True, slots=True)
class DeviceIdentified:
    """The device said what it is."""

    device: str
    role: str
    text: str
    kind: Literal["device.identified"] = "device.identified"


# --- the shoe ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """A shoe of `decks` decks is in play from now on; `by` says who told."""

    shoe_id: str
    decks: int
    by: Literal["command", "device"]
    kind: Literal["shoe.loaded"] = "shoe.loaded"


@dataclass(frozen=True, slots=True)
class ShoeCutCardSeen:
    """The cut card came out. `cards_left` is by count, from the decks loaded."""

    shoe_id: str
    cards_out: int
    cards_left: int
    kind: Literal["shoe.cut_card_seen"] = "shoe.cut_card_seen"


@dataclass(frozen=True, slots=True)
class ShoeClosed:
    """The shoe is out of play."""

    shoe_id: str
    cards_out: int
    kind: Literal["shoe.closed"] = "shoe.closed"


# --- the round ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A round is open for bets. `profile` is the digest of the rules in force."""

    round_id: str
    profile: str
    kind: Literal["round.opened"] = "round.opened"


@dataclass(frozen=True, slots=True)
class RoundBetsClosed:
    """No more bets. `by` says what closed them: the command, the wheel's state, the first card."""

    round_id: str
    by: Literal["command", "device", "first_card"]
    kind: Literal["round.bets_closed"] = "round.bets_closed"


@dataclass(frozen=True, slots=True)
class RoundHeld:
    """No slot is filled and no outcome leaves until the violations are resolved."""

    round_id: str | None
    violations: tuple[str, ...]
    reason: str
    kind: Literal["round.held"] = "round.held"


@dataclass(frozen=True, slots=True)
class RoundResumed:
    """The last open violation was resolved; play goes on."""

    round_id: str | None
    kind: Literal["round.resumed"] = "round.resumed"


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A card in its slot, as listed by an outcome."""

    slot: str
    rank: Rank
    suit: Suit


@dataclass(frozen=True, slots=True)
class BaccaratOutcome:
    """Totals are modulo ten; cards are in deal order."""

    winner: Literal["player", "banker", "tie"]
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    cards: tuple[DealtCard, ...]
    game: Literal["baccarat"] = "baccarat"


@dataclass(frozen=True, slots=True)
class RouletteOutcome:
    """The pocket and what it is; `index` is its place clockwise from zero on the wheel."""

    pocket: str
    colour: Literal["red", "black", "green"]
    parity: Literal["odd", "even"] | None
    half: Literal["low", "high"] | None
    dozen: int | None
    column: int | None
    index: int
    game: Literal["roulette"] = "roulette"


Outcome: TypeAlias = BaccaratOutcome | RouletteOutcome


@dataclass(frozen=True, slots=True)
class RoundCompleted:
    """The round is over and this is its outcome. Published once per round."""

    round_id: str
    profile: str
    outcome: Outcome
    kind: Literal["round.completed"] = "round.completed"


@dataclass(frozen=True, slots=True)
class RoundVoidRequired:
    """The outcome cannot be known: the house has to void the round."""

    round_id: str
    reason: str
    kind: Literal["round.void_required"] = "round.void_required"


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round was voided; nothing of it is settled."""

    round_id: str
    reason: str
    kind: Literal["round.voided"] = "round.voided"


# --- cards -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card is in a slot. `shoe_position` counts cards out of this shoe, from 1."""

    round_id: str
    slot: str
    rank: Rank
    suit: Suit
    shoe_position: int
    kind: Literal["card.dealt"] = "card.dealt"


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A card was burned; its face is published only where the house shows it."""

    slot: str
    rank: Rank | None
    suit: Suit | None
    reason: str
    shoe_position: int
    kind: Literal["card.burned"] = "card.burned"


@dataclass(frozen=True, slots=True)
class CardUnreadSeen:
    """A card passed the reader without being identified. `slot` is where it would have gone."""

    slot: str | None
    reason: str
    kind: Literal["card.unread"] = "card.unread"


@dataclass(frozen=True, slots=True)
class CardDuplicateSuppressed:
    """The same physical card was reported again by the device; it counts once."""

    rank: Rank
    suit: Suit
    reason: str
    kind: Literal["card.duplicate_suppressed"] = "card.duplicate_suppressed"


# --- the spin ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpinStarted:
    """The wheel is launching the ball of this spin. Leaves only when bets are closed."""

    spin: int
    kind: Literal["spin.started"] = "spin.started"


@dataclass(frozen=True, slots=True)
class SpinBallInRim:
    """The ball runs in the rim. Leaves only when bets are closed."""

    spin: int
    kind: Literal["spin.ball_in_rim"] = "spin.ball_in_rim"


@dataclass(frozen=True, slots=True)
class SpinNoMoreBets:
    """The ball has slowed: the wheel's own end of betting."""

    spin: int
    kind: Literal["spin.no_more_bets"] = "spin.no_more_bets"


@dataclass(frozen=True, slots=True)
class SpinLanded:
    """A sure result: two statements of the wheel agree.

    `direction` is the rotor's; the ball runs against it. `laps` is estimated from the sensor's
    timing, None where the start of the spin was not seen.
    """

    round_id: str
    spin: int
    pocket: str
    direction: Direction | None
    laps: float | None
    kind: Literal["spin.landed"] = "spin.landed"


@dataclass(frozen=True, slots=True)
class SpinRecovered:
    """A result known only from a single or a later statement: doubtful, never an outcome."""

    spin: int
    pocket: str
    reason: str
    kind: Literal["spin.recovered"] = "spin.recovered"


@dataclass(frozen=True, slots=True)
class SpinInvalid:
    """The spin does not count, whatever the pocket."""

    spin: int
    reason: str
    kind: Literal["spin.invalid"] = "spin.invalid"


# --- results that did not come from the primary device --------------------------------------


@dataclass(frozen=True, slots=True)
class ResultAnnounced:
    """A second source stated the result: the shoe's own verdict or the dealer's key."""

    source: str
    winner: Winner
    player_pair: bool
    banker_pair: bool
    agrees: bool
    kind: Literal["result.announced"] = "result.announced"


@dataclass(frozen=True, slots=True)
class ResultEnteredManually:
    """A person stated the value of a slot or a pocket. Never an edit of an earlier event."""

    round_id: str
    slot: str
    value: str
    who: str
    why: str
    second_who: str | None = None
    kind: Literal["result.entered_manually"] = "result.entered_manually"


# --- violations --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ViolationRaised:
    """Something is against the rules or cannot be known. It waits for a supervisor.

    rule         which rule it breaks, in words
    slot         where it touches the round, if anywhere
    expected     what was due
    read         what the device said
    resolutions  what `violation.resolve` allows
    """

    violation_id: str
    code: str
    rule: str
    detail: str
    holds: bool
    round_id: str | None
    slot: str | None
    expected: str | None
    read: str | None
    resolutions: tuple[str, ...]
    kind: Literal["violation.raised"] = "violation.raised"


@dataclass(frozen=True, slots=True)
class ViolationResolved:
    """A supervisor decided."""

    violation_id: str
    code: str
    action: str
    who: str
    why: str
    card: str | None = None
    kind: Literal["violation.resolved"] = "violation.resolved"


# --- the table ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableStarted:
    """The first event of an epoch. `previous` is the epoch before, if the journal knows one."""

    previous: str | None
    reason: str
    game: str
    profile_key: str
    kind: Literal["table.started"] = "table.started"


@dataclass(frozen=True, slots=True)
class TableStopped:
    """The bridge stopped in good order."""

    reason: str
    kind: Literal["table.stopped"] = "table.stopped"


@dataclass(frozen=True, slots=True)
class TableRecovered:
    """The bridge restarted and took the table up again. `differs` lists what replay changed."""

    reason: str
    records_replayed: int
    open_round: str | None
    differs: str | None = None
    kind: Literal["table.recovered"] = "table.recovered"


@dataclass(frozen=True, slots=True)
class MaintenanceStarted:
    """Readings are shown and journalled, and no game sees them."""

    who: str
    why: str
    kind: Literal["maintenance.started"] = "maintenance.started"


@dataclass(frozen=True, slots=True)
class MaintenanceFinished:
    """The devices count again."""

    who: str
    why: str
    kind: Literal["maintenance.finished"] = "maintenance.finished"


@dataclass(frozen=True, slots=True)
class DealerChanged:
    """Another dealer has the table."""

    badge: str
    kind: Literal["dealer.changed"] = "dealer.changed"


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """The wall clock was set by `by_s` seconds. Order and durations do not depend on it."""

    by_s: float
    kind: Literal["clock.stepped"] = "clock.stepped"


@dataclass(frozen=True, slots=True)
class EventWithheld:
    """The tombstone of an event that the bus refuses for good: its seq is accounted for."""

    withheld_seq: int
    reason: str
    kind: Literal["event.withheld"] = "event.withheld"


Event: TypeAlias = (
    DeviceConnected
    | DeviceDisconnected
    | DeviceStale
    | DeviceFaulted
    | DeviceRecovered
    | DeviceIdentified
    | ShoeLoaded
    | ShoeCutCardSeen
    | ShoeClosed
    | RoundOpened
    | RoundBetsClosed
    | RoundHeld
    | RoundResumed
    | RoundCompleted
    | RoundVoidRequired
    | RoundVoided
    | CardDealt
    | CardBurned
    | CardUnreadSeen
    | CardDuplicateSuppressed
    | SpinStarted
    | SpinBallInRim
    | SpinNoMoreBets
    | SpinLanded
    | SpinRecovered
    | SpinInvalid
    | ResultAnnounced
    | ResultEnteredManually
    | ViolationRaised
    | ViolationResolved
    | TableStarted
    | TableStopped
    | TableRecovered
    | MaintenanceStarted
    | MaintenanceFinished
    | DealerChanged
    | ClockStepped
    | EventWithheld
)
