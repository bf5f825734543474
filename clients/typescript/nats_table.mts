// One table on NATS: brings what comes to the feed, and what is to be sent to the bus.
//
// All that is decided is in table_feed.mts and commands.mts. Here is the order of the steps: an event is
// stored, then applied, then acknowledged; a command is stored, then sent; an answer is stored, then told.
// What cannot be stored ends the process, and nothing of it was acknowledged.

import { randomUUID } from "node:crypto";
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager, type JsMsg } from "@nats-io/jetstream";
import { type Msg, type NatsConnection, nanos } from "@nats-io/transport-node";
import { type Order, Outbox, answerOf, authorityOf, bytesOf } from "./commands.mjs";
import type { Answer, TableStatus } from "./messages.mjs";
import { TableFeed, type Told, eventOf } from "./table_feed.mjs";
import type { Line, TableLog } from "./table_log.mjs";

const TICK_MS = 100;
const PAUSE_MS = 1_000;
/** How long the bus waits for an acknowledgement: after a crash nothing comes for that long. */
const ACK_WAIT_MS = 2_000;

/** What is made of a table's events. It must come to the same from the same calls. */
export interface TableServer {
  /** Apply what the table tells. `live` is false for what was told before a restart. */
  told(told: Told, live: boolean): void;
  /** Take the answer to a command. */
  answered(answer: Answer, command: string, live: boolean): void;
  /** Return the next command; null: none now. `status` is null where the picture of the table is old. */
  next(status: TableStatus | null, now: number): Order | null;
  /** Take what a person has to look at. */
  trouble(text: string): void;
}

export interface Seat {
  /** `pit`, or `pit-rehearsal` where the table is not live. */
  root: string;
  site: string;
  table: string;
  /** As whom the bus knows this server. */
  user: string;
}

export class NatsTable {
  readonly feed = new TableFeed();
  readonly #outbox = new Outbox();
  readonly #asked = new Outbox();
  #epoch = "";
  #unknown = "";
  #alive = true;

  constructor(
    readonly connection: NatsConnection,
    readonly seat: Seat,
    readonly log: TableLog,
    readonly server: TableServer,
  ) {
    for (const line of log.read()) this.#again(line);
  }

  /** Serve the table until the connection is closed. */
  async serve(): Promise<void> {
    const statuses = this.#hearStatuses();
    const events = this.#takeEvents();
    const ticks = this.#tick();
    await Promise.all([statuses, events, ticks]);
  }

