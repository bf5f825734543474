// Commands, from their bytes to their answer, as docs/table-server.md says, "To send commands".
//
// A command is made once and stored before it is sent. Without an answer the same bytes are sent again:
// only an answer says what became of it, `expired` included.

import type { Answer, Command, KnownRefusal } from "./messages.mjs";

/** How long a command is good for on its way. */
export const EXPIRES_MS = 10_000;
/** How long after a command the same bytes are sent again. */
export const RETRY_MS = 2_000;
/** How long an answer can be had: answers are kept for seven days, and clocks differ. */
export const ANSWERED_MS = 6 * 86_400_000;

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A command but for its id and its end. */
export type Order = Without<Command, "id" | "expires">;
export type Authority = "read" | "play" | "supervise" | "maintain";

const AUTHORITIES: Record<Command["command"], Authority> = {
  "table.status": "read",
  "table.resend": "read",
  "round.open": "play",
  "bets.close": "play",
  decision: "play",
  "insurance.close": "play",
  "hole_card.peek": "play",
  "card.reveal": "play",
  burn: "play",
  "result.announce": "play",
  "dealer.change": "play",
  "shoe.load": "play",
  "shoe.verify.start": "play",
  "shoe.verify.finish": "play",
  "shoe.close": "play",
  "violation.resolve": "supervise",
  "round.void": "supervise",
  "shoe.verify.replace": "supervise",
  "inspection.record": "supervise",
  "device.enrol": "maintain",
  "maintenance.start": "maintain",
  "maintenance.finish": "maintain",
};

/** What to do about a refusal. */
export type Remedy =
  | "give_up"
  | "once_more"
  | "look_again"
  | "after_next_event"
  | "wait_for_supervisor"
  | "tell_sender"
  | "ask_dealer"
  | "ask_person"
  | "later";

const REMEDIES: Record<KnownRefusal, Remedy> = {
  malformed: "give_up",
  wrong_subject: "give_up",
  id_reused: "give_up",
  round_id_used: "give_up",
  not_this_game: "give_up",
  rounds_by_device: "give_up",
  decks_not_stated: "give_up",
  boxes_not_stated: "give_up",
  value_missing: "give_up",
  expired: "once_more",
  expires_too_late: "once_more",
  retained: "once_more",
  wrong_round: "look_again",
  wrong_phase: "look_again",
  round_open: "look_again",
  not_its_turn: "look_again",
  hand_differs: "look_again",
  not_face_down: "look_again",
  unknown_violation: "look_again",
  hole_card_unscanned: "after_next_event",
  verifying: "after_next_event",
  held: "wait_for_supervisor",
  rules_forbid: "tell_sender",
  peek_not_allowed: "tell_sender",
  burn_not_allowed: "tell_sender",
  action_not_allowed: "tell_sender",
  two_names: "tell_sender",
  decks_differ: "tell_sender",
  no_shoe: "ask_dealer",
  shoe_loaded: "ask_dealer",
  last_round_played: "ask_dealer",
  cut_card_missing: "ask_dealer",
  too_few_cards: "ask_dealer",
  shoe_not_verified: "ask_dealer",
  pack_returned: "ask_dealer",
  not_serving: "ask_person",
  device_down: "ask_person",
  not_enrolled: "ask_person",
  unidentified: "ask_person",
  not_inspected: "ask_person",
  maintenance: "ask_person",
  journal: "later",
  too_many: "later",
};

/** Return what to do about a refusal; of a word that is not known yet, a person is asked. */
export function remedyOf(reason: string): Remedy {
  return Object.hasOwn(REMEDIES, reason) ? REMEDIES[reason as KnownRefusal] : "ask_person";
}

/** Return a command's bytes. `wall` is milliseconds since 1970; an id is never used twice. */
export function bytesOf(order: Order, id: string, wall: number): string {
  return JSON.stringify({ id, expires: new Date(wall + EXPIRES_MS).toISOString(), ...order });
}

/** Return the authority that a command's subject names. */
export function authorityOf(bytes: string): Authority {
  return AUTHORITIES[(JSON.parse(bytes) as Command).command];
}

/** Return the answer that a message holds; null where it is none. */
export function answerOf(payload: Uint8Array): Answer | null {
  try {
    const answer: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    const word = (answer as Record<string, unknown>)["answer"];
    return word === "accepted" || word === "refused" ? (answer as Answer) : null;
  } catch {
    return null;
  }
}

/** The commands without an answer. */
export class Outbox {
  readonly #waiting = new Map<string, { bytes: string; made: number; next: number }>();

  get empty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Keep a command that is stored. `made` is wall time, in milliseconds since 1970. */
  add(bytes: string, made: number): void {
    this.#waiting.set(idOf(bytes), { bytes, made, next: -Infinity });
  }

  /** Return the commands that are to be sent now, by a clock that never steps and by the wall's. */
  due(now: number, wall: number): string[] {
    const due = [...this.#waiting.values()].filter((one) => one.next <= now && wall - one.made < ANSWERED_MS);
    for (const one of due) one.next = now + RETRY_MS;
    return due.map(({ bytes }) => bytes);
  }

  /** Return the commands of which nobody can say any more what became of them: a person looks. */
  unknown(wall: number): string[] {
    return [...this.#waiting.values()].filter(({ made }) => wall - made >= ANSWERED_MS).map(({ bytes }) => bytes);
  }

  /** Return whether these bytes wait for this answer: one without an id answers what could not be read. */
  waits(bytes: string, answer: Answer): boolean {
    const id = idOf(bytes);
    return this.#waiting.has(id) && (answer.id === id || answer.id === null);
  }

  /** Take the answer to a command that waits for it, once it is stored. */
  answered(bytes: string): void {
    this.#waiting.delete(idOf(bytes));
  }
}

function idOf(bytes: string): string {
  return (JSON.parse(bytes) as Command).id;
}
