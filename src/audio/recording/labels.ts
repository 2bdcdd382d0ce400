/** A stretch of a recording with a name: an utterance, an effect, a tool call. */
export interface CallLabel {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(6);

/** A label track for Audacity (File > Import > Labels): start, end and text between tabs, one a line, in order of time. */
export function formatAudacityLabels(labels: readonly CallLabel[]): string {
  return labels
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
    .map(
      ({ startMs, endMs, text }) =>
        `${seconds(startMs)}\t${seconds(endMs)}\t${text.replace(/\s+/g, ' ').trim()}\n`,
    )
    .join('');
}
