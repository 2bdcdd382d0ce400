import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeWav, type Pcm } from '../../../src/audio/index.js';
import { sha256Hex } from '../../../src/shared/index.js';
import { espeakVoiceArgs, openEspeak } from '../../../src/speech/engines/espeak/espeak-program.js';
import { type EspeakTimes, hasKoffi, wordsOfTimes } from '../../../src/speech/engines/espeak/espeak-times.js';
import { findProgram } from '../../../src/speech/engines/programs/run-program.js';
import { defaultVoicesDir, loadVoices } from '../../../src/speech/index.js';
import '../../helpers/property-seed.js';

const searchPath = process.env.PATH ?? '';
const missing =
  findProgram('espeak-ng', searchPath) === null
    ? 'there is no espeak-ng on PATH'
    : hasKoffi()
      ? null
      : 'the optional package koffi is not installed';

/** A second of sound in which 300 samples of each 1000 are silent. */
const pcm: Pcm = {
  samples: Int16Array.from({ length: 22_050 }, (_, i) =>
    i % 1_000 < 700 ? (i % 2 === 0 ? 9_000 : -9_000) : 0,
  ),
  sampleRateHz: 22_050,
};
const { samples } = pcm;
const hash = sha256Hex(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
const printed = (change: Partial<EspeakTimes>): Uint8Array =>
  Buffer.from(
    JSON.stringify({ sampleRateHz: 22_050, samples: samples.length, sha256: hash, words: [], ...change }),
  );

describe('the times of words from espeak-ng', () => {
  it('end where the sound does; what is read as one word is shared by letters', () => {
    const words = wordsOfTimes(
      // "of the" is one event of six signs.
      printed({
        words: [
          [0, 3, 0],
          [4, 6, 1_000],
          [11, 4, 6_000],
        ],
      }),
      { text: 'One of the city.', pcm },
    );
    expect(words?.map(([word, start]) => [word, start])).toEqual([
      ['One', 0],
      ['of', 1_000],
      // 1000 + 5000 * 2 / 5.
      ['the', 3_000],
      ['city', 6_000],
    ]);
    expect(words?.[0]?.[2]).toBeLessThan(1_000);
    expect(words?.[0]?.[2]).toBeGreaterThanOrEqual(700);
  });

  it('are none where they are of another sound, another rate or no times at all', () => {
    const said = { text: 'One.', pcm };
    const good: EspeakTimes['words'] = [[0, 3, 0]];
    expect(wordsOfTimes(printed({ words: good }), said)).toHaveLength(1);
    expect(wordsOfTimes(printed({ words: good, sha256: 'f'.repeat(64) }), said)).toBeUndefined();
    expect(wordsOfTimes(printed({ words: good, sampleRateHz: 16_000 }), said)).toBeUndefined();
    expect(wordsOfTimes(printed({ words: [] }), said)).toBeUndefined();
    expect(wordsOfTimes(Buffer.from('<html>'), said)).toBeUndefined();
  });

  it('are in order and inside the clip, or none, whatever is printed', () => {
    const count = fc.nat(30_000);
    const events = fc.array(fc.tuple(fc.nat(40), fc.nat(9), count), { maxLength: 12 });
    fc.assert(
      fc.property(events, (words) => {
        const found = wordsOfTimes(printed({ words }), { text: 'One of the city is, say, there.', pcm });
        let before = 0;
        for (const [, start, end] of found ?? []) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          before = end;
        }
        expect(before).toBeLessThanOrEqual(samples.length);
      }),
    );
  });

  it('are of the very samples that the program gives, for each built-in voice', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const espeak = await openEspeak({ searchPath });
    const voices = (await loadVoices(defaultVoicesDir())).filter(({ engine }) => engine === 'espeak-ng');
    const text = 'My order is W, two three seven. I am in the shop of the city; please help!';
    expect(voices.length).toBeGreaterThan(3);
    // Each costs two processes.
    for (const { engineVoice } of voices.slice(0, 4)) {
      const prose = [...espeakVoiceArgs(engineVoice), '-s', '160', '-p', '60', '--stdout'];
      const times = await espeak.runTimes({ text, voice: engineVoice, wordsPerMinute: 160, pitch: 60 });
      const said = { text, pcm: decodeWav(await espeak.run(prose, text)) };
      expect(
        wordsOfTimes(times, said)?.map(([word]) => word),
        engineVoice,
      ).toHaveLength(17);
    }
  });

  it('end in an error that says why when the library cannot be used', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const espeak = await openEspeak({ searchPath });
    const job = { text: 'One.', voice: 'xx-none', wordsPerMinute: 160, pitch: 50 };
    await expect(espeak.runTimes(job)).rejects.toThrow('there is no voice xx-none');
  });
});
