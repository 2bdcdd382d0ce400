import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadDomain, type Mismatch, type ReplayReport, replayConformance } from '../../retail/index.js';
import { describeError, UsageError } from '../../shared/index.js';
import { ExitError, type RegisterCommand } from '../program.js';
import type { Terminal } from '../terminal.js';

interface ReplayOptions {
  readonly tau1?: string;
  readonly tau2?: string;
  readonly json?: true;
}

interface FileReport extends ReplayReport {
  readonly file: string;
}

function describeMismatch({ episodeId, callIndex, tool, differences }: Mismatch): string {
  const place = callIndex === null ? 'database' : `call ${callIndex} ${tool}`;
  return differences.map((line) => `${episodeId}  ${place}  ${line}\n`).join('');
}

function countMismatches(reports: readonly ReplayReport[]) {
  const sum = (count: (report: ReplayReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    episodes: sum((report) => report.episodes),
    calls: sum((report) => report.calls),
    mismatches: sum((report) => report.mismatches.length),
    failedEpisodes: sum((report) => report.failedEpisodes),
  };
}

async function readRecording(file: string, cwd: string): Promise<string[]> {
  try {
    return (await readFile(resolve(cwd, file), 'utf8')).split('\n');
  } catch (cause) {
    throw new UsageError(
      'missing-file',
      `expected a recording at "${file}"; got none that can be read (${describeError(cause)})`,
      {
        cause,
      },
    );
  }
}

async function replay(files: readonly string[], options: ReplayOptions, terminal: Terminal): Promise<void> {
  const load = async (folder: string | undefined, source: 'tau1' | 'tau2') => {
    if (folder === undefined) return undefined;
    const domain = await loadDomain(resolve(terminal.cwd, folder));
    if (domain.source !== source)
      throw new UsageError(
        'wrong-data-format',
        `--${source} expects a ${source} folder; "${folder}" holds ${domain.source} data`,
      );
    return domain;
  };
  const domains = { tau1: await load(options.tau1, 'tau1'), tau2: await load(options.tau2, 'tau2') };
  const reports: FileReport[] = [];
  for (const file of files)
    reports.push({ file, ...replayConformance(await readRecording(file, terminal.cwd), domains, file) });
  const totals = countMismatches(reports);
  if (options.json === true) {
    terminal.out(`${JSON.stringify({ files: reports, totals }, null, 2)}\n`);
  } else {
    for (const report of reports) {
      for (const mismatch of report.mismatches) terminal.out(describeMismatch(mismatch));
      const verdict = report.failedEpisodes === 0 ? 'all as recorded' : `${report.failedEpisodes} differ`;
      terminal.out(`${report.file}: ${report.episodes} episodes, ${report.calls} calls, ${verdict}\n`);
    }
    if (reports.length > 1)
      terminal.out(
        `total: ${totals.episodes} episodes, ${totals.calls} calls, ${totals.failedEpisodes} differ\n`,
      );
  }
  if (totals.episodes === 0)
    throw new UsageError(
      'empty-recording',
      `expected at least one recorded episode; got none in ${files.join(', ')}`,
    );
  if (totals.mismatches > 0) throw new ExitError(1);
}

/** `parlor retail …`: tools for people who compare the retail world with its reference implementations. */
export const registerRetail: RegisterCommand = (program, terminal) => {
  const retail = program
    .command('retail')
    .description('compare the retail world with its reference implementations');
  retail
    .command('replay')
    .description(
      'Replay recorded calls of the reference implementations and print every result and database change that differs. Exits with 0 only if none does.',
    )
    .argument('<file...>', 'recordings, one episode as JSON a line')
    .option('--tau1 <dir>', 'tau-bench v1 retail folder, for episodes with the semantics "tau1"')
    .option('--tau2 <dir>', 'tau2-bench retail folder, for episodes with the semantics "tau2"')
    .option('--json', 'print one JSON object instead of lines')
    .addHelpText(
      'after',
      '\nExample:\n  parlor retail replay --tau1 data/tau1-retail --tau2 data/tau2-retail fuzz.jsonl',
    )
    .action((files: string[], options: ReplayOptions) => replay(files, options, terminal));
};
