// Generated from docs/schemas by `npm run types`. Do not edit.
/* eslint-disable */

/**
 * which answer it is
 */
export type AcceptedAnswerWord = "accepted";
export type ClockQuality = "synced" | "unsynced" | "unknown";
export type ResolveAction = "void" | "burn" | "accept" | "correct";
export type Role = "primary" | "hole" | "witness";
export type DeviceCondition =
  | "starting"
  | "connected"
  | "absent"
  | "busy"
  | "denied"
  | "refused"
  | "lost"
  | "ended"
  | "stale"
  | "garbled"
  | "no_statement"
  | "not_enrolled";
/**
 * - `baccarat`: Baccarat (punto banco)
 * - `blackjack`: Blackjack
 * - `dragon_tiger`: Dragon Tiger
 * - `football_studio`: Football Studio (top card)
 * - `roulette`: Roulette
 * - `sic_bo`: Sic Bo
 */
export type GameKey = KnownGameKey | (string & {});
export type Inspected = "wheel" | "level" | "trial_spin" | "ball" | "shoe" | "discard_rack";
export type InspectionResult = "passed" | "failed";
export type ShoePart = "all" | "rest";
export type EndCheck = "whole" | "failed" | "not_made";
export type LeaseState = "held" | "unconfirmed" | "other" | "unknown";
export type Mode = "live" | "rehearsal" | "replay";
export type PlayerAction = "hit" | "stand" | "double" | "split" | "surrender" | "insurance" | "even_money";
export type BetsClosedBy = KnownBetsClosedBy | (string & {});
export type Rank = "A" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K";
export type Suit = "S" | "H" | "D" | "C";
export type CardFacing = "up" | "down";
export type HandEnd = "stood" | "bust" | "blackjack" | "doubled" | "surrendered" | "even_money";
export type InsuranceState = "open" | "closed";
export type RoundPhase = "betting" | "dealing";
export type ShoeMoment = "start" | "end";
export type SpinPhase = "started" | "ball_in_rim" | "no_more_bets";
export type TableCondition = "open" | "held" | "maintenance";
/**
 * - `ball_before_no_more_bets`: No ball lands before 'no more bets'.
 * - `card_after_cut_card`: The round in which the cut card came out was the last of the shoe.
 * - `card_before_no_more_bets`: No card leaves the shoe before 'no more bets'.
 * - `card_conflict`: The shoe stated two different cards for one slot; the first stands.
 * - `card_not_due`: No card is due to any hand.
 * - `card_out_of_turn`: The card went to another slot than the one due.
 * - `card_reversed`: A card was pushed back towards the shoe.
 * - `card_unread`: A card left the shoe and the reader did not identify it.
 * - `card_without_decision`: A hand takes a card only on the server's decision.
 * - `cut_card_misplaced`: The cut card was not where the house places it.
 * - `cut_card_missing`: No round is dealt from a shoe whose cut card should have come long ago.
 * - `device_lost`: The device went away in mid-round.
 * - `dice_before_no_more_bets`: No dice land before 'no more bets'.
 * - `dice_conflict`: Two different results in one round.
 * - `dice_not_thrown`: Only dice that were seen to be shaken since the last result decide a round.
 * - `dice_unread`: The dice of a throw were not all read for sure.
 * - `factory_order`: Cards do not come out of a shuffled shoe in the order of a new deck.
 * - `foreign_event`: The bus has an event in the table's name that this bridge did not send.
 * - `hole_card_mismatch`: The card that is turned, or looked at, is the card that was sealed.
 * - `hole_card_peek_not_allowed`: Nobody looks at the hole card before it may be turned, unless the house checks it then.
 * - `hole_card_unscanned`: No hole card is played on before its reader identified it.
 * - `impossible_card`: No more copies of a card than decks, no more cards than the shoe holds.
 * - `invalid_spin`: The ball runs against the rotor, at least the required number of laps.
 * - `journal_rolled_back`: The bus knows events that the journal does not: the journal was rolled back.
 * - `late_result`: A result without a round it could belong to.
 * - `pack_not_whole`: When play is over every card of the shoe is there, and none is too many.
 * - `pocket_conflict`: Two statements of one result differ.
 * - `pocket_unknown`: A result that no pocket of this wheel has.
 * - `reading_damaged`: Bytes of a card's reader that say nothing are a card, until a person or its device says that there was none.
 * - `reading_gap`: What the device said in the meantime is not known.
 * - `recovery_differs`: Replaying the journal does not give the events that it holds.
 * - `result_conflict`: Two sources state different results.
 * - `rotor_out_of_range`: The rotor races, or turns outside the band that the house's book states.
 * - `rotor_speed_unusual`: The rotor turns outside its usual band; no book states one.
 * - `sealed_violation`: Something is wrong with a card that lies face down; it is told when the card is turned.
 * - `sensor_fault`: The wheel reports a fault of sensor, motor or ball.
 * - `shoe_changed_in_round`: The shoe was changed in mid-round.
 * - `shoe_error`: The shoe is in error mode.
 * - `shoe_exhausted`: Too few cards are left to finish a round.
 * - `shoe_not_verified`: No card is dealt or burned from a shoe before its decks are known to be whole.
 * - `software_changed`: Program or configuration are not what the bridge was started with.
 * - `spin_lost`: A spin ended without its result being seen.
 * - `spin_timeout`: The spin takes longer than a wheel can.
 * - `spin_unproven`: A spin counts when its laps and its direction are proven, or a person saw them.
 * - `wheel_closed`: The wheel closed in mid-spin.
 * - `wrong_burn_count`: Another number of cards was burned than is due.
 */
export type ViolationCode = KnownViolationCode | (string & {});
export type PeekQuestion = "is_ten" | "is_ace";
/**
 * - `malformed`: It could not be parsed; the answer says where.
 * - `expired`: `expires` had passed on arrival.
 * - `expires_too_late`: `expires` lies more than a day ahead; one of the two clocks may be wrong.
 * - `wrong_subject`: This command belongs on another subject: read, play, supervise or maintain.
 * - `too_many`: More commands come from this sender than the table takes; nothing happened.
 * - `retained`: A broker kept it: nobody knows how old it is.
 * - `id_reused`: This id was used for another command.
 * - `round_id_used`: A round of this table had this id before.
 * - `wrong_round`: The round named is not the open one.
 * - `wrong_phase`: Not now: the round is not in the phase that this needs.
 * - `round_open`: A round is open; this is legal only between rounds.
 * - `not_serving`: Another bridge serves the table, or the bus has not yet said whether one does.
 * - `held`: The table is held by an open violation.
 * - `no_shoe`: No shoe is loaded.
 * - `shoe_loaded`: A shoe is in play; close it first.
 * - `decks_not_stated`: The profile states no number of decks and the command gives none.
 * - `decks_differ`: The profile states another number of decks, or so few leave no card before its cut card.
 * - `shoe_not_verified`: The house deals from no shoe before every card of it has passed the scanner.
 * - `pack_returned`: The shoe's pack of cards left this table before: verify it, then deal from it.
 * - `verifying`: The shoe is being verified; nothing is dealt or burned from it.
 * - `two_names`: Two different names are needed: to verify a shoe, or to state what no device has stated.
 * - `last_round_played`: The cut card is out and its last round was played: change the shoe.
 * - `cut_card_missing`: The cut card should have come by now: find it, and change the shoe.
 * - `too_few_cards`: The shoe may not be able to finish a round with so many boxes: void it, change the shoe.
 * - `burn_not_allowed`: The profile does not burn for this reason, or not this many.
 * - `boxes_not_stated`: This game needs the boxes in play, each once, from 1 to its last; at least one has a bet.
 * - `not_its_turn`: Another hand is to decide first, or this one has nothing to decide.
 * - `rules_forbid`: The profile does not allow this with these cards.
 * - `hand_differs`: The sender has seen another number of cards in this hand than we have.
 * - `hole_card_unscanned`: The hole card is not sealed yet: no hand is played before it is.
 * - `peek_not_allowed`: Not with this up card, before the insurance is closed, a second time, or in this house.
 * - `not_face_down`: No face-down card lies there that may be turned now.
 * - `unknown_violation`: No such open violation.
 * - `action_not_allowed`: This violation cannot be resolved in this way.
 * - `value_missing`: A card, a pocket or dice that this game knows is needed, and here.
 * - `not_this_game`: The command means nothing in this game.
 * - `rounds_by_device`: At this table the device opens the rounds.
 * - `device_down`: A device of the table is absent, silent or garbled: no round opens until it is well.
 * - `not_enrolled`: A device of the table is not the one that was enrolled: no round opens.
 * - `not_inspected`: Something that the house inspects each day has not passed today: the status says what.
 * - `unidentified`: Nothing tells this device from another: neither its link nor itself has said what it is.
 * - `maintenance`: The table is in maintenance.
 * - `journal`: The journal cannot be written: nothing is accepted until it can.
 */
export type Refusal = KnownRefusal | (string & {});
/**
 * which answer it is
 */
export type RefusedAnswerWord = "refused";
/**
 * The answer to a command; it leaves when it is durable.
 */
