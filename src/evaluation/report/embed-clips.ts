import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { decodeWav, encodeImaAdpcm } from '../../audio/index.js';
import { runPaths } from '../../episodes/index.js';
import { html, type Markup } from './html.js';

export interface EmbeddedClips {
  /** One data block per distinct clip. */
  readonly blocks: readonly Markup[];
  /** Clips beyond the budget; the page plays them from the run folder. */
  readonly linked: number;
  /** Clips whose file is missing or not a WAV file. */
  readonly broken: number;
}

const BAR_COUNT = 56;

/** Loudness over time for the waveform: one base-36 digit per bar, the root mean square relative to the loudest bar. */
function drawBars(samples: Int16Array): string {
  const energies = new Float64Array(BAR_COUNT);
  for (let i = 0; i < samples.length; i += 1) {
    const bar = Math.floor((i * BAR_COUNT) / samples.length);
    energies[bar] = (energies[bar] ?? 0) + (samples[i] ?? 0) ** 2;
  }
  const loudest = Math.max(1, ...energies);
  return [...energies].map((energy) => Math.round(35 * Math.sqrt(energy / loudest)).toString(36)).join('');
}

/**
 * Data blocks for the given clips as IMA ADPCM (8 kB a second), each once, until `budgetBytes` of encoded audio are in the page; what comes after is linked to
 * the run folder's audio files.
 */
export async function embedClips(
  dir: string,
  clips: readonly string[],
  budgetBytes: number,
): Promise<EmbeddedClips> {
  const blocks: Markup[] = [];
  let embeddedBytes = 0;
  let linked = 0;
  let broken = 0;
  for (const sha256 of clips) {
    const file = runPaths(dir).clip(sha256);
    try {
      const { samples, sampleRateHz } = decodeWav(await readFile(file));
      const data = encodeImaAdpcm(samples);
      const fits = embeddedBytes + data.byteLength <= budgetBytes;
      if (fits) embeddedBytes += data.byteLength;
      else linked += 1;
      const content = fits
        ? Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
        : '';
      const href = fits ? null : html` data-href="audio/${basename(file)}"`;
      blocks.push(
        html`<script type="text/plain" id="clip-${sha256}" data-rate="${sampleRateHz}" data-samples="${samples.length}" data-bars="${drawBars(samples)}"${href}>${content}</script>`,
      );
    } catch {
      broken += 1; // The page says so where the player would stand.
    }
  }
  return { blocks, linked, broken };
}
