// Fails unless the description is valid OpenAPI 3.1, its schemas are valid JSON Schemas of draft 2020-12, and the sample
// names every operation.
// Usage: node operations.js DESCRIPTION SAMPLE
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Validator } from "@seriousme/openapi-schema-validator";

const [descriptionFile, sampleFile] = process.argv.slice(2);
const description = JSON.parse(readFileSync(descriptionFile, "utf8"));
const sample = readFileSync(sampleFile, "utf8");

const validator = new Validator({ strict: false });
const { valid, errors } = await validator.validate(structuredClone(description));
if (!valid || validator.version !== "3.1") {
  console.error(`openapi: ${descriptionFile} is no valid OpenAPI 3.1 (it says ${validator.version}):`);
  console.error(JSON.stringify(errors, null, 2));
  process.exit(1);
}

// The schema of OpenAPI 3.1 leaves the schemas inside a description to their own dialect.
const ajv = new Ajv2020({ strict: false });
for (const [name, schema] of Object.entries(description.components.schemas)) {
  if (!ajv.validateSchema(schema)) {
    console.error(`openapi: the schema ${name} is no JSON Schema:`, JSON.stringify(ajv.errors, null, 2));
    process.exit(1);
  }
}

const operations = Object.entries(description.paths)
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })));
const missing = operations.filter(({ path, method }) => !sample.includes(`client.${method}("${path}"`));
if (missing.length > 0) {
  console.error("openapi: .ci/openapi-client/sample.ts does not use:");
  missing.forEach(({ path, method }) => console.error(`  ${method} ${path}`));
  process.exit(1);
}
console.log(`openapi: valid 3.1, ${operations.length} operations, all in the sample`);
