import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CLOSE_CODES,
  clientMessageSchema,
  decodeAudioFrame,
  END_OWNERS,
  endReasonSchema,
  errorCodeSchema,
  serverEventSchema,
} from '../../src/protocol/index.js';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'protocol.md'), 'utf8').replace(/ +\|/g, ' |');

/** The first cells of the rows of the table under a heading. */
function firstCells(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `?([a-z0-9_]+)`? \|/gm)].map((match) => match[1] as string).slice(1);
}

describe('docs/protocol.md and docs/records.md', () => {
  it('hold the fields that the schemas have', () => {
    const script = join(root, 'scripts', 'reference-docs.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('name every end reason with its owner, every error code and every close code', () => {
    expect(new Set(firstCells('How an episode ends'))).toEqual(new Set(endReasonSchema.options));
    for (const [reason, owner] of Object.entries(END_OWNERS))
      expect(page).toContain(`| \`${reason}\` | ${owner} |`);
    expect(new Set(firstCells('Error codes'))).toEqual(new Set(errorCodeSchema.options));
    expect(firstCells('Close codes')).toEqual(Object.values(CLOSE_CODES).map(String));
  });

  it('show an episode whose every line is a message of the protocol, numbered without a gap', () => {
    const session = /```session\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    let seq = 0;
    const lines = session.trim().split('\n');
    for (const line of lines) {
      if (line.startsWith('A: ')) clientMessageSchema.parse(JSON.parse(line.slice(3)));
      else if (line.startsWith('S: ')) {
        const event = serverEventSchema.parse(JSON.parse(line.slice(3)));
        seq += 1;
        expect(event.seq).toBe(seq);
        if (event.type === 'customer.end') expect(event.samples).toBe(event.durationMs * 16);
      } else {
        const [, count, first, last] = /^▒ (\d+) frames, seq (\d+) to (\d+)$/.exec(line) ?? [];
        expect(Number(first)).toBe(seq + 1);
        seq += Number(count);
        expect(Number(last)).toBe(seq);
      }
    }
    expect(lines.length).toBeGreaterThan(10);
  });

  it.each(['lost-line', 'interruption'])('show a %s in messages of the protocol', (name) => {
    const session = new RegExp(`\`\`\`${name}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
    const lines = session.split('\n').filter((line) => /^[AS]: /.test(line));
    for (const line of lines) {
      const schema = line.startsWith('A: ') ? clientMessageSchema : serverEventSchema;
      schema.parse(JSON.parse(line.slice(3)));
    }
    expect(lines.length).toBeGreaterThan(4);
  });

  it('show an audio frame that reads as they say', () => {
    const hex = /```\n(50 01[0-9a-f ]+)\n```/.exec(page)?.[1] ?? '';
    expect(decodeAudioFrame(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toEqual({
      ...{ kind: 'customer', seq: 7, utterance: 2, sampleOffset: 1_600 },
      data: Buffer.from([1, 0, 0xfe, 0xff]),
    });
  });
});
