import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Conditions, ConditionsError, readVoiceTasks } from '../../audio/index.js';
import type { RunManifest } from '../../evaluation/index.js';
import { describeError, sha256Hex, UsageError } from '../../shared/index.js';
import { loadConditions } from './load-conditions.js';

const MAX_FILE_BYTES = 50_000_000;
/** Of `--voice-tasks`, unless `--conditions` names another. */
const DEFAULT_COMPLEXITY = 'regular';

/** tau2-bench's tasks_voice.json: conditions of each task's own. */
interface TaskConditions {
  readonly facts: NonNullable<RunManifest['voiceTasks']>;
  /** Throws `ConditionsError` for a task or complexity that the file does not have. */
  conditionsOf(task: string): Conditions;
}

/** How customers sound in a run: flags, and under them what a run that goes on was started with. */
export interface RunLine {
  readonly conditions: Conditions | undefined;
  readonly taskConditions: TaskConditions | undefined;
  /** Folder of voice files as given; undefined: the package's own. */
  readonly voices: string | undefined;
}

/** The package's own voices, and nothing happens to their lines. */
export const AS_SPOKEN: RunLine = { conditions: undefined, taskConditions: undefined, voices: undefined };

interface LineFlags {
  readonly conditions?: string;
  readonly voiceTasks?: string;
  readonly voices?: string;
}

async function loadTaskConditions(file: string, complexity: string, cwd: string): Promise<TaskConditions> {
  try {
    const path = resolve(cwd, file);
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new RangeError(`it has ${size} bytes, more than ${MAX_FILE_BYTES}`);
    const text = await readFile(path, 'utf8');
    const tasks = readVoiceTasks(JSON.parse(text));
    return {
      facts: { file, complexity, sha256: sha256Hex(text) },
      conditionsOf: (task) => tasks.find(task, complexity).conditions,
    };
  } catch (error) {
    if (error instanceof ConditionsError) throw error;
    throw new ConditionsError(`cannot read the voice tasks in ${file}: ${describeError(error)}`);
  }
}

/** @throws ConditionsError or UsageError for files that cannot be used, and for conditions of a run that does not speak. */
export async function openRunLine(
  flags: LineFlags,
  { before, speaks, cwd }: { before: RunManifest | null; speaks: boolean; cwd: string },
): Promise<RunLine> {
  const voices = flags.voices ?? before?.voices;
  const file = flags.voiceTasks ?? before?.voiceTasks?.file;
  if (!speaks && (flags.conditions !== undefined || flags.voiceTasks !== undefined))
    throw new UsageError(
      'bad-option',
      '--conditions and --voice-tasks change how the customer sounds, so they need --mode speech or both',
    );
  if (file !== undefined) {
    const complexity = flags.conditions ?? before?.voiceTasks?.complexity ?? DEFAULT_COMPLEXITY;
    return {
      ...{ conditions: undefined, voices },
      taskConditions: await loadTaskConditions(file, complexity, cwd),
    };
  }
  const conditions =
    flags.conditions === undefined ? before?.conditions : await loadConditions(flags.conditions, cwd);
  return { conditions, taskConditions: undefined, voices };
}
