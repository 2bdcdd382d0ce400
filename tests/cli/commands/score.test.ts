import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EpisodeRecord } from '../../../src/episodes/index.js';
import { createScriptedChat, recordChat } from '../../../src/models/index.js';
import { createModelJudge } from '../../../src/scoring/index.js';
import { smallDomain, smallTask } from '../../helpers/small-retail-world.js';
import { startStrictChatServer } from '../../helpers/strict-chat-server.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';
import { tell } from '../../scoring/judge/helpers/tell.js';

const domain = smallDomain('parlor');
const POLICY = 'Ask for a yes before every change.';
const cancel = {
  name: 'cancel_pending_order',
  arguments: { order_id: '#W0000001', reason: 'no longer needed' },
};
const task = smallTask({ id: 'cancel-1', groundTruth: [cancel] });

function episode(id: string, asks: boolean): EpisodeRecord {
  const story = tell(domain, task, id)
    .customer('Cancel my order W0000001, I no longer need it.')
    .agent('What is your email?')
    .customer('wilma.dorn@example.com')
    .call('find_user_id_by_email', { email: 'wilma.dorn@example.com' });
  if (asks) story.agent('I cancel order #W0000001, yes?').customer('Yes.');
  return story
    .call(cancel.name, cancel.arguments)
    .agent('I have cancelled it.')
    .customer('Thanks, bye.', 'stop')
    .end('customer_stop');
}

async function makeRun(dir: string): Promise<EpisodeRecord[]> {
  await mkdir(join(dir, 'episodes'));
  const records = [episode('good', true), episode('hasty', false)];
  for (const { header, events } of records)
    await writeFile(
      join(dir, 'episodes', `${header.episode}.jsonl`),
      events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    );
  await writeFile(join(dir, 'policy.md'), POLICY);
  const label = (episode: string, faults: object[]): string =>
    `${JSON.stringify({ type: 'label', episode, task: task.id, mode: 'text', trial: 0, faults })}\n`;
  const fault = { kind: 'no_confirmation', turn: 3, announced: false, detail: 'not asked' };
  await writeFile(join(dir, 'labels.jsonl'), label('good', []) + label('hasty', [fault]));
  return records;
}

