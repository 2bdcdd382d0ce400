// Makes audio-fixtures/ again, byte for byte: each clip below is spoken by the embedded engine of the built package.
// With --check it writes nothing and fails if a file would change.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
for (const { file, transcript, spoken, voice } of CLIPS) {
  const clip = await engine.synthesize({ spoken, voice: { ...base, id: 'fixture', ...voice } });
  const bytes = wavBytes(clip);
  put(file, bytes);
  clips.push({
    file,
    transcript,
    spoken,
    voice,
    durationMs: Math.round((clip.samples.length * 1000) / clip.sampleRateHz),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
}
const manifest = { engine: engine.name, sampleRateHz: 16000, channels: 1, bitsPerSample: 16, clips };
put('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
await engine.close();
console.log(`${clips.length} clips ${check ? 'checked' : 'written'}, ${engine.name}`);
if (changed > 0) process.exit(1);
