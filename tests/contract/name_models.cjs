// The names of the models that a generator makes of a document.
// node name_models.cjs DOCUMENT  ->  ["CardDealtEvent", ...]
const fs = require("node:fs");
const { TypeScriptGenerator } = require("@asyncapi/modelina");

async function main(file) {
  const document = JSON.parse(fs.readFileSync(file, "utf8"));
  const models = await new TypeScriptGenerator().generate(document);
  console.log(JSON.stringify(models.map((model) => model.modelName)));
}

main(process.argv[2]);