export type Answer = AcceptedAnswer | RefusedAnswer;
export type BurnReason = "shuffle" | "misdeal" | "dealer_change" | "discretion";
export type BurnedFor = KnownBurnedFor | (string & {});
export type CardBurnedEvent = EventEnvelope & {
  data: CardBurned;
  /**
   * what has happened
   */
  type: "pitwire.card.burned.v1";
};
export type CardDealtEvent = EventEnvelope & {
  data: CardDealt;
  /**
   * what has happened
   */
  type: "pitwire.card.dealt.v1";
};
export type CardDuplicateSuppressedEvent = EventEnvelope & {
  data: CardDuplicateSuppressed;
  /**
   * what has happened
   */
  type: "pitwire.card.duplicate_suppressed.v1";
};
export type CardPeekedEvent = EventEnvelope & {
  data: CardPeeked;
  /**
   * what has happened
   */
  type: "pitwire.card.peeked.v1";
};
export type CardRevealedEvent = EventEnvelope & {
  data: CardRevealed;
  /**
   * what has happened
   */
  type: "pitwire.card.revealed.v1";
};
export type CardSealedEvent = EventEnvelope & {
  data: CardSealed;
  /**
   * what has happened
   */
  type: "pitwire.card.sealed.v1";
};
export type CardUnreadSeenEvent = EventEnvelope & {
  data: CardUnreadSeen;
  /**
   * what has happened
   */
  type: "pitwire.card.unread.v1";
};
export type ClockSteppedEvent = EventEnvelope & {
  data: ClockStepped;
  /**
   * what has happened
   */
  type: "pitwire.clock.stepped.v1";
};
export type DealerChangedEvent = EventEnvelope & {
  data: DealerChanged;
  /**
   * what has happened
   */
  type: "pitwire.dealer.changed.v1";
};
export type DecisionMadeEvent = EventEnvelope & {
  data: DecisionMade;
  /**
   * what has happened
   */
  type: "pitwire.decision.made.v1";
};
export type DeviceConnectedEvent = EventEnvelope & {
  data: DeviceConnected;
  /**
   * what has happened
   */
  type: "pitwire.device.connected.v1";
};
export type DeviceDisconnectedEvent = EventEnvelope & {
  data: DeviceDisconnected;
  /**
   * what has happened
   */
  type: "pitwire.device.disconnected.v1";
};
export type DeviceEnrolledEvent = EventEnvelope & {
  data: DeviceEnrolled;
  /**
   * what has happened
   */
  type: "pitwire.device.enrolled.v1";
};
export type DeviceFaultedEvent = EventEnvelope & {
  data: DeviceFaulted;
  /**
   * what has happened
   */
  type: "pitwire.device.faulted.v1";
};
export type DeviceIdentifiedEvent = EventEnvelope & {
  data: DeviceIdentified;
  /**
   * what has happened
   */
  type: "pitwire.device.identified.v1";
};
export type DeviceRecoveredEvent = EventEnvelope & {
  data: DeviceRecovered;
  /**
   * what has happened
   */
  type: "pitwire.device.recovered.v1";
};
export type DeviceStaleEvent = EventEnvelope & {
  data: DeviceStale;
  /**
   * what has happened
   */
  type: "pitwire.device.stale.v1";
};
export type Face = 1 | 2 | 3 | 4 | 5 | 6;
export type DiceLandedEvent = EventEnvelope & {
  data: DiceLanded;
  /**
   * what has happened
   */
  type: "pitwire.dice.landed.v1";
};
export type EventWithheldEvent = EventEnvelope & {
  data: EventWithheld;
  /**
   * what has happened
   */
  type: "pitwire.event.withheld.v1";
};
export type HandResolvedEvent = EventEnvelope & {
  data: HandResolved;
  /**
   * what has happened
   */
  type: "pitwire.hand.resolved.v1";
};
export type HandSplitEvent = EventEnvelope & {
  data: HandSplit;
  /**
   * what has happened
   */
  type: "pitwire.hand.split.v1";
};
export type InspectionRecordedEvent = EventEnvelope & {
  data: InspectionRecorded;
  /**
   * what has happened
   */
  type: "pitwire.inspection.recorded.v1";
};
export type InsuranceClosedEvent = EventEnvelope & {
  data: InsuranceClosed;
  /**
   * what has happened
   */
  type: "pitwire.insurance.closed.v1";
};
export type InsuranceOpenedEvent = EventEnvelope & {
  data: InsuranceOpened;
  /**
   * what has happened
   */
  type: "pitwire.insurance.opened.v1";
};
export type LeaseLostEvent = EventEnvelope & {
  data: LeaseLost;
  /**
   * what has happened
   */
  type: "pitwire.lease.lost.v1";
};
export type LeaseTakenEvent = EventEnvelope & {
  data: LeaseTaken;
  /**
   * what has happened
   */
  type: "pitwire.lease.taken.v1";
};
export type MaintenanceFinishedEvent = EventEnvelope & {
  data: MaintenanceFinished;
  /**
   * what has happened
   */
  type: "pitwire.maintenance.finished.v1";
};
export type MaintenanceStartedEvent = EventEnvelope & {
  data: MaintenanceStarted;
  /**
   * what has happened
   */
  type: "pitwire.maintenance.started.v1";
};
/**
 * who stated it: the shoe's own verdict
 */
export type ResultAnnouncedSource = "shoe";
export type Winner = "player" | "banker" | "tie" | "aborted";
export type ResultAnnouncedEvent = EventEnvelope & {
  data: ResultAnnounced;
  /**
   * what has happened
   */
  type: "pitwire.result.announced.v1";
};
export type ResultEnteredManuallyEvent = EventEnvelope & {
  data: ResultEnteredManually;
  /**
   * what has happened
   */
  type: "pitwire.result.entered_manually.v1";
};
export type RoundBetsClosedEvent = EventEnvelope & {
  data: RoundBetsClosed;
  /**
   * what has happened
   */
  type: "pitwire.round.bets_closed.v1";
};
export type RoundCommandsAwaitedEvent = EventEnvelope & {
  data: RoundCommandsAwaited;
  /**
   * what has happened
   */
  type: "pitwire.round.commands_awaited.v1";
};
/**
 * the game that the table plays
 */
export type BaccaratOutcomeGame = "baccarat";
export type BaccaratOutcomeWinner = "player" | "banker" | "tie";
export type BlackjackHandResult = "win" | "lose" | "push" | "blackjack" | "surrender" | "even_money";
/**
 * the game that the table plays
 */
export type BlackjackOutcomeGame = "blackjack";
/**
 * the game that the table plays
 */
export type DragonTigerOutcomeGame = "dragon_tiger";
export type DragonTigerOutcomeWinner = "dragon" | "tiger" | "tie";
/**
 * the game that the table plays
 */
export type FootballStudioOutcomeGame = "football_studio";
export type FootballStudioOutcomeWinner = "home" | "away" | "draw";
export type Outcome =
  | BaccaratOutcome
  | BlackjackOutcome
  | RouletteOutcome
  | DragonTigerOutcome
  | FootballStudioOutcome
  | SicBoOutcome;
export type RouletteOutcomeColour = "red" | "black" | "green";
/**
 * the game that the table plays
 */
export type RouletteOutcomeGame = "roulette";
export type RouletteOutcomeHalf = "low" | "high";
export type RouletteOutcomeParity = "odd" | "even";
/**
 * the game that the table plays
 */
export type SicBoOutcomeGame = "sic_bo";
export type SicBoOutcomeSize = "small" | "big";
export type RoundCompletedEvent = EventEnvelope & {
  data: RoundCompleted;
  /**
   * what has happened
   */
  type: "pitwire.round.completed.v1";
};
export type RoundHeldEvent = EventEnvelope & {
  data: RoundHeld;
  /**
   * what has happened
   */
  type: "pitwire.round.held.v1";
};
export type RoundOpenedEvent = EventEnvelope & {
  data: RoundOpened;
  /**
   * what has happened
   */
  type: "pitwire.round.opened.v1";
};
export type RoundResumedEvent = EventEnvelope & {
  data: RoundResumed;
  /**
   * what has happened
   */
  type: "pitwire.round.resumed.v1";
};
export type RoundVoidRequiredEvent = EventEnvelope & {
  data: RoundVoidRequired;
  /**
   * what has happened
   */
  type: "pitwire.round.void_required.v1";
};
export type RoundVoidedEvent = EventEnvelope & {
  data: RoundVoided;
  /**
   * what has happened
   */
  type: "pitwire.round.voided.v1";
};
export type ShoeCardReplacedEvent = EventEnvelope & {
  data: ShoeCardReplaced;
  /**
   * what has happened
   */
  type: "pitwire.shoe.card_replaced.v1";
};
export type ShoeClosedEvent = EventEnvelope & {
  data: ShoeClosed;
  /**
   * what has happened
   */
  type: "pitwire.shoe.closed.v1";
};
export type ShoeCompositionFailedEvent = EventEnvelope & {
  data: ShoeCompositionFailed;
  /**
   * what has happened
   */
  type: "pitwire.shoe.composition_failed.v1";
};
export type ShoeCutCardSeenEvent = EventEnvelope & {
  data: ShoeCutCardSeen;
  /**
   * what has happened
   */
  type: "pitwire.shoe.cut_card_seen.v1";
};
export type ShoeLoadedBy = KnownShoeLoadedBy | (string & {});
export type ShoeLoadedEvent = EventEnvelope & {
  data: ShoeLoaded;
  /**
   * what has happened
   */
  type: "pitwire.shoe.loaded.v1";
};
export type ShoeReturnedEvent = EventEnvelope & {
  data: ShoeReturned;
  /**
   * what has happened
   */
  type: "pitwire.shoe.returned.v1";
};
export type ShoeVerifiedEvent = EventEnvelope & {
  data: ShoeVerified;
  /**
   * what has happened
   */
  type: "pitwire.shoe.verified.v1";
};
export type ShoeVerifyStartedEvent = EventEnvelope & {
  data: ShoeVerifyStarted;
  /**
   * what has happened
   */
  type: "pitwire.shoe.verify_started.v1";
};
export type SpinAbandonedEvent = EventEnvelope & {
  data: SpinAbandoned;
  /**
   * what has happened
   */
  type: "pitwire.spin.abandoned.v1";
};
export type SpinBallInRimEvent = EventEnvelope & {
  data: SpinBallInRim;
  /**
   * what has happened
   */
  type: "pitwire.spin.ball_in_rim.v1";
};
export type SpinInvalidEvent = EventEnvelope & {
  data: SpinInvalid;
  /**
   * what has happened
   */
  type: "pitwire.spin.invalid.v1";
};
export type Direction = "clockwise" | "counter_clockwise";
export type SpinLandedEvent = EventEnvelope & {
  data: SpinLanded;
  /**
   * what has happened
   */
  type: "pitwire.spin.landed.v1";
};
export type SpinNoMoreBetsEvent = EventEnvelope & {
  data: SpinNoMoreBets;
  /**
   * what has happened
   */
  type: "pitwire.spin.no_more_bets.v1";
};
export type SpinRecoveredEvent = EventEnvelope & {
  data: SpinRecovered;
  /**
   * what has happened
   */
  type: "pitwire.spin.recovered.v1";
};
export type SpinStartedEvent = EventEnvelope & {
  data: SpinStarted;
  /**
   * what has happened
   */
  type: "pitwire.spin.started.v1";
};
export type StreamRecreatedEvent = EventEnvelope & {
  data: StreamRecreated;
  /**
   * what has happened
   */
  type: "pitwire.stream.recreated.v1";
};
export type TableRecoveredEvent = EventEnvelope & {
  data: TableRecovered;
  /**
   * what has happened
   */
  type: "pitwire.table.recovered.v1";
};
export type TableStartedEvent = EventEnvelope & {
  data: TableStarted;
  /**
   * what has happened
   */
  type: "pitwire.table.started.v1";
};
export type TableStoppedEvent = EventEnvelope & {
  data: TableStopped;
  /**
   * what has happened
   */
  type: "pitwire.table.stopped.v1";
};
export type ViolationRaisedEvent = EventEnvelope & {
  data: ViolationRaised;
  /**
   * what has happened
   */
  type: "pitwire.violation.raised.v1";
};
export type ViolationResolvedEvent = EventEnvelope & {
  data: ViolationResolved;
  /**
   * what has happened
   */
  type: "pitwire.violation.resolved.v1";
};
export type WheelDriftSuspectedTest = "sector" | "pockets";
export type WheelDriftSuspectedEvent = EventEnvelope & {
  data: WheelDriftSuspected;
  /**
   * what has happened
   */
  type: "pitwire.wheel.drift_suspected.v1";
};
export type WheelSelfTestedEvent = EventEnvelope & {
  data: WheelSelfTested;
  /**
   * what has happened
   */
  type: "pitwire.wheel.self_tested.v1";
};
export type KnownBetsClosedBy = "command" | "device" | "first_card" | "supervisor";
/**
 * - `baccarat`: Baccarat (punto banco)
 * - `blackjack`: Blackjack
 * - `dragon_tiger`: Dragon Tiger
 * - `football_studio`: Football Studio (top card)
 * - `roulette`: Roulette
 * - `sic_bo`: Sic Bo
 */
