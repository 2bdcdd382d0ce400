import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTasks, generateTrainingTasks, loadTasksFile } from '../../../src/retail/index.js';
import { UsageError } from '../../../src/shared/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';

const tasks = generateTrainingTasks({ count: 5, seed: 3 });
const lines = formatTasks(tasks).trimEnd().split('\n');

function write(text: string | Buffer): string {
  const path = join(temporaryFolder(), 'tasks.jsonl');
  writeFileSync(path, text);
  return path;
}

describe('loadTasksFile', () => {
  it('reads back what was written, and skips empty lines', async () => {
    expect(await loadTasksFile(write(formatTasks(tasks)))).toEqual(tasks);
    expect(await loadTasksFile(write(`\n${lines.join('\r\n\r\n')}`))).toEqual(tasks);
  });

  it('names the line of a cut-off task', async () => {
    const path = write(`${lines[0]}\n${lines[1]?.slice(0, 80)}`);
    await expect(loadTasksFile(path)).rejects.toThrow(/tasks\.jsonl, line 2: expected one task as JSON/);
  });

  it('names the line and the place inside it where a field is wrong', async () => {
    const broken = JSON.stringify({ ...tasks[2], difficulty: 'harsh' });
    await expect(loadTasksFile(write(`${lines[0]}\n\n${broken}\n`))).rejects.toThrow(
      /line 3: at \/difficulty: expected "easy" or "medium" or "hard"; got "harsh"/,
    );
    const [first] = tasks[1]?.scenario?.requests ?? [];
    const deep = {
      ...tasks[1],
      scenario: { ...tasks[1]?.scenario, requests: [{ ...first, facts: [{ slot: 'order_id', say: 7 }] }] },
    };
    await expect(loadTasksFile(write(JSON.stringify(deep)))).rejects.toThrow(
      /line 1: at \/scenario\/requests\/0\/facts\/0\/say: expected string; got 7/,
    );
  });

  it('refuses an id that occurs twice, and says where', async () => {
    await expect(loadTasksFile(write(`${lines[0]}\n${lines[1]}\n${lines[0]}`))).rejects.toThrow(
      /line 3: expected an id of its own; got "train-3-0001", which line 1 has/,
    );
  });

  it('refuses a file without a task and a file that is not there', async () => {
    await expect(loadTasksFile(write('\n'))).rejects.toThrow(/expected at least one task/);
    await expect(loadTasksFile(join(temporaryFolder(), 'none.jsonl'))).rejects.toThrow(/none\.jsonl/);
  });

  it('meets rubbish with a usage error, never with anything else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        async (bytes) => {
          await expect(loadTasksFile(write(Buffer.from(bytes)))).rejects.toBeInstanceOf(UsageError);
        },
      ),
      { numRuns: 60 },
    );
  });
});
