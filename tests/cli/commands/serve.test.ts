import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEpisode } from '../../../src/agents/index.js';
import { decodeWav } from '../../../src/audio/index.js';
import { readRun } from '../../../src/episodes/index.js';
import { selfSigned } from '../../helpers/certificate.js';
import { tau2Files, writeFolder } from '../../helpers/data-folder.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { type CliResult, cli } from '../../helpers/terminal.js';
import { rawClient, rawEpisode, startMessage } from '../../sandbox/helpers/raw-client.js';

const root = join(import.meta.dirname, '..', '..', '..');
const main = join(root, 'dist', 'cli', 'main.js');
const agent = { agent: 'tester' };

interface Serving {
  readonly printed: string;
  readonly url: string;
  readonly errors: string[];
  interrupt(): void;
  readonly done: Promise<CliResult>;
}

/** Runs `parlor serve` in this process until `interrupt` is called. */
async function serve(args: readonly string[], env: Record<string, string> = {}): Promise<Serving> {
  let interrupt = (): void => undefined;
  let print = (_text: string): void => undefined;
  const printing = new Promise<string>((resolve) => {
    print = resolve;
  });
  const errors: string[] = [];
  const done = cli(['serve', '--port', '0', '--data', writeFolder(tau2Files()), ...args], {
    env,
    out: (text) => print(text),
    err: (text) => errors.push(text),
    onInterrupt: (handler) => {
      interrupt = handler;
      return () => undefined;
    },
  });
  onTestFinished(async () => {
    interrupt();
    await done;
  });
  const printed = await Promise.race([printing, done.then(() => errors.join(''))]);
  const url = /wss?:\S+\/v1/.exec(printed)?.[0] ?? '';
  return { printed, url, errors, interrupt: () => interrupt(), done };
}

const assignment = (url: string, token?: string) => ({
  ...({ url, token, mode: 'text', seed: 1, trial: 0 } as const),
  task: '0',
});

