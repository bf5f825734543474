// The events of one table in their order, each once: what a table server keeps, lacks, and asks for.
//
// The rules are those of docs/table-server.md, "To consume events". Nothing here knows a bus, a disk or
// a clock: `now` is an argument, in milliseconds of a clock that never steps.
//
//   early events  are kept until those before them are there. Their caller stores and acknowledges them
//                 like any other: so the same calls after a restart lead to the same state.
//   a hole        is asked for once it has been there for GRACE_MS, and again every AGAIN_MS. Only the
//                 epoch that the table's status names is asked for: `table.resend` knows no other.
//   a new epoch   follows the one whose name its `table.started` states as `previous`, or is the one that
//                 the status names. What was still missing of the old one is told as lost, in its place.

import type { Event, TableStartedEvent, TableStatus } from "./messages.mjs";

/** How long a hole may be there before it is asked for: what is under way fills most. */
export const GRACE_MS = 1_000;
/** How long after a question the same hole is asked for again. */
export const AGAIN_MS = 5_000;
/** The longest time between two statuses of a table that is alive. */
export const ALIVE_MS = 3_000;

/** The last event that was applied. */
export interface Position {
  epoch: string;
  sequence: number;
}

/** What the table tells, in order: an event, or that events of an old epoch never come. */
export type Told = { event: Event } | { lost: { epoch: string; from: number; to: number } };

/** Events that are missing, both ends included. */
export interface Hole {
  from_seq: number;
  to_seq: number;
}

/** Return the event that a message holds; null where it is none. */
export function eventOf(payload: Uint8Array): Event | null {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    const { epoch, sequence, source, type } = event as Record<string, unknown>;
    const texts = [epoch, source, type].every((text) => typeof text === "string" && text !== "");
    const counted = typeof sequence === "string" && /^[0-9]{20}$/.test(sequence);
    return texts && counted && numbered(Number(sequence)) ? (event as Event) : null;
  } catch {
    return null;
  }
}

function numbered(sequence: number): boolean {
  return Number.isSafeInteger(sequence) && sequence >= 1;
}

function started(event: Event | undefined): event is TableStartedEvent {
  return event?.type === "pitwire.table.started.v1";
}

/** The events of one `source`. */
export class TableFeed {
  #position: Position | null = null;
  /** By epoch and sequence: events whose turn has not come. */
  readonly #early = new Map<string, Map<number, Event>>();
  readonly #over = new Set<string>();
  #status: TableStatus | null = null;
  #heardAt = -Infinity;
  #hole: { epoch: string; from: number; since: number; asked: number } | null = null;
  /** The last event of the position's epoch that a status has named. */
  #known = 0;

  /** The last event that was told; null before `begin`. */
  get position(): Position | null {
    return this.#position && { ...this.#position };
  }

  /** The last status of an epoch that is not over. */
  get status(): TableStatus | null {
    return this.#status;
  }

  /** Begin behind a position: one that was kept, or that of a status which was asked for. */
  begin(position: Position): Told[] {
    if (this.#position) throw new Error("the feed has begun");
    this.#position = { ...position };
    return this.#drain();
  }

  /** Return whether an event is new: what is not is acknowledged and dropped. */
  wants(event: Event): boolean {
    const sequence = Number(event.sequence);
    if (this.#over.has(event.epoch)) return false;
    if (event.epoch === this.#position?.epoch && sequence <= this.#position.sequence) return false;
    return !this.#early.get(event.epoch)?.has(sequence);
  }

  /** Take an event that is stored; return what has its turn now. */
  take(event: Event): Told[] {
    if (!this.wants(event)) return [];
    const early = this.#early.get(event.epoch) ?? new Map<number, Event>();
    this.#early.set(event.epoch, early.set(Number(event.sequence), event));
    return this.#drain();
  }

  /** Take a status, which the bus has just brought; return what has its turn now. */
  hear(status: TableStatus, now: number): Told[] {
    this.#heardAt = now;
    if (status.epoch === "" || this.#over.has(status.epoch)) return [];
    this.#status = status;
    if (status.epoch === this.#position?.epoch) this.#known = Math.max(this.#known, onBus(status));
    return this.#drain();
  }

  /** Return whether anything is known of the table now. */
  alive(now: number): boolean {
    return now - this.#heardAt < ALIVE_MS;
  }

  /** Return the table's last status, where all that it speaks of was told; else null. */
  current(now: number): TableStatus | null {
    const [status, position] = [this.#status, this.#position];
    if (!status || !position || !this.alive(now) || status.epoch !== position.epoch) return null;
    return position.sequence >= status.seq ? status : null;
  }

  /** Return the hole that is to be asked for now, by `table.resend`; null: none is. */
  ask(now: number): Hole | null {
    const hole = this.alive(now) ? this.#missing() : null;
    if (!hole || !this.#status) {
      this.#hole = null;
      return null;
    }
    const epoch = this.#status.epoch;
    if (this.#hole?.epoch !== epoch || this.#hole.from !== hole.from_seq) {
      this.#hole = { epoch, from: hole.from_seq, since: now, asked: -Infinity };
    }
    if (now - this.#hole.since < GRACE_MS || now - this.#hole.asked < AGAIN_MS) return null;
    this.#hole.asked = now;
    return hole;
  }

  #missing(): Hole | null {
    const status = this.#status;
    if (!status || !this.#position) return null;
    const from_seq = 1 + (status.epoch === this.#position.epoch ? this.#position.sequence : 0);
    const early = this.#early.get(status.epoch);
    const to_seq = early?.size ? Math.min(...early.keys()) - 1 : onBus(status);
    return to_seq >= from_seq ? { from_seq, to_seq } : null;
  }

  #drain(): Told[] {
    const told: Told[] = [];
    for (;;) {
      const position = this.#position;
      if (!position) return told;
      const early = this.#early.get(position.epoch);
      for (const sequence of early?.keys() ?? []) if (sequence <= position.sequence) early?.delete(sequence);
      const next = early?.get(position.sequence + 1);
      if (next) {
        position.sequence += 1;
        told.push({ event: next });
        continue;
      }
      const epoch = this.#successor(position.epoch);
      if (epoch === null) return told;
      told.push(...this.#leave(position, early ?? new Map<number, Event>()));
      this.#over.add(position.epoch);
      this.#early.delete(position.epoch);
      this.#position = { epoch, sequence: 0 };
      this.#known = 0;
    }
  }

  #successor(current: string): string | null {
    for (const [epoch, events] of this.#early) {
      const first = events.get(1);
      if (epoch === current || !started(first)) continue;
      if (first.data.previous === current || this.#status?.epoch === epoch) return epoch;
    }
    return null;
  }

  /** Return what is left of an epoch: its events that are there, and between them what never comes. */
  #leave(position: Position, early: Map<number, Event>): Told[] {
    const told: Told[] = [];
    const { epoch } = position;
    let last = position.sequence;
    const skip = (to: number): void => {
      if (to > last) told.push({ lost: { epoch, from: last + 1, to } });
    };
    for (const sequence of [...early.keys()].sort((one, other) => one - other)) {
      skip(sequence - 1);
      told.push({ event: early.get(sequence) as Event });
      last = sequence;
    }
    skip(this.#known);
    return told;
  }
}

function onBus(status: TableStatus): number {
  return status.seq - status.publisher.lag;
}
