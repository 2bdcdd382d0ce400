import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kokoroIds } from '../../../src/speech/engines/kokoro/kokoro-sounds.js';
import { createKokoroSynthesizer } from '../../../src/speech/engines/kokoro/kokoro-synthesizer.js';
import { readNumpyArray } from '../../../src/speech/engines/kokoro/numpy-archive.js';
import { findProgram } from '../../../src/speech/engines/programs/run-program.js';
import { type Voice, VoiceNeedsError } from '../../../src/speech/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { npy, npz, writeTinyKokoroVoice } from '../helpers/tiny-kokoro-voice.js';

const searchPath = process.env.PATH ?? '';
const missing =
  findProgram('espeak-ng', searchPath) === null
    ? 'there is no espeak-ng on PATH'
    : existsSync('node_modules/onnxruntime-node')
      ? null
      : 'onnxruntime-node is not installed';

const voice = (engineVoice: string, styles: string): Voice => ({
  ...{ id: 'test', engine: 'kokoro', engineVoice, description: 'a test', licence: 'none' },
  ...{ durationStretch: 1, pitchMeanHz: null, kokoro: { styles, espeakVoice: 'en-us' } },
});

describe('the sounds of a Kokoro voice', () => {
  it('are those of its training: a diphthong is one sign, and its length marks are of British English only', () => {
    // h ˈ W ʧ ᵊ l: of 'hˈa^ʊt^ʃə^l'.
    expect(kokoroIds('hˈa^ʊt^ʃə^l', 'en-us')).toEqual([50, 156, 39, 133, 42, 54]);
    // b ˈ O t and b ˈ Q t.
    expect(kokoroIds('bˈo^ʊt', 'en-us')).toEqual([44, 156, 31, 62]);
    expect(kokoroIds('bˈə^ʊt', 'en-gb')).toEqual([44, 156, 33, 62]);
    // k i and k i ː.
    expect(kokoroIds('kiː', 'en-us')).toEqual([53, 51]);
    expect(kokoroIds('kiː', 'en-gb')).toEqual([53, 51, 158]);
    // b ʌ t ᵊ n.
    expect(kokoroIds('bʌʔn\u0329', 'en-us')).toEqual([44, 138, 62, 42, 56]);
  });

  it('leave out what the voice was not trained on', () => {
    expect(kokoroIds('a\u{1F600}^b', 'en-us')).toEqual([43, 44]);
  });
});

describe('a NumPy archive', () => {
  const values = Float32Array.from({ length: 6 }, (_, i) => i / 4 - 1);
  const arrays = {
    one: npy(values, [2, 3]),
    two: npy(
      values.map((value) => -value),
      [6],
    ),
  };

  it.each([false, true])('gives the array of a name (compressed: %s)', (isCompressed) => {
    expect(readNumpyArray(npz(arrays, isCompressed), 'one')).toEqual({ shape: [2, 3], values });
    expect(readNumpyArray(npz(arrays, isCompressed), 'two').values[0]).toBe(1);
  });

  it('says which names it has', () => {
    expect(() => readNumpyArray(npz(arrays, false), 'three')).toThrow(/no array 'three'; it has one, two/);
  });

  it.each([
    ['whole numbers', npy(values, [6], '<i4'), /32-bit floats; got .*<i4/],
    ['another size than it says', npy(values, [7]), /expected 28 bytes of floats; got 24/],
    ['no array', Buffer.from('a text'), /no \.npy file/],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readNumpyArray(npz({ one: bytes }, false), 'one')).toThrow(message);
  });

  it('answers any bytes with an array or a RangeError, however it is cut or changed', () => {
    const whole = npz(arrays, true);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (at, byte, isCut) => {
        const file = Buffer.from(isCut ? whole.subarray(0, at) : whole);
        if (!isCut) file[at] = byte;
        try {
          readNumpyArray(file, 'one');
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

describe.skipIf(missing !== null)(`a Kokoro voice (${missing ?? 'it can run here'})`, () => {
  it('sounds the same from any kind of styles file and either name of its input', async () => {
    const voicesDir = temporaryFolder();
    writeTinyKokoroVoice(voicesDir);
    const engine = await createKokoroSynthesizer({ voicesDir, searchPath });
    const say = async (engineVoice: string, styles: string) =>
      (await engine.synthesize({ spoken: 'The blue one.', voice: voice(engineVoice, styles) })).samples;
    const plain = await say('tiny-kokoro.onnx#low', 'styles.bin');
    expect(await say('tiny-kokoro.onnx#low', 'styles-packed.npz')).toEqual(plain);
    expect(await say('tiny-kokoro.onnx#low', 'low.bin')).toEqual(plain);
    expect(await say('tiny-kokoro-ids.onnx#low', 'styles.bin')).toEqual(plain);
    const [low, high] = await Promise.all(
      ['low', 'high'].map((style) => engine.identify?.(voice(`tiny-kokoro.onnx#${style}`, 'styles.bin'))),
    );
    expect(low).toMatch(/^weights [0-9a-f]{12}, espeak-ng\//);
    expect(high).not.toBe(low);
    await engine.close();
  });

  it('says which file or style is not there, and when the model is another kind', async () => {
    const voicesDir = temporaryFolder();
    writeTinyKokoroVoice(voicesDir);
    writeFileSync(join(voicesDir, 'broken.bin'), readFileSync(join(voicesDir, 'low.bin')).subarray(0, 1030));
    const engine = await createKokoroSynthesizer({ voicesDir, searchPath });
    const say = (engineVoice: string, styles: string) =>
      engine.synthesize({ spoken: 'Yes.', voice: voice(engineVoice, styles) });
    for (const [engineVoice, styles, message] of [
      ['tiny-kokoro.onnx', 'styles.bin', /a model and a style like kokoro\.onnx#af_heart/],
      ['../tiny.onnx#low', 'styles.bin', /a model and a style/],
      ['none.onnx#low', 'styles.bin', /none\.onnx, which cannot be read/],
      ['tiny-kokoro.onnx#low', 'none.bin', /none\.bin, which cannot be read/],
      ['tiny-kokoro.onnx#middle', 'styles.bin', /no array 'middle'; it has high, low/],
      ['tiny-kokoro.onnx#low', 'broken.bin', /'low' cannot be read from .*broken\.bin/],
    ] as const) {
      await expect(say(engineVoice, styles)).rejects.toThrow(VoiceNeedsError);
      await expect(say(engineVoice, styles)).rejects.toThrow(message);
    }
    await engine.close();
  });
});
