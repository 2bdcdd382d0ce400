import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentVoice } from '../../agents/index.js';
import type { Conditions } from '../../audio/index.js';
import { canonicalJson, deriveSeed, sha256Hex } from '../../shared/index.js';
import {
  createConditionedSpeaker,
  createSpeaker,
  createTaskConditionedSpeaker,
  createVoiceEngines,
  defaultVoicesDir,
  type Speaker,
  type Synthesizer,
  type Voice,
} from '../../speech/index.js';
import type { AskedVoice } from '../models/preflight.js';

export interface OpenSpeech {
  readonly speaker: Speaker;
  /** The same voices without the line's conditions. */
  readonly clean: Speaker;
  /** Engine and voices, as a run's manifest names them: other voices give other audio. */
  readonly description: string;
  /** Each server that speaks, once. */
  readonly servers: readonly AskedVoice[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where clips are kept between runs: PARLOR_CACHE_DIR, else the user's cache folder. */
function cacheFolder(env: Environment): string {
  const { PARLOR_CACHE_DIR: own, XDG_CACHE_HOME: users } = env;
  if (own !== undefined && own !== '') return join(own, 'clips');
  const base = users !== undefined && users !== '' ? users : join(env.HOME ?? homedir(), '.cache');
  return join(base, 'parlor', 'clips');
}

interface VoicesPlace {
  readonly workers: number;
  /** The package's own voices unless given. */
  readonly voicesDir?: string | undefined;
  /** In memory only unless given. */
  readonly cacheDir?: string | undefined;
}

function openEngines(
  env: Environment,
  { workers, voicesDir = defaultVoicesDir() }: VoicesPlace,
): Synthesizer {
  return createVoiceEngines({
    ...{ voicesDir, workers, searchPath: env.PATH ?? '' },
    readKey: (name) => env[name],
  });
}

/** A speaker for every voice of a folder, whatever its engine. */
export async function openVoices(
  env: Environment,
  place: VoicesPlace,
  engine: Synthesizer = openEngines(env, place),
): Promise<Speaker> {
  const { voicesDir = defaultVoicesDir(), cacheDir } = place;
  return createSpeaker({ engine, voicesDir, ...(cacheDir === undefined ? {} : { cacheDir }) });
}

const PROBE_LINE = 'This is a test of the line.';

/** One voice for each model of each server stands for all that it speaks. */
function askedServers(voices: readonly Voice[], engine: Synthesizer): AskedVoice[] {
  const found = new Map<string, Voice>();
  for (const voice of voices) {
    const name = voice.server === undefined ? null : `${voice.server.model} at ${voice.server.baseUrl}`;
    if (name !== null && !found.has(name)) found.set(name, voice);
  }
  return [...found].map(([name, voice]) => ({
    name,
    speak: async () => void (await engine.synthesize({ spoken: PROBE_LINE, voice })),
  }));
}

export interface SpeechPlace {
  readonly workers: number;
  readonly voicesDir?: string | undefined;
  readonly conditions?: Conditions | undefined;
  /** In their place: those of each task. */
  readonly conditionsOf?: ((task: string) => Conditions) | undefined;
}

/** The voices of a folder with a cache on disk; lines are heard under the conditions, if any. */
export async function openSpeech(env: Environment, place: SpeechPlace): Promise<OpenSpeech> {
  const { conditions, conditionsOf } = place;
  const engine = openEngines(env, place);
  const clean = await openVoices(env, { ...place, cacheDir: cacheFolder(env) }, engine);
  const heard = conditions === undefined ? clean : createConditionedSpeaker(clean, conditions);
  const speaker = conditionsOf === undefined ? heard : createTaskConditionedSpeaker(clean, conditionsOf);
  const cast = speaker.voices.filter((voice) => voice.cast !== false);
  const hash = sha256Hex(canonicalJson(cast)).slice(0, 12);
  try {
    const engines = new Set<string>();
    for (const voice of cast) engines.add(await speaker.identify(voice));
    const description = `${[...engines].join('; ')}, ${cast.length} voices ${hash}`;
    return { speaker, clean, description, servers: askedServers(cast, engine) };
  } catch (error) {
    await speaker.close();
    throw error;
  }
}

/** A line in a reference agent's own voice, chosen by the episode's seed. */
export async function speakAsAgent(
  speech: OpenSpeech | undefined,
  text: string,
  seed: number,
): Promise<AgentVoice> {
  if (speech === undefined) throw new TypeError('no voice is open');
  const { clean } = speech;
  const { clip } = await clean.speak(text, clean.chooseVoice(deriveSeed(seed, 'agent-voice')));
  return clip;
}
