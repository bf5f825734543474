// Print messages.mts: the types of every message, from docs/schemas. `npm run types` writes them.

import { readdirSync, readFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const SCHEMAS = new URL("../../docs/schemas/", import.meta.url);
const HEAD = `// Generated from docs/schemas by \`npm run types\`. Do not edit.
/* eslint-disable */
`;

const definitions = {};
const unions = { Event: [], Command: [] };

/** Return a schema whose references stand alone: the generator makes a second type of one with a description. */
function bare(schema) {
  if (Array.isArray(schema)) return schema.map(bare);
  if (schema === null || typeof schema !== "object") return schema;
  if (typeof schema.$ref === "string") return { $ref: schema.$ref };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, bare(value)]));
}

/** Keep a definition under its name; the same name must mean the same in every file. */
function define(name, schema) {
  const known = definitions[name];
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two meanings of ${name}`);
  definitions[name] = schema;
}

for (const file of readdirSync(SCHEMAS).sort()) {
  const { $defs = {}, $schema, $id, ...message } = bare(JSON.parse(readFileSync(new URL(file, SCHEMAS), "utf8")));
  for (const [name, schema] of Object.entries($defs)) define(name, schema);
  define(message.title, message);
  for (const [kind, members] of Object.entries(unions)) {
    if (message.title.endsWith(kind)) members.push({ $ref: `#/$defs/${message.title}` });
  }
}

// A list that may grow takes any other word too (docs/versions.md): `Known…` is the list of today.
for (const [name, schema] of Object.entries(definitions)) {
  if (!schema["x-may-grow"]) continue;
  define(`Known${name}`, { ...schema, title: `Known${name}` });
  definitions[name] = { title: name, description: schema.description, tsType: `Known${name} | (string & {})` };
}
for (const [kind, anyOf] of Object.entries(unions)) define(kind, { title: kind, anyOf });

const contract = { title: "Contract", type: "object", $defs: definitions };
const types = await compile(contract, "Contract", {
  additionalProperties: false,
  bannerComment: HEAD,
  style: { printWidth: 110 },
  unreachableDefinitions: true,
});
// It says of every definition where it found it.
const found = String.raw` \* This interface was referenced by .Contract.'s JSON-Schema\n \* via the .definition. "\w+"\.\n`;
process.stdout.write(
  types
    .replace(new RegExp(String.raw`/\*\*\n${found} \*/\n`, "g"), "")
    .replace(new RegExp(String.raw` \*\n${found}`, "g"), "")
    .replace("export interface Contract {}\n", ""),
);