describe('parlor score', () => {
  it('judges a run, writes the same bytes each time, and holds the judge against the labels', async () => {
    const dir = temporaryFolder();
    await makeRun(dir);
    const first = await cli(['score', dir]);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toContain('2 episodes, 2 judged');
    expect(first.stdout).toMatch(/no_confirmation\s+1\s+1\s+0/);
    const [name] = await readdir(join(dir, 'scores'));
    const before = await readFile(join(dir, 'scores', name as string), 'utf8');
    expect((await cli(['score', dir])).stdout).toBe(first.stdout);
    expect(await readFile(join(dir, 'scores', name as string), 'utf8')).toBe(before);
    expect(await readdir(join(dir, 'scores'))).toEqual([name]);
    const [, good, hasty] = before
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(good).toMatchObject({ episode: 'good', score: 15, kind: 'perfect', missing: null });
    // 10 + 5 * 3/4 - 5; two scores a and b have advantages ±(a - b) / 2 / (|a - b| / sqrt 2) = ±0.7071.
    expect(hasty).toMatchObject({ score: 8.75, kind: 'good-with-deviation' });
    expect(hasty.turns.map((turn: { verdict: number }) => turn.verdict)).toEqual([1, 1, -1, 1]);
    expect(hasty.turns[0].advantage).toBeCloseTo(-Math.SQRT1_2, 6);
  });

  it('draws the credit of an episode beside the scores, and names episodes where there is none of that name', async () => {
    const dir = temporaryFolder();
    await makeRun(dir);
    const drawn = await cli(['score', dir, '--advantage', 'hybrid', '--picture', 'hasty']);
    expect(drawn).toMatchObject({ exitCode: 0, stderr: '' });
    const file = /^picture (.+\.svg)$/m.exec(drawn.stdout)?.[1] ?? '';
    const picture = await readFile(file, 'utf8');
    expect(picture).toContain('hasty: R = 1, S = +8.75, good-with-deviation');
    expect(picture).toContain('cancel_pending_order(#W0000001, no longer needed)');
    expect(await cli(['score', dir, '--picture', 'hastyy'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('no episode "hastyy" in this run'),
    });
  });

  it('another form, advantage or outcome goes into another file; --json prints the figures', async () => {
    const dir = temporaryFolder();
    await makeRun(dir);
    const forms = [
      [],
      ['--reward-form', '1/T'],
      ['--advantage', 'hybrid'],
      ['--outcome', 'tau2'],
      ['--rewards', 'v5'],
    ];
    for (const form of forms) expect((await cli(['score', dir, ...form])).exitCode).toBe(0);
    expect(await readdir(join(dir, 'scores'))).toHaveLength(forms.length);
    const { stdout } = await cli(['score', dir, '--reward-form', '1/T', '--json']);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ episodes: 2, judged: 2, labels: { located: 1, spared: 1 } });
    expect(found.score.mean).toBeCloseTo((11 + 10 + 3 / 4 - 5) / 2, 12);
  });

  it('takes the recorded replies of a model, and compares two judges', async () => {
    const dir = temporaryFolder();
    const records = await makeRun(dir);
    let recording = '';
    const reply = (turns: number): string => JSON.stringify(new Array(turns).fill(1));
    const client = recordChat(
      createScriptedChat((_, index) => reply(index === 0 ? 5 : 4), { name: 'some-model' }),
      (line) => {
        recording += line;
      },
    );
    const judge = createModelJudge({ client, concurrency: 1 });
    for (const record of records) await judge.judge({ record, policy: POLICY });
    const file = join(dir, 'replies.jsonl');
    await writeFile(file, recording);
    await cli(['score', dir]);
    const [rules] = await readdir(join(dir, 'scores'));
    const args = ['score', dir, '--judge', 'model', '--replay', file];
    const found = await cli([...args, '--against', join(dir, 'scores', rules as string)]);
    expect(found).toMatchObject({ exitCode: 0 });
    expect(found.stdout).toContain('judge model:some-model');
    expect(found.stdout).toMatch(/only theirs 1/);
    // A recording that lacks a reply leaves that judgement missing, not the run.
    await writeFile(file, recording.split('\n').slice(0, 2).join('\n'));
    const other = temporaryFolder();
    await makeRun(other);
    const again = await cli(['score', other, '--judge', 'model', '--replay', file]);
    expect(again.stdout).toContain('1 judged, missing: 1 model-failed');
  });

  it('asks a model server, once per episode, and gives the same scores from the recording', async () => {
    const dir = temporaryFolder();
    const records = await makeRun(dir);
    const server = await startStrictChatServer({
      models: ['judge'],
      policy: ({ messages }) => {
        const turns = JSON.stringify(messages).includes('I cancel order') ? 5 : 4;
        return { content: JSON.stringify(new Array(turns).fill(1)) };
      },
    });
    try {
      const kept = join(temporaryFolder(), 'kept');
      const address = ['--base-url', server.baseUrl, '--model', 'judge'];
      const asked = await cli(['score', dir, '--judge', 'model', ...address, '--record', kept]);
      expect(asked).toMatchObject({ exitCode: 0, stderr: '' });
      expect(server.refusals).toEqual([]);
      expect(asked.stdout).toContain('2 episodes, 2 judged');
      expect(server.refusals).toEqual([]);
      expect(server.seen).toHaveLength(records.length);
      await cli(['score', dir, '--judge', 'model', ...address]);
      expect(server.seen).toHaveLength(records.length);
      const wrong = await cli([
        'score',
        dir,
        '--judge',
        'model',
        '--base-url',
        server.baseUrl,
        '--model',
        'no',
      ]);
      expect(wrong.stdout).toContain('0 judged, missing: 2 model-failed');
      expect(wrong.stderr).toMatch(/^parlor: good: not judged \(model-failed\): .*does not exist/);
      const other = temporaryFolder();
      await makeRun(other);
      const again = await cli(['score', other, '--judge', 'model', '--replay', kept]);
      expect(again.stdout.replaceAll(other, dir)).toBe(asked.stdout);
    } finally {
      await server.close();
    }
  });

  it('says what is wrong with the call in one line', async () => {
    const dir = temporaryFolder();
    await makeRun(dir);
    for (const [args, message] of [
      [['score', join(dir, 'nowhere')], 'no run in'],
      [['score', dir, '--judge', 'model'], '--judge model needs --base-url URL'],
      [['score', dir, '--replay', 'x'], '--replay is for --judge model'],
      [['score', dir, '--judge', 'model', '--replay', join(dir, 'x')], 'cannot read the recording'],
      [['score', dir, '--judge', 'model', '--replay', join(dir, 'policy.md')], 'expected a JSON object'],
      [['score', dir, '--against', join(dir, 'policy.md')], 'expected a JSON object'],
      [['score', dir, '--rewards', 'v7'], 'cannot read the reward file v7'],
      [['score', dir, '--reward-form', '2/T'], 'Allowed choices are 5/T, 1/T'],
    ] as const) {
      const { exitCode, stderr } = await cli(args);
      expect(exitCode, stderr).toBe(2);
      expect(stderr).toContain(message);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });
});