describe('parlor serve', () => {
  it('serves strangers, keeps records, and ends what runs as shutdown when interrupted', async () => {
    const out = join(temporaryFolder(), 'lab');
    const serving = await serve(['--mode', 'text', '--out', out]);
    const first = await startEpisode(assignment(serving.url), agent);
    expect(first.opening.text).not.toBe('');
    await first.stop();
    first.close();
    const second = await startEpisode({ ...assignment(serving.url), trial: 1 }, agent);
    serving.interrupt();
    expect(await second.stop()).toMatchObject({ reason: 'shutdown' });
    second.close();
    expect((await serving.done).exitCode).toBe(0);
    const { records } = await readRun(out);
    expect(records.map(({ end }) => end?.reason)).toEqual(['agent_stop', 'shutdown']);
    expect(serving.errors.join('')).toMatch(/0\.text\.t0\.s1 {2}tester {2}agent_stop after 0 turns/);
  });

  it('keeps its folder to itself: a second server or a run into it ends with one line, exit 2', async () => {
    const out = join(temporaryFolder(), 'lab');
    const serving = await serve(['--mode', 'text', '--out', out]);
    for (const args of [
      ['serve', '--port', '0', '--mode', 'text', '--out', out],
      ['run', '--mode', 'text', '--tasks', '1', '--out', out],
    ]) {
      const refused = await cli(args);
      expect(refused.exitCode).toBe(2);
      expect(refused.stderr).toMatch(/^parlor: .*lab is in use by process \d+ on .+\n$/m);
    }
    serving.interrupt();
    expect((await serving.done).exitCode).toBe(0);
    const next = await serve(['--mode', 'text', '--out', out]);
    expect(next.url).toMatch(/^ws/);
  });

  it('prints an example that works as it stands', async () => {
    const serving = await serve(['--mode', 'text', '--token-env', 'LAB_TOKEN'], { LAB_TOKEN: 's3cret' });
    const script = serving.printed.slice(serving.printed.indexOf('node --input-type'));
    const child = spawn('bash', ['-c', script], {
      ...{ cwd: root, env: { ...process.env, LAB_TOKEN: 's3cret' } },
    });
    let stdout = '';
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hello \nepisode.ready \ncustomer.start \ncustomer.text .+\ncustomer.end /);
    expect(stdout).toMatch(/episode.end agent_stop\n$/);
    await expect(startEpisode(assignment(serving.url, 'wrong'), agent)).rejects.toThrow(/401/);
  });

  it('warns when it can be reached from beyond this machine', async () => {
    const open = await serve(['--mode', 'text', '--host', '0.0.0.0']);
    expect(open.errors.join('')).toMatch(/warning: LISTENING ON 0\.0\.0\.0, .*WITHOUT A TOKEN/);
    const local = await serve(['--mode', 'text']);
    expect(local.errors.join('')).toBe('');
    const env = { LAB_TOKEN: 'a-token-of-decent-length' };
    const guarded = await serve(['--mode', 'text', '--host', '0.0.0.0', '--token-env', 'LAB_TOKEN'], env);
    expect(guarded.errors.join('')).toMatch(/listening on 0\.0\.0\.0, .*unencrypted/);
  });

  it('takes several tokens from a file, speaks TLS, and logs JSON without the token', async () => {
    const folder = temporaryFolder();
    const tls = selfSigned();
    const files = {
      'cert.pem': tls.cert,
      'key.pem': tls.key,
      tokens: '# lab\ntoken-one-1234567\n\ntoken-two-1234567\n',
    };
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, name), text, { mode: 0o644 });
    const file = (name: string) => join(folder, name);
    const serving = await serve([
      ...['--mode', 'text', '--token-file', file('tokens'), '--log-format', 'json', '--log-level', 'debug'],
      ...['--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')],
    ]);
    expect(serving.url).toMatch(/^wss:/);
    const options = (token: string) => ({ ca: tls.cert, headers: { authorization: `Bearer ${token}` } });
    await expect(rawClient(serving.url, options('token-three'))).rejects.toThrow(/401/);
    const client = await rawClient(serving.url, options('token-two-1234567'));
    client.send(startMessage({ task: '0', agent: 'token-two-1234567\n' }));
    await client.next('customer.end');
    client.send({ type: 'agent.stop' });
    const { episode } = await client.next('episode.end');
    serving.interrupt();
    await serving.done;
    const lines = serving.errors
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'exposure', level: 'warning' }));
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'episode_end', episode, reason: 'agent_stop', agent: '[secret]\n' }),
    );
    expect(serving.errors.join('') + serving.printed).not.toMatch(/token-(one|two)-/);
  });

  it('lets episodes come to their end when it drains, and a second interrupt ends them', async () => {
    const serving = await serve(['--mode', 'text', '--drain-seconds', '3600']);
    const first = await startEpisode(assignment(serving.url), agent);
    const second = await startEpisode({ ...assignment(serving.url), trial: 1 }, agent);
    serving.interrupt();
    expect(await first.stop()).toMatchObject({ reason: 'agent_stop' });
    serving.interrupt();
    await serving.done;
    expect(await second.stop()).toMatchObject({ reason: 'shutdown' });
    expect(serving.errors.join('')).toMatch(/draining: .*\n(.*\n)*parlor: closing/);
    first.close();
    second.close();
  });

  it('says that it can hear when it was given a transcriber', async () => {
    const deaf = await serve(['--mode', 'text']);
    const hearing = await serve(['--mode', 'text', '--transcriber-url', 'http://127.0.0.1:9/v1']);
    const capabilities = async ({ url }: Serving) =>
      (await (await rawClient(url)).next('hello')).capabilities;
    expect(await capabilities(deaf)).not.toContain('transcription');
    expect(await capabilities(hearing)).toContain('transcription');
  });

  it('speaks with the built-in voices', async () => {
    const serving = await serve([], { PARLOR_CACHE_DIR: temporaryFolder() });
    expect(serving.printed).toContain('in speech and text');
    const episode = await startEpisode({ ...assignment(serving.url), mode: 'speech' }, agent);
    expect(episode.opening.text).toBeNull();
    expect(episode.opening.audio?.samples.length).toBeGreaterThan(8_000);
    await episode.stop();
    episode.close();
  });

  it('grants turn-taking to who asks for it, where --turn-taking says so, and refuses it elsewhere', async () => {
    const env = { PARLOR_CACHE_DIR: temporaryFolder() };
    const out = join(temporaryFolder(), 'lab');
    const lively = { mode: 'speech', turnTaking: 'lively', task: '0' };
    const serving = await serve(['--turn-taking', '--out', out], env);
    const client = await rawClient(serving.url);
    expect((await client.next('hello')).capabilities).toContain('turn_taking');
    client.send(startMessage(lively));
    expect(await client.next('episode.ready')).toMatchObject({ turnTaking: 'lively' });
    await client.next('customer.end');
    client.send({ type: 'agent.stop' });
    await client.next('episode.end');
    serving.interrupt();
    await serving.done;
    expect((await readRun(out)).records[0]?.header.turnTaking).toBe('lively');

    const without = await serve([], env);
    const refused = await rawClient(without.url);
    expect((await refused.next('hello')).capabilities).not.toContain('turn_taking');
    refused.send(startMessage(lively));
    expect(await refused.next('error')).toMatchObject({ code: 'unavailable' });
  });

  it('lets customers call over the line that --conditions names', async () => {
    const out = join(temporaryFolder(), 'lab');
    const env = { PARLOR_CACHE_DIR: temporaryFolder() };
    const serving = await serve(['--conditions', 'regular', '--out', out], env);
    const episode = await startEpisode({ ...assignment(serving.url), mode: 'speech' }, agent);
    await episode.stop();
    episode.close();
    serving.interrupt();
    await serving.done;
    const { events = [] } = (await readRun(out)).records[0] ?? {};
    const opening = events.find((event) => event.type === 'customer');
    if (opening === undefined) throw new Error(`no customer spoke: ${JSON.stringify(events)}`);
    const { audio, clean, effects } = opening;
    expect(clean?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(audio?.sha256).not.toBe(clean?.sha256);
    expect(effects?.entries.map(({ kind }) => kind)).toContain('telephony');
    const heard = decodeWav(readFileSync(join(out, 'audio', `${audio?.sha256}.wav`)));
    const unheard = decodeWav(readFileSync(join(out, 'audio', `${clean?.sha256}.wav`)));
    expect([heard.samples.length, unheard.samples.length]).toEqual([audio?.samples, clean?.samples]);
    // What the agent got is what the line made of it.
    expect(episode.opening.audio?.samples).toEqual(heard.samples);
  });

  it.each([
    [['--conditions', 'noisy'], /there are clean, control, regular/],
    [['--conditions', 'gone.json'], /cannot read the conditions in gone\.json/],
  ])('%j is a wrong call: one line, exit code 2', async (flags, message) => {
    const result = await cli(['serve', '--port', '0', ...flags], { cwd: temporaryFolder() });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).toMatch(/^parlor: [^\n]+\n$/);
    expect(result.exitCode).toBe(2);
  });

  it('says what is wrong in one line: no folder, no token, a port in use', async () => {
    const missing = await cli(['serve', '--data', join(temporaryFolder(), 'nothing')]);
    const untold = await cli(['serve', '--data', writeFolder(tau2Files()), '--token-env', 'NO_SUCH_TOKEN']);
    const blocker = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void blocker.close());
    await once(blocker, 'listening');
    const port = String((blocker.address() as AddressInfo).port);
    const blocked = await cli([
      'serve',
      '--data',
      writeFolder(tau2Files()),
      '--mode',
      'text',
      '--port',
      port,
    ]);
    const halfTls = await cli(['serve', '--tls-cert', 'x.pem']);
    const noFile = await cli(['serve', '--token-file', join(temporaryFolder(), 'none')]);
    expect(halfTls.stderr).toContain('--tls-key');
    for (const result of [missing, untold, blocked, halfTls, noFile]) {
      expect(result.exitCode).toBe(2);
      expect(result.stderr).toMatch(/^parlor: [^\n]+\n$/);
    }
    expect(untold.stderr).toContain('NO_SUCH_TOKEN');
    expect(blocked.stderr).toContain('the port is in use');
  });

  it('closes cleanly when the process is told to end', async () => {
    const child = spawn(process.execPath, [
      ...[main, 'serve', '--port', '0', '--mode', 'text', '--data', writeFolder(tau2Files())],
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /ws:\S+\/v1/.exec(printed.toString())?.[0] ?? '';
    const client = await rawEpisode(url, { task: '0' });
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await client.next('episode.end')).toMatchObject({ reason: 'shutdown' });
    expect(await exited).toEqual([0, null]);
    expect(spawnSync(process.execPath, [main, 'serve', '--help'], { encoding: 'utf8' }).stdout).toContain(
      'Examples:',
    );
  });
});