export type KnownGameKey =
  "baccarat" | "blackjack" | "dragon_tiger" | "football_studio" | "roulette" | "sic_bo";
/**
 * - `malformed`: It could not be parsed; the answer says where.
 * - `expired`: `expires` had passed on arrival.
 * - `expires_too_late`: `expires` lies more than a day ahead; one of the two clocks may be wrong.
 * - `wrong_subject`: This command belongs on another subject: read, play, supervise or maintain.
 * - `too_many`: More commands come from this sender than the table takes; nothing happened.
 * - `retained`: A broker kept it: nobody knows how old it is.
 * - `id_reused`: This id was used for another command.
 * - `round_id_used`: A round of this table had this id before.
 * - `wrong_round`: The round named is not the open one.
 * - `wrong_phase`: Not now: the round is not in the phase that this needs.
 * - `round_open`: A round is open; this is legal only between rounds.
 * - `not_serving`: Another bridge serves the table, or the bus has not yet said whether one does.
 * - `held`: The table is held by an open violation.
 * - `no_shoe`: No shoe is loaded.
 * - `shoe_loaded`: A shoe is in play; close it first.
 * - `decks_not_stated`: The profile states no number of decks and the command gives none.
 * - `decks_differ`: The profile states another number of decks, or so few leave no card before its cut card.
 * - `shoe_not_verified`: The house deals from no shoe before every card of it has passed the scanner.
 * - `pack_returned`: The shoe's pack of cards left this table before: verify it, then deal from it.
 * - `verifying`: The shoe is being verified; nothing is dealt or burned from it.
 * - `two_names`: Two different names are needed: to verify a shoe, or to state what no device has stated.
 * - `last_round_played`: The cut card is out and its last round was played: change the shoe.
 * - `cut_card_missing`: The cut card should have come by now: find it, and change the shoe.
 * - `too_few_cards`: The shoe may not be able to finish a round with so many boxes: void it, change the shoe.
 * - `burn_not_allowed`: The profile does not burn for this reason, or not this many.
 * - `boxes_not_stated`: This game needs the boxes in play, each once, from 1 to its last; at least one has a bet.
 * - `not_its_turn`: Another hand is to decide first, or this one has nothing to decide.
 * - `rules_forbid`: The profile does not allow this with these cards.
 * - `hand_differs`: The sender has seen another number of cards in this hand than we have.
 * - `hole_card_unscanned`: The hole card is not sealed yet: no hand is played before it is.
 * - `peek_not_allowed`: Not with this up card, before the insurance is closed, a second time, or in this house.
 * - `not_face_down`: No face-down card lies there that may be turned now.
 * - `unknown_violation`: No such open violation.
 * - `action_not_allowed`: This violation cannot be resolved in this way.
 * - `value_missing`: A card, a pocket or dice that this game knows is needed, and here.
 * - `not_this_game`: The command means nothing in this game.
 * - `rounds_by_device`: At this table the device opens the rounds.
 * - `device_down`: A device of the table is absent, silent or garbled: no round opens until it is well.
 * - `not_enrolled`: A device of the table is not the one that was enrolled: no round opens.
 * - `not_inspected`: Something that the house inspects each day has not passed today: the status says what.
 * - `unidentified`: Nothing tells this device from another: neither its link nor itself has said what it is.
 * - `maintenance`: The table is in maintenance.
 * - `journal`: The journal cannot be written: nothing is accepted until it can.
 */
export type KnownRefusal =
  | "malformed"
  | "expired"
  | "expires_too_late"
  | "wrong_subject"
  | "too_many"
  | "retained"
  | "id_reused"
  | "round_id_used"
  | "wrong_round"
  | "wrong_phase"
  | "round_open"
  | "not_serving"
  | "held"
  | "no_shoe"
  | "shoe_loaded"
  | "decks_not_stated"
  | "decks_differ"
  | "shoe_not_verified"
  | "pack_returned"
  | "verifying"
  | "two_names"
  | "last_round_played"
  | "cut_card_missing"
  | "too_few_cards"
  | "burn_not_allowed"
  | "boxes_not_stated"
  | "not_its_turn"
  | "rules_forbid"
  | "hand_differs"
  | "hole_card_unscanned"
  | "peek_not_allowed"
  | "not_face_down"
  | "unknown_violation"
  | "action_not_allowed"
  | "value_missing"
  | "not_this_game"
  | "rounds_by_device"
  | "device_down"
  | "not_enrolled"
  | "not_inspected"
  | "unidentified"
  | "maintenance"
  | "journal";
/**
 * - `ball_before_no_more_bets`: No ball lands before 'no more bets'.
 * - `card_after_cut_card`: The round in which the cut card came out was the last of the shoe.
 * - `card_before_no_more_bets`: No card leaves the shoe before 'no more bets'.
 * - `card_conflict`: The shoe stated two different cards for one slot; the first stands.
 * - `card_not_due`: No card is due to any hand.
 * - `card_out_of_turn`: The card went to another slot than the one due.
 * - `card_reversed`: A card was pushed back towards the shoe.
 * - `card_unread`: A card left the shoe and the reader did not identify it.
 * - `card_without_decision`: A hand takes a card only on the server's decision.
 * - `cut_card_misplaced`: The cut card was not where the house places it.
 * - `cut_card_missing`: No round is dealt from a shoe whose cut card should have come long ago.
 * - `device_lost`: The device went away in mid-round.
 * - `dice_before_no_more_bets`: No dice land before 'no more bets'.
 * - `dice_conflict`: Two different results in one round.
 * - `dice_not_thrown`: Only dice that were seen to be shaken since the last result decide a round.
 * - `dice_unread`: The dice of a throw were not all read for sure.
 * - `factory_order`: Cards do not come out of a shuffled shoe in the order of a new deck.
 * - `foreign_event`: The bus has an event in the table's name that this bridge did not send.
 * - `hole_card_mismatch`: The card that is turned, or looked at, is the card that was sealed.
 * - `hole_card_peek_not_allowed`: Nobody looks at the hole card before it may be turned, unless the house checks it then.
 * - `hole_card_unscanned`: No hole card is played on before its reader identified it.
 * - `impossible_card`: No more copies of a card than decks, no more cards than the shoe holds.
 * - `invalid_spin`: The ball runs against the rotor, at least the required number of laps.
 * - `journal_rolled_back`: The bus knows events that the journal does not: the journal was rolled back.
 * - `late_result`: A result without a round it could belong to.
 * - `pack_not_whole`: When play is over every card of the shoe is there, and none is too many.
 * - `pocket_conflict`: Two statements of one result differ.
 * - `pocket_unknown`: A result that no pocket of this wheel has.
 * - `reading_damaged`: Bytes of a card's reader that say nothing are a card, until a person or its device says that there was none.
 * - `reading_gap`: What the device said in the meantime is not known.
 * - `recovery_differs`: Replaying the journal does not give the events that it holds.
 * - `result_conflict`: Two sources state different results.
 * - `rotor_out_of_range`: The rotor races, or turns outside the band that the house's book states.
 * - `rotor_speed_unusual`: The rotor turns outside its usual band; no book states one.
 * - `sealed_violation`: Something is wrong with a card that lies face down; it is told when the card is turned.
 * - `sensor_fault`: The wheel reports a fault of sensor, motor or ball.
 * - `shoe_changed_in_round`: The shoe was changed in mid-round.
 * - `shoe_error`: The shoe is in error mode.
 * - `shoe_exhausted`: Too few cards are left to finish a round.
 * - `shoe_not_verified`: No card is dealt or burned from a shoe before its decks are known to be whole.
 * - `software_changed`: Program or configuration are not what the bridge was started with.
 * - `spin_lost`: A spin ended without its result being seen.
 * - `spin_timeout`: The spin takes longer than a wheel can.
 * - `spin_unproven`: A spin counts when its laps and its direction are proven, or a person saw them.
 * - `wheel_closed`: The wheel closed in mid-spin.
 * - `wrong_burn_count`: Another number of cards was burned than is due.
 */
