import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';
import { answerWell, startSpeechServer, toneVoice } from '../../speech/helpers/speech-server.js';

/** A folder with one voice, of this server. */
function voicesAt(baseUrl: string): string {
  const folder = temporaryFolder();
  const voice = { ...toneVoice, id: 'served', engine: 'speech-server', engineVoice: 'low' };
  const server = { baseUrl, model: 'tones', format: 'pcm' };
  writeFileSync(join(folder, 'served.json'), JSON.stringify({ ...voice, server }));
  return folder;
}

/** Every file of a run but the clock's, by its path. */
function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const kept = paths.filter((path) => !path.endsWith('timings.jsonl'));
  return Object.fromEntries(kept.map((path) => [path.slice(folder.length), readFileSync(path, 'base64')]));
}

describe('--stream-speech', () => {
  it('leaves the same run folder as without it, from a server and from the cache', async () => {
    const server = await startSpeechServer(answerWell);
    const voices = voicesAt(server.baseUrl);
    const cwd = mkdtempSync(join(tmpdir(), 'parlor-stream-'));
    const play = async (name: string, cache: string, ...flags: string[]) => {
      const out = join(cwd, name);
      const args = [
        '--tasks',
        '2',
        '--trials',
        '1',
        '--voices',
        voices,
        '--out',
        out,
        '--no-preflight',
        ...flags,
      ];
      const result = await cli(['run', ...args], { cwd, env: { PARLOR_CACHE_DIR: join(cwd, cache) } });
      expect(result).toMatchObject({ exitCode: 0 });
      return contentOf(out);
    };
    const whole = await play('whole', 'a');
    const streamed = await play('streamed', 'b', '--stream-speech');
    const asked = server.calls.length;
    const cached = await play('cached', 'b', '--stream-speech', '--concurrency', '1');
    expect(server.calls).toHaveLength(asked);
    expect(Object.keys(whole).some((path) => path.endsWith('.wav'))).toBe(true);
    expect(streamed).toEqual(whole);
    expect(cached).toEqual(whole);
  });

  it.each([
    ['run', ['--conditions', 'regular'], /--stream-speech.*--conditions/],
    ['run', ['--turn-taking', 'lively'], /--stream-speech.*--turn-taking/],
    ['run', ['--mode', 'text'], /--stream-speech.*needs a mode that speaks/],
    ['run', ['--conditions', 'clean'], /--stream-speech needs a voice of engine "speech-server"/],
    ['serve', ['--conditions', 'control'], /--stream-speech.*--conditions/],
    ['serve', ['--turn-taking'], /--stream-speech.*--turn-taking/],
    ['serve', ['--mode', 'text'], /--stream-speech.*needs a mode that speaks/],
    ['serve', ['--domain', 'maths'], /--stream-speech.*needs a mode that speaks/],
    ['serve', [], /--stream-speech needs a voice of engine "speech-server"/],
  ])('of %s %j is a wrong call that names both', async (command, flags, message) => {
    const cwd = temporaryFolder();
    const more = command === 'serve' ? ['--port', '0'] : [];
    const args = [command, '--stream-speech', ...flags, ...more];
    const { exitCode, stderr } = await cli(args, { cwd, env: { PARLOR_CACHE_DIR: cwd } });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});
