import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTranscriberRecogniser } from '../../../src/agents/index.js';
import { createOpenAiTranscriber } from '../../../src/models/index.js';
import { builtInDomain } from '../../../src/retail/index.js';
import { systemClock } from '../../../src/shared/index.js';
import { createFliteSynthesizer, createSpeaker } from '../../../src/speech/index.js';
import { playCascade } from './play.js';

const projectRoot = resolve(import.meta.dirname, '../../..');
const python = join(projectRoot, '.venv-speech/bin/python');
const missing = existsSync(python) ? null : 'there is no .venv-speech; scripts/speech-venv.sh makes it';
const MODEL = 'whisper-tiny.en';

/** Whisper behind `/v1/audio/transcriptions`, until the test ends. */
async function serveWhisper(): Promise<string> {
  const server = spawn(python, [join(projectRoot, 'tests/speech/listening/whisper_server.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    server.stdin.end();
    await once(server, 'exit');
  });
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return line.toString().trim();
}

describe.skipIf(missing !== null)(`the cascade with Whisper for ears (${missing ?? 'it is here'})`, () => {
  it('plays whole episodes and finds out who calls, by what a real server of weights heard', async () => {
    const baseUrl = await serveWhisper();
    const speaker = await createSpeaker({ engine: await createFliteSynthesizer({ workers: 1 }) });
    onTestFinished(() => speaker.close());
    const open = (model: string) =>
      createOpenAiTranscriber({ baseUrl, model, language: 'en', clock: systemClock, retries: 0 });
    const played = await playCascade(builtInDomain(), ['eval-007', 'eval-016'], {
      ...{ mode: 'speech', speaker, recogniser: createTranscriberRecogniser(open(MODEL)) },
    });
    for (const { events } of played) {
      const heard = events.flatMap((event) =>
        event.type === 'agent' || event.type === 'tool_call' ? (event.reasoning ?? []) : [],
      );
      expect(heard.join('\n')).toMatch(/heard: .*\border\b/);
      // Nobody's details are looked up unless an email, or a name with its zip code, was understood.
      expect(events).toContainEqual(expect.objectContaining({ type: 'tool_call', name: 'get_user_details' }));
    }
    // A model that the server does not have is told in its words.
    await expect(
      open('whisper-1').transcribe(new Uint8Array(100), AbortSignal.timeout(60_000)),
    ).rejects.toThrow(/`whisper-1` does not exist; this server has whisper-tiny\.en/);
  }, 300_000);
});