export type KnownViolationCode =
  | "ball_before_no_more_bets"
  | "card_after_cut_card"
  | "card_before_no_more_bets"
  | "card_conflict"
  | "card_not_due"
  | "card_out_of_turn"
  | "card_reversed"
  | "card_unread"
  | "card_without_decision"
  | "cut_card_misplaced"
  | "cut_card_missing"
  | "device_lost"
  | "dice_before_no_more_bets"
  | "dice_conflict"
  | "dice_not_thrown"
  | "dice_unread"
  | "factory_order"
  | "foreign_event"
  | "hole_card_mismatch"
  | "hole_card_peek_not_allowed"
  | "hole_card_unscanned"
  | "impossible_card"
  | "invalid_spin"
  | "journal_rolled_back"
  | "late_result"
  | "pack_not_whole"
  | "pocket_conflict"
  | "pocket_unknown"
  | "reading_damaged"
  | "reading_gap"
  | "recovery_differs"
  | "result_conflict"
  | "rotor_out_of_range"
  | "rotor_speed_unusual"
  | "sealed_violation"
  | "sensor_fault"
  | "shoe_changed_in_round"
  | "shoe_error"
  | "shoe_exhausted"
  | "shoe_not_verified"
  | "software_changed"
  | "spin_lost"
  | "spin_timeout"
  | "spin_unproven"
  | "wheel_closed"
  | "wrong_burn_count";
export type KnownBurnedFor =
  "shuffle" | "misdeal" | "dealer_change" | "discretion" | "indicator" | "violation";
export type KnownShoeLoadedBy = "command" | "device";
export type Event =
  | CardBurnedEvent
  | CardDealtEvent
  | CardDuplicateSuppressedEvent
  | CardPeekedEvent
  | CardRevealedEvent
  | CardSealedEvent
  | CardUnreadSeenEvent
  | ClockSteppedEvent
  | DealerChangedEvent
  | DecisionMadeEvent
  | DeviceConnectedEvent
  | DeviceDisconnectedEvent
  | DeviceEnrolledEvent
  | DeviceFaultedEvent
  | DeviceIdentifiedEvent
  | DeviceRecoveredEvent
  | DeviceStaleEvent
  | DiceLandedEvent
  | EventWithheldEvent
  | HandResolvedEvent
  | HandSplitEvent
  | InspectionRecordedEvent
  | InsuranceClosedEvent
  | InsuranceOpenedEvent
  | LeaseLostEvent
  | LeaseTakenEvent
  | MaintenanceFinishedEvent
  | MaintenanceStartedEvent
  | ResultAnnouncedEvent
  | ResultEnteredManuallyEvent
  | RoundBetsClosedEvent
  | RoundCommandsAwaitedEvent
  | RoundCompletedEvent
  | RoundHeldEvent
  | RoundOpenedEvent
  | RoundResumedEvent
  | RoundVoidRequiredEvent
  | RoundVoidedEvent
  | ShoeCardReplacedEvent
  | ShoeClosedEvent
  | ShoeCompositionFailedEvent
  | ShoeCutCardSeenEvent
  | ShoeLoadedEvent
  | ShoeReturnedEvent
  | ShoeVerifiedEvent
  | ShoeVerifyStartedEvent
  | SpinAbandonedEvent
  | SpinBallInRimEvent
  | SpinInvalidEvent
  | SpinLandedEvent
  | SpinNoMoreBetsEvent
  | SpinRecoveredEvent
  | SpinStartedEvent
  | StreamRecreatedEvent
  | TableRecoveredEvent
  | TableStartedEvent
  | TableStoppedEvent
  | ViolationRaisedEvent
  | ViolationResolvedEvent
  | WheelDriftSuspectedEvent
  | WheelSelfTestedEvent;
export type Command =
  | CloseBetsCommand
  | BurnCardsCommand
  | RevealCardCommand
  | ChangeDealerCommand
  | DecideCommand
  | EnrolDeviceCommand
  | PeekHoleCardCommand
  | RecordInspectionCommand
  | CloseInsuranceCommand
  | FinishMaintenanceCommand
  | StartMaintenanceCommand
  | AnnounceResultCommand
  | OpenRoundCommand
  | VoidRoundCommand
  | CloseShoeCommand
  | LoadShoeCommand
  | FinishVerifyCommand
  | ReplaceCardCommand
  | StartVerifyCommand
  | ResendEventsCommand
  | ShowStatusCommand
  | ResolveViolationCommand;

/**
 * The command was obeyed; what it caused are events.
 */
export interface AcceptedAnswer {
  answer: AcceptedAnswerWord;
  /**
   * of the events that it caused
   */
  epoch: string;
  /**
   * of the command
   */
  id: string;
  /**
   * number of the last event that it caused, or of the one before it
   */
  seq: number;
  status?: TableStatus;
  /**
   * id of the table in the configuration
   */
  table: string;
}
/**
 * A table's open round and its health. It is written down nowhere and has no number.
 *
 * `round`, `violations`, `decided`, `spin`, `maintenance` and `dealer` are the fold of the events of `epoch` up to `seq`, from table.started on: a consumer that comes late takes them and goes on with the events that follow.
 */
export interface TableStatus {
  clockquality: ClockQuality;
  /**
   * digest of the program code that decides
   */
  code: string;
  /**
   * badge of the dealer who was named last; null: none was
   */
  dealer: string | null;
  /**
   * supervisors' decisions that take effect when the last hold is resolved
   */
  decided: WaitingDecision[];
  /**
   * every device of the table
   */
  devices: DeviceStatus[];
  /**
   * what has to come next: a slot, `spin` or `dice`; null where nothing does
   */
  due: string | null;
  /**
   * "" before the first: the bus has not yet said what it has of the table
   */
  epoch: string;
  game: GameKey;
  inspection: InspectionStatus;
  /**
   * why the journal cannot be written or checked, in words for people; null: it can
   */
  journal?: string | null;
  /**
   * the pack that left the table last; null: none did
   */
  last_shoe: LastShoeStatus | null;
  lease: LeaseStatus;
  /**
   * the devices' readings do not count
   */
  maintenance: boolean;
  mode: Mode;
  /**
   * digest of the house's rules in force
   */
  profile: string;
  /**
   * name of the house's rules in the configuration
   */
  profile_key: string;
  publisher: PublisherStatus;
  /**
   * what was read since the table is held, in order: kinds of readings, or `concealed`; it is judged when the table resumes
   */
  read_while_held: string[];
  /**
   * number of the last journal record
   */
  record: number;
  /**
   * the open round's result is there, and waits for the witness or a person
   */
  result_withheld: boolean;
  /**
   * the open round; null between rounds
   */
  round: RoundState | null;
  /**
   * of the last event of this epoch, durable or about to be: one who has not heard it lacks events
   */
  seq: number;
  /**
   * the shoe in counts; null where none is loaded or the game has none
   */
  shoe: ShoeStatus | null;
  /**
   * the run of the ball that is under way, as far as it was told; null: none was
   */
  spin: RunningSpin | null;
  state: TableCondition;
  /**
   * id of the table in the configuration
   */
  table: string;
  /**
   * the open violations, in the order in which they were raised
   */
  violations: HoldingViolation[];
}
/**
 * A supervisor's decision that takes effect when the last hold is resolved.
 */
export interface WaitingDecision {
  action: ResolveAction;
  /**
   * the card that it names, by its two letters, if it names one
   */
  card?: string | null;
  /**
   * the violation's name, unique within its table and epoch
   */
  violation_id: string;
}
/**
 * A device of the table, and its link.
 */
export interface DeviceStatus {
  /**
   * what a person can do about it; null where nothing is to be done
   */
  action: string | null;
  /**
   * what the device is: its key in the configuration
   */
  device: string;
  /**
   * when it said something last or its link was opened, in nanoseconds of the machine's boot clock; null: never
   */
  heard_ns: number | null;
  /**
   * where it is connected; null while it is not
   */
  link: string | null;
  /**
   * why it is not well, in words for people; null where it is
   */
  reason: string | null;
  /**
   * frames that said nothing, likewise
   */
  rejected: number;
  role: Role;
  state: DeviceCondition;
  /**
   * frames that said something, since the daemon started; those that may be of a hidden card are not counted
   */
  understood: number;
  /**
   * what its link may lose and cannot tell of, in words for people; null: nothing
   */
  untold: string | null;
}
/**
 * What a house inspects each day before it opens a round.
 */
export interface InspectionStatus {
  /**
   * the table's own day
   */
  day: string;
  /**
   * what has not passed on this day, and has to before a round opens
   */
  due: Inspected[];
  /**
   * the newest inspection of each part of the table
   */
  recorded: {
    [k: string]: Inspection;
  };
}
/**
 * What the newest inspection of a part of the table came to, and on which day.
 */
export interface Inspection {
  /**
   * the table's own day; null where nobody told the time
   */
  day: string | null;
  /**
   * what was found, and what was done; null: nothing was said
   */
  note?: string | null;
  result: InspectionResult;
  /**
   * the person who did it
   */
  who: string;
}
/**
 * The pack of cards that left the table last.
 */
export interface LastShoeStatus {
  /**
   * what of it was counted then: all, or the rest that was not dealt; null: nothing
   */
  counted: ShoePart | null;
  end_check: EndCheck;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
}
/**
 * Which bridge serves the table.
 */
export interface LeaseStatus {
  /**
   * the fencing number; 0 while the lease is not this bridge's
   */
  number: number;
  /**
   * the other bridge, in words for people; null: no other is known
   */
  owner: string | null;
  state: LeaseState;
}
/**
 * How far the bus has the table's events.
 */
export interface PublisherStatus {
  /**
   * what a person can do about it; null where nothing is to be done
   */
  action: string | null;
  /**
   * why it does not take events now, in words for people; null: it does
   */
  error: string | null;
  /**
   * durable events that the bus does not have yet
   */
  lag: number;
  /**
   * events of this run that the bus refused for good: `event.withheld` stands for each
   */
  refused: number;
}
/**
 * The open round.
 */
