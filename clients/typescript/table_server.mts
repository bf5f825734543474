// The example's process: `node dist/table_server.mjs --help`.

import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { connect } from "@nats-io/transport-node";
import { House } from "./house.mjs";
import { NatsTable } from "./nats_table.mjs";
import { TableLog } from "./table_log.mjs";

const USAGE = `node dist/table_server.mjs --server nats://127.0.0.1:4222 --site riga-1 --table BAC-1 --log BAC-1.log
  --root pit-rehearsal   pit where the table is live
  --user server          as whom the bus knows it; the password is in $PITWIRE_PASSWORD
  --rounds 1             how many rounds it plays
  --betting-ms 0         how long bets are taken
  --decks 8              a shoe is loaded where none is there
  --boxes 1,2            the boxes with a bet
It prints one line of JSON for all that happens.`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    server: { type: "string" },
    site: { type: "string" },
    table: { type: "string" },
    log: { type: "string" },
    root: { type: "string", default: "pit-rehearsal" },
    user: { type: "string", default: "server" },
    rounds: { type: "string", default: "1" },
    "betting-ms": { type: "string", default: "0" },
    decks: { type: "string" },
    boxes: { type: "string", default: "" },
  },
});
const { server, site, table, log, root, user } = values;
if (values.help || !server || !site || !table || !log) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}

const house = new House({
  user,
  rounds: Number(values.rounds),
  betting_ms: Number(values["betting-ms"]),
  boxes: values.boxes.split(",").filter(Boolean).map(Number),
  decks: values.decks ? Number(values.decks) : null,
  name: randomUUID,
  say: (line) => console.log(JSON.stringify(line)),
});
const pass = process.env["PITWIRE_PASSWORD"];
const connection = await connect({
  servers: server,
  maxReconnectAttempts: -1,
  waitOnFirstConnect: true,
  ...(pass ? { user, pass } : {}),
});
const seat = new NatsTable(connection, { root, site, table, user }, new TableLog(log), house);
const watch = setInterval(() => {
  if (!house.finished) return;
  clearInterval(watch);
  void connection.drain();
}, 100);
await seat.serve();
