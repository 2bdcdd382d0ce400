import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { estimateCost } from '../../src/cli/models/preflight.js';
import { MODEL } from '../agents/openai-compatible/play.js';
import {
  type StrictChatOptions,
  type StrictChatServer,
  startStrictChatServer,
} from '../helpers/strict-chat-server.js';
import { cli } from '../helpers/terminal.js';

let server: StrictChatServer | undefined;
afterEach(async () => await server?.close());

async function runAgainst(options: Partial<StrictChatOptions>, flags: readonly string[] = []) {
  server = await startStrictChatServer({ policy: () => ({ content: 'ready' }), ...options });
  const cwd = mkdtempSync(join(tmpdir(), 'parlor-preflight-'));
  const env = { PARLOR_CACHE_DIR: join(cwd, 'cache') };
  const where = ['--agent', 'openai', '--base-url', server.baseUrl, '--model', MODEL];
  const result = await cli(['run', '--tasks', '1', '--trials', '1', '--out', 'run', ...where, ...flags], {
    cwd,
    env,
  });
  return { ...result, started: existsSync(join(cwd, 'run')) };
}

describe('the preflight tells in one line what to change, before anything is run', () => {
  it.each<[string, Partial<StrictChatOptions>, string[], string]>([
    ['key missing', { apiKey: 'k' }, [], 'set PARLOR_API_KEY or OPENAI_API_KEY'],
    ['model not found', { models: ['other'] }, [], `has no model "${MODEL}"`],
    ['server without audio support', { audio: false }, [], 'vllm[audio]'],
    ['server that takes no clips', { audioPerPrompt: 0 }, [], '--limit-mm-per-prompt'],
    ['server without tool parser', { toolParser: false }, ['--mode', 'text'], '--tool-call-parser hermes'],
    [
      'customer’s model not found',
      {},
      ['--mode', 'text', '--user', 'model', '--user-model', 'x'],
      'has no model "x"',
    ],
  ])('%s', async (_what, options, flags, words) => {
    const { exitCode, stderr, started } = await runAgainst(options, flags);
    expect(exitCode).toBe(1);
    const [last] = stderr.trim().split('\n').slice(-1);
    expect(last).toContain(words);
    expect(last).toMatch(/^parlor: /);
    expect(started).toBe(false);
  });

  it('wrong URL', async () => {
    const { exitCode, stderr } = await runAgainst({}, [
      '--mode',
      'text',
      '--base-url',
      'http://127.0.0.1:9/v1',
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('nobody answers at http://127.0.0.1:9/v1');
  });
});

describe('the estimate', () => {
  const size = { episodes: 10, speaks: true, materialCharacters: 35_000, toolsInText: false, speech: null };
  it('counts requests and tokens; a price that is not known is null, never 0', () => {
    // 140 requests of 35,000 / 3.5 + 2,500 = 12,500 tokens, 100 tokens each back.
    expect(estimateCost('agent', size, {})).toEqual({
      ...{ requests: 140, promptTokens: 1_750_000, replyTokens: 14_000, cost: null },
    });
    expect(estimateCost('agent', size, { priceIn: 2 }).cost).toBeNull();
    expect(estimateCost('agent', size, { priceIn: 2, priceOut: 10 }).cost).toBeCloseTo(3.64);
    expect(estimateCost('agent', size, { priceIn: 0, priceOut: 0 }).cost).toBe(0);
  });
});
