import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeWav } from '../../../src/audio/index.js';
import { createManualClock, systemClock } from '../../../src/shared/index.js';
import { createServerSynthesizer } from '../../../src/speech/engines/server/server-synthesizer.js';
import {
  createSpeaker,
  createVoiceEngines,
  SpeechServerError,
  SynthesisError,
  SynthesisTimeoutError,
  type Synthesizer,
  type Voice,
  VoiceNeedsError,
} from '../../../src/speech/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import {
  answerWell,
  type LocalSpeechServer,
  pcmBytes,
  startSpeechServer,
  toneSpeech,
  toneVoice,
} from '../helpers/speech-server.js';

const LINE = 'I would like to return the grey keyboard of my last order.';

type ServerOptions = NonNullable<Voice['server']>;
const voiceAt = ({ baseUrl }: LocalSpeechServer, change: Partial<ServerOptions> = {}): Voice => ({
  ...{ ...toneVoice, id: 'served', engine: 'speech-server', engineVoice: 'low' },
  server: { baseUrl, model: 'tones', format: 'pcm', ...change },
});

const engineWith = (keys: Readonly<Record<string, string>> = {}, voicesDir = '.'): Synthesizer =>
  createServerSynthesizer({ voicesDir, readKey: (name) => keys[name] });

const seconds = (clip: { samples: Int16Array; sampleRateHz: number }): number =>
  clip.samples.length / clip.sampleRateHz;

