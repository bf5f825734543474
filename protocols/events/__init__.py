"""What the bridge publishes: the closed union `Event`, one module for each noun.

`kind` is the middle of the CloudEvents type (`pitwire.<kind>.v1`) and the end of the bus subject.
The contract: additive changes keep v1; anything else is a v2 beside it.
"""

from __future__ import annotations

from typing import TypeAlias

from protocols.events.devices import (
    DeviceConnected,
    DeviceDisconnected,
    DeviceEnrolled,
    DeviceFaulted,
    DeviceIdentified,
    DeviceRecovered,
    DeviceStale,
)
from protocols.events.dice import DiceLanded
from protocols.events.hand import HandEnd, HandResolved, HandSplit
from protocols.events.outcomes import (
    DealtCard,
    Outcome,
)
from protocols.events.results import (
    ResultAnnounced,
    ResultEnteredManually,
    ViolationRaised,
    ViolationResolved,
)
from protocols.events.round import (
    BetsClosedBy,
    RoundBetsClosed,
    RoundCompleted,
    RoundHeld,
    RoundOpened,
    RoundResumed,
    RoundVoided,
    RoundVoidRequired,
)
from protocols.events.shoe import (
    BurnedFor,
    CardBurned,
    CardDealt,
    CardDuplicateSuppressed,
    CardPeeked,
    CardRevealed,
    CardSealed,
    CardUnreadSeen,
    Commitments,
    EndCheck,
    PeekQuestion,
    ShoeCardReplaced,
    ShoeClosed,
    ShoeCompositionFailed,
    ShoeCutCardSeen,
    ShoeLoaded,
    ShoeMoment,
    ShoeReturned,
    ShoeVerified,
    ShoeVerifyStarted,
)
from protocols.events.spin import (
    SpinBallInRim,
    SpinInvalid,
    SpinLanded,
    SpinNoMoreBets,
    SpinRecovered,
    SpinStarted,
    WheelDriftSuspected,
    WheelSelfTested,
)
from protocols.events.table import (
    ClockStepped,
    DealerChanged,
    EventWithheld,
    InspectionRecorded,
    MaintenanceFinished,
    MaintenanceStarted,
    TableRecovered,
    TableStarted,
    TableStopped,
)

Event: TypeAlias = (
    DeviceConnected
    | DeviceDisconnected
    | DeviceStale
    | DeviceFaulted
    | DeviceRecovered
    | DeviceEnrolled
    | DeviceIdentified
    | ShoeLoaded
    | ShoeReturned
    | ShoeVerifyStarted
    | ShoeCardReplaced
    | ShoeVerified
    | ShoeCompositionFailed
    | ShoeCutCardSeen
    | ShoeClosed
    | RoundOpened
    | RoundBetsClosed
    | RoundHeld
    | RoundResumed
    | RoundCompleted[Outcome]
    | RoundVoidRequired
    | RoundVoided
    | CardDealt
    | CardBurned
    | CardSealed
    | CardPeeked
    | CardRevealed
    | HandSplit
    | HandResolved
    | CardUnreadSeen
    | CardDuplicateSuppressed
    | SpinStarted
    | SpinBallInRim
    | SpinNoMoreBets
    | SpinLanded
    | SpinRecovered
    | SpinInvalid
    | DiceLanded
    | WheelSelfTested
    | WheelDriftSuspected
    | ResultAnnounced
    | ResultEnteredManually
    | ViolationRaised
    | ViolationResolved
    | TableStarted
    | TableStopped
    | TableRecovered
    | MaintenanceStarted
    | MaintenanceFinished
    | InspectionRecorded
    | DealerChanged
    | ClockStepped
    | EventWithheld
)

__all__ = [
    "BetsClosedBy",
    "BurnedFor",
    "CardBurned",
    "CardDealt",
    "CardDuplicateSuppressed",
    "CardPeeked",
    "CardRevealed",
    "CardSealed",
    "CardUnreadSeen",
    "ClockStepped",
    "Commitments",
    "DealerChanged",
    "DealtCard",
    "DeviceConnected",
    "DeviceDisconnected",
    "DeviceEnrolled",
    "DeviceFaulted",
    "DeviceIdentified",
    "DeviceRecovered",
    "DeviceStale",
    "DiceLanded",
    "EndCheck",
    "Event",
    "EventWithheld",
    "HandEnd",
    "HandResolved",
    "HandSplit",
    "InspectionRecorded",
    "MaintenanceFinished",
    "MaintenanceStarted",
    "Outcome",
    "PeekQuestion",
    "ResultAnnounced",
    "ResultEnteredManually",
    "RoundBetsClosed",
    "RoundCompleted",
    "RoundHeld",
    "RoundOpened",
    "RoundResumed",
    "RoundVoidRequired",
    "RoundVoided",
    "ShoeCardReplaced",
    "ShoeClosed",
    "ShoeCompositionFailed",
    "ShoeCutCardSeen",
    "ShoeLoaded",
    "ShoeMoment",
    "ShoeReturned",
    "ShoeVerified",
    "ShoeVerifyStarted",
    "SpinBallInRim",
    "SpinInvalid",
    "SpinLanded",
    "SpinNoMoreBets",
    "SpinRecovered",
    "SpinStarted",
    "TableRecovered",
    "TableStarted",
    "TableStopped",
    "ViolationRaised",
    "ViolationResolved",
    "WheelDriftSuspected",
    "WheelSelfTested",
]
