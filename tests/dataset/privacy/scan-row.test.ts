import { describe, expect, it } from 'vitest';
import { createPrivacyScan } from '../../../src/dataset/privacy/scan.js';
import { createRowScan } from '../../../src/dataset/privacy/scan-row.js';
import type { DatasetRow } from '../../../src/dataset/rows/row.js';

const SECRET = 'the-name-of-this-machine';
const tools = [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: {} } }];

function row(parts: { policy?: string; said?: string; tools?: unknown; episode?: string }): DatasetRow {
  const { policy = 'Be kind.', said = 'Hello.', episode = 'one' } = parts;
  return {
    ...{ id: 'id', episode, task: 'task', tools: parts.tools ?? tools },
    messages: [
      { role: 'system', content: policy },
      { role: 'user', content: said, spoken: null, audio: null },
    ],
  } as unknown as DatasetRow;
}

describe('the search through rows', () => {
  it('finds what must not be published in words, policy and tools, also of later rows with policies seen before', () => {
    const scan = createRowScan(createPrivacyScan([{ what: "this machine's name", text: SECRET }]));
    scan(row({}));
    scan(row({}));
    expect(() => scan(row({ said: `I am at ${SECRET}.`, episode: 'two' }))).toThrow(
      "episode two holds this machine's name",
    );
    expect(() => scan(row({ policy: `Call ${SECRET}.` }))).toThrow("this machine's name");
    // A policy that was refused is no known one.
    expect(() => scan(row({ policy: `Call ${SECRET}.` }))).toThrow("this machine's name");
    expect(() => scan(row({ tools: [{ name: SECRET }] }))).toThrow("this machine's name");
    const bad = [{ name: SECRET }];
    expect(() => scan(row({ tools: bad }))).toThrow();
    expect(() => scan(row({ tools: bad }))).toThrow("this machine's name");
  });
});
