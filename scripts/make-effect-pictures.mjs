// Draws docs/speech/: one spoken fixture under each factor, as spectrograms for docs/speech.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { conditionPresets, decodeWav, drawSpectrogram, encodePng, renderLine } from '../dist/audio/index.js';

const fixture = (name) =>
  decodeWav(readFileSync(fileURLToPath(new URL(`../audio-fixtures/${name}.wav`, import.meta.url))));
const folder = fileURLToPath(new URL('../docs/speech/', import.meta.url));
const line = fixture('order-id');
const crowd = ['refund', 'exchange', 'diphone', 'short-yes'].map(fixture);
// Every phrase that a preset may want, said by a fixture: the picture shows where it lies, not what it says.
const phrases = [...conditionPresets().values()].flatMap(({ inserts }) => inserts?.phrases ?? []);
const asides = new Map(phrases.map((phrase, i) => [phrase, crowd[i % crowd.length]]));
/** Where chance decides whether something happens at all: a seed with which it does. */
const SEEDS = { bursts: 5, regular: 46 };

mkdirSync(folder, { recursive: true });
for (const [name, conditions] of conditionPresets()) {
  const { clip } = renderLine(line, conditions, { seed: SEEDS[name] ?? 1, voices: { crowd, asides } });
  // One scale for all: 160 pixels a second.
  const width = Math.round((160 * clip.samples.length) / clip.sampleRateHz);
  const png = encodePng(drawSpectrogram(clip, { width, height: 96 }));
  writeFileSync(`${folder}${name}.png`, png);
}
console.log(`${conditionPresets().size} pictures in docs/speech/`);