export interface RoundState {
  /**
   * what the round waits for from the table server; none: it waits for none
   */
  awaited?: AwaitedCommand[];
  /**
   * what closed the bets; null while they are open
   */
  bets_closed_by?: BetsClosedBy | null;
  /**
   * in play, in table order; until the bets are closed, those that were named; null: the game has no boxes
   */
  boxes?: number[] | null;
  /**
   * by slot
   */
  cards?: {
    [k: string]: FaceUpCard | FaceDownCard;
  };
  /**
   * of the boxes, in the order of play
   */
  hands?: OpenHand[];
  /**
   * whether boxes may take insurance; null: it was not offered
   */
  insurance?: InsuranceState | null;
  /**
   * the boxes that took it
   */
  insured?: number[];
  phase?: RoundPhase;
  /**
   * digest of the house's rules in force
   */
  profile: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
  /**
   * why the house has to void the round, in words for people; null: it has not
   */
  void_required?: string | null;
}
/**
 * A command that the round waits for, and what it may say.
 */
export interface AwaitedCommand {
  /**
   * what may be decided for the hand
   */
  actions?: PlayerAction[];
  /**
   * the box that it is about; null: it is about no hand
   */
  box?: number | null;
  /**
   * its name
   */
  command: string;
  /**
   * whether a double may be dealt face down
   */
  dark?: boolean;
  /**
   * the hand of that box
   */
  hand?: number | null;
  /**
   * the face-down card that may be turned
   */
  slot?: string | null;
}
/**
 * A card that everybody sees.
 */
export interface FaceUpCard {
  rank: Rank;
  /**
   * number of the event of this epoch that told it last
   */
  seq: number;
  suit: Suit;
}
/**
 * A card that lies face down.
 */
export interface FaceDownCard {
  commitments: Commitments;
  /**
   * what a peek has told: its question, and the answer; null: nobody has peeked
   */
  peeked?: {
    [k: string]: boolean;
  } | null;
  /**
   * number of the event of this epoch that told it last
   */
  seq: number;
}
/**
 * What is known of a face-down card: it can be no other card later, and tells nothing now.
 *
 * Hex of BLAKE2b-256; how they are made and checked is in docs/hidden-cards.md.
 */
export interface Commitments {
  /**
   * commits to whether it is an ace
   */
  ace: string;
  /**
   * commits to the card itself
   */
  card: string;
  /**
   * the card itself, encrypted to the table server's key; null where the table has no such key
   */
  locked?: string | null;
  /**
   * commits to whether it counts ten
   */
  ten: string;
}
/**
 * A hand of a box; its cards are in the round's slots.
 */
export interface OpenHand {
  /**
   * a player's betting place, from 1
   */
  box: number;
  /**
   * a decision has asked for a card that is not there yet: it comes face up or face down
   */
  card_due?: CardFacing | null;
  /**
   * the hand was doubled
   */
  doubled?: boolean;
  /**
   * why nothing more is decided for it; null: it is still to play
   */
  end?: HandEnd | null;
  /**
   * which hand of the box, from 1; a split makes another
   */
  hand: number;
  /**
   * a split made it
   */
  split?: boolean;
}
/**
 * A table's shoe in counts; no card has a name here.
 */
export interface ShoeStatus {
  /**
   * cards left in the shoe by count
   */
  cards_left: number;
  /**
   * cards that have left the shoe
   */
  cards_out: number;
  /**
   * it leaves play when its end check is over
   */
  closing: boolean;
  /**
   * decks of 52 cards in the shoe
   */
  decks: number;
  end_check: EndCheck;
  /**
   * how its end check ended, and what that counted
   */
  end_counted: ShoePart | null;
  /**
   * cards that have passed the scanner while it is verified; null: it is not just now
   */
  passed: number | null;
  /**
   * it has to be verified before a card of it is dealt; how its end check ended where it left this table before, which is a reason of its own
   */
  returned: EndCheck | null;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
  /**
   * it has to be verified before a card of it is dealt; how its end check ended where it left this table before, which is a reason of its own
   */
  unverified: boolean;
  /**
   * when its cards were found to be whole decks
   */
  verified: ShoeMoment[];
}
/**
 * The run of the ball that is under way, as far as it was told.
 */
export interface RunningSpin {
  phase: SpinPhase;
  /**
   * the wheel's own number of the spin, which starts over, or ours where it numbers none
   */
  spin: number;
}
/**
 * A violation that holds the table, as `violation.raised` told it.
 */
export interface HoldingViolation {
  code: ViolationCode;
  /**
   * what happened, in words for people
   */
  detail: string;
  /**
   * what was due, in words; null where nothing was
   */
  expected: string | null;
  /**
   * what the device said; null where it said nothing, or it may be of a hidden card
   */
  read: string | null;
  /**
   * what `violation.resolve` allows
   */
  resolutions: ResolveAction[];
  /**
   * the round that it is about; null: it is about none
   */
  round_id: string | null;
  /**
   * which rule it breaks, in words
   */
  rule: string;
  /**
   * where it touches the round: a card's slot, `pocket` or `dice`; null: nowhere
   */
  slot: string | null;
  /**
   * the violation's name, unique within its table and epoch
   */
  violation_id: string;
}
/**
 * The command was not obeyed, and changed nothing.
 */
export interface RefusedAnswer {
  answer: RefusedAnswerWord;
  /**
   * what exactly, in words for people; absent where there is no more
   */
  detail?: string;
  /**
   * the table's epoch
   */
  epoch: string;
  /**
   * of the command; null where none could be read
   */
  id: string | null;
  reason: Refusal;
  /**
   * number of its last event; absent where the table was not asked
   */
  seq?: number;
  /**
   * id of the table in the configuration
   */
  table: string;
}
/**
 * No more bets for this round.
 */
