import type { Estimate } from '../metrics/interval.js';
import type { PassRow } from '../metrics/pass-table.js';
import { html, Markup } from './html.js';

const WIDTH = 380;
const HEIGHT = 220;
const LEFT = 48;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 30;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

function yOf(share: number): number {
  return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
}

function round(value: number): string {
  return value.toFixed(1);
}

interface Series {
  readonly name: string;
  readonly shift: number;
  readonly of: (row: PassRow) => Estimate;
}

const SERIES: readonly Series[] = [
  { name: 'combinatorial', shift: -4, of: (row) => row.combinatorial },
  { name: 'first-k', shift: 4, of: (row) => row.firstK },
];

function drawSeries(rows: readonly PassRow[], series: Series, xOf: (index: number) => number): Markup {
  const points = rows.flatMap((row, index) => {
    const { mean, low, high } = series.of(row);
    return mean === null || low === null || high === null
      ? []
      : [{ x: xOf(index) + series.shift, mean, low, high, k: row.k }];
  });
  const path = points.map(
    ({ x, mean }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(yOf(mean))}`,
  );
  const marks = points.map(
    ({ x, mean, low, high, k }) =>
      html`<line class="whisker" x1="${round(x)}" x2="${round(x)}" y1="${round(yOf(low))}" y2="${round(yOf(high))}"/><circle cx="${round(x)}" cy="${round(yOf(mean))}" r="3.5"><title>${series.name}, k = ${k}: ${(100 * mean).toFixed(1)} % (95 %: ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})</title></circle>`,
  );
  return html`<g class="series ${series.name}"><path d="${path.join(' ')}"/>${marks}</g>`;
}

/** A small chart of pass^k against k, both estimators with their intervals. Colours come from the page's style sheet. */
export function drawPassChart(rows: readonly PassRow[], title: string): Markup {
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, rows.length);
  const xOf = (index: number): number => LEFT + step * (index + 0.5);
  // Beyond 10 labels they would run into each other.
  const every = Math.ceil(rows.length / 10);
  const grid = TICKS.map(
    (share) =>
      html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(yOf(share))}" y2="${round(yOf(share))}"/><text class="tick" x="${LEFT - 6}" y="${round(yOf(share) + 4)}" text-anchor="end">${100 * share} %</text>`,
  );
  const labels = rows.map((row, index) =>
    index % every === 0
      ? html`<text class="tick" x="${round(xOf(index))}" y="${HEIGHT - 10}" text-anchor="middle">k = ${row.k}</text>`
      : new Markup(''),
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">${grid}${labels}${SERIES.map((series) => drawSeries(rows, series, xOf))}</svg>`;
}
