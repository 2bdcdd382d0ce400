import type { Mode } from '../protocol/index.js';
import { sha256Hex } from '../shared/index.js';

export interface EpisodeKey {
  readonly task: string;
  readonly mode: Mode;
  readonly trial: number;
  readonly seed: number;
}

const MAX_SLUG_LENGTH = 60;

/** A task id as part of a file's name. An id that does not survive the rewriting gets eight digits of its hash. */
function slugOf(task: string): string {
  const slug = task
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG_LENGTH);
  return slug === task ? slug : `${slug}${slug === '' ? '' : '-'}${sha256Hex(task).slice(0, 8)}`;
}

/**
 * The id of an episode, which is also its file's name: `<task>.<mode>.t<trial>.s<seed>`, e.g. `17.speech.t0.s42`.
 * It depends on the key alone, so a run that is repeated gives the same names.
 */
export function episodeId(key: EpisodeKey): string {
  return `${slugOf(key.task)}.${key.mode}.t${key.trial}.s${key.seed}`;
}

/** The id of a further attempt at the same episode: the second is `…~2`. */
export function attemptId(id: string, attempt: number): string {
  return attempt === 1 ? id : `${id}~${attempt}`;
}

/** The reverse of `attemptId`. */
export function splitAttempt(id: string): { readonly base: string; readonly attempt: number } {
  const match = /^(.*)~(\d+)$/.exec(id);
  return match === null ? { base: id, attempt: 1 } : { base: match[1] ?? id, attempt: Number(match[2]) };
}
