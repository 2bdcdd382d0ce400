import { join } from 'node:path';

export const EPISODE_EXTENSION = '.jsonl';

/** What lies where in a run folder. */
export interface RunPaths {
  /** The plan of an evaluation. */
  readonly plan: string;
  readonly policy: string;
  readonly tools: string;
  /** How long things took, by the wall clock: beside the records, never in them. */
  readonly timings: string;
  readonly episodes: string;
  readonly audio: string;
  episode(id: string): string;
  clip(sha256: string): string;
}

export function runPaths(dir: string): RunPaths {
  const episodes = join(dir, 'episodes');
  const audio = join(dir, 'audio');
  return {
    plan: join(dir, 'run.json'),
    policy: join(dir, 'policy.md'),
    tools: join(dir, 'tools.json'),
    timings: join(dir, 'timings.jsonl'),
    episodes,
    audio,
    episode: (id) => join(episodes, `${id}${EPISODE_EXTENSION}`),
    clip: (sha256) => join(audio, `${sha256}.wav`),
  };
}