describe('a speech server', () => {
  it('is asked for one line with model, voice, format and key, and for a speed only where it matters', async () => {
    const server = await startSpeechServer(answerWell);
    const engine = engineWith({ TTS_API_KEY: 'sesame' });
    const voice = voiceAt(server, { apiKeyEnv: 'TTS_API_KEY' });
    await engine.synthesize({ spoken: LINE, voice });
    await engine.synthesize({ spoken: LINE, voice: { ...voice, durationStretch: 1.25 } });
    expect(server.calls).toEqual([
      {
        path: '/v1/audio/speech',
        authorization: 'Bearer sesame',
        body: { model: 'tones', input: LINE, voice: 'low', response_format: 'pcm' },
      },
      expect.objectContaining({ body: expect.objectContaining({ speed: 0.8 }) }),
    ]);
  });

  it('gets the reference clip and its transcript where a voice is to be taken on', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'ann.wav'), 'RIFFclip');
    const server = await startSpeechServer(answerWell);
    const voice = voiceAt(server, { reference: { clip: 'ann.wav', text: 'Hello there.' } });
    const engine = engineWith({}, folder);
    await engine.synthesize({ spoken: LINE, voice });
    expect(server.calls[0]?.body).toMatchObject({
      ref_audio: `data:audio/wav;base64,${Buffer.from('RIFFclip').toString('base64')}`,
      ref_text: 'Hello there.',
    });
    expect(await engine.identify?.(voice)).toMatch(/^tones at http.* like [0-9a-f]{12}$/);
  });

  it.each([
    ['the MIME type', 'audio/pcm;rate=12000', 16_000, 12_000],
    ['the voice file', 'audio/pcm', 12_000, 12_000],
    ['neither: 24 kHz', 'audio/pcm', undefined, 24_000],
  ])('has its rate from %s', async (_, contentType, sampleRateHz, expectedHz) => {
    const server = await startSpeechServer(async ({ body }, response) => {
      response.writeHead(200, { 'content-type': contentType }).end(pcmBytes(await toneSpeech(body)));
    });
    const sent = (await toneSpeech({ input: LINE })).length;
    const clip = await engineWith().synthesize({ spoken: LINE, voice: voiceAt(server, { sampleRateHz }) });
    expect(seconds(clip)).toBeCloseTo(sent / expectedHz, 3);
  });

  it('may send a WAV file when samples were asked for, with the sizes of a stream', async () => {
    const server = await startSpeechServer(async ({ body }, response) => {
      const wav = encodeWav({ samples: await toneSpeech(body), sampleRateHz: 48_000 });
      new DataView(wav.buffer).setUint32(4, 0xffff_ffff, true);
      new DataView(wav.buffer).setUint32(40, 0xffff_ffff, true);
      response.writeHead(200, { 'content-type': 'audio/pcm' }).end(wav);
    });
    const sent = (await toneSpeech({ input: LINE })).length;
    const clip = await engineWith().synthesize({ spoken: LINE, voice: voiceAt(server) });
    expect(seconds(clip)).toBeCloseTo(sent / 48_000, 3);
  });

  it.each([
    ['a page', 'text/html', '<!doctype html><h1>Welcome</h1>', /sent text\/html instead of audio.*Welcome/],
    ['a message with status 200', 'application/json', '{"error":"no such model"}', /no such model/],
    ['a message that calls itself audio', 'audio/pcm', '{"error":"busy"}', /busy/],
    ['another format', 'audio/mpeg', 'ID3 and so on', /sent mp3; set "format"/],
  ])('is told what is wrong with %s, once', async (_, contentType, body, message) => {
    const server = await startSpeechServer((_call, response) => {
      response.writeHead(200, { 'content-type': contentType }).end(body);
    });
    const said = engineWith().synthesize({ spoken: LINE, voice: voiceAt(server) });
    await expect(said).rejects.toThrow(message);
    await expect(said).rejects.toMatchObject({ code: 'speech-server', retryable: false });
  });

  it.each([
    ['nothing', Buffer.alloc(0), /gave no sound/],
    ['silence', Buffer.alloc(96_000), /gave silence/],
  ])('that sends %s has said nothing', async (_, body, message) => {
    const server = await startSpeechServer((_call, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' }).end(body);
    });
    const said = engineWith().synthesize({ spoken: LINE, voice: voiceAt(server) });
    await expect(said).rejects.toThrow(SynthesisError);
    await expect(said).rejects.toThrow(message);
  });

  it('that sends a fraction of the line, or at a wrong rate, is not believed', async () => {
    const server = await startSpeechServer(async ({ body }, response) => {
      const bytes = pcmBytes(await toneSpeech(body));
      response.writeHead(200, { 'content-type': 'audio/pcm' }).end(bytes.subarray(0, bytes.length / 4));
    });
    await expect(engineWith().synthesize({ spoken: LINE, voice: voiceAt(server) })).rejects.toThrow(
      /nobody speaks like that/,
    );
  });

  it('that sends minutes for one word is not believed', async () => {
    const server = await startSpeechServer((_call, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm;rate=8000' });
      response.end(Buffer.alloc(2 * 8_000 * 70, 'pq'));
    });
    await expect(engineWith().synthesize({ spoken: 'Yes.', voice: voiceAt(server) })).rejects.toThrow(
      /sent more than 61 s of audio for 3 letters/,
    );
  });

  it.each([
    [
      'in the middle of its stream',
      async (body: Readonly<Record<string, unknown>>, write: (bytes: Uint8Array) => void) => {
        write(pcmBytes(await toneSpeech(body)).subarray(0, 2000));
      },
    ],
    ['before its first byte', async () => {}],
  ])('that dies %s may be asked again', async (_, send) => {
    const server = await startSpeechServer(async ({ body }, response) => {
      await send(body, (bytes) => {
        response.writeHead(200, { 'content-type': 'audio/pcm' });
        response.write(bytes);
      });
      response.write('', () => response.destroy());
    });
    const said = engineWith().synthesize({ spoken: LINE, voice: voiceAt(server) });
    await expect(said).rejects.toMatchObject({ code: 'speech-server', retryable: true });
  });

  it('that sends half of a WAV file may be asked again', async () => {
    const server = await startSpeechServer(async ({ body }, response) => {
      const wav = encodeWav({ samples: await toneSpeech(body), sampleRateHz: 24_000 });
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(wav.subarray(0, wav.length / 2));
    });
    const said = engineWith().synthesize({ spoken: LINE, voice: voiceAt(server) });
    await expect(said).rejects.toMatchObject({ code: 'speech-server', retryable: true });
    await expect(said).rejects.toThrow(/of a WAV file that should have/);
  });

  it('that is too slow is left at the deadline', async () => {
    const clock = createManualClock();
    const server = await startSpeechServer((_call, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      response.write('ab', () => clock.advance(60_000));
    });
    const engine = createServerSynthesizer({ voicesDir: '.', readKey: () => undefined, clock });
    await expect(engine.synthesize({ spoken: LINE, voice: voiceAt(server) })).rejects.toThrow(
      SynthesisTimeoutError,
    );
  });

  it('that is not there may be asked again, and the message says where it should be', async () => {
    const server = await startSpeechServer(answerWell);
    const voice = voiceAt(server);
    await server.close();
    const said = engineWith().synthesize({ spoken: LINE, voice });
    await expect(said).rejects.toMatchObject({ retryable: true });
    await expect(said).rejects.toThrow(`cannot reach ${voice.server?.baseUrl}/audio/speech`);
  });

  it('wants its key before anything is sent', async () => {
    const server = await startSpeechServer(answerWell);
    const voice = voiceAt(server, { apiKeyEnv: 'TTS_API_KEY' });
    await expect(engineWith().synthesize({ spoken: LINE, voice })).rejects.toThrow(VoiceNeedsError);
    expect(server.calls).toEqual([]);
  });
});

