import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RecordEvent, readRun } from '../../../src/episodes/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';

const run = async (...flags: readonly string[]) => {
  const cwd = temporaryFolder();
  const out = join(cwd, 'run');
  const args = ['--tasks', '1', '--trials', '1', '--seed', '3', '--no-report', '--out', out, ...flags];
  const result = await cli(['run', ...args], { cwd, env: { PARLOR_CACHE_DIR: join(cwd, 'cache') } });
  return { ...result, out };
};

describe('run --turn-taking', () => {
  it('puts its figures into the table, and who spoke when into the record', async () => {
    const { stdout, exitCode, out } = await run('--turn-taking', 'lively');
    expect(exitCode).toBe(0);
    const [record] = (await readRun(out)).records;
    expect(record?.header.turnTaking).toBe('lively');
    const events: readonly RecordEvent[] = record?.events ?? [];
    const brokeIn = events.filter(({ type }) => type === 'customer_interrupted').length;
    const murmurs = events.filter((event) => event.type === 'aside' && event.kind === 'backchannel').length;
    // This seed gives both; else the line below would say nothing.
    expect(brokeIn).toBeGreaterThan(0);
    expect(murmurs).toBeGreaterThan(0);
    const line = stdout.split('\n').find((text) => text.trimStart().startsWith('turn-taking'));
    expect(line).toContain(`customer broke in ${brokeIn.toFixed(1)} ×, agent 0.0 ×`);
    expect(line).toContain(`mm-hmm ${murmurs.toFixed(1)} ×`);
    for (const event of events) {
      if (event.type === 'agent' || event.type === 'customer') expect(event).toHaveProperty('call');
    }
  });

  it('is not in the table or the record of a run without it', async () => {
    const { stdout, exitCode, out } = await run('--turn-taking', 'half-duplex');
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('turn-taking');
    const [record] = (await readRun(out)).records;
    expect(record?.header).not.toHaveProperty('turnTaking');
    expect(record?.events.length).toBeGreaterThan(0);
    for (const event of record?.events ?? []) expect(event).not.toHaveProperty('call');
  });

  it.each([
    [['--turn-taking', 'chatty'], /--turn-taking must be one of half-duplex, patient, attentive, lively/],
    [['--turn-taking', 'lively', '--mode', 'text'], /--turn-taking.*speech/],
  ])('%j is a wrong call: one line, exit code 2, no run', async (flags, message) => {
    const { exitCode, stderr, stdout, out } = await run(...flags);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^parlor: [^\n]+\n$/);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
    expect(existsSync(out)).toBe(false);
  });
});
