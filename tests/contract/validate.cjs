// Holds messages against the contract: as the AsyncAPI document has it, and as each message's own
// JSON Schema has it, where no field may be that the schema does not have.
// node validate.cjs DOCUMENT SCHEMAS MESSAGES  ->  {"held": number, "wrong": ["line message: why"]}
// MESSAGES: a line each, {"name": ..., "payload": ...}
const fs = require("node:fs");
const path = require("node:path");
const Ajv = require("ajv").default;
const Ajv2020 = require("ajv/dist/2020").default;
const addFormats = require("ajv-formats").default;

const OPTIONS = { strict: true, strictTypes: false, strictRequired: false, allErrors: true };

// Words of AsyncAPI, and our own mark: they say nothing of what is valid.
function prepared(ajv) {
  addFormats(ajv);
  ajv.addVocabulary(["components", "discriminator", "x-may-grow"]);
  return ajv;
}

function ofDocument(file) {
  const { messages, schemas } = JSON.parse(fs.readFileSync(file, "utf8")).components;
  const ajv = prepared(new Ajv(OPTIONS)).addSchema({ $id: "urn:pitwire:contract", components: { schemas } });
  const compiled = {};
  for (const [name, message] of Object.entries(messages)) {
    compiled[name] = ajv.getSchema(`urn:pitwire:contract${message.payload.$ref}`);
  }
  return compiled;
}

function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== "object") return schema;
  const all = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  if (all.allOf) return { ...all, unevaluatedProperties: false };
  const open = all.type === "object" && all.properties && all.additionalProperties === undefined;
  return open ? { ...all, unevaluatedProperties: false } : all;
}

function ofSchemas(folder) {
  const compiled = {};
  for (const file of fs.readdirSync(folder)) {
    const schema = closed(JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")));
    // What an event is made of is closed as a whole: its envelope alone does not know `data`.
    const parts = [schema.$defs?.EventEnvelope, ...(schema.allOf ?? [])];
    for (const part of parts) if (part) delete part.unevaluatedProperties;
    compiled[path.basename(file, ".json")] = prepared(new Ajv2020(OPTIONS)).compile(schema);
  }
  return compiled;
}

function main(document, schemas, messages) {
  const checks = [ofDocument(document), ofSchemas(schemas)];
  const lines = fs.readFileSync(messages, "utf8").trimEnd().split("\n");
  const wrong = [];
  for (const [at, line] of lines.entries()) {
    const { name, payload } = JSON.parse(line);
    for (const check of checks) {
      const valid = check[name];
      if (!valid) wrong.push(`${at} ${name}: there is no such message`);
      else if (!valid(payload)) {
        const why = valid.errors.map((one) => `${one.instancePath} ${one.message}`).join("; ");
        wrong.push(`${at} ${name}: ${why}`);
      }
    }
  }
  console.log(JSON.stringify({ held: lines.length, wrong: wrong.slice(0, 100) }));
}

main(...process.argv.slice(2));