describe('the gate in front of servers', () => {
  /** A clock on which every wait is over at once, and remembered. */
  function impatientClock() {
    const waits: number[] = [];
    const clock = {
      nowMs: () => 0,
      after: (delayMs: number, callback: () => void) => {
        // Deadlines of single tries are real; waits between tries take no time.
        if (delayMs === 60_000) return systemClock.after(delayMs, callback);
        waits.push(delayMs);
        callback();
        return () => {};
      },
    };
    return { clock, waits };
  }

  it('asks a busy server again when it wants to be asked, and a refusing one once', async () => {
    const { clock, waits } = impatientClock();
    const statuses = [429, 503, 200];
    const server = await startSpeechServer((call, response) => {
      const status = statuses.shift() ?? 400;
      if (status === 200) return answerWell(call, response);
      response.writeHead(status, { 'retry-after': status === 429 ? '7' : 'soon' }).end('wait');
    });
    const engines = createVoiceEngines({ voicesDir: '.', searchPath: '', readKey: () => undefined, clock });
    await engines.synthesize({ spoken: LINE, voice: voiceAt(server) });
    expect(waits).toEqual([7000, 1000]);
    await expect(engines.synthesize({ spoken: LINE, voice: voiceAt(server) })).rejects.toThrow(
      SpeechServerError,
    );
    expect(server.calls.length).toBe(4);
    await engines.close();
  });

  it('gives up after four tries', async () => {
    const { clock } = impatientClock();
    const server = await startSpeechServer((_call, response) => {
      response.writeHead(500).end('oh');
    });
    const engines = createVoiceEngines({ voicesDir: '.', searchPath: '', readKey: () => undefined, clock });
    await expect(engines.synthesize({ spoken: LINE, voice: voiceAt(server) })).rejects.toMatchObject({
      facts: { status: 500 },
    });
    expect(server.calls.length).toBe(4);
    await engines.close();
  });

  it('lets few lines through at once, and the same line once', async () => {
    let open = 0;
    let most = 0;
    const server = await startSpeechServer(async (call, response) => {
      open += 1;
      most = Math.max(most, open);
      await answerWell(call, response);
      open -= 1;
    });
    const folder = temporaryFolder();
    const voice = voiceAt(server);
    writeFileSync(join(folder, 'served.json'), JSON.stringify(voice));
    const engine = createVoiceEngines({
      ...{ voicesDir: folder, searchPath: '', readKey: () => undefined, maxConcurrent: 2 },
    });
    const speaker = await createSpeaker({ engine, voicesDir: folder });
    const lines = Array.from(
      { length: 24 },
      (_, i) => `This is line number ${i % 12}, and it is long enough.`,
    );
    await Promise.all(lines.map((line) => speaker.speak(line, voice)));
    expect(server.calls.length).toBe(12);
    expect(new Set(server.calls.map(({ body }) => body.input)).size).toBe(12);
    expect(most).toBeLessThanOrEqual(2);
    await speaker.close();
  });
});
