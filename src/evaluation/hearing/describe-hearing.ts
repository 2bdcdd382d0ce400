import type { EpisodeRecord } from '../../episodes/index.js';
import { type HeardTurn, readHearing } from './read-hearing.js';

/** One episode in speech, turn by turn. */
export interface EpisodeHearing {
  readonly episode: string;
  readonly task: string;
  readonly turns: readonly HeardTurn[];
}

/** Episodes in speech, in their order; those in text have nothing to hear. */
export function readRunHearing(records: readonly EpisodeRecord[]): EpisodeHearing[] {
  return records.flatMap((record) => {
    const turns = readHearing(record);
    return turns === null ? [] : [{ episode: record.header.episode, task: record.header.task.id, turns }];
  });
}

function marked(turn: HeardTurn, side: 'said' | 'heard'): string {
  return (turn.alignment?.stretches ?? [])
    .map((stretch) => (stretch.same ? stretch[side] : `[${stretch[side] === '' ? '·' : stretch[side]}]`))
    .join(' ');
}

function turnLines(turn: HeardTurn): string[] {
  const { alignment, heard } = turn;
  const differs = alignment !== null && alignment.errors > 0;
  const lines = [`said      ${differs ? marked(turn, 'said') : turn.said}`];
  if (heard !== null)
    lines.push(`heard     ${heard === '' ? '[nothing]' : differs ? marked(turn, 'heard') : heard}`);
  for (const { tool, arguments: passed } of turn.calls) {
    const values = passed.map(({ name, value, source, said }) =>
      source === 'misheard' ? `${name} [${value}] (said: ${said})` : `${name} ${value}`,
    );
    lines.push(`argument  ${tool}: ${values.join(', ')}`);
  }
  return lines.map((line, place) => `${place === 0 ? String(turn.turn).padStart(4) : '    '}  ${line}`);
}

/** What was said comes from models and agents: it must not start a line of its own, nor colour or turn round a terminal's text. */
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** For people: what differs stands in square brackets. */
export function renderHearing(episodes: readonly EpisodeHearing[]): string {
  return episodes
    .map(({ episode, turns }) => [episode, ...turns.flatMap(turnLines)].map(oneLine).join('\n'))
    .join('\n\n');
}
