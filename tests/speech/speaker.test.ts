import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/shared/index.js';
import {
  ClipCacheError,
  createSpeaker,
  createToneSynthesizer,
  type Speaker,
  SpeechClosedError,
  SynthesisWorkerError,
  type Synthesizer,
  type Voice,
  wavBytes,
} from '../../src/speech/index.js';

let cacheDir: string;
beforeEach(() => {
  cacheDir = mkdtempSync(join(tmpdir(), 'parlor-clips-'));
});
afterEach(() => rmSync(cacheDir, { recursive: true, force: true }));

interface CountingEngine extends Synthesizer {
  calls: number;
}
/** The tone engine, counting; the first `failures` calls lose their worker. */
function countingEngine(failures = 0): CountingEngine {
  const tone = createToneSynthesizer();
  const engine: CountingEngine = {
    name: tone.name,
    calls: 0,
    synthesize: async (request) => {
      engine.calls += 1;
      if (engine.calls <= failures) throw new SynthesisWorkerError('gone');
      return tone.synthesize(request);
    },
    close: () => tone.close(),
  };
  return engine;
}

const firstVoice = (speaker: Speaker): Voice => speaker.voices[0] as Voice;
const cacheFiles = (): string[] =>
  readdirSync(cacheDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.clip'));

describe('speaker', () => {
  it('returns both forms, the duration and the hash of the WAV file', async () => {
    const speaker = await createSpeaker({ engine: createToneSynthesizer() });
    const line = await speaker.speak('My order is #W2378156.', firstVoice(speaker));
    expect(line.written).toBe('My order is #W2378156.');
    expect(line.spoken).toBe('My order is W, two three seven eight one five six.');
    expect(line.sha256).toBe(sha256Hex(wavBytes(line.clip)));
    expect(line.durationMs).toBe(Math.round(line.clip.samples.length / 16));
    expect(line.voiceId).toBe(firstVoice(speaker).id);
    await speaker.close();
  });

  it('speaks with the embedded engine, the same bytes from two speakers', async () => {
    const speakers = await Promise.all([createSpeaker({ workers: 1 }), createSpeaker({ cacheDir })]);
    const lines = await Promise.all(speakers.map((s) => s.speak('Is #W2378156 on its way?', firstVoice(s))));
    expect(lines[0]?.sha256).toBe(lines[1]?.sha256);
    await Promise.all(speakers.map((speaker) => speaker.close()));
  });

  it('chooses a voice by seed, always the same, and all of them in time', async () => {
    const speaker = await createSpeaker({ engine: createToneSynthesizer() });
    expect(speaker.chooseVoice(5)).toBe(speaker.chooseVoice(5));
    const chosen = new Set(Array.from({ length: 200 }, (_, seed) => speaker.chooseVoice(seed).id));
    const cast = speaker.voices.filter((voice) => voice.cast !== false);
    expect(chosen).toEqual(new Set(cast.map(({ id }) => id)));
    expect(cast.length).toBeLessThan(speaker.voices.length);
  });

  it('makes a line once, also when it is asked for twice at once or in two spellings', async () => {
    const engine = countingEngine();
    const speaker = await createSpeaker({ engine });
    const voice = firstVoice(speaker);
    const [a, b] = await Promise.all([speaker.speak('Yes, $5.', voice), speaker.speak('Yes, $5.', voice)]);
    await speaker.speak('Yes, five dollars.', voice);
    expect(engine.calls).toBe(1);
    expect(a.sha256).toBe(b.sha256);
    await speaker.speak('Yes, $5.', { ...voice, durationStretch: 1.5 });
    expect(engine.calls).toBe(2);
  });

  it('keeps clips on disk for the next speaker, whatever the voice is called', async () => {
    const first = await createSpeaker({ engine: countingEngine(), cacheDir });
    const line = await first.speak('Hello there.', firstVoice(first));
    const engine = countingEngine();
    const second = await createSpeaker({ engine, cacheDir });
    const again = await second.speak('Hello there.', { ...firstVoice(second), id: 'renamed' });
    expect(engine.calls).toBe(0);
    expect(again).toEqual({ ...line, voiceId: 'renamed' });
  });

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 10)],
    ['empty', () => Buffer.alloc(0)],
    ['changed in one bit', (bytes: Buffer) => bytes.map((byte, i) => (i === 500 ? byte ^ 1 : byte))],
    ['something else', () => Buffer.from('<html>')],
  ])('makes a damaged entry again: %s', async (_, damage) => {
    const first = await createSpeaker({ engine: createToneSynthesizer(), cacheDir });
    const line = await first.speak('Hello there.', firstVoice(first));
    const path = join(cacheDir, cacheFiles()[0] as string);
    const intact = readFileSync(path);
    writeFileSync(path, damage(intact));
    const engine = countingEngine();
    const second = await createSpeaker({ engine, cacheDir });
    expect(await second.speak('Hello there.', firstVoice(second))).toEqual(line);
    expect(engine.calls).toBe(1);
    expect(readFileSync(path)).toEqual(intact);
  });

  it('keeps the times of the words with the clip, and makes an entry again whose times were damaged', async () => {
    const text = 'Two keyboards, please.';
    const say = async (engine: Synthesizer) => {
      const speaker = await createSpeaker({ engine, cacheDir });
      return speaker.speak(text, firstVoice(speaker));
    };
    const first = await say(createToneSynthesizer());
    expect(first.words?.map(([word]) => word)).toEqual(['Two', 'keyboards', 'please']);
    const engine = countingEngine();
    expect((await say(engine)).words).toEqual(first.words);
    expect(engine.calls).toBe(0);
    const [file = ''] = cacheFiles();
    const entry = readFileSync(join(cacheDir, file));
    for (const [from, to] of [
      ['keyboards', 'keyboardz'],
      ['[["Two"', '[["Two}'],
    ] as const) {
      const damaged = Buffer.from(entry);
      damaged.write(to, damaged.indexOf(from), 'latin1');
      writeFileSync(join(cacheDir, file), damaged);
      expect((await say(engine)).words).toEqual(first.words);
      expect(readFileSync(join(cacheDir, file))).toEqual(entry);
    }
    expect(engine.calls).toBe(2);
  });

  it('an engine that knows no times gives a line without', async () => {
    const tone = createToneSynthesizer();
    const engine: Synthesizer = {
      ...tone,
      name: 'mute/1',
      synthesize: async (request) => {
        const { samples, sampleRateHz } = await tone.synthesize(request);
        return { samples, sampleRateHz };
      },
    };
    for (const _ of [1, 2]) {
      const speaker = await createSpeaker({ engine, cacheDir });
      expect(await speaker.speak('Yes.', firstVoice(speaker))).not.toHaveProperty('words');
    }
  });

  it('leaves whole entries and no temporary files when many write at once', async () => {
    const speakers = await Promise.all(
      Array.from({ length: 4 }, () => createSpeaker({ engine: createToneSynthesizer(), cacheDir })),
    );
    const texts = ['One.', 'Two.', 'Three.', 'Four.'];
    await Promise.all(speakers.flatMap((s) => texts.map((text) => s.speak(text, firstVoice(s)))));
    expect(cacheFiles().length).toBe(texts.length);
    const all = readdirSync(cacheDir, { recursive: true, encoding: 'utf8' });
    expect(all.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('says which folder when the cache cannot be written', async () => {
    writeFileSync(join(cacheDir, 'file'), '');
    const speaker = await createSpeaker({
      engine: createToneSynthesizer(),
      cacheDir: join(cacheDir, 'file'),
    });
    const failed = speaker.speak('Hello.', firstVoice(speaker));
    await expect(failed).rejects.toThrow(ClipCacheError);
    await expect(failed).rejects.toThrow(cacheDir);
  });

  it('tries once more when a worker died, and only once', async () => {
    const lucky = await createSpeaker({ engine: countingEngine(1) });
    expect((await lucky.speak('Hello.', firstVoice(lucky))).durationMs).toBeGreaterThan(0);
    const unlucky = await createSpeaker({ engine: countingEngine(2) });
    await expect(unlucky.speak('Hello.', firstVoice(unlucky))).rejects.toThrow(SynthesisWorkerError);
    expect((await unlucky.speak('Hello.', firstVoice(unlucky))).durationMs).toBeGreaterThan(0);
  });

  it('closes twice and then refuses', async () => {
    const speaker = await createSpeaker({ engine: createToneSynthesizer() });
    await Promise.all([speaker.close(), speaker.close()]);
    await expect(speaker.speak('Hello.', firstVoice(speaker))).rejects.toThrow(SpeechClosedError);
  });
});
