import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Conditions } from '../../audio/index.js';
import { canonicalJson, sha256Hex } from '../../shared/index.js';
import {
  createConditionedSpeaker,
  createFliteSynthesizer,
  createSpeaker,
  type Speaker,
} from '../../speech/index.js';

export interface OpenSpeech {
  readonly speaker: Speaker;
  /** Engine and voices, as a run's manifest names them: other voices give other audio. */
  readonly description: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where clips are kept between runs: PARLOR_CACHE_DIR, else the user's cache folder. */
function cacheFolder(env: Environment): string {
  const { PARLOR_CACHE_DIR: own, XDG_CACHE_HOME: users } = env;
  if (own !== undefined && own !== '') return join(own, 'clips');
  const base = users !== undefined && users !== '' ? users : join(env.HOME ?? homedir(), '.cache');
  return join(base, 'parlor', 'clips');
}

/** The embedded engine with the package's voices and a cache on disk; lines are heard under the conditions, if any. */
export async function openSpeech(
  env: Environment,
  workers: number,
  conditions?: Conditions,
): Promise<OpenSpeech> {
  const engine = await createFliteSynthesizer({ workers });
  const clean = await createSpeaker({ engine, cacheDir: cacheFolder(env) });
  const speaker = conditions === undefined ? clean : createConditionedSpeaker(clean, conditions);
  const { voices } = speaker;
  const hash = sha256Hex(canonicalJson(voices)).slice(0, 12);
  return { speaker, description: `${engine.name}, ${voices.length} voices ${hash}` };
}
