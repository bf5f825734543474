"""What a device can say: the closed union `Reading`.

A reading depends on its frame's bytes and the device's settings alone. Memory between frames
(repeats, gaps, presence) is the daemon's tracker; meaning for a round is the game's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocols.cards import Card
from protocols.faces import Face, Faces

CardTarget = Literal[
    "player", "banker", "dealer",
    "box1", "box2", "box3", "box4", "box5", "box6", "box7",
    "burn", "burn_indicator",
]  # fmt: skip
Winner = Literal["player", "banker", "tie", "aborted"]
Direction = Literal["clockwise", "counter_clockwise"]

# --- card shoes and scanners -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card left the shoe in play. `target`/`index` (1-based) where the shoe states them.

    `burn_indicator` is the first card of a shoe, whose face sets how many cards are burned.
    """

    card: Card
    target: CardTarget | None = None
    index: int | None = None
    kind: Literal["card_drawn"] = "card_drawn"


@dataclass(frozen=True, slots=True)
class CardUnread:
    """A card passed the reader and was not identified: the *absent* reading."""

    reason: str
    kind: Literal["card_unread"] = "card_unread"


@dataclass(frozen=True, slots=True)
class CardOutOfGame:
    """A card was drawn while the shoe was locked, in error or in setting mode."""

    card: Card
    mode: Literal["locked", "error", "setting"]
    kind: Literal["card_out_of_game"] = "card_out_of_game"


@dataclass(frozen=True, slots=True)
class CardReassigned:
    """The overdrawn card was re-assigned to the next round. It does not open a round."""

    card: Card
    target: CardTarget | None = None
    index: int | None = None
    kind: Literal["card_reassigned"] = "card_reassigned"


@dataclass(frozen=True, slots=True)
class BurnCountStated:
    """The shoe states how many cards are to be burned."""

    count: int
    kind: Literal["burn_count_stated"] = "burn_count_stated"


@dataclass(frozen=True, slots=True)
class CutCardSeen:
    """The cutting card came out. It is a token of its own and fills no slot."""

    kind: Literal["cut_card_seen"] = "cut_card_seen"


@dataclass(frozen=True, slots=True)
class CardTag:
    """A tag on a reader. `uid` is its own number in hex; `card` is None where none is known."""

    uid: str
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardsPresent:
    """What lies on the reader now: each tag once. It is no draw: it is said again and again.

    complete  whether these are all; if not, a tag that is not named may lie there all the same
    """

    tags: tuple[CardTag, ...]
    complete: bool = True
    kind: Literal["cards_present"] = "cards_present"


ShoeInput = Literal["card_out", "cut_card", "error", "lid_open", "locked"]


@dataclass(frozen=True, slots=True)
class ShoeInputs:
    """Which of the shoe's plain sensors are on now. It is no draw: it is said again and again."""

    on: frozenset[ShoeInput]
    kind: Literal["shoe_inputs"] = "shoe_inputs"


@dataclass(frozen=True, slots=True)
class ShoeStarted:
    """The shoe began to communicate: power-up, reconnect or a new shoe."""

    kind: Literal["shoe_started"] = "shoe_started"


@dataclass(frozen=True, slots=True)
class ShoeStandby:
    """The shoe stands by."""

    kind: Literal["shoe_standby"] = "shoe_standby"


@dataclass(frozen=True, slots=True)
class ShoeResult:
    """The shoe's own verdict on the round: a second source, never the result itself."""

    winner: Winner
    player_pair: bool
    banker_pair: bool
    kind: Literal["shoe_result"] = "shoe_result"


@dataclass(frozen=True, slots=True)
class ShoeErrorRaised:
    """The shoe reports an error; `blocking` when it is in error mode until cleared."""

    code: int
    meaning: str
    blocking: bool
    kind: Literal["shoe_error_raised"] = "shoe_error_raised"


@dataclass(frozen=True, slots=True)
class ShoeErrorCleared:
    """The shoe reports that an error was cancelled; `code` 0: that it has none any more."""

    code: int
    meaning: str
    kind: Literal["shoe_error_cleared"] = "shoe_error_cleared"


