import { type Task, toolDefinitions } from '../../retail/index.js';

const WRITES: ReadonlySet<string> = new Set(
  toolDefinitions('parlor').flatMap((tool) => (tool.kind === 'write' ? [tool.name] : [])),
);

/** How many of a task's right calls change something. */
function countWrites(task: Task): number {
  return task.groundTruth.filter(({ name }) => WRITES.has(name)).length;
}

function cut(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

const MAX_TAGS_WIDTH = 40;

/** The columns of `parlor tasks list`; the instruction gets what is left of the line, and at least 30 characters. */
export function formatTaskTable(tasks: readonly Task[], columns: number): string {
  const head = ['id', 'difficulty', 'tags', 'calls', 'writes'];
  const rows = tasks.map((task) => [
    cut(task.id, 24),
    task.difficulty ?? '–',
    task.tags.length === 0 ? '–' : cut(task.tags.join(','), MAX_TAGS_WIDTH),
    String(task.groundTruth.length),
    String(countWrites(task)),
  ]);
  const widths = head.map((title, place) =>
    Math.max(title.length, ...rows.map((row) => row[place]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, place) => (place > 2 ? cell.padStart(widths[place] ?? 0) : cell.padEnd(widths[place] ?? 0)))
      .join('  ');
  const left = Math.max(30, columns - widths.reduce((sum, width) => sum + width + 2, 0));
  return [
    `${line(head)}  instruction`,
    ...tasks.map((task, place) => `${line(rows[place] ?? [])}  ${cut(task.instruction, left)}`),
    '',
  ].join('\n');
}

/** "320 tasks: 61 easy, 131 medium, 128 hard". */
export function summariseTasks(tasks: readonly Task[]): string {
  const parts = (['easy', 'medium', 'hard'] as const).flatMap((difficulty) => {
    const count = tasks.filter((task) => task.difficulty === difficulty).length;
    return count === 0 ? [] : [`${count} ${difficulty}`];
  });
  const total = `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`;
  return parts.length === 0 ? total : `${total}: ${parts.join(', ')}`;
}

/** How many tasks have each tag, the most frequent first. */
export function countTags(tasks: readonly Task[]): readonly (readonly [tag: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const tag of tasks.flatMap((task) => task.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en'));
}
