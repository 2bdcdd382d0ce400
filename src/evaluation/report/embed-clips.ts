import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { runPaths } from '../../episodes/index.js';
import { html, type Markup } from './html.js';

/** Samples of the run's clips in the shape the page's decoder knows. */
export interface ClipEncoder {
  /** Name that `clip-decoder.client.js` knows. */
  readonly codec: 'ima-adpcm' | 'pcm16';
  encode(samples: Int16Array): Uint8Array;
  decodeWav(bytes: Uint8Array): { readonly samples: Int16Array; readonly sampleRateHz: number };
}

export interface EmbeddedClips {
  /** One data block per distinct clip. */
  readonly blocks: readonly Markup[];
  /** Clips beyond the budget; the page plays them from the run folder. */
  readonly linked: number;
  /** Clips whose file is missing or not a WAV file. */
  readonly broken: number;
}

const PEAK_COUNT = 56;

/** Loudness over time for the waveform: one base-36 digit per bar, on a square-root scale so that quiet words show. */
function drawPeaks(samples: Int16Array): string {
  const peaks = new Float64Array(PEAK_COUNT);
  for (let i = 0; i < samples.length; i += 1) {
    const bar = Math.floor((i * PEAK_COUNT) / samples.length);
    const level = Math.abs(samples[i] ?? 0);
    if (level > (peaks[bar] ?? 0)) peaks[bar] = level;
  }
  const loudest = Math.max(1, ...peaks);
  return [...peaks].map((peak) => Math.round(35 * Math.sqrt(peak / loudest)).toString(36)).join('');
}

/**
 * Data blocks for the given clips, each once, until `budgetBytes` of encoded audio are in the page; what comes after is linked to
 * the run folder's audio files.
 */
export async function embedClips(
  dir: string,
  clips: readonly string[],
  options: { encoder: ClipEncoder; budgetBytes: number },
): Promise<EmbeddedClips> {
  const { encoder, budgetBytes } = options;
  const blocks: Markup[] = [];
  let embeddedBytes = 0;
  let linked = 0;
  let broken = 0;
  for (const sha256 of clips) {
    const file = runPaths(dir).clip(sha256);
    try {
      const { samples, sampleRateHz } = encoder.decodeWav(await readFile(file));
      const data = encoder.encode(samples);
      const fits = embeddedBytes + data.byteLength <= budgetBytes;
      if (fits) embeddedBytes += data.byteLength;
      else linked += 1;
      const content = fits
        ? Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
        : '';
      const href = fits ? null : html` data-href="audio/${basename(file)}"`;
      blocks.push(
        html`<script type="text/plain" id="clip-${sha256}" data-codec="${encoder.codec}" data-rate="${sampleRateHz}" data-samples="${samples.length}" data-peaks="${drawPeaks(samples)}"${href}>${content}</script>`,
      );
    } catch {
      broken += 1; // The page says so where the player would stand.
    }
  }
  return { blocks, linked, broken };
}
