import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { estimateCost } from '../../src/cli/models/preflight.js';
import { builtInDomain } from '../../src/retail/index.js';
import { MODEL } from '../agents/openai-compatible/play.js';
import { oraclePolicy } from '../agents/realtime/play.js';
import {
  type StrictChatOptions,
  type StrictChatServer,
  startStrictChatServer,
} from '../helpers/strict-chat-server.js';
import { type StrictRealtimeOptions, startStrictRealtimeServer } from '../helpers/strict-realtime-server.js';
import { cli } from '../helpers/terminal.js';
import { answerWell, startSpeechServer, toneVoice } from '../speech/helpers/speech-server.js';

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
    [
      'key missing',
      { apiKey: 'k' },
      [],
      'wants a key, and none was sent (401): set PARLOR_API_KEY or OPENAI_API_KEY',
    ],
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

/** A folder with one voice that a server speaks. */
function servedVoice(cwd: string, baseUrl: string): string {
  const voices = join(cwd, 'voices');
  mkdirSync(voices);
  const voice = {
    ...{ ...toneVoice, id: 'served', engine: 'speech-server', engineVoice: 'low' },
    server: { baseUrl, model: 'tones', format: 'pcm' },
  };
  writeFileSync(join(voices, 'served.json'), JSON.stringify(voice));
  return voices;
}

async function runSpoken(flags: readonly string[], voicesAt: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'parlor-preflight-'));
  const env = { PARLOR_CACHE_DIR: join(cwd, 'cache') };
  const voices = servedVoice(cwd, voicesAt);
  const all = ['--tasks', '1', '--trials', '1', '--out', 'run', '--voices', voices, ...flags];
  const result = await cli(['run', ...all], { cwd, env });
  return { ...result, cwd, env, started: existsSync(join(cwd, 'run')) };
}

describe('a server that speaks for the customer', () => {
  it('is asked for a line and listed, its price unknown; the cache does not answer for it', async () => {
    const speech = await startSpeechServer(answerWell);
    const { exitCode, stderr } = await runSpoken([], speech.baseUrl);
    expect(stderr).toContain(
      `  voice  tones at ${speech.baseUrl}: speaks; at most about 8 lines, cost unknown\n`,
    );
    expect(stderr).not.toContain('on this machine');
    expect(exitCode).toBe(0);
    expect(speech.calls[0]?.body).toMatchObject({ model: 'tones', input: 'This is a test of the line.' });
  });

  it('that refuses ends the run before it begins, with one line', async () => {
    const speech = await startSpeechServer(
      (_call, response) => void response.writeHead(401).end('who are you?'),
    );
    const { exitCode, stderr, started } = await runSpoken([], speech.baseUrl);
    expect([exitCode, started]).toEqual([1, false]);
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /^parlor: http:.*\/v1\/audio\/speech refused the line \(HTTP 401\): "who are you\?"/,
    );
  });
});

describe('a realtime model', () => {
  const [task = ''] = builtInDomain().tasks.map(({ id }) => id);
  const realtime = async (policy: StrictRealtimeOptions['policy'], flags: readonly string[] = []) => {
    const speech = await startSpeechServer(answerWell);
    const model = await startStrictRealtimeServer({ policy });
    const where = ['--agent', 'realtime', '--base-url', model.url, '--model', 'gpt-realtime'];
    const played = await runSpoken(['--tasks', `${task},`, ...where, ...flags], speech.baseUrl);
    await model.close();
    return { ...played, model, where };
  };

  it('is asked once, with sound and a tool, and listed', async () => {
    const asked = realtime(() => ({ say: 'Ready. Goodbye.' }), ['--record', 'kept', '--token-ids']);
    const { stderr, model, cwd } = await asked;
    expect(stderr).toContain(
      `  agent  gpt-realtime at ${model.url}: answers, takes audio, takes tools; about 14 replies, cost unknown\n`,
    );
    expect(model.refusals).toEqual([]);
    const kept = readFileSync(join(cwd, 'kept', 'agent.jsonl'), 'utf8');
    expect(kept).toContain('"realtime_recording"');
    // Of the preflight nothing is recorded.
    expect(kept).not.toContain('test of the line');
    expect(readdirSync(join(cwd, 'run', 'generations'))).toHaveLength(1);
  });

  it('is told with one line when it refuses the key', async () => {
    const model = await startStrictRealtimeServer({ policy: () => ({ say: 'No.' }), apiKey: 'sesame' });
    const where = ['--agent', 'realtime', '--base-url', model.url, '--model', 'gpt-realtime'];
    const speech = await startSpeechServer(answerWell);
    const { exitCode, stderr, started } = await runSpoken(where, speech.baseUrl);
    await model.close();
    expect([exitCode, started]).toEqual([1, false]);
    expect(stderr.trim().split('\n').at(-1)).toContain('refused the key (HTTP 401): see --api-key-env');
  });

  it('is played back from what was recorded, with no server', async () => {
    const { cwd, env, where, stdout } = await realtime(oraclePolicy(builtInDomain(), task), [
      '--record',
      'kept',
    ]);
    const flags = ['run', '--tasks', `${task},`, '--trials', '1', '--voices', join(cwd, 'voices')];
    const again = await cli(
      [...flags, ...where.slice(0, 2), '--replay', 'kept', '--out', 'again', '--no-preflight'],
      { cwd, env },
    );
    const records = (run: string) => {
      const folder = join(cwd, run, 'episodes');
      return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    };
    expect(stdout).not.toBe('');
    expect(again.exitCode).toBe(0);
    expect(records('again')).toEqual(records('run'));
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
