// Writes the tables of docs/protocol.md and docs/records.md from the schemas in dist; with --check it only compares.
// A table stands between `<!-- fields of NAME -->` and `<!-- end of fields -->`; the rest of the page is written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { recordEventSchema } from '../dist/episodes/index.js';
import { clientMessageSchema, serverEventSchema, toolSchema } from '../dist/protocol/index.js';

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function typeOf(schema) {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if (schema.anyOf) {
    const [some, none] = schema.anyOf;
    return none?.type === 'null' ? `${typeOf(some)} or null` : schema.anyOf.map(typeOf).join(' or ');
  }
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(typeOf).join(', ')}]`;
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  if (schema.type === 'string' && schema.maxLength)
    return schema.minLength === schema.maxLength
      ? `string of ${schema.maxLength}`
      : `string, at most ${schema.maxLength}`;
  if (schema.type === 'integer' && schema.minimum > Number.MIN_SAFE_INTEGER) {
    const most = schema.maximum < Number.MAX_SAFE_INTEGER ? ` to ${schema.maximum}` : ' or more';
    return `integer, ${schema.minimum}${most}`;
  }
  return [schema.type ?? 'anything'].flat().join(' or ');
}

function rowsOf(schema, prefix = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const optional = !(schema.required ?? []).includes(name);
    const fallback = field.default === undefined ? '' : `, default \`${JSON.stringify(field.default)}\``;
    const note = optional ? ` (optional${fallback})` : '';
    const row = `| \`${prefix}${name}\` | ${cell(typeOf(field))}${note} | ${cell(field.description ?? '')} |`;
    const inner = field.anyOf?.find((one) => one.properties) ?? field;
    // A task is described in docs of its own.
    return name === 'task' && inner.properties ? [row] : [row, ...rowsOf(inner, `${prefix}${name}.`)];
  });
}

function table(schema) {
  return ['| field | type | meaning |', '| --- | --- | --- |', ...rowsOf(schema)].join('\n');
}

function section(schema) {
  const json = z.toJSONSchema(schema, { io: 'input' });
  const type = json.properties.type.const;
  return `### \`${type}\`\n\n${json.description}\n\n${table(json)}`;
}

const sections = (union) => union.options.map(section).join('\n\n');
const BLOCKS = {
  'client messages': () => sections(clientMessageSchema),
  'server events': () => sections(serverEventSchema),
  tools: () => table(z.toJSONSchema(toolSchema, { io: 'input' })),
  'record events': () => sections(recordEventSchema),
};

function render(text, page) {
  return text.replace(
    /(<!-- fields of ([a-z ]+) -->\n)[\s\S]*?(<!-- end of fields -->)/g,
    (_whole, open, name, close) => {
      if (!BLOCKS[name])
        throw new Error(`${page}: no fields of "${name}"; there are ${Object.keys(BLOCKS).join(', ')}`);
      return `${open}\n${BLOCKS[name]()}\n\n${close}`;
    },
  );
}

// The formatter pads tables, so pages are compared without padding.
const bare = (text) => text.replace(/ +\|/g, ' |').replace(/\| -+ (?=\|)/g, '| --- ');
const check = process.argv.includes('--check');
let stale = 0;
for (const page of ['docs/protocol.md', 'docs/records.md']) {
  const file = fileURLToPath(new URL(`../${page}`, import.meta.url));
  const before = readFileSync(file, 'utf8');
  const after = render(before, page);
  if (bare(after) === bare(before)) continue;
  stale += 1;
  if (check) console.error(`${page} differs from the schemas; run "npm run docs"`);
  else writeFileSync(file, after);
}
process.exit(check && stale > 0 ? 1 : 0);