  #again(line: Line): void {
    if ("begin" in line) this.#tell(this.feed.begin(line.begin), false);
    else if ("event" in line) this.#tell(this.feed.take(line.event), false);
    else if ("status" in line) {
      this.#epoch = line.status.epoch;
      this.#tell(this.feed.hear(line.status, -Infinity), false);
    } else if ("command" in line) this.#outbox.add(line.command, line.made);
    else {
      this.#outbox.answered(line.to);
      this.server.answered(line.answer, line.to, false);
    }
  }

  #tell(all: Told[], live: boolean): void {
    try {
      for (const told of all) this.server.told(told, live);
    } catch (error) {
      throw new Stop(`an event cannot be applied: ${String(error)}`);
    }
  }

  // --- events ---------------------------------------------------------------------------------

  async #takeEvents(): Promise<void> {
    const { root, site, table, user } = this.seat;
    const stream = root.toUpperCase();
    const durable_name = `${user}-${site}-${table}`;
    while (!this.connection.isClosed()) {
      try {
        const options = { checkAPI: false };
        const manager = await jetstreamManager(this.connection, options);
        await manager.consumers.add(stream, {
          durable_name,
          ack_policy: AckPolicy.Explicit,
          deliver_policy: DeliverPolicy.New,
          filter_subject: `${root}.event.${site}.${table}.>`,
          max_ack_pending: 1,
          ack_wait: nanos(ACK_WAIT_MS),
        });
        const consumer = await jetstream(this.connection, options).consumers.get(stream, durable_name);
        const messages = await consumer.consume({ max_messages: 1, abort_on_missing_resource: true });
        // Only now: what happens after the status comes as events.
        await this.#begin();
        for await (const message of messages) this.#takeEvent(message);
      } catch (error) {
        if (error instanceof Stop) throw error;
        if (this.connection.isClosed()) return;
        this.server.trouble(`no events now: ${String(error)}`);
        await pause(PAUSE_MS);
      }
    }
  }

  async #begin(): Promise<void> {
    while (this.feed.position === null) {
      const answer = await this.#request(bytesOf({ command: "table.status" }, randomUUID(), Date.now()));
      if (answer?.answer === "accepted" && answer.status && answer.status.epoch !== "") {
        const position = { epoch: answer.status.epoch, sequence: answer.status.seq };
        this.#store({ begin: position });
        this.#tell(this.feed.begin(position), true);
      } else await pause(PAUSE_MS);
    }
  }

  #takeEvent(message: JsMsg): void {
    const event = eventOf(message.data);
    if (event === null || event.source !== `/pit/${this.seat.site}/${this.seat.table}`) {
      // If it took an event's place, that is a hole, and asked for.
      this.server.trouble(`not an event of this table: ${message.subject}`);
    } else if (this.feed.wants(event)) {
      // What the old epoch had is told the same after a restart.
      const { position, status } = this.feed;
      if (status && position && event.epoch !== position.epoch) this.#store({ status });
      this.#store({ event });
      this.#tell(this.feed.take(event), true);
    }
    message.ack();
    this.#move();
  }

  async #hearStatuses(): Promise<void> {
    const { root, site, table } = this.seat;
    for await (const message of this.connection.subscribe(`${root}.status.${site}.${table}`)) {
      const status = statusOf(message, table);
      if (!status) continue;
      if (status.epoch !== "" && status.epoch !== this.#epoch) {
        this.#store({ status });
        this.#epoch = status.epoch;
      }
      this.#tell(this.feed.hear(status, performance.now()), true);
      this.#move();
    }
  }

  // --- commands -------------------------------------------------------------------------------

  async #tick(): Promise<void> {
    while (!this.connection.isClosed()) {
      this.#move();
      await pause(TICK_MS);
    }
  }

  /** Do what is due. */
  #move(): void {
    const [now, wall] = [performance.now(), Date.now()];
    const alive = this.feed.alive(now);
    if (this.#alive && !alive) this.server.trouble("no status: nothing is known of the table now");
    this.#alive = alive;
    const hole = this.feed.ask(now);
    if (hole) this.#asked.add(bytesOf({ command: "table.resend", ...hole }, randomUUID(), wall), wall);
    if (this.#outbox.empty) {
      const order = this.server.next(this.feed.current(now), now);
      if (order) {
        const command = bytesOf(order, randomUUID(), wall);
        this.#store({ command, made: wall });
        this.#outbox.add(command, wall);
      }
    }
    const unknown = this.#outbox.unknown(wall).join(" ");
    if (unknown !== this.#unknown) this.server.trouble(`nobody knows what became of ${unknown}`);
    this.#unknown = unknown;
    for (const bytes of this.#outbox.due(now, wall)) void this.#send(bytes);
    // A question that nobody heard is put anew by the feed: it is not kept.
    for (const bytes of this.#asked.due(now, wall)) void this.#ask(bytes);
  }

  async #ask(bytes: string): Promise<void> {
    const answer = await this.#request(bytes);
    this.#asked.answered(bytes);
    if (answer?.answer === "accepted") return;
    this.server.trouble(`missing events were asked for in vain: ${answer?.reason ?? "no answer"}`);
  }

  async #send(bytes: string): Promise<void> {
    const answer = await this.#request(bytes);
    if (answer === null || !this.#outbox.waits(bytes, answer)) return;
    this.#store({ answer, to: bytes });
    this.#outbox.answered(bytes);
    this.server.answered(answer, bytes, true);
    this.#move();
  }

  /** Send a command; return its answer, null where none came: what became of it is not known. */
  async #request(bytes: string): Promise<Answer | null> {
    const { root, site, table, user } = this.seat;
    const subject = `${root}.command.${site}.${table}.${authorityOf(bytes)}.${user}`;
    try {
      return answerOf((await this.connection.request(subject, bytes, { timeout: 1_500 })).data);
    } catch {
      return null;
    }
  }

  #store(line: Line): void {
    try {
      this.log.append(line);
    } catch (error) {
      throw new Stop(`the log cannot be written: ${String(error)}`);
    }
  }
}

/** Why the server must not go on. */
export class Stop extends Error {}

function statusOf(message: Msg, table: string): TableStatus | null {
  try {
    const status = message.json<TableStatus>();
    const whole = status.table === table && typeof status.epoch === "string" && Number.isSafeInteger(status.seq);
    return whole && Number.isSafeInteger(status.publisher.lag) ? status : null;
  } catch {
    return null;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
