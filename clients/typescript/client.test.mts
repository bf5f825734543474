// `npm test`: the rules of docs/table-server.md without a bus.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERED_MS, Outbox, RETRY_MS, authorityOf, bytesOf, remedyOf } from "./commands.mjs";
import { House } from "./house.mjs";
import type { Answer, Event, TableStatus } from "./messages.mjs";
import { AGAIN_MS, ALIVE_MS, GRACE_MS, TableFeed, type Told, eventOf } from "./table_feed.mjs";

const [OLD, NEW, NEWER] = ["000001-a", "000001-b", "000009-0"];

function event(sequence: number, epoch = OLD, more: object = {}): Event {
  const counted = String(sequence).padStart(20, "0");
  const one = { epoch, sequence: counted, source: "/pit/riga-1/BAC-1", type: "pitwire.card.dealt.v1", ...more };
  return one as unknown as Event;
}

function started(epoch: string, previous: string | null): Event {
  return event(1, epoch, { type: "pitwire.table.started.v1", data: { previous } });
}

function status(seq: number, epoch = OLD, lag = 0): TableStatus {
  return { epoch, seq, publisher: { lag } } as unknown as TableStatus;
}

function begun(sequence = 10): TableFeed {
  const feed = new TableFeed();
  feed.begin({ epoch: OLD, sequence });
  return feed;
}

/** Write what was told as `a.11`, and what never comes as `a.12-13 lost`. */
function written(told: Told[]): string[] {
  return told.map((one) =>
    "event" in one
      ? `${one.event.epoch.slice(-1)}.${Number(one.event.sequence)}`
      : `${one.lost.epoch.slice(-1)}.${one.lost.from}-${one.lost.to} lost`,
  );
}

test("a repeat is dropped, also of an early event", () => {
  const feed = begun();
  assert.deepEqual(written(feed.take(event(11))), ["a.11"]);
  assert.equal(feed.wants(event(11)), false);
  assert.deepEqual(feed.take(event(10)), []);
  assert.deepEqual(feed.take(event(13)), []);
  assert.equal(feed.wants(event(13)), false);
  assert.deepEqual(feed.position, { epoch: OLD, sequence: 11 });
});

test("early events are told after those that were missing, in their order", () => {
  const feed = begun();
  for (const early of [13, 12, 15]) assert.deepEqual(feed.take(event(early)), []);
  assert.deepEqual(written(feed.take(event(11))), ["a.11", "a.12", "a.13"]);
  assert.deepEqual(written(feed.take(event(14))), ["a.14", "a.15"]);
});

test("what came before the feed begins is told behind its position", () => {
  const feed = new TableFeed();
  for (const early of [3, 4, 5]) assert.deepEqual(feed.take(event(early)), []);
  assert.deepEqual(written(feed.begin({ epoch: OLD, sequence: 4 })), ["a.5"]);
});

test("a hole is asked for once it has lasted, both ends named, and again later", () => {
  const feed = begun();
  feed.take(event(14));
  feed.hear(status(14), 0);
  assert.equal(feed.ask(0), null);
  assert.equal(feed.ask(GRACE_MS - 1), null);
  assert.deepEqual(feed.ask(GRACE_MS), { from_seq: 11, to_seq: 13 });
  assert.equal(feed.ask(GRACE_MS + 1), null);
  feed.hear(status(14), GRACE_MS + AGAIN_MS);
  assert.deepEqual(feed.ask(GRACE_MS + AGAIN_MS), { from_seq: 11, to_seq: 13 });
  feed.take(event(11));
  feed.take(event(12));
  feed.take(event(13));
  assert.equal(feed.ask(GRACE_MS + AGAIN_MS + 1), null);
});

test("the lost tail is seen by the status, and what the bus has not had is not asked for", () => {
  const feed = begun();
  feed.hear(status(12, OLD, 2), 0);
  feed.hear(status(12, OLD, 2), GRACE_MS);
  assert.equal(feed.ask(GRACE_MS), null);
  feed.hear(status(12, OLD, 1), GRACE_MS);
  assert.equal(feed.ask(GRACE_MS), null);
  assert.deepEqual(feed.ask(2 * GRACE_MS), { from_seq: 11, to_seq: 11 });
});

test("nothing is asked of a table of which nothing is known", () => {
  const feed = begun();
  feed.take(event(14));
  feed.hear(status(14), 0);
  feed.ask(0);
  assert.equal(feed.alive(ALIVE_MS - 1), true);
  assert.equal(feed.alive(ALIVE_MS), false);
  assert.equal(feed.ask(ALIVE_MS), null);
});

test("the epoch that names ours as the one before follows, whatever the texts say", () => {
  const feed = begun();
  assert.deepEqual(written(feed.take(started("000000-z", OLD))), ["z.1"]);
  assert.equal(feed.wants(event(11, OLD)), false);
  assert.deepEqual(written(feed.take(event(2, "000000-z"))), ["z.2"]);
});

test("an epoch that is not known waits until the status names it", () => {
  const feed = begun();
  assert.deepEqual(feed.take(started(NEWER, NEW)), []);
  assert.deepEqual(written(feed.take(event(11))), ["a.11"]);
  assert.deepEqual(written(feed.hear(status(1, NEWER), 0)), ["0.1"]);
  assert.deepEqual(feed.position, { epoch: NEWER, sequence: 1 });
});

