import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEpisode } from '../../../src/agents/index.js';
import { readRun } from '../../../src/episodes/index.js';
import { builtInMaths } from '../../../src/maths/index.js';
import { readLines } from '../../dataset/helpers/export-run.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';

const RUN = [
  'run',
  '--domain',
  'maths',
  '--tasks',
  '10',
  '--trials',
  '3',
  '--agent',
  'oracle',
  '--no-report',
];

describe('parlor run --domain maths', () => {
  it('plays, judges, scores and exports problems as it does shop tasks, the same twice', async () => {
    const cwd = temporaryFolder();
    const made = await cli([...RUN, '--faults', '0.5', '--out', 'one'], { cwd });
    expect(made.exitCode).toBe(0);
    expect(made.stdout).toContain('text  30 of 30 episodes');
    await cli([...RUN, '--faults', '0.5', '--concurrency', '1', '--out', 'two'], { cwd });
    const [one, two] = [await readRun(join(cwd, 'one')), await readRun(join(cwd, 'two'))];
    expect(two.records).toEqual(one.records);
    expect(one.records.every(({ header }) => header.source === 'maths')).toBe(true);

    const scored = await cli(['score', 'one', '--json'], { cwd });
    expect(scored.exitCode).toBe(0);
    const [file] = (await cli(['score', 'one'], { cwd })).stdout.match(/scores\/\S+\.jsonl/) ?? [];
    const [, ...lines] = readLines(join(cwd, 'one', file ?? ''));
    const faulty = readLines(join(cwd, 'one/labels.jsonl')) as {
      episode: string;
      faults: { kind: string; turn: number }[];
    }[];
    // The -1 falls on the message with the wrong answer, and nowhere else.
    for (const line of lines as {
      episode: string;
      outcome: number;
      turns: { turn: number; verdict: number }[];
    }[]) {
      const wrong = faulty
        .find(({ episode }) => episode === line.episode)
        ?.faults.find(({ kind }) => kind === 'wrong_answer');
      expect(line.turns.find(({ verdict }) => verdict === -1)?.turn).toBe(
        wrong?.turn ?? (line.outcome === 0 ? line.turns.at(-1)?.turn : undefined),
      );
    }

    const refused = await cli(['export', 'one', '--out', 'never'], { cwd });
    expect(refused.stderr).toContain('evaluation tasks');
    const exported = await cli(['export', 'one', '--purpose', 'eval', '--format', 'all', '--out', 'data'], {
      cwd,
    });
    expect(exported.exitCode).toBe(0);
    const rows = readLines(join(cwd, 'data/parlor/train-00000.jsonl'));
    expect(rows.length).toBeGreaterThan(20);
    expect(rows[0]).toMatchObject({ domain: 'maths', mode: 'text', tools: [] });
  }, 120_000);

  it('passes with the flawless reference on problems of a file, and says which rows it left out', async () => {
    const cwd = temporaryFolder();
    const problem =
      'A farmer has some hens and cows. Together they have 40 heads and 116 legs. How many hens?';
    writeFileSync(join(cwd, 'mine.jsonl'), `${JSON.stringify({ problem, answer: '22' })}\n{"problem":"?"}\n`);
    const made = await cli(
      [
        ...RUN.slice(0, 3),
        '--data',
        'mine.jsonl',
        '--trials',
        '2',
        '--agent',
        'oracle',
        '--out',
        'run',
        '--no-report',
      ],
      { cwd },
    );
    expect(made.exitCode).toBe(0);
    expect(made.stdout).toContain('2 of 2 episodes, 2 passed');
    const again = await cli(['run', '--resume', 'run'], { cwd });
    expect(again.stdout).toContain('2 of 2 episodes, 2 passed');
    expect((await cli(['run', '--domain', 'maths', '--data', 'none.jsonl'], { cwd })).exitCode).toBe(2);
  }, 60_000);

  it.each([
    ['--mode', 'speech', 'maths is text only'],
    ['--agent', 'cascade', 'maths is played by oracle or openai'],
    ['--live-judge', 'rules', 'the live judge knows the shop only'],
    ['--conditions', 'regular', 'no sound to change'],
  ])('refuses %s %s in one line', async (flag, value, message) => {
    const refused = await cli(['run', '--domain', 'maths', flag, value], { cwd: temporaryFolder() });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(message);
  });
});

describe('parlor serve --domain maths', () => {
  it('lets a stranger solve a problem over the WebSocket, verified and recorded', async () => {
    const out = join(temporaryFolder(), 'lab');
    let interrupt = (): void => undefined;
    let print = (_text: string): void => undefined;
    const printed = new Promise<string>((resolve) => {
      print = resolve;
    });
    const done = cli(['serve', '--domain', 'maths', '--port', '0', '--out', out], {
      out: (text) => print(text),
      onInterrupt: (handler) => {
        interrupt = handler;
        return () => undefined;
      },
    });
    onTestFinished(async () => {
      interrupt();
      await done;
    });
    const url = /ws:\S+\/v1/.exec(await printed)?.[0] ?? '';
    const [task] = builtInMaths().tasks;
    const assignment = { url, task: task?.id ?? '', mode: 'text', seed: 1, trial: 0 } as const;
    const client = await startEpisode(assignment, { agent: 'stranger' });
    expect(client.opening.text).toBe(task?.instruction);
    expect(client.ready).toMatchObject({ tools: [], policy: expect.stringContaining('\\boxed{42}') });
    expect(JSON.stringify(client.ready)).not.toContain(`"${task?.communicate[0]}"`);
    expect(await client.call('calculate', { expression: '6 * 7' })).toMatchObject({
      kind: 'result',
      ok: false,
    });
    expect((await client.say('Let me think about 3 things.')).customer?.text).toContain('\\boxed{}');
    const end = await client.say(`It is \\boxed{${task?.communicate[0]}}.`);
    expect(end).toMatchObject({ kind: 'end', end: { reason: 'customer_stop', outcome: { reward: 1 } } });
    client.close();
    await expect(startEpisode({ ...assignment, mode: 'speech' }, { agent: 'stranger' })).rejects.toThrow(
      'no voice',
    );
    const record = readFileSync(join(out, 'episodes', `${client.ready.episode}.jsonl`), 'utf8');
    expect(record).toContain('"source":"maths"');
  });
});
