// An example of what a table server does: a house that opens rounds, closes bets, decides and settles.
//
// What it settles, it takes from the events alone. What it may send next, it takes from the status, and
// only where it knows all that the status speaks of: so it has no rules of any game.

import { type Order, remedyOf } from "./commands.mjs";
import type {
  Answer,
  AwaitedCommand,
  Command,
  Event,
  Outcome,
  RoundState,
  TableStatus,
} from "./messages.mjs";
import type { TableServer } from "./nats_table.mjs";
import type { Told } from "./table_feed.mjs";

/** How long a command is left alone that was refused for a while. */
const LATER_MS = 5_000;

export interface HouseRules {
  /** As whom the bus knows it: what it opened, it settles. */
  user: string;
  /** How many rounds it plays. */
  rounds: number;
  /** How long bets are taken. */
  betting_ms: number;
  /** Boxes with a bet, where the game has boxes. */
  boxes: number[];
  /** Decks of a shoe, where the game has one. */
  decks: number | null;
  /** A name that nothing had before. */
  name: () => string;
  /** Where its lines go. */
  say: (line: object) => void;
}

/** A round that this house has opened, and how it ended. */
interface Round {
  outcome: Outcome | null;
  void: boolean;
}

export class House implements TableServer {
  readonly rounds = new Map<string, Round>();
  #over: string | null = null;
  #opened: { round_id: string; at: number } | null = null;
  /** Nothing is sent before the status is this far. */
  #after: { epoch: string; seq: number } | null = null;
  #notBefore = -Infinity;
  #later = false;
  #said = "";

  constructor(readonly rules: HouseRules) {}

  get finished(): boolean {
    const ended = [...this.rounds.values()].filter((round) => round.outcome !== null || round.void);
    return ended.length >= this.rules.rounds;
  }

  // --- what the table tells ---------------------------------------------------------------------

  told(told: Told, live: boolean): void {
    if ("lost" in told) {
      this.#over = `events ${told.lost.from} to ${told.lost.to} of ${told.lost.epoch} never come: settle by hand`;
      return;
    }
    const { event } = told;
    if (live) this.rules.say({ applied: event.type, epoch: event.epoch, sequence: Number(event.sequence) });
    const settled = this.#apply(event);
    if (settled && live) this.rules.say(settled);
  }

  #apply(event: Event): object | null {
    switch (event.type) {
      case "pitwire.round.opened.v1":
        if (event.user === this.rules.user) this.rounds.set(event.data.round_id, { outcome: null, void: false });
        return null;
      case "pitwire.round.completed.v1": {
        const { round_id, outcome } = event.data;
        const round = this.rounds.get(round_id);
        if (!round) return null;
        if (round.outcome || round.void) throw new Error(`round ${round_id} ended twice`);
        round.outcome = outcome;
        return { settled: round_id, outcome };
      }
      case "pitwire.round.voided.v1": {
        const { round_id } = event.data;
        const round = this.rounds.get(round_id);
        if (!round) return null;
        if (round.outcome || round.void) throw new Error(`round ${round_id} ended twice`);
        round.void = true;
        return { void: round_id };
      }
      case "pitwire.event.withheld.v1":
        this.#over = `event ${event.data.withheld_seq} of ${event.epoch} never comes: settle by hand`;
        return null;
      case "pitwire.table.started.v1":
        return this.#startEpoch(event.data.play?.round?.round_id ?? null);
      default:
        return null;
    }
  }

  /**
   * A round that the new epoch does not name gets no outcome any more: its bets go back. Where events
   * never come, they may have been its outcome: a person decides.
   */
  #startEpoch(open: string | null): object | null {
    if (this.#over !== null) return null;
    const gone = [...this.rounds].find(([id, round]) => id !== open && !round.outcome && !round.void);
    if (!gone) return null;
    gone[1].void = true;
    return { void: gone[0], because: "the new epoch does not have it" };
  }

  answered(answer: Answer, bytes: string, live: boolean): void {
    const command = JSON.parse(bytes) as Command;
    if (live) this.rules.say({ command: command.command, answer: answer.answer });
    if (answer.answer === "accepted") {
      this.#after = { epoch: answer.epoch, seq: answer.seq };
      return;
    }
    const remedy = remedyOf(answer.reason);
    if (remedy === "give_up") this.#over = `${command.command}: ${answer.reason} ${answer.detail ?? ""}`;
    const at_once = remedy === "once_more" || remedy === "look_again";
    const seq = (answer.seq ?? 0) + (at_once || answer.seq === undefined || remedy === "later" ? 0 : 1);
    this.#after = { epoch: answer.epoch, seq };
    this.#later = remedy === "later" || remedy === "once_more";
    if (live) this.trouble(`${command.command}: ${answer.reason}: ${remedy} ${answer.detail ?? ""}`);
  }

  trouble(text: string): void {
    this.rules.say({ trouble: text });
  }

  #sayOnce(text: string): void {
    if (this.#said !== text) this.trouble(text);
    this.#said = text;
  }

  // --- what it sends ----------------------------------------------------------------------------

  next(status: TableStatus | null, now: number): Order | null {
    if (this.#over !== null) this.#sayOnce(this.#over);
    if (this.#later) [this.#later, this.#notBefore] = [false, now + LATER_MS];
    const waits = this.#over !== null || now < this.#notBefore || !status || this.#isBefore(status);
    if (waits || status.state !== "open") return null;
    return status.round ? this.#inRound(status.round, now) : this.#betweenRounds(status);
  }

  #isBefore(status: TableStatus): boolean {
    return this.#after?.epoch === status.epoch && status.seq < this.#after.seq;
  }

  #betweenRounds(status: TableStatus): Order | null {
    if (this.finished) return null;
    if (this.rules.decks !== null && !status.shoe) {
      return { command: "shoe.load", shoe_id: this.rules.name(), decks: this.rules.decks };
    }
    return { command: "round.open", round_id: this.rules.name() };
  }

  #inRound(round: RoundState, now: number): Order | null {
    const { round_id } = round;
    if (!this.rounds.has(round_id)) {
      this.#sayOnce(`round ${round_id} is open, and not of this log: a person decides`);
      return null;
    }
    if (round.phase === "betting") {
      if (this.#opened?.round_id !== round_id) this.#opened = { round_id, at: now };
      if (now - this.#opened.at < this.rules.betting_ms) return null;
      const { boxes } = this.rules;
      return { command: "bets.close", round_id, ...(boxes.length ? { boxes } : {}) };
    }
    const awaited = round.awaited ?? [];
    return awaited.map((one) => orderOf(round_id, one)).find((order) => order !== null) ?? null;
  }
}

/** Return what a cautious player, or the house, says to what is awaited: no insurance, no further card. */
function orderOf(round_id: string, awaited: AwaitedCommand): Order | null {
  const { box, hand, slot, actions } = awaited;
  switch (awaited.command) {
    case "insurance.close":
    case "hole_card.peek":
      return { command: awaited.command, round_id };
    case "card.reveal":
      return slot ? { command: "card.reveal", round_id, slot } : null;
    case "decision":
      return box && hand && actions?.includes("stand")
        ? { command: "decision", round_id, box, hand, action: "stand" }
        : null;
    default:
      return null;
  }
}
