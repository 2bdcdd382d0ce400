import type { RunManifest } from '../../evaluation/index.js';
import type { TurnTaking } from '../../protocol/index.js';
import type { OutcomeRule } from '../../retail/index.js';
import { UsageError } from '../../shared/index.js';
import { checkMaths, type DomainName } from './domains.js';
import type { LiveJudgeName } from './live-judge.js';

/** What the flags of `parlor run` say; absent: not given. */
export interface RunFlags {
  readonly domain?: DomainName;
  readonly data?: string;
  readonly split?: string;
  readonly tasks?: string;
  readonly trials?: number;
  readonly mode?: 'speech' | 'text' | 'both';
  readonly agent?: string;
  readonly faults?: number;
  readonly seed?: number;
  readonly outcomeRule?: OutcomeRule;
  readonly maxTurns?: number;
  readonly liveJudge?: LiveJudgeName;
  readonly conditions?: string;
  readonly turnTaking?: TurnTaking;
}

/** What to run, with every default filled in. */
export interface RunSettings {
  readonly domain: DomainName;
  /** Folder as given, or null for the built-in world. */
  readonly data: string | null;
  /** Null: every task, whatever its split; undefined: the source's own choice. */
  readonly split: string | null | undefined;
  readonly ids: readonly string[] | null;
  readonly count: number | null;
  readonly trials: number;
  readonly modes: RunManifest['modes'];
  readonly agent: string;
  readonly faults: number;
  readonly seed: number;
  /** Null: the source's own. */
  readonly outcomeRule: OutcomeRule | null;
  readonly maxTurns: number;
  /** Null: nobody looks on. */
  readonly liveJudge: LiveJudgeName | null;
  /** In speech. */
  readonly turnTaking: TurnTaking;
}

/** Tasks of the built-in world when none are chosen: enough kinds to see, few enough for a minute. */
export const DEFAULT_TASKS = 12;
export const DEFAULT_TRIALS = 4;
export const DEFAULT_SEED = 1;
export const DEFAULT_MAX_TURNS = 30;
/** Of the reference agent when nobody chose an agent: a flawless one would show nothing. */
export const DEMO_FAULTS = 0.15;

function parseTasks(text: string): Pick<RunSettings, 'ids' | 'count'> {
  if (/^[-+]?\d+$/.test(text.trim())) {
    const count = Number(text);
    if (count < 1)
      throw new UsageError(
        'bad-option',
        `--tasks must be at least 1, or ids separated by commas; got "${text}"`,
      );
    return { ids: null, count };
  }
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.length === 0)
    throw new UsageError('bad-option', `--tasks must be a number or ids separated by commas; got "${text}"`);
  return { ids, count: null };
}

function modesOf(mode: RunFlags['mode']): RunManifest['modes'] {
  return mode === 'both' ? ['speech', 'text'] : [mode ?? 'speech'];
}

/** The settings of a new run. */
export function settingsFromFlags(flags: RunFlags): RunSettings {
  const data = flags.data ?? null;
  const isMaths = flags.domain === 'maths';
  if (isMaths) checkMaths(flags);
  const chosen = flags.tasks === undefined ? null : parseTasks(flags.tasks);
  const everything = { ids: null, count: data === null && flags.split === undefined ? DEFAULT_TASKS : null };
  return {
    ...{ domain: flags.domain ?? 'retail', data },
    // Whoever names tasks means these, whatever split they are in.
    split: flags.split ?? (chosen?.ids == null ? undefined : null),
    ...(chosen ?? everything),
    trials: flags.trials ?? DEFAULT_TRIALS,
    modes: isMaths ? ['text'] : modesOf(flags.mode),
    agent: flags.agent ?? 'oracle',
    faults: flags.faults ?? (flags.agent === undefined ? DEMO_FAULTS : 0),
    seed: flags.seed ?? DEFAULT_SEED,
    outcomeRule: flags.outcomeRule ?? null,
    maxTurns: flags.maxTurns ?? DEFAULT_MAX_TURNS,
    liveJudge: flags.liveJudge ?? null,
    turnTaking: flags.turnTaking ?? 'half-duplex',
  };
}

/** The flags of a run that goes on: what agent and customer were made with, and over it whatever is given again. */
export function resumedFlags<Flags extends RunFlags>(manifest: RunManifest, given: Flags): Flags {
  const agent = given.agent ?? manifest.agent.name;
  if (agent !== manifest.agent.name) return { ...manifest.customerOptions, ...given };
  // Not flags: the one follows from the prompt's file, the other is read below.
  const { prompt: _prompt, faults: _faults, ...options } = manifest.agent.options;
  return { ...manifest.customerOptions, ...options, ...given };
}

/** The settings of a run that goes on: those it was started with, and over them whatever flags are given again. */
export function settingsForResume(manifest: RunManifest, flags: RunFlags): RunSettings {
  const chosen = flags.tasks === undefined ? { ids: manifest.tasks, count: null } : parseTasks(flags.tasks);
  const faults = manifest.agent.options.faults;
  return {
    domain: flags.domain ?? (manifest.domain.source === 'maths' ? 'maths' : 'retail'),
    data: flags.data ?? manifest.data,
    split: flags.split ?? manifest.split,
    ...chosen,
    trials: flags.trials ?? manifest.trials,
    modes: flags.mode === undefined ? manifest.modes : modesOf(flags.mode),
    agent: flags.agent ?? manifest.agent.name,
    faults: flags.faults ?? (typeof faults === 'number' ? faults : 0),
    seed: flags.seed ?? manifest.seed,
    outcomeRule: flags.outcomeRule ?? manifest.rule,
    maxTurns: flags.maxTurns ?? manifest.limits.maxTurns,
    liveJudge: flags.liveJudge ?? (manifest.liveJudge === undefined ? null : 'rules'),
    turnTaking: flags.turnTaking ?? manifest.turnTaking ?? 'half-duplex',
  };
}
