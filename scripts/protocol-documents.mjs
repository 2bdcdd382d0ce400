// Writes docs/schema/*.json and docs/asyncapi/parlor-v1.json from the schemas in dist; with --check it only compares.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asyncApiDocument, protocolJsonSchemas } from '../dist/protocol/index.js';
import { rolloutJsonSchema } from '../dist/rollouts/index.js';

const { clientMessage, serverEvent } = protocolJsonSchemas();
const DOCUMENTS = {
  'docs/schema/client-message.schema.json': clientMessage,
  'docs/schema/server-event.schema.json': serverEvent,
  'docs/schema/rollout-request.schema.json': rolloutJsonSchema(),
  'docs/asyncapi/parlor-v1.json': asyncApiDocument(),
};

function stored(file) {
  try {
    return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

const check = process.argv.includes('--check');
let stale = 0;
for (const [name, document] of Object.entries(DOCUMENTS)) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
  if (stored(file) === JSON.stringify(document)) continue;
  stale += 1;
  if (check) console.error(`${name} differs from the schemas; run "npm run docs"`);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
  }
}
process.exit(check && stale > 0 ? 1 : 0);