test("what an epoch lacked when the next begins is told as lost, in its place", () => {
  const feed = begun();
  feed.hear(status(16), 0);
  feed.take(event(13));
  assert.deepEqual(written(feed.take(started(NEW, OLD))), ["a.11-12 lost", "a.13", "a.14-16 lost", "b.1"]);
});

test("the start of a new epoch is asked for where only its later events came", () => {
  const feed = begun();
  feed.take(event(3, NEW));
  feed.hear(status(3, NEW), 0);
  assert.equal(feed.ask(0), null);
  assert.deepEqual(feed.ask(GRACE_MS), { from_seq: 1, to_seq: 2 });
  assert.deepEqual(written(feed.take(started(NEW, OLD))), ["b.1"]);
  assert.deepEqual(written(feed.take(event(2, NEW))), ["b.2", "b.3"]);
});

test("the picture is current only where all is told that a fresh status speaks of", () => {
  const feed = begun();
  feed.hear(status(11), 0);
  assert.equal(feed.current(0), null);
  feed.take(event(11));
  assert.equal(feed.current(0)?.seq, 11);
  assert.equal(feed.current(ALIVE_MS), null);
  feed.hear(status(1, NEW), ALIVE_MS);
  assert.equal(feed.current(ALIVE_MS), null);
});

test("no bytes raise, and what is no event is none", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  for (const text of ["", "null", "7", "[]", "{", '{"epoch":"000001-a","sequence":"7"}']) {
    assert.equal(eventOf(bytes(text)), null);
  }
  assert.equal(eventOf(Uint8Array.of(0xff, 0xfe)), null);
  assert.equal(eventOf(bytes(JSON.stringify(event(0)))), null);
  assert.equal(Number(eventOf(bytes(JSON.stringify(event(7))))?.sequence), 7);
});

test("a command goes out again with the same bytes until it is answered", () => {
  const outbox = new Outbox();
  const bytes = bytesOf({ command: "round.open", round_id: "R1" }, "c1", 0);
  assert.equal(bytes, '{"id":"c1","expires":"1970-01-01T00:00:10.000Z","command":"round.open","round_id":"R1"}');
  assert.equal(authorityOf(bytes), "play");
  outbox.add(bytes, 0);
  assert.deepEqual(outbox.due(0, 0), [bytes]);
  assert.deepEqual(outbox.due(RETRY_MS - 1, 0), []);
  assert.deepEqual(outbox.due(RETRY_MS, 3_600_000), [bytes], "also when it has expired");
  assert.equal(outbox.waits(bytes, { id: "another" } as Answer), false);
  assert.equal(outbox.waits(bytes, { id: "c1" } as Answer), true);
  outbox.answered(bytes);
  assert.equal(outbox.empty, true);
  assert.equal(outbox.waits(bytes, { id: "c1" } as Answer), false);
});

test("what became of a command is not known any more when its answer is not kept", () => {
  const outbox = new Outbox();
  outbox.add(bytesOf({ command: "round.open", round_id: "R1" }, "c1", 0), 0);
  assert.deepEqual(outbox.due(0, ANSWERED_MS), []);
  assert.equal(outbox.unknown(ANSWERED_MS).length, 1);
});

test("a refusal that is not known yet is a person's", () => {
  assert.equal(remedyOf("wrong_phase"), "look_again");
  assert.equal(remedyOf("toString"), "ask_person");
});

const SETTLED = { type: "pitwire.round.completed.v1", data: { round_id: "R1", outcome: { game: "baccarat" } } };

function house(): { house: House; said: object[] } {
  const said: object[] = [];
  const rules = { user: "server", rounds: 2, betting_ms: 0, boxes: [], decks: null, name: () => "R9" };
  return { house: new House({ ...rules, say: (line) => said.push(line) }), said };
}

function opened(): Told {
  return { event: event(11, OLD, { type: "pitwire.round.opened.v1", user: "server", data: { round_id: "R1" } }) };
}

function open(round: object | null): TableStatus {
  return { ...status(20), state: "open", round } as unknown as TableStatus;
}

test("a round is void where the new epoch does not have it, and a person's where its outcome may be lost", () => {
  const one = house().house;
  one.told(opened(), true);
  one.told({ event: started(NEW, OLD) }, true);
  assert.equal(one.rounds.get("R1")?.void, true);
  const { house: other, said } = house();
  other.told(opened(), false);
  other.told({ lost: { epoch: OLD, from: 12, to: 13 } }, false);
  other.told({ event: started(NEW, OLD) }, false);
  assert.equal(other.rounds.get("R1")?.void, false);
  assert.equal(other.next(open(null), 0), null);
  assert.equal(other.next(open(null), 1), null);
  assert.deepEqual(said, [{ trouble: `events 12 to 13 of ${OLD} never come: settle by hand` }]);
});

test("a round is settled once, and a second end of it stops the house", () => {
  const one = house().house;
  one.told(opened(), true);
  one.told({ event: event(12, OLD, SETTLED) }, true);
  assert.equal(one.rounds.get("R1")?.outcome?.game, "baccarat");
  assert.throws(() => one.told({ event: event(13, OLD, SETTLED) }, true), /ended twice/);
});

test("nothing is sent to a round that is another's, into a held table, or on an old picture", () => {
  const { house: one, said } = house();
  const round = { round_id: "R7", phase: "betting" };
  assert.equal(one.next(open(round), 0), null);
  assert.equal(said.length, 1);
  assert.equal(one.next(null, 0), null);
  assert.equal(one.next({ ...open(null), state: "held" }, 0), null);
  assert.deepEqual(one.next(open(null), 0), { command: "round.open", round_id: "R9" });
});
