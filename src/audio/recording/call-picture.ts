import { activeRms, peakOf } from '../effects/active-level.js';
import type { CallLabel } from './labels.js';
import { encodePng } from './png.js';
import { drawSpectrogram } from './spectrogram.js';
import type { StereoCall } from './stereo-call.js';

const WIDTH = 1000;
const MARGIN = { left: 56, right: 12, top: 8, bottom: 28 };
const TITLE_HEIGHT = 18;
const WAVE_HEIGHT = 44;
const SPECTRUM_HEIGHT = 96;
const LABELS_HEIGHT = 18;
const TOP_HZ = 8000;
const TICK_STEPS_S = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600];
const MOST_TICKS = 14;

export interface CallPictureOptions {
  /** What is said of each side above its track; "customer" and "agent" unless given. */
  readonly names?: readonly [string, string];
  /** Drawn as bars under a side's spectrogram. */
  readonly labels?: { readonly customer: readonly CallLabel[]; readonly agent: readonly CallLabel[] };
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[^\P{Cc}\t\n]/gu, ' ');

/** A filled outline from the highest to the lowest sample of each column. */
function wavePath(samples: Int16Array, box: { x: number; y: number; width: number; height: number }): string {
  const middle = box.y + box.height / 2;
  const scale = box.height / 2 / Math.max(1000, peakOf(samples));
  const tops: string[] = [];
  const bottoms: string[] = [];
  const perColumn = samples.length / box.width;
  for (let column = 0; column < box.width; column += 1) {
    let high = 0;
    let low = 0;
    const end = Math.min(samples.length, Math.ceil((column + 1) * perColumn));
    for (let i = Math.floor(column * perColumn); i < end; i += 1) {
      const sample = samples[i] as number;
      if (sample > high) high = sample;
      else if (sample < low) low = sample;
    }
    tops.push(`${box.x + column} ${(middle - high * scale).toFixed(1)}`);
    bottoms.push(`${box.x + column} ${(middle - low * scale + 0.5).toFixed(1)}`);
  }
  return `M${tops.join('L')}L${bottoms.reverse().join('L')}Z`;
}

function levelText(samples: Int16Array, sampleRateHz: number): string {
  const rms = activeRms(samples, sampleRateHz);
  return rms === 0 ? 'silent' : `${(20 * Math.log10(rms / 32_768)).toFixed(1)} dB while speaking`;
}

function drawLabels(
  labels: readonly CallLabel[],
  box: { x: number; y: number; width: number; durationMs: number },
): string {
  const toX = (ms: number): number =>
    box.x + (Math.max(0, Math.min(box.durationMs, ms)) / box.durationMs) * box.width;
  return labels
    .map(({ startMs, endMs, text }) => {
      const [from, to] = [toX(startMs), toX(endMs)];
      const width = Math.max(1, to - from);
      // About 5.6 units a letter at this size; the whole text is in the title.
      const letters = Math.floor(width / 5.6);
      const shown = text.length <= letters ? text : letters > 3 ? `${text.slice(0, letters - 1)}…` : '';
      return (
        `<g><title>${escapeXml(text)}</title><rect class="label" x="${from.toFixed(1)}" y="${box.y + 2}" width="${width.toFixed(1)}" height="14"/>` +
        `<text x="${(from + 3).toFixed(1)}" y="${box.y + 12.5}">${escapeXml(shown)}</text></g>`
      );
    })
    .join('');
}

const STYLE =
  'text{font:10px sans-serif;fill:#222}.name{font-weight:bold}.wave{fill:#3b5b92}.label{fill:#cfdcf0;stroke:#3b5b92;stroke-width:.5}' +
  '.axis{stroke:#888;stroke-width:1;fill:none}.back{fill:#fff}';

/**
 * A call as a picture (SVG): for each side waveform, spectrogram up to 8 kHz and labelled stretches, above one time axis. Pure: the
 * same call gives the same picture with the same Node.
 */
export function drawCallPicture(call: StereoCall, options: CallPictureOptions = {}): string {
  const { names = ['customer', 'agent'], labels } = options;
  const plot = WIDTH - MARGIN.left - MARGIN.right;
  const durationMs = Math.max(1, (call.left.length * 1000) / call.sampleRateHz);
  const laneHeight = TITLE_HEIGHT + WAVE_HEIGHT + SPECTRUM_HEIGHT + LABELS_HEIGHT;
  const height = MARGIN.top + 2 * laneHeight + MARGIN.bottom;
  const topHz = Math.min(TOP_HZ, call.sampleRateHz / 2);
  const sides = [
    { samples: call.left, name: names[0], labels: labels?.customer ?? [] },
    { samples: call.right, name: names[1], labels: labels?.agent ?? [] },
  ];
  const lanes = sides.map(({ samples, name, labels: sideLabels }, side) => {
    const y = MARGIN.top + side * laneHeight;
    const waveY = y + TITLE_HEIGHT;
    const spectrumY = waveY + WAVE_HEIGHT;
    const image = drawSpectrogram(
      { samples, sampleRateHz: call.sampleRateHz },
      { width: plot, height: SPECTRUM_HEIGHT, topHz },
    );
    const png = Buffer.from(encodePng(image)).toString('base64');
    return (
      `<text class="name" x="${MARGIN.left}" y="${y + 13}">${escapeXml(name)}</text>` +
      `<text x="${WIDTH - MARGIN.right}" y="${y + 13}" text-anchor="end">${levelText(samples, call.sampleRateHz)}</text>` +
      `<path class="wave" d="${wavePath(samples, { x: MARGIN.left, y: waveY, width: plot, height: WAVE_HEIGHT })}"/>` +
      `<image x="${MARGIN.left}" y="${spectrumY}" width="${plot}" height="${SPECTRUM_HEIGHT}" href="data:image/png;base64,${png}"/>` +
      `<text x="${MARGIN.left - 4}" y="${spectrumY + 9}" text-anchor="end">${topHz / 1000} kHz</text>` +
      `<text x="${MARGIN.left - 4}" y="${spectrumY + SPECTRUM_HEIGHT}" text-anchor="end">0</text>` +
      drawLabels(sideLabels, { x: MARGIN.left, y: spectrumY + SPECTRUM_HEIGHT, width: plot, durationMs })
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">` +
    `<title>${escapeXml(`Waveform and spectrogram of ${names.join(' and ')}, ${(durationMs / 1000).toFixed(1)} s`)}</title>` +
    `<style>${STYLE}</style><rect class="back" width="${WIDTH}" height="${height}"/>${lanes.join('')}${drawAxis(durationMs, plot, height - MARGIN.bottom)}</svg>\n`
  );
}

function drawAxis(durationMs: number, plot: number, y: number): string {
  const seconds = durationMs / 1000;
  const step = TICK_STEPS_S.find((each) => seconds / each <= MOST_TICKS) ?? seconds;
  const ticks: string[] = [];
  for (let tick = 0; tick * step <= seconds; tick += 1) {
    const x = MARGIN.left + ((tick * step) / seconds) * plot;
    ticks.push(`<path class="axis" d="M${x.toFixed(1)} ${y}v4"/>`);
    ticks.push(
      `<text x="${x.toFixed(1)}" y="${y + 15}" text-anchor="middle">${Number((tick * step).toFixed(1))} s</text>`,
    );
  }
  return `<path class="axis" d="M${MARGIN.left} ${y}h${plot}"/>${ticks.join('')}`;
}
