import { escapeMarkup } from './escape-markup.js';

export interface Area {
  readonly name: string;
  readonly colour: string;
  /** Share per step, from 0 to 1. */
  readonly shares: readonly number[];
}

const WIDTH = 720;
const HEIGHT = 260;
const LEFT = 44;
const TOP = 40;
const BOTTOM = 48;

/** Shares of a whole over steps, stacked; `marks` are the steps at which something new begins. */
export function areaChart(
  title: string,
  areas: readonly Area[],
  marks: readonly { readonly step: number; readonly name: string }[],
): string {
  const steps = Math.max(...areas.map(({ shares }) => shares.length), 1);
  const x = (step: number): number => LEFT + (step / steps) * (WIDTH - LEFT - 16);
  const y = (share: number): number => HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
  const base = new Array<number>(steps).fill(0);
  const shapes = areas.map(({ name, colour, shares }) => {
    const low = [...base];
    shares.forEach((share, step) => {
      base[step] = (base[step] ?? 0) + share;
    });
    // Steps are blocks, not points: each holds its width.
    const upper = shares.flatMap((_, step) => [
      `${x(step).toFixed(1)},${y(base[step] ?? 0).toFixed(1)}`,
      `${x(step + 1).toFixed(1)},${y(base[step] ?? 0).toFixed(1)}`,
    ]);
    const lower = shares
      .flatMap((_, step) => [
        `${x(step).toFixed(1)},${y(low[step] ?? 0).toFixed(1)}`,
        `${x(step + 1).toFixed(1)},${y(low[step] ?? 0).toFixed(1)}`,
      ])
      .reverse();
    return `<polygon points="${[...upper, ...lower].join(' ')}" fill="${colour}"><title>${escapeMarkup(name)}</title></polygon>`;
  });
  const legend = areas.map(
    ({ name, colour }, place) =>
      `<rect x="${LEFT + place * 110}" y="${HEIGHT - 16}" width="12" height="12" fill="${colour}"/><text x="${LEFT + place * 110 + 18}" y="${HEIGHT - 6}">${escapeMarkup(name)}</text>`,
  );
  const begins = marks.map(
    ({ step, name }) =>
      `<line x1="${x(step - 1).toFixed(1)}" x2="${x(step - 1).toFixed(1)}" y1="${TOP - 6}" y2="${HEIGHT - BOTTOM}" stroke="#1b2733" stroke-dasharray="4 3"/><text x="${(x(step - 1) + 4).toFixed(1)}" y="${TOP - 8}" font-size="12">${escapeMarkup(name)}</text>`,
  );
  const axis = [0, 0.5, 1].map(
    (share) =>
      `<text x="${LEFT - 6}" y="${(y(share) + 4).toFixed(1)}" text-anchor="end" font-size="11">${100 * share} %</text>`,
  );
  const ends = [1, steps].map(
    (step) =>
      `<text x="${x(step - 0.5).toFixed(1)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle" font-size="11">${step}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeMarkup(title)}" font-family="system-ui, sans-serif" font-size="13" fill="#1b2733">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<text x="12" y="18" font-weight="600">${escapeMarkup(title)}</text>
${[...shapes, ...begins, ...axis, ...ends, ...legend].join('\n')}
</svg>
`;
}
