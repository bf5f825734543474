// What a table server must not forget, in a file: one JSON value a line, on the disk when `append` returns.
//
// What a server knows is what these lines make, read from the first: so the last applied event and what
// was made of it are written in one step. A line that a crash cut off was never acknowledged: it is removed.

import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Answer, Event, TableStatus } from "./messages.mjs";
import type { Position } from "./table_feed.mjs";

export type Line =
  | { begin: Position }
  | { event: Event }
  /** The first status of each epoch, which says that it is the table's, and the last before it is over. */
  | { status: TableStatus }
  /** The bytes of a command, before it is sent; `made` is wall time in milliseconds. */
  | { command: string; made: number }
  | { answer: Answer; to: string };

export class TableLog {
  readonly #file: number;
  readonly #lines: Line[];

  /** Open or create a log. Throws where a whole line of it cannot be read. */
  constructor(path: string) {
    this.#file = openSync(path, "a+", 0o600);
    const bytes = readFileSync(path);
    const whole = bytes.lastIndexOf(0x0a) + 1;
    if (whole < bytes.length) ftruncateSync(this.#file, whole);
    fsyncSync(this.#file);
    syncFolder(dirname(path));
    const texts = bytes.subarray(0, whole).toString("utf8").split("\n").slice(0, -1);
    this.#lines = texts.map((text) => JSON.parse(text) as Line);
  }

  /** Return the lines that were there when it was opened. */
  *read(): Generator<Line> {
    yield* this.#lines;
  }

  /** Write a line; it is on the disk afterwards. Throws where it is not: the server then stops. */
  append(line: Line): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
