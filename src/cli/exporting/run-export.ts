import { readdir } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { findFfmpeg } from '../../audio/index.js';
import {
  type ClipCoder,
  type ClipFormat,
  type DatasetFormat,
  type DatasetManifest,
  exportDataset,
  FORMATS,
  openClipCoder,
  openSource,
  type RunInput,
} from '../../dataset/index.js';
import { systemClock, UsageError } from '../../shared/index.js';
import { defaultVoicesDir, loadVoices } from '../../speech/index.js';
import { packageVersion } from '../package-info.js';
import { ExitError } from '../program.js';
import { formatDuration } from '../progress.js';
import { tellDamage } from '../running/damage.js';
import { watchInterrupts } from '../running/interrupts.js';
import type { Terminal } from '../terminal.js';
import { type FilterFlags, filtersFrom } from './filter-options.js';
import { privateTexts } from './private-texts.js';
import { openTokens, type TokenFlags } from './token-options.js';

export interface ExportFlags extends FilterFlags, TokenFlags {
  readonly out: string;
  readonly format: readonly string[];
  readonly scores?: string;
  readonly purpose: 'train' | 'eval';
  readonly validation: number;
  readonly speechTurns: number;
  readonly shardRows: number;
  readonly shardMegabytes: number;
  readonly audioPrefix: string;
  readonly audioFormat: ClipFormat;
  readonly strict?: true;
  readonly json?: true;
}

const EXIT_INTERRUPTED = 130;

/** The formats that `--format` names; throws a `UsageError` for one that there is not. */
export function formatsFrom(names: readonly string[]): DatasetFormat[] {
  const wanted = names.flatMap((name) => name.split(',')).map((name) => name.trim());
  if (wanted.includes('all')) return [...FORMATS.values()];
  return [...new Set(wanted.length === 0 ? ['parlor'] : wanted)].map((name) => {
    const format = FORMATS.get(name);
    if (format !== undefined) return format;
    throw new UsageError(
      'bad-option',
      `--format must be one of ${[...FORMATS.keys()].join(', ')} or all; got "${name}"`,
    );
  });
}

/** The score file that counts: the one named, else the only one. */
async function findScores(dir: string, label: string, wanted: string | undefined): Promise<string | null> {
  const folder = join(dir, 'scores');
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith('.jsonl'));
  if (wanted !== undefined) {
    const name = names.find((each) => each === wanted || each === basename(wanted));
    if (name !== undefined) return join(folder, name);
    throw new UsageError(
      'dataset-source',
      `${label}/scores holds no ${wanted}; ${names.length === 0 ? 'score the run with "parlor score"' : `it holds ${names.sort().join(', ')}`}`,
    );
  }
  if (names.length > 1)
    throw new UsageError(
      'dataset-source',
      `${label} was scored ${names.length} times; choose with --scores one of ${names.sort().join(', ')}`,
    );
  return names[0] === undefined ? null : join(folder, names[0]);
}

async function inputsOf(
  runs: readonly string[],
  flags: ExportFlags,
  terminal: Terminal,
): Promise<RunInput[]> {
  return Promise.all(
    runs.map(async (run) => {
      const dir = resolve(terminal.cwd, run);
      const scores = await findScores(dir, run, flags.scores);
      const other = flags.agreeWith === undefined ? null : await findScores(dir, run, flags.agreeWith);
      return { dir, label: run, scores, otherScores: other };
    }),
  );
}

function summary(manifest: DatasetManifest, out: string, seconds: number): string {
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const { statistics: of } = manifest;
  const lines = [
    `${of.episodes} episodes in ${of.groups} groups, ${of.tasks} tasks, ${(of.audioSeconds / 60).toFixed(1)} min of sound`,
    ...manifest.filters
      .filter(({ removed }) => removed > 0)
      .map(({ rule, removed }) => `left out ${removed}: ${rule}`),
    ...Object.entries(manifest.skipped).map(([reason, count]) => `not in ${reason} (${count})`),
    ...Object.entries(manifest.figures)
      .filter(([name, count]) => /^(dropped|cut|engine|tokens)/.test(name) && count > 0)
      .map(([name, count]) => `${name} (${count})`),
    `evaluation tasks among them: ${manifest.tasks.evaluation}`,
    `${manifest.files.length} files, ${(bytes / 1e6).toFixed(1)} MB in ${formatDuration(seconds)}`,
    '',
    `dataset  ${out}`,
    `card     ${join(out, 'card.html')}  (open it in a browser)`,
  ];
  return `${lines.join('\n')}\n`;
}

/** @throws FfmpegMissingError when the clips' format needs ffmpeg and there is none */
export function coderFrom(
  { audioFormat }: Pick<ExportFlags, 'audioFormat'>,
  { env }: Terminal,
): Promise<ClipCoder> {
  return openClipCoder(audioFormat, findFfmpeg(env.PATH ?? ''));
}

/** From run folders to a dataset folder. */
export async function runExport(
  runs: readonly string[],
  flags: ExportFlags,
  terminal: Terminal,
): Promise<void> {
  await exportInputs(await inputsOf(runs, flags, terminal), flags, terminal);
}

/** The same for runs whose scores are known. */
export async function exportInputs(
  inputs: readonly RunInput[],
  flags: ExportFlags,
  terminal: Terminal,
): Promise<void> {
  const formats = formatsFrom(flags.format);
  const dir = isAbsolute(flags.out) ? flags.out : resolve(terminal.cwd, flags.out);
  const startMs = systemClock.nowMs();
  const coder = await coderFrom(flags, terminal);
  const tokens = await openTokens(flags, terminal);
  const voices = await loadVoices(defaultVoicesDir());
  const voiceLicences = new Map(voices.map(({ id, licence }) => [id, licence]));
  const source = await openSource(inputs, {
    voiceLicences,
    speechTurns: flags.speechTurns,
  });
  const interrupts = watchInterrupts(terminal, {
    onFirst: () => terminal.err('parlor: stopping; give the same command again to go on\n'),
    onSecond: () => undefined,
  });
  try {
    for (const { label, scores } of inputs)
      if (scores === null) terminal.err(`parlor: ${label} was not scored; its rows will have no rewards\n`);
    const countDamage = tellDamage(source.faults, { strict: flags.strict === true, terminal });
    const manifest = await exportDataset(source, {
      ...{ dir, formats, purpose: flags.purpose, filters: filtersFrom(flags) },
      limits: {
        ...{ rows: flags.shardRows, audioBytes: flags.shardMegabytes * 1e6, validation: flags.validation },
      },
      ...{ audioPrefix: flags.audioPrefix, coder, voiceLicences, privateTexts: privateTexts(terminal) },
      ...{ parlor: packageVersion(), ...tokens },
      signal: interrupts.stop,
    });
    const shown = relative(terminal.cwd, dir);
    const name = shown.startsWith('..') ? dir : shown;
    terminal.out(
      flags.json === true
        ? `${JSON.stringify(manifest, null, 2)}\n`
        : summary(manifest, name, (systemClock.nowMs() - startMs) / 1000),
    );
    countDamage();
  } catch (error) {
    if (interrupts.stop.aborted) throw new ExitError(EXIT_INTERRUPTED);
    throw error;
  } finally {
    interrupts.release();
    await source.close();
  }
}
