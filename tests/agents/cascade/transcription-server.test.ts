import { expect, it, onTestFinished } from 'vitest';
import { createTranscriberRecogniser } from '../../../src/agents/index.js';
import type { Pcm } from '../../../src/audio/index.js';
import { createOpenAiTranscriber } from '../../../src/models/index.js';
import { builtInDomain } from '../../../src/retail/index.js';
import { systemClock } from '../../../src/shared/index.js';
import { createFliteSynthesizer, createSpeaker, type Speaker } from '../../../src/speech/index.js';
import { strictTranscriptionServer } from '../../helpers/strict-transcription-server.js';
import { playCascade } from './play.js';

const bytesOf = ({ samples }: Pcm): Buffer =>
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);

/** A server's ear that makes no mistakes: it knows each clip by 0.1 s of its middle, however it was trimmed. */
function perfectEar(speaker: Speaker) {
  const said: { readonly spoken: string; readonly bytes: Buffer }[] = [];
  const listened: Speaker = {
    ...speaker,
    speak: async (...call) => {
      const line = await speaker.speak(...call);
      said.push({ spoken: line.spoken, bytes: bytesOf(line.clip) });
      return line;
    },
  };
  const hear = (speech: Pcm): string => {
    const bytes = bytesOf(speech);
    const middle = (bytes.length >> 2) * 2;
    const piece = bytes.subarray(middle, middle + 3_200);
    return said.find((line) => line.bytes.includes(piece))?.spoken ?? 'nothing that anybody said';
  };
  return { speaker: listened, hear };
}

it('the cascade listens through a transcription server and solves what it hears', async () => {
  const flite = await createSpeaker({ engine: await createFliteSynthesizer({ workers: 1 }) });
  onTestFinished(() => flite.close());
  const { speaker, hear } = perfectEar(flite);
  const server = await strictTranscriptionServer({ model: 'whisper-1', apiKey: 'k', hear });
  onTestFinished(async () => void (await server.close()));
  const transcriber = createOpenAiTranscriber({
    ...{ baseUrl: server.baseUrl, model: 'whisper-1', apiKey: 'k', language: 'en', clock: systemClock },
  });
  const domain = builtInDomain();
  const tasks = domain.tasks.filter((_, place) => place % 40 === 0).map(({ id }) => id);
  const played = await playCascade(domain, tasks, {
    ...{ mode: 'speech', speaker, recogniser: createTranscriberRecogniser(transcriber) },
  });
  expect(server.refused).toEqual([]);
  // The line on which a customer hangs up needs no answer.
  expect(server.heard()).toBe(
    played.flatMap(({ events }) => events.filter((event) => event.type === 'customer' && event.end === null))
      .length,
  );
  expect(played.filter(({ success }) => success).length / played.length).toBeGreaterThan(0.4);
  // What it heard stands beside what it did.
  const [first] = played;
  expect(first?.events.find(({ type }) => type === 'agent')).toMatchObject({
    reasoning: expect.stringMatching(/^heard: /),
  });
}, 120_000);