export interface CloseBetsCommand {
  /**
   * that have a bet, where the game has boxes: from 1. null named: those of `round.open`; refused where neither names any
   *
   * @maxItems 32
   */
  boxes?: number[];
  /**
   * what is asked for
   */
  command: "bets.close";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * The next cards are burned.
 */
export interface BurnCardsCommand {
  /**
   * what is asked for
   */
  command: "burn";
  /**
   * how many
   */
  count: number;
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  reason: BurnReason;
}
/**
 * A card was burned; its face is published only where the house shows it.
 */
export interface CardBurned {
  /**
   * where its face is not shown: what a later reveal has to open
   */
  commitments?: Commitments | null;
  /**
   * the card's face; null where the house does not show it, or it was not read
   */
  rank: Rank | null;
  reason: BurnedFor;
  /**
   * the shoe it left, where `commitments` are given; else null
   */
  shoe_id?: string | null;
  /**
   * which card out of this shoe it is, from 1
   */
  shoe_position: number;
  /**
   * a place for a card: `player.1`, `dealer.2`, `box4.hand2.card3`, `burn.5`
   */
  slot: string;
  /**
   * the card's face; null where the house does not show it, or it was not read
   */
  suit: Suit | null;
}
/**
 * An event: one fact of one table. A consumer orders by (epoch, sequence) and by nothing else, and ignores fields that it does not know.
 */
export interface EventEnvelope {
  /**
   * number of the journal record that caused it; all events of one cause have the same, and follow each other without another between them
   */
  causedby: number;
  clockquality: ClockQuality;
  /**
   * of `data`
   */
  datacontenttype: "application/json";
  /**
   * a new one means: the journal began anew. Its first event is table.started, whose `previous` names the one before. Texts do not order epochs
   */
  epoch: string;
  /**
   * `<epoch>.<seq>`: no other event of the table ever has it
   */
  id: string;
  mode: Mode;
  /**
   * further events of the same cause follow: what they say together has happened at once. Absent where an older version wrote the event
   */
  more?: boolean;
  /**
   * digest of the house's rules in force
   */
  profile: string;
  /**
   * number of the event in its epoch, from 1 without gaps, as a decimal of 20 digits
   */
  sequence: string;
  /**
   * `/pit/<site>/<table>`: who says it
   */
  source: string;
  /**
   * of CloudEvents
   */
  specversion: "1.0";
  /**
   * id of the round that it belongs to; absent between rounds
   */
  subject?: string;
  /**
   * wall time in UTC. Never order by it
   */
  time: string;
  /**
   * `pitwire.<noun>.<verb>.v1`
   */
  type: string;
  /**
   * who sent the command that caused it, as the bus or the kernel knows them; absent where no command did
   */
  user?: string;
}
/**
 * A card lies face up in a slot.
 */
export interface CardDealt {
  rank: Rank;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
  /**
   * which card out of this shoe it is, from 1
   */
  shoe_position: number;
  /**
   * a place for a card: `player.1`, `dealer.2`, `box4.hand2.card3`, `burn.5`
   */
  slot: string;
  suit: Suit;
}
/**
 * The same physical card was reported again by the device; it counts once.
 */
export interface CardDuplicateSuppressed {
  rank: Rank;
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
  suit: Suit;
}
/**
 * The one answer to a peek: whether the face-down card makes a blackjack.
 *
 * The server asked (`hole_card.peek`), or the dealer looked at the card on its reader.
 */
export interface CardPeeked {
  /**
   * whether it does
   */
  answer: boolean;
  /**
   * opens the commitment of that question, as 64 hex digits
   */
  nonce: string;
  question: PeekQuestion;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
  /**
   * a place for a card: `player.1`, `dealer.2`, `box4.hand2.card3`, `burn.5`
   */
  slot: string;
}
/**
 * Turn a face-down card.
 */
export interface RevealCardCommand {
  /**
   * what is asked for
   */
  command: "card.reveal";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * the round it lies in; null for a burned card
   */
  round_id?: string | null;
  /**
   * a place for a card: `player.1`, `dealer.2`, `box4.hand2.card3`, `burn.5`
   */
  slot: string;
}
/**
 * A face-down card was turned; the nonces open its commitments.
 */
export interface CardRevealed {
  /**
   * opens `commitments.ace`, likewise
   */
  ace_nonce: string;
  /**
   * opens `commitments.card`, as 64 hex digits
   */
  card_nonce: string;
  rank: Rank;
  /**
   * the round it lay in; null for a burned card
   */
  round_id: string | null;
  /**
   * a place for a card: `player.1`, `dealer.2`, `box4.hand2.card3`, `burn.5`
   */
  slot: string;
  suit: Suit;
  /**
   * opens `commitments.ten`, likewise
   */
  ten_nonce: string;
  /**
   * its round is void: the card counts for nothing
   */
  voided?: boolean;
}
/**
 * A card lies face down in a slot, and only the table itself knows it.
 */
export interface CardSealed {
  commitments: Commitments;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
  /**
   * which card out of this shoe it is, from 1
   */
  shoe_position: number;
  /**
   * a place for a card: `player.1`, `dealer.2`, `box4.hand2.card3`, `burn.5`
   */
  slot: string;
}
/**
 * A card passed the reader without being identified.
 */
export interface CardUnreadSeen {
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
  /**
   * where it would have gone; null where no card was due
   */
  slot: string | null;
}
/**
 * The wall clock was set. Order and durations do not depend on it.
 */
export interface ClockStepped {
  /**
   * by how many seconds, forward or (negative) back
   */
  by_s: number;
}
/**
 * Another dealer takes the table.
 */
export interface ChangeDealerCommand {
  /**
   * the new dealer's badge
   */
  badge: string;
  /**
   * what is asked for
   */
  command: "dealer.change";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
}
/**
 * Another dealer has the table.
 */
export interface DealerChanged {
  /**
   * the new dealer's badge
   */
  badge: string;
}
/**
 * What a player chose for a hand.
 */
export interface DecideCommand {
  action: PlayerAction;
  /**
   * a player's betting place, from 1
   */
  box: number;
  /**
   * what is asked for
   */
  command: "decision";
  /**
   * a double whose card is dealt face down
   */
  dark?: boolean;
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * which hand of the box, from 1; a split makes another
   */
  hand: number;
  /**
   * how many cards of the hand the sender has seen; null: it does not say
   */
  hand_cards?: number | null;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * A player's decision was let in. What becomes of it follows as further events.
 */
export interface DecisionMade {
  action: PlayerAction;
  /**
   * a player's betting place, from 1
   */
  box: number;
  /**
   * a double whose card is dealt face down
   */
  dark?: boolean;
  /**
   * which hand of the box, from 1; a split makes another
   */
  hand: number;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * The device's link is open.
 */
export interface DeviceConnected {
  /**
   * what the device is: its key in the configuration
   */
  device: string;
  role: Role;
  /**
   * bytes that lay in the port before it was opened: they were not applied. Where cards may lie face down they are told by the kilobyte, rounded up
   */
  stale_bytes?: number;
  /**
   * the port or address that was opened
   */
  where: string;
  /**
   * what the link itself says of the device, its USB side's kind and serial number; null where it says nothing
   */
  wire?: string | null;
}
/**
 * The device's link went away or could not be opened.
 */
export interface DeviceDisconnected {
  /**
   * what the device is: its key in the configuration
   */
  device: string;
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
  role: Role;
}
/**
 * The device that is there now is the table's own, until another is enrolled.
 */
export interface EnrolDeviceCommand {
  /**
   * what is asked for
   */
  command: "device.enrol";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  role: Role;
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * A person says that this device is the table's own.
 */
export interface DeviceEnrolled {
  /**
   * what the device is: its key in the configuration
   */
  device: string;
  /**
   * what it is told from others by: its link's serial number, or what it says of itself
   */
  known_by: string;
  role: Role;
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * The device reports a fault, or its bytes are rejected too often.
 */
export interface DeviceFaulted {
  /**
   * the fault's name, until a `device.recovered` of the same name: `garbled`, `not_enrolled`, `second_reader`, `shoe_error_4` and others. A new version may have more
   */
  condition: string;
  /**
   * what exactly, in words for people; no program should read it
   */
  detail: string;
  /**
   * what the device is: its key in the configuration
   */
  device: string;
  role: Role;
}
/**
 * The device said what it is.
 */
export interface DeviceIdentified {
  /**
   * what the device is: its key in the configuration
   */
  device: string;
  role: Role;
  /**
   * in the device's own words
   */
  text: string;
}
/**
 * A condition that was reported by `device.faulted` or `device.stale` is over.
 */
export interface DeviceRecovered {
  /**
   * the name it was reported by; `silent` ends a `device.stale`
   */
  condition: string;
  /**
   * what the device is: its key in the configuration
   */
  device: string;
  role: Role;
}
/**
 * The link is open but the device has been silent for longer than a healthy one is.
 */
export interface DeviceStale {
  /**
   * what the device is: its key in the configuration
   */
  device: string;
  role: Role;
  /**
   * for how long it has been silent, in seconds
   */
  silent_s: number;
}
/**
 * A sure result: what the dice of this round's throw show.
 */
export interface DiceLanded {
  /**
   * what the three dice show, in the order in which they lie; the order means nothing
   *
   * @minItems 3
   * @maxItems 3
   */
  faces: [Face, Face, Face];
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * The tombstone of an event that the bus refuses for good: its seq is accounted for.
 */
export interface EventWithheld {
  /**
   * why the bus refuses it, in its words
   */
  reason: string;
  /**
   * seq of that event, which is this one's own
   */
  withheld_seq: number;
}
/**
 * Nothing more is decided for this hand.
 */
export interface HandResolved {
  /**
   * a player's betting place, from 1
   */
  box: number;
  end: HandEnd;
  /**
   * which hand of the box, from 1; a split makes another
   */
  hand: number;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
  /**
   * the hand's points; null where a card of it lies face down
   */
  total: number | null;
}
/**
 * The hand's second card is the first of a new hand now.
 */
export interface HandSplit {
  /**
   * a player's betting place, from 1
   */
  box: number;
  /**
   * the hand that is split; it keeps its number
   */
  hand: number;
  /**
   * slot in which the second card lay
   */
  moved_from: string;
  /**
   * slot in which it lies now
   */
  moved_to: string;
  /**
   * number of the hand that begins
   */
  new_hand: number;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * Tell whether the dealer has a blackjack, and nothing else of the hole card.
 *
 * Refused as `peek_not_allowed` where the dealer's look on the reader has told it already.
 */
export interface PeekHoleCardCommand {
  /**
   * what is asked for
   */
  command: "hole_card.peek";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * A person has inspected a part of the table. The newest of a part counts, until the day ends.
 */
export interface RecordInspectionCommand {
  /**
   * what is asked for
   */
  command: "inspection.record";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * what was found, and what was done
   */
  note?: string | null;
  result: InspectionResult;
  what: Inspected;
  /**
   * the person who did it
   */
  who: string;
}
/**
 * A person has inspected a part of the table.
 */
export interface InspectionRecorded {
  /**
   * the table's own day, by which it counts; null where nobody tells it, as in a replay
   */
  day: string | null;
  /**
   * what was found, and what was done; null: nothing was said
   */
  note: string | null;
  result: InspectionResult;
  what: Inspected;
  /**
   * the person who did it
   */
  who: string;
}
/**
 * No more insurance in this round.
 */
export interface CloseInsuranceCommand {
  /**
   * what is asked for
   */
  command: "insurance.close";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * No more insurance in this round.
 */
export interface InsuranceClosed {
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * Boxes may take insurance from now on.
 */
export interface InsuranceOpened {
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * Another bridge serves the table: this one has stopped reading its devices.
 */
export interface LeaseLost {
  /**
   * which bridge that is, in words for people
   */
  owner: string;
}
/**
 * This bridge serves the table from here on.
 */
export interface LeaseTaken {
  /**
   * the lease's number now. The bus takes events under its newest number alone; it grows when another bridge takes the lease, or this one shows that it has it
   */
  fencing_number: number;
  /**
   * which bridge this is, in words for people
   */
  owner: string;
}
/**
 * The devices count again.
 */
export interface FinishMaintenanceCommand {
  /**
   * what is asked for
   */
  command: "maintenance.finish";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * The devices count again.
 */
export interface MaintenanceFinished {
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * From now on readings are shown and journalled, and no game sees them.
 */
export interface StartMaintenanceCommand {
  /**
   * what is asked for
   */
  command: "maintenance.start";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * Readings are shown and journalled, and no game sees them.
 */
export interface MaintenanceStarted {
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * The dealer's word for the pocket of a spin that the wheel did not prove to be valid.
 */
export interface AnnounceResultCommand {
  /**
   * what is asked for
   */
  command: "result.announce";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * a pocket of the wheel, as it is written there
   */
  pocket: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * A second source stated the result. It never makes one, it can only contradict.
 */
export interface ResultAnnounced {
  /**
   * whether that is what the cards say; if not, `result_conflict` holds the table
   */
  agrees: boolean;
  /**
   * it says that the banker's first two cards are a pair
   */
  banker_pair: boolean;
  /**
   * it says that the player's first two cards are a pair
   */
  player_pair: boolean;
  source: ResultAnnouncedSource;
  winner: Winner;
}
/**
 * A person stated the value of a slot or a pocket. Never an edit of an earlier event.
 */
export interface ResultEnteredManually {
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
  /**
   * another person who saw it; null where a device had stated that value too
   */
  second_who?: string | null;
  /**
   * what the value is of: a card's slot, `pocket` or `dice`
   */
  slot: string;
  /**
   * a card's two letters, a pocket, or three faces with spaces between them
   */
  value: string;
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * No more bets.
 */
export interface RoundBetsClosed {
  /**
   * that are in play from now on, in table order; null: the game has no boxes
   */
  boxes?: number[] | null;
  by: BetsClosedBy;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
  /**
   * the violation that the supervisor resolved so; null where another closed them
   */
  violation_id?: string | null;
}
/**
 * What the round waits for from the table server is another now, whether it is held or not.
 */
export interface RoundCommandsAwaited {
  /**
   * all that would be obeyed, but for those that are possible in any round; none: a card, a ball or dice are due
   */
  commands: AwaitedCommand[];
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * How a round of baccarat ended.
 */
export interface BaccaratOutcome {
  /**
   * the banker's first two cards are of one rank
   */
  banker_pair: boolean;
  /**
   * points of the banker's hand, modulo ten
   */
  banker_total: number;
  /**
   * the cards in deal order
   */
  cards: DealtCard[];
  game: BaccaratOutcomeGame;
  /**
   * a hand had eight or nine with its first two cards
   */
  natural: boolean;
  /**
   * the player's first two cards are of one rank
   */
  player_pair: boolean;
  /**
   * points of the player's hand, modulo ten
   */
  player_total: number;
  winner: BaccaratOutcomeWinner;
}
/**
 * A card in its slot, as listed by an outcome.
 */
export interface DealtCard {
  rank: Rank;
  /**
   * a place for a card: `player.1`, `dealer.2`, `box4.hand2.card3`, `burn.5`
   */
  slot: string;
  suit: Suit;
}
/**
 * A hand at the end of its round.
 */
export interface BlackjackHand {
  /**
   * a player's betting place, from 1
   */
  box: number;
  /**
   * it was doubled, and has one card more for it
   */
  doubled: boolean;
  /**
   * which hand of the box, from 1; a split makes another
   */
  hand: number;
  result: BlackjackHandResult;
  /**
   * its points
   */
  total: number;
}
/**
 * How a round of blackjack ended.
 */
export interface BlackjackOutcome {
  /**
   * the cards in deal order
   */
  cards: DealtCard[];
  /**
   * the dealer has 21 with the first two cards
   */
  dealer_blackjack: boolean;
  /**
   * points of the dealer's hand
   */
  dealer_total: number;
  game: BlackjackOutcomeGame;
  /**
   * every hand, box by box; one that was split off stands after the one it came from
   */
  hands: BlackjackHand[];
  /**
   * the boxes that took insurance
   */
  insured: number[];
  /**
   * their slots in the order in which the house's dealer picks them up
   */
  pick_up: string[];
}
/**
 * The higher rank won, ace low.
 */
export interface DragonTigerOutcome {
  dragon: DealtCard;
  game: DragonTigerOutcomeGame;
  /**
   * the two cards are alike in suit too
   */
  suited_tie: boolean;
  tiger: DealtCard;
  winner: DragonTigerOutcomeWinner;
}
/**
 * The higher rank won, ace high.
 */
export interface FootballStudioOutcome {
  away: DealtCard;
  game: FootballStudioOutcomeGame;
  home: DealtCard;
  winner: FootballStudioOutcomeWinner;
}
/**
 * The pocket and what it is.
 */
export interface RouletteOutcome {
  colour: RouletteOutcomeColour;
  /**
   * 1, 2 or 3; null for a zero
   */
  column: number | null;
  /**
   * 1, 2 or 3; null for a zero
   */
  dozen: number | null;
  game: RouletteOutcomeGame;
  /**
   * low: 1 to 18, high: 19 to 36; null for a zero
   */
  half: RouletteOutcomeHalf | null;
  /**
   * its place on the wheel, clockwise from zero, which is 0
   */
  index: number;
  /**
   * null for a zero
   */
  parity: RouletteOutcomeParity | null;
  /**
   * a pocket of the wheel, as it is written there
   */
  pocket: string;
}
/**
 * What three dice come to.
 */
export interface SicBoOutcome {
  /**
   * what the three dice show, in the order in which they lie; the order means nothing
   *
   * @minItems 3
   * @maxItems 3
   */
  faces: [Face, Face, Face];
  game: SicBoOutcomeGame;
  /**
   * small: 4 to 10, big: 11 to 17; null for a triple
   */
  size: SicBoOutcomeSize | null;
  /**
   * the sum of the faces
   */
  total: number;
  /**
   * the three faces are the same
   */
  triple: boolean;
}
/**
 * The round is over and this is its outcome. Published once per round.
 */
export interface RoundCompleted {
  outcome: Outcome;
  /**
   * digest of the house's rules in force
   */
  profile: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * No slot is filled and no outcome leaves until the violations are resolved.
 */
export interface RoundHeld {
  /**
   * decisions on earlier violations, which wait for the end of this hold
   */
  decided?: WaitingDecision[];
  /**
   * what happened, in words for people
   */
  reason: string;
  /**
   * the open round; null between rounds
   */
  round_id: string | null;
  /**
   * ids of the open violations, in the order in which they were raised
   */
  violations: string[];
}
/**
 * Open a round for bets. The bets decide which boxes are in play: `bets.close` may name others.
 */
export interface OpenRoundCommand {
  /**
   * that are in play, where they are known already: from 1
   *
   * @maxItems 32
   */
  boxes?: number[];
  /**
   * what is asked for
   */
  command: "round.open";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * a name for the round that no round had before
   */
  round_id: string;
}
/**
 * A round is open for bets.
 */
export interface RoundOpened {
  /**
   * that are named already, in table order; the bets may change them until they are closed; null: the game has no boxes
   */
  boxes?: number[] | null;
  /**
   * digest of the house's rules in force
   */
  profile: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * The last open violation was resolved; play goes on.
 */
export interface RoundResumed {
  /**
   * the open round; null where none is, or it was voided
   */
  round_id: string | null;
}
/**
 * Void the open round.
 */
export interface VoidRoundCommand {
  /**
   * what is asked for
   */
  command: "round.void";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * The outcome cannot be known: the house has to void the round.
 */
export interface RoundVoidRequired {
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * The round was voided; nothing of it is settled.
 */
export interface RoundVoided {
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
}
/**
 * The pit boss took a card out of the shoe or put one in while it was verified.
 */
export interface ShoeCardReplaced {
  /**
   * the card that was put in, by its two letters; null where none was
   */
  added: string | null;
  /**
   * the card that was taken out, by its two letters; null where none was
   */
  removed: string | null;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * The shoe leaves play. Legal between rounds.
 *
 * Where the house verifies shoes and cards of it were dealt, the count of the rest begins, and it leaves when that is over. `shoe.verify.start` counts all of them instead.
 */
export interface CloseShoeCommand {
  /**
   * what is asked for
   */
  command: "shoe.close";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
}
/**
 * The shoe is out of play, and whatever verified it is void.
 */
export interface ShoeClosed {
  /**
   * cards that have left it
   */
  cards_out: number;
  /**
   * what of them was counted then: all, or the rest that was not dealt; null: nothing
   */
  counted?: ShoePart | null;
  end_check?: EndCheck;
  /**
   * how many of each card, by its two letters, left it
   */
  known: {
    [k: string]: number;
  };
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
  /**
   * how many of each card are too many for its decks; no card is proven to be missing
   */
  surplus: {
    [k: string]: number;
  };
  /**
   * cards that left it face down or unread and were not told since
   */
  unknown: number;
  /**
   * when its cards were verified to be whole decks
   */
  verified: ShoeMoment[];
}
/**
 * The cards of the shoe are not whole decks: it is not released.
 */
export interface ShoeCompositionFailed {
  /**
   * cards that there are, by name or without one
   */
  accounted: number;
  /**
   * that passed the scanner and were identified
   */
  cards: number;
  counted: ShoePart;
  /**
   * decks of 52 cards in the shoe
   */
  decks: number;
  /**
   * cards in its decks
   */
  expected: number;
  /**
   * how many of each card, by its two letters, are missing. Named only where no card is unknown: else what is missing would tell what lies face down
   */
  missing: {
    [k: string]: number;
  };
  /**
   * dealer and pit boss
   *
   * @minItems 2
   * @maxItems 2
   */
  names: [string, string];
  /**
   * times that the pit boss replaced a card
   */
  replaced: number;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
  /**
   * how many of each card are too many
   */
  surplus: {
    [k: string]: number;
  };
  /**
   * seconds from `shoe.verify_started` on; null over a restart of the machine
   */
  took_s: number | null;
  /**
   * that left the shoe face down or unread and were not told since; to the rest they are counted without a name
   */
  unknown: number;
  /**
   * passes on which the scanner identified nothing
   */
  unread: number;
  when: ShoeMoment;
}
/**
 * The cut card came out.
 */
export interface ShoeCutCardSeen {
  /**
   * cards left in it by count, from the decks loaded
   */
  cards_left: number;
  /**
   * cards that have left this shoe
   */
  cards_out: number;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
}
/**
 * A shoe is ready at the table.
 */
export interface LoadShoeCommand {
  /**
   * what is asked for
   */
  command: "shoe.load";
  /**
   * how many decks it holds; required where the profile states none
   */
  decks?: number | null;
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * names its pack of cards: one that left this table is verified before it is dealt from
   */
  shoe_id: string;
}
/**
 * A shoe is in play from now on.
 */
export interface ShoeLoaded {
  by: ShoeLoadedBy;
  /**
   * decks of 52 cards in the shoe
   */
  decks: number;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
}
/**
 * The shoe that was loaded left this table before: no card is dealt before it is verified.
 */
export interface ShoeReturned {
  end_check: EndCheck;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
}
/**
 * The cards of the shoe are whole decks: none is missing and none too many.
 */
export interface ShoeVerified {
  /**
   * that passed the scanner and were identified
   */
  cards: number;
  counted: ShoePart;
  /**
   * decks of 52 cards in the shoe
   */
  decks: number;
  /**
   * dealer and pit boss
   *
   * @minItems 2
   * @maxItems 2
   */
  names: [string, string];
  /**
   * times that the pit boss replaced a card
   */
  replaced: number;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
  /**
   * seconds from `shoe.verify_started` on; null over a restart of the machine
   */
  took_s: number | null;
  /**
   * that left the shoe face down or unread and were not told since; to the rest they are counted without a name
   */
  unknown: number;
  /**
   * passes on which the scanner identified nothing
   */
  unread: number;
  when: ShoeMoment;
}
/**
 * Every card has passed.
 */
export interface FinishVerifyCommand {
  /**
   * what is asked for
   */
  command: "shoe.verify.finish";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * the dealer, and the pit boss who stood by
   *
   * @minItems 2
   * @maxItems 2
   */
  names: [string, string];
}
/**
 * The pit boss replaces a card while the shoe is verified. Cards by their two letters.
 */
export interface ReplaceCardCommand {
  /**
   * one that is put in; it passes the scanner like every other
   */
  added?: string | null;
  /**
   * what is asked for
   */
  command: "shoe.verify.replace";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * one that was counted and is taken out: damaged, or one too many; refused while cards lie face down, since the answer would tell which
   */
  removed?: string | null;
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * From now on cards pass the scanner to be counted, in any order. Between rounds; again: anew.
 */
export interface StartVerifyCommand {
  cards?: ShoePart;
  /**
   * what is asked for
   */
  command: "shoe.verify.start";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
}
/**
 * Cards pass the scanner to be counted, until `shoe.verified`; no round opens meanwhile.
 *
 * A failed count goes on: `shoe.composition_failed`, then what was missing, then another verdict.
 */
export interface ShoeVerifyStarted {
  counted: ShoePart;
  /**
   * decks of 52 cards in the shoe
   */
  decks: number;
  /**
   * the shoe, as `shoe.load` named it
   */
  shoe_id: string;
  when: ShoeMoment;
}
/**
 * This run of the ball gives no result: it was launched again, was lost, or counts for nothing.
 *
 * What that means for the round is a violation's to say. Leaves only when bets are closed.
 */
export interface SpinAbandoned {
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
  /**
   * the wheel's own number of the spin, which starts over, or ours where it numbers none
   */
  spin: number;
}
/**
 * The ball runs in the rim. Leaves only when bets are closed.
 */
export interface SpinBallInRim {
  /**
   * the wheel's own number of the spin, which starts over, or ours where it numbers none
   */
  spin: number;
}
/**
 * The spin does not count, whatever the pocket.
 */
export interface SpinInvalid {
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
  /**
   * its round is spun again, with the bets as they are
   */
  respin?: boolean;
  /**
   * the wheel's own number of the spin, which starts over, or ours where it numbers none
   */
  spin: number;
}
/**
 * A sure result: two statements of the wheel agree.
 */
export interface SpinLanded {
  /**
   * the rotor's; the ball runs against it. null where the wheel does not state it
   */
  direction: Direction | null;
  /**
   * the ball went round the track at least so many times, by what the wheel's lines prove; null where nothing does
   */
  laps: number | null;
  /**
   * and at most so many times; null where nothing proves it
   */
  laps_most?: number | null;
  /**
   * a pocket of the wheel, as it is written there
   */
  pocket: string;
  /**
   * the round, as `round.open` named it, or the table where it opens them
   */
  round_id: string;
  /**
   * the wheel's own number of the spin, which starts over, or ours where it numbers none
   */
  spin: number;
}
/**
 * The ball has slowed: the wheel's own end of betting.
 */
export interface SpinNoMoreBets {
  /**
   * the wheel's own number of the spin, which starts over, or ours where it numbers none
   */
  spin: number;
}
/**
 * A result known only from a single or a later statement: doubtful, never an outcome.
 */
export interface SpinRecovered {
  /**
   * a pocket of the wheel, as it is written there
   */
  pocket: string;
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
  /**
   * the wheel's own number of the spin, which starts over, or ours where it numbers none
   */
  spin: number;
}
/**
 * The wheel is launching the ball of this spin. Leaves only when bets are closed.
 */
export interface SpinStarted {
  /**
   * the wheel's own number of the spin, which starts over, or ours where it numbers none
   */
  spin: number;
}
/**
 * No daemon serves the table: its will or its farewell on MQTT.
 */
export interface TableAway {
  mode: Mode;
  /**
   * no daemon serves the table
   */
  state: "away";
  /**
   * id of the table in the configuration
   */
  table: string;
}
/**
 * The bus had lost events that it had acknowledged; they went out again before this one.
 */
export interface StreamRecreated {
  /**
   * the epoch of the first of them that the journal still has
   */
  from_epoch: string;
  /**
   * its number in that epoch
   */
  from_seq: number;
  /**
   * the epoch of the last of them
   */
  to_epoch: string;
  /**
   * its number in that epoch
   */
  to_seq: number;
}
/**
 * What the events of a table have told of its play so far.
 */
export interface PlayState {
  /**
   * the badge of the dealer that was named last; null: none was
   */
  dealer?: string | null;
  /**
   * supervisors' decisions that take effect when the last hold is resolved
   */
  decided?: WaitingDecision[];
  /**
   * the devices' readings do not count
   */
  maintenance?: boolean;
  /**
   * the open round; null between rounds
   */
  round?: RoundState | null;
  /**
   * the run of the ball that is under way, if one was told
   */
  spin?: RunningSpin | null;
  /**
   * those that hold the table
   */
  violations?: HoldingViolation[];
}
/**
 * The bridge restarted and took the table up again.
 */
export interface TableRecovered {
  /**
   * what came out otherwise than before; null: nothing did
   */
  differs?: string | null;
  /**
   * the round that is open still; null where none is
   */
  open_round: string | null;
  /**
   * told anew, where the table is in another state than its events have told; null: it is in that state
   */
  play?: PlayState | null;
  /**
   * why it had to, in words for people
   */
  reason: string;
  /**
   * journal records that were played again to get there
   */
  records_replayed: number;
}
/**
 * Publish events of this epoch again, those that the bus has had. Changes nothing.
 */
export interface ResendEventsCommand {
  /**
   * what is asked for
   */
  command: "table.resend";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * seq of the first event that is wanted
   */
  from_seq: number;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * seq of the last; null: every event from the first on
   */
  to_seq?: number | null;
}
/**
 * The first event of an epoch.
 */
export interface TableStarted {
  game: GameKey;
  /**
   * what goes on from the epoch before: a consumer that begins here lacks nothing; null: nothing goes on
   */
  play?: PlayState | null;
  /**
   * the epoch before; null where neither the journal nor the bus knows one
   */
  previous: string | null;
  /**
   * name of the house's rules in the configuration
   */
  profile_key: string;
  /**
   * why an epoch begins: `first_start`, `replay`, or what happened to the journal
   */
  reason: string;
}
/**
 * Answer with the whole open round. Changes nothing.
 */
export interface ShowStatusCommand {
  /**
   * what is asked for
   */
  command: "table.status";
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
}
/**
 * The bridge stopped in good order.
 */
export interface TableStopped {
  /**
   * what happened, in words for people; no program should read it
   */
  reason: string;
}
/**
 * Something is against the rules or cannot be known. It waits for a supervisor.
 */
export interface ViolationRaised {
  code: ViolationCode;
  /**
   * what happened, in words for people
   */
  detail: string;
  /**
   * what was due, in words; null where nothing was
   */
  expected: string | null;
  /**
   * whether the table is held until a supervisor resolves it; if not, it is on record alone
   */
  holds: boolean;
  /**
   * what the device said; null where it said nothing, or it may be of a hidden card
   */
  read: string | null;
  /**
   * what `violation.resolve` allows; none where it does not hold
   */
  resolutions: ResolveAction[];
  /**
   * the open round, if it is about that; a `late_result` never is
   */
  round_id: string | null;
  /**
   * which rule it breaks, in words
   */
  rule: string;
  /**
   * where it touches the round: a card's slot, `pocket` or `dice`; null: nowhere
   */
  slot: string | null;
  /**
   * the violation's name, unique within its table and epoch
   */
  violation_id: string;
}
/**
 * A supervisor's decision on an open violation.
 */
export interface ResolveViolationCommand {
  action: ResolveAction;
  /**
   * to correct a card: the right one, by its two letters
   */
  card?: string | null;
  /**
   * what is asked for
   */
  command: "violation.resolve";
  /**
   * to correct a throw: three faces
   */
  dice?: [Face, Face, Face] | null;
  /**
   * refused from then on, by the clock of pitwire's PC, and where it lies more than a day ahead
   */
  expires: string;
  /**
   * the sender's name for it. Same id, same answer, for a week
   */
  id: string;
  /**
   * to correct a spin: the right pocket
   */
  pocket?: string | null;
  /**
   * another person who saw it, where no device has stated that value
   */
  second_who?: string | null;
  /**
   * the violation's name, unique within its table and epoch
   */
  violation_id: string;
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * A supervisor decided.
 */
export interface ViolationResolved {
  action: ResolveAction;
  /**
   * the card that was named to correct it, by its two letters; null where none was
   */
  card?: string | null;
  code: ViolationCode;
  /**
   * the violation's name, unique within its table and epoch
   */
  violation_id: string;
  /**
   * the person who decided it
   */
  who: string;
  /**
   * that person's reason, in their words
   */
  why: string;
}
/**
 * The pockets come up as on a fair wheel they hardly ever would. It holds nothing.
 */
export interface WheelDriftSuspected {
  /**
   * the rotor's, where the spins of that direction alone show it most; null: all spins
   */
  direction: Direction | null;
  /**
   * `sector`: evidence against a fair wheel, which ever reaches e with 1/e at most; else null
   */
  e_value: number | null;
  /**
   * how many more than expected, as a part of them: 0.1 is a tenth more
   */
  excess: number;
  /**
   * how many of them fall there on a fair wheel
   */
  expected: number;
  /**
   * how many of them fell there
   */
  hits: number;
  /**
   * `pockets`: how often a fair wheel is as uneven as that, from 0 to 1; else null
   */
  p_value: number | null;
  /**
   * the sector that is meant, clockwise; for `pockets` the one that is furthest off
   */
  pockets: string[];
  /**
   * how many spins that is, since the count began
   */
  spins: number;
  test: WheelDriftSuspectedTest;
}
/**
 * The wheel answered a self-test. A test that fails gives one of these for each fault.
 */
export interface WheelSelfTested {
  /**
   * the wheel's own number of the finding
   */
  code: number;
  /**
   * what that number means, in words
   */
  meaning: string;
  /**
   * whether the test found nothing, which is code 0
   */
  passed: boolean;
}
