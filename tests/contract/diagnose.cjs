// What AsyncAPI's own parser and Spectral's rules for AsyncAPI have to say of a document.
// node diagnose.cjs DOCUMENT  ->  {"parsed": bool, "said": ["tool severity code path: message"]}
const fs = require("node:fs");
const { Parser } = require("@asyncapi/parser");
const { Document, Spectral } = require("@stoplight/spectral-core");
const { Json } = require("@stoplight/spectral-parsers");
const { asyncapi } = require("@stoplight/spectral-rulesets");

const WORDS = ["error", "warning", "information", "hint"];

function spelled(tool, found) {
  return found.map(
    (one) => `${tool} ${WORDS[one.severity]} ${one.code} ${one.path.join("/")}: ${one.message}`,
  );
}

async function main(file) {
  const text = fs.readFileSync(file, "utf8");
  const parsed = await new Parser().parse(text, { source: file });
  const spectral = new Spectral();
  spectral.setRuleset(asyncapi);
  const found = await spectral.run(new Document(text, Json, file));
  const said = [...spelled("parser", parsed.diagnostics), ...spelled("spectral", found)];
  console.log(JSON.stringify({ parsed: parsed.document !== undefined, said }));
}

main(process.argv[2]);
