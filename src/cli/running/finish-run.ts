import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunFolder } from '../../episodes/index.js';
import {
  loadRun,
  readRunHearing,
  recordRun,
  renderHearing,
  renderReport,
  renderTable,
  reportPath,
  summariseRun,
} from '../../evaluation/index.js';
import type { RetailDomain } from '../../retail/index.js';
import { describeAgentMaterial } from '../../sandbox/index.js';
import type { Terminal } from '../terminal.js';
import { tellDamage } from './damage.js';

/** The flag that asks for recordings of calls. */
export const RECORDINGS = [
  '--recordings',
  'write each spoken call as stereo WAV, picture and labels into recordings/ (docs/speech.md)',
] as const;

/** Keeps what the agents were given, beside the records that name it by hash. */
export async function keepMaterial(folder: RunFolder, domain: RetailDomain): Promise<void> {
  const { policy, tools } = describeAgentMaterial(domain);
  await folder.writeWhole(folder.paths.policy, policy);
  await folder.writeWhole(folder.paths.tools, `${JSON.stringify(tools, null, 2)}\n`);
}

export interface FinishOptions {
  readonly json: boolean;
  readonly report: boolean;
  readonly strict: boolean;
  /** Write a recording of every spoken call. */
  readonly recordings: boolean;
  /** Tell turn by turn what was said, heard and passed to tools. */
  readonly hearing?: boolean;
  /** How to call the folder; a path from the working directory. */
  readonly name: string;
}

/**
 * Sums a run folder up from its records: table or JSON document on stdout, report in the folder.
 * @returns true when every planned episode is finished and valid
 */
export async function finishRun(dir: string, terminal: Terminal, options: FinishOptions): Promise<boolean> {
  const run = await loadRun(dir);
  const countDamage = tellDamage(
    run.faults.map(({ file, line, problem }) => `${file}${line === null ? '' : `:${line}`}: ${problem}`),
    { strict: options.strict, terminal },
  );
  const summary = summariseRun(run);
  if (options.recordings) {
    const { recorded, faults } = await recordRun(dir, run.records);
    for (const fault of faults) terminal.err(`parlor: recording of ${fault}\n`);
    terminal.err(`parlor: ${recorded} recordings in ${join(options.name, 'recordings')}\n`);
  }
  const report = options.report ? reportPath(dir) : null;
  if (report !== null) await writeFile(report, await renderReport(dir, run));
  const hearing = options.hearing === true ? readRunHearing(run.records) : null;
  if (options.json) {
    const document = { folder: dir, report, ...summary, ...(hearing === null ? {} : { hearing }) };
    terminal.out(`${JSON.stringify(document, null, 2)}\n`);
  } else {
    if (hearing !== null) terminal.out(`${renderHearing(hearing)}\n`);
    terminal.out(`\n${renderTable(summary, { colour: terminal.colour })}\n\nrun     ${options.name}\n`);
    if (report !== null) terminal.out(`report  ${reportPath(options.name)}  (open it in a browser)\n`);
  }
  countDamage();
  return summary.modes.every(({ episodes }) => episodes.finished === episodes.planned);
}
