import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeWav } from '../../../src/audio/index.js';
import {
  createVoiceEngines,
  RecordedLineMissingError,
  SynthesisError,
  type Synthesizer,
  VoiceNeedsError,
} from '../../../src/speech/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { toneSpeech, toneVoice } from '../helpers/speech-server.js';

const voice = { ...toneVoice, engine: 'recorded', engineVoice: 'ann' };

async function recordings(lines: unknown): Promise<Synthesizer> {
  const voicesDir = temporaryFolder();
  await mkdir(join(voicesDir, 'ann'));
  const samples = await toneSpeech({ input: 'yes please' });
  writeFileSync(join(voicesDir, 'ann', 'yes.wav'), encodeWav({ samples, sampleRateHz: 24_000 }));
  writeFileSync(
    join(voicesDir, 'ann', 'hush.wav'),
    encodeWav({ samples: new Int16Array(999), sampleRateHz: 8000 }),
  );
  writeFileSync(join(voicesDir, 'ann', 'lines.json'), JSON.stringify(lines));
  return createVoiceEngines({ voicesDir, searchPath: '', readKey: () => undefined });
}

describe('recorded clips', () => {
  it('are found by their words and given at 16 kHz', async () => {
    const engine = await recordings([{ text: 'Yes, please.', file: 'yes.wav' }]);
    const clip = await engine.synthesize({ spoken: 'yes please!', voice });
    expect(clip.sampleRateHz).toBe(16_000);
    expect(clip.samples.length).toBe(
      Math.round(((await toneSpeech({ input: 'yes please' })).length * 2) / 3),
    );
    expect(await engine.identify?.(voice)).toMatch(/^recorded\/1, recordings [0-9a-f]{12}$/);
  });

  it('say which line nobody recorded', async () => {
    const engine = await recordings([{ text: 'Yes.', file: 'yes.wav' }]);
    const said = engine.synthesize({ spoken: 'No, thanks.', voice });
    await expect(said).rejects.toThrow(RecordedLineMissingError);
    await expect(said).rejects.toThrow(/has no recording of "No, thanks\."/);
  });

  it('that are silent are an error', async () => {
    const engine = await recordings([{ text: 'Yes.', file: 'hush.wav' }]);
    await expect(engine.synthesize({ spoken: 'Yes.', voice })).rejects.toThrow(SynthesisError);
  });

  it.each([
    ['a file of another folder', [{ text: 'Yes.', file: '../secret.wav' }]],
    ['no list', { text: 'Yes.' }],
    ['a file that is not there', [{ text: 'Yes.', file: 'absent.wav' }]],
  ])('with %s are refused', async (_, lines) => {
    const engine = await recordings(lines);
    await expect(engine.synthesize({ spoken: 'Yes.', voice })).rejects.toThrow(VoiceNeedsError);
  });
});
