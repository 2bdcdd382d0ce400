// Makes audio-fixtures/ again, byte for byte: each clip below is spoken by the embedded engine of the built package.
// With --check it writes nothing and fails if a file would change.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeWav, findConditions, renderLine, resample } from '../dist/audio/index.js';
import {
  createFliteSynthesizer,
  defaultVoicesDir,
  findVoice,
  loadVoices,
  wavBytes,
} from '../dist/speech/index.js';

// Voice settings are written out, not taken from voices/: those may change, these clips may not.
const CLIPS = [
  {
    file: 'order-id.wav',
    transcript: 'Order W2378156.',
    spoken: 'Order W, two three seven eight one five six.',
    voice: { engineVoice: 'slt', durationStretch: 0.8, pitchMeanHz: null },
  },
  {
    file: 'short-yes.wav',
    transcript: 'Yes, please.',
    spoken: 'Yes, please.',
    voice: { engineVoice: 'awb', durationStretch: 1, pitchMeanHz: 145 },
  },
  {
    file: 'refund.wav',
    transcript: 'I want my money back.',
    spoken: 'I want my money back.',
    voice: { engineVoice: 'rms', durationStretch: 0.9, pitchMeanHz: null },
  },
  {
    file: 'exchange.wav',
    transcript: 'Can I exchange the lamp?',
    spoken: 'Can I exchange the lamp?',
    voice: { engineVoice: 'slt', durationStretch: 1.1, pitchMeanHz: 150 },
  },
  {
    file: 'diphone.wav',
    transcript: 'My zip code is 19021.',
    spoken: 'My zip code is one nine zero two one.',
    voice: { engineVoice: 'kal16', durationStretch: 0.9, pitchMeanHz: null },
  },
];

const LICENCE = 'made by CMU Flite (BSD-style), free to use';

// Made from the clips above: conditions of src/audio/effects with a seed, then another rate.
const DERIVED = [
  {
    file: 'order-id-telephone.wav',
    from: 'order-id.wav',
    conditions: 'telephony',
    seed: 1,
    sampleRateHz: 8000,
  },
  { file: 'refund-street.wav', from: 'refund.wav', conditions: 'bed-street', seed: 2, sampleRateHz: 16_000 },
  { file: 'refund-loss.wav', from: 'refund.wav', conditions: 'packet-loss', seed: 9, sampleRateHz: 16_000 },
  {
    file: 'exchange-babble.wav',
    from: 'exchange.wav',
    conditions: 'bed-babble',
    seed: 4,
    sampleRateHz: 16_000,
  },
  { file: 'short-yes-24k.wav', from: 'short-yes.wav', conditions: 'clean', seed: 1, sampleRateHz: 24_000 },
];

const folder = fileURLToPath(new URL('../audio-fixtures/', import.meta.url));
const check = process.argv.includes('--check');
const base = findVoice(await loadVoices(defaultVoicesDir()), 'slt-even');
const engine = await createFliteSynthesizer();
let changed = 0;

function put(name, content) {
  const path = join(folder, name);
  if (check) {
    if (Buffer.compare(readFileSync(path), Buffer.from(content)) !== 0) {
      changed += 1;
      console.error(`${name} differs from what the engine says now`);
    }
    return;
  }
  writeFileSync(path, content);
}

const clips = [];
const spokenClips = new Map();
for (const { file, transcript, spoken, voice } of CLIPS) {
  const clip = await engine.synthesize({ spoken, voice: { ...base, id: 'fixture', ...voice } });
  const bytes = wavBytes(clip);
  put(file, bytes);
  spokenClips.set(file, clip);
  clips.push({
    file,
    transcript,
    spoken,
    voice,
    durationMs: Math.round((clip.samples.length * 1000) / clip.sampleRateHz),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
}
const crowd = [...spokenClips.values()];
const derived = DERIVED.map(({ file, from, conditions, seed, sampleRateHz }) => {
  const source = spokenClips.get(from);
  const { clip, timeline } = renderLine(source, findConditions(conditions), {
    seed,
    voices: { crowd, asides: new Map() },
  });
  const samples = resample(clip.samples, clip.sampleRateHz, sampleRateHz);
  const bytes = encodeWav({ samples, sampleRateHz });
  put(file, bytes);
  const { transcript } = CLIPS.find((each) => each.file === from);
  const facts = { durationMs: Math.round((samples.length * 1000) / sampleRateHz) };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    file,
    from,
    transcript,
    licence: LICENCE,
    conditions,
    seed,
    sampleRateHz,
    ...facts,
    sha256,
    timeline,
  };
});
const manifest = {
  engine: engine.name,
  sampleRateHz: 16000,
  channels: 1,
  bitsPerSample: 16,
  licence: LICENCE,
  clips,
  derived,
};
put('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
await engine.close();
console.log(`${clips.length + derived.length} clips ${check ? 'checked' : 'written'}, ${engine.name}`);
if (changed > 0) process.exit(1);