@dataclass(frozen=True, slots=True)
class ShoeLock:
    """The physical key lock of the shoe was turned."""

    locked: bool
    kind: Literal["shoe_lock"] = "shoe_lock"


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A preset value of the device was changed at the device."""

    address: str
    value: str
    kind: Literal["setting_changed"] = "setting_changed"


# --- roulette wheels ---------------------------------------------------------------------

WheelPhase = Literal[
    "before_game",
    "place_bets",
    "ball_in_rim",
    "no_more_bets",
    "ball_off_track",
    "winning_number",
    "closed",
]
WheelFlag = Literal["ball_not_detected", "ball_wrong_way", "sensor_or_motor", "launch_failed"]


@dataclass(frozen=True, slots=True)
class WheelStatus:
    """The wheel's periodic state. `pocket` is its last winning number, None before the first.

    `spin` is the wheel's own count of its spins, None where it states none.
    `rotor_tenths_rpm` is tenths of a revolution per minute as the device states it: nought may
    also be a field that ran over. `direction` is the rotor's, None where the field means nothing.
    """

    phase: WheelPhase
    spin: int | None
    pocket: str | None
    flags: frozenset[WheelFlag]
    rotor_tenths_rpm: int
    direction: Direction | None
    kind: Literal["wheel_status"] = "wheel_status"


@dataclass(frozen=True, slots=True)
class WheelNumber:
    """The winning number alone, sent the moment it is known: one statement of two."""

    pocket: str
    kind: Literal["wheel_number"] = "wheel_number"


@dataclass(frozen=True, slots=True)
class WheelFault:
    """The wheel's own self-test or play fault code; 0 means none."""

    code: int
    meaning: str
    kind: Literal["wheel_fault"] = "wheel_fault"


@dataclass(frozen=True, slots=True)
class WheelErrorFlag:
    """The wheel's own error flag, alone: of its status nothing else is understood."""

    raised: bool
    kind: Literal["wheel_error_flag"] = "wheel_error_flag"


@dataclass(frozen=True, slots=True)
class WheelBonus:
    """A bonus line of the wheel. Not a result."""

    step: int
    value: int
    licence_days: int | None
    kind: Literal["wheel_bonus"] = "wheel_bonus"


@dataclass(frozen=True, slots=True)
class BallSeen:
    """A raw sensor event: the ball passed sensor `sensor`."""

    sensor: int
    kind: Literal["ball_seen"] = "ball_seen"


@dataclass(frozen=True, slots=True)
class BallInPocket:
    """A raw sensor event: the ball is seen in a pocket. Not a result."""

    pocket: str
    kind: Literal["ball_in_pocket"] = "ball_in_pocket"


@dataclass(frozen=True, slots=True)
class RotorPosition:
    """A raw sensor reading: where the rotor's encoder stands, in its own steps.

    One alone is no motion: an encoder also says it once when it is started.
    """

    steps: int
    kind: Literal["rotor_position"] = "rotor_position"


# --- dice shakers ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DiceShaken:
    """The dice are being thrown: what is read from now on is another throw."""

    kind: Literal["dice_shaken"] = "dice_shaken"


@dataclass(frozen=True, slots=True)
class DiceRead:
    """What the dice show where they lie; said again it is the same throw, until they are shaken.

    `checked`: the frame has a check value, so that one statement is sure; without it two have to
    agree.
    """

    faces: Faces
    checked: bool
    kind: Literal["dice_read"] = "dice_read"


@dataclass(frozen=True, slots=True)
class DiceUnread:
    """The dice lie and not every one was recognised: the *absent* reading. None for such a die."""

    faces: tuple[Face | None, Face | None, Face | None]
    kind: Literal["dice_unread"] = "dice_unread"


# --- any device --------------------------------------------------------------------------

NodeState = Literal["boot_up", "stopped", "operational", "pre_operational"]


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The device lives, and says in which state; only an operational one sends its data."""

    state: NodeState
    kind: Literal["heartbeat"] = "heartbeat"


@dataclass(frozen=True, slots=True)
class DeviceError:
    """The device reports an error of its own; `code` 0: it has none any more."""

    code: int
    meaning: str
    kind: Literal["device_error"] = "device_error"


@dataclass(frozen=True, slots=True)
class CommandReply:
    """The device answered a host command; `value` is what a query returned.

    `command` names the command as the protocol does, None where the reply does not say.
    """

    verdict: Literal["ok", "refused", "busy", "value"]
    command: str | None = None
    value: str | None = None
    kind: Literal["command_reply"] = "command_reply"


@dataclass(frozen=True, slots=True)
class DeviceIdentity:
    """What the device says of itself: firmware version, model text."""

    text: str
    kind: Literal["device_identity"] = "device_identity"


Reading: TypeAlias = (
    CardDrawn
    | CardUnread
    | CardOutOfGame
    | CardReassigned
    | BurnCountStated
    | CutCardSeen
    | CardsPresent
    | ShoeInputs
    | ShoeStarted
    | ShoeStandby
    | ShoeResult
    | ShoeErrorRaised
    | ShoeErrorCleared
    | ShoeLock
    | SettingChanged
    | WheelStatus
    | WheelNumber
    | WheelFault
    | WheelErrorFlag
    | WheelBonus
    | BallSeen
    | BallInPocket
    | RotorPosition
    | Heartbeat
    | DeviceError
    | DiceShaken
    | DiceRead
    | DiceUnread
    | CommandReply
    | DeviceIdentity
)
