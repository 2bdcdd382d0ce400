import type { Bin, Share } from '../export/statistics.js';
import { escapeMarkup } from './escape-markup.js';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Written beside the bar. */
  readonly note: string;
}

const WIDTH = 720;
const ROW_HEIGHT = 26;
const LABEL_WIDTH = 190;
const NOTE_WIDTH = 120;
const HEAD = 34;
const INK = '#1b2733';
const BLUE = '#2f6f9f';
const PAPER = '#ffffff';

function frame(title: string, height: number, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeMarkup(title)}" font-family="system-ui, sans-serif" font-size="13" fill="${INK}">
<rect width="${WIDTH}" height="${height}" fill="${PAPER}"/>
<text x="12" y="22" font-weight="600">${escapeMarkup(title)}</text>
${body}
</svg>
`;
}

/** Bars from left to right, one a line. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const space = WIDTH - LABEL_WIDTH - NOTE_WIDTH;
  const body = bars.map(({ label, value, note }, row) => {
    const y = HEAD + row * ROW_HEIGHT;
    const width = ((value / most) * space).toFixed(1);
    return `<text x="${LABEL_WIDTH - 8}" y="${y + 16}" text-anchor="end">${escapeMarkup(label)}</text><rect x="${LABEL_WIDTH}" y="${y + 4}" width="${width}" height="${ROW_HEIGHT - 8}" fill="${BLUE}"/><text x="${(LABEL_WIDTH + Number(width) + 8).toFixed(1)}" y="${y + 16}">${escapeMarkup(note)}</text>`;
  });
  return frame(title, HEAD + bars.length * ROW_HEIGHT + 8, body.join('\n'));
}

export function shareChart(title: string, shares: readonly Share[]): string {
  return barChart(
    title,
    shares.map(({ name, episodes, share }) => ({
      ...{ label: name, value: episodes, note: `${episodes} (${(100 * share).toFixed(1)} %)` },
    })),
  );
}

const PLOT_HEIGHT = 150;
const MARGIN = 28;

const short = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1));

/** Columns over equal bins, with the limits of the axis and the count over each column. */
export function histogramChart(title: string, bins: readonly Bin[], unit: string): string {
  const most = Math.max(...bins.map(({ count }) => count), 1);
  const step = (WIDTH - 2 * MARGIN) / Math.max(1, bins.length);
  const base = HEAD + PLOT_HEIGHT;
  const columns = bins.map(({ from, to, count }, place) => {
    const height = (count / most) * (PLOT_HEIGHT - 18);
    const x = MARGIN + place * step;
    const middle = (x + step / 2).toFixed(1);
    const over =
      count === 0
        ? ''
        : `<text x="${middle}" y="${(base - height - 4).toFixed(1)}" text-anchor="middle" font-size="11">${count}</text>`;
    return `<rect x="${(x + 1).toFixed(1)}" y="${(base - height).toFixed(1)}" width="${Math.max(1, step - 2).toFixed(1)}" height="${height.toFixed(1)}" fill="${BLUE}"><title>${short(from)} to ${short(to)}: ${count}</title></rect>${over}`;
  });
  const ticks = bins
    .filter((_, place) => place % Math.ceil(bins.length / 10) === 0)
    .map(({ from }) => {
      const x = MARGIN + bins.findIndex((bin) => bin.from === from) * step;
      return `<text x="${x.toFixed(1)}" y="${base + 16}" text-anchor="middle" font-size="11">${short(from)}</text>`;
    });
  const last = bins.at(-1);
  const end =
    last === undefined
      ? ''
      : `<text x="${WIDTH - MARGIN}" y="${base + 16}" text-anchor="middle" font-size="11">${short(last.to)}</text>`;
  const axis = `<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${base}" y2="${base}" stroke="${INK}"/><text x="${WIDTH / 2}" y="${base + 32}" text-anchor="middle" font-size="12">${escapeMarkup(unit)}</text>`;
  return frame(title, base + 42, [...columns, ...ticks, end, axis].join('\n'));
}
