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
from protocols.events.hand import (
    DecisionMade,
    HandEnd,
    HandResolved,
    HandSplit,
    InsuranceClosed,
    InsuranceOpened,
)
from protocols.events.open_round import (
    CardFacing,
    CardOnTable,
    FaceDownCard,
    FaceUpCard,
    HoldingViolation,
    InsuranceState,
    OpenHand,
    PlayState,
    RoundPhase,
    RoundState,
    RunningSpin,
    SpinPhase,
)
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
    AwaitedCommand,
    BetsClosedBy,
    RoundBetsClosed,
    RoundCommandsAwaited,
    RoundCompleted,
    RoundHeld,
    RoundOpened,
    RoundResumed,
    RoundVoided,
    RoundVoidRequired,
    WaitingDecision,
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
    SpinAbandoned,
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
    LeaseLost,
    LeaseTaken,
    MaintenanceFinished,
    MaintenanceStarted,
    StreamRecreated,
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
    | RoundCommandsAwaited
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
    | InsuranceOpened
    | InsuranceClosed
    | DecisionMade
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
    | SpinAbandoned
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
    | LeaseTaken
    | LeaseLost
    | StreamRecreated
    | MaintenanceStarted
    | MaintenanceFinished
    | InspectionRecorded
    | DealerChanged
    | ClockStepped
    | EventWithheld
)

__all__ = [
    "AwaitedCommand",
    "BetsClosedBy",
    "BurnedFor",
    "CardBurned",
    "CardDealt",
    "CardDuplicateSuppressed",
    "CardFacing",
    "CardOnTable",
    "CardPeeked",
    "CardRevealed",
    "CardSealed",
    "CardUnreadSeen",
    "ClockStepped",
    "Commitments",
    "DealerChanged",
    "DealtCard",
    "DecisionMade",
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
    "FaceDownCard",
    "FaceUpCard",
    "HandEnd",
    "HandResolved",
    "HandSplit",
    "HoldingViolation",
    "InspectionRecorded",
    "InsuranceClosed",
    "InsuranceOpened",
    "InsuranceState",
    "LeaseLost",
    "LeaseTaken",
    "MaintenanceFinished",
    "MaintenanceStarted",
    "OpenHand",
    "Outcome",
    "PeekQuestion",
    "PlayState",
    "ResultAnnounced",
    "ResultEnteredManually",
    "RoundBetsClosed",
    "RoundCommandsAwaited",
    "RoundCompleted",
    "RoundHeld",
    "RoundOpened",
    "RoundPhase",
    "RoundResumed",
    "RoundState",
    "RoundVoidRequired",
    "RoundVoided",
    "RunningSpin",
    "ShoeCardReplaced",
    "ShoeClosed",
    "ShoeCompositionFailed",
    "ShoeCutCardSeen",
    "ShoeLoaded",
    "ShoeMoment",
    "ShoeReturned",
    "ShoeVerified",
    "ShoeVerifyStarted",
    "SpinAbandoned",
    "SpinBallInRim",
    "SpinInvalid",
    "SpinLanded",
    "SpinNoMoreBets",
    "SpinPhase",
    "SpinRecovered",
    "SpinStarted",
    "StreamRecreated",
    "TableRecovered",
    "TableStarted",
    "TableStopped",
    "ViolationRaised",
    "ViolationResolved",
    "WaitingDecision",
    "WheelDriftSuspected",
    "WheelSelfTested",
]
