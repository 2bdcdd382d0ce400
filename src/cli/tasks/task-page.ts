import type { ScenarioRequest, Task } from '../../retail/index.js';

function indent(text: string): string {
  return `  ${text.replaceAll('\n', '\n  ')}`;
}

function formatFacts(facts: ScenarioRequest['facts']): string[] {
  return facts.map(({ slot, say }) => `    asked for ${slot}: "${say}"`);
}

function formatRequest(request: ScenarioRequest, place: number): string {
  const { goal, raised, expected, say, facts, change } = request;
  return [
    `  ${place + 1}. ${goal}, raised ${raised === 'opening' ? 'at once' : 'after the one before'}, expected: ${expected}`,
    `    "${say}"`,
    ...formatFacts(facts),
    ...(change === undefined
      ? []
      : [`    then changes its mind: "${change.say}"`, ...formatFacts(change.facts)]),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

/** One task for people: what the customer wants and knows, what is right to do, what has to be said. */
export function formatTask(task: Task): string {
  const { id, splits, difficulty, tags, parts, scenario } = task;
  return [
    `${id}  (${[splits.join(', '), difficulty, tags.join(', ')].filter(Boolean).join('; ')})`,
    ...section('Instruction to the customer', task.instruction === '' ? [] : [indent(task.instruction)]),
    ...section(
      'Parts of the instruction',
      Object.entries(parts ?? {}).flatMap(([name, text]) =>
        text === '' ? [] : [indent(`${name}: ${text}`)],
      ),
    ),
    ...section('Requests', (scenario?.requests ?? []).map(formatRequest)),
    ...section(
      'Right calls',
      task.groundTruth.map((call, place) => `  ${place + 1}. ${call.name} ${JSON.stringify(call.arguments)}`),
    ),
    ...section('Has to be said', task.communicate.map(indent)),
    ...section('Asserted in prose', task.assertions.map(indent)),
    ...section('Scored by', [indent(task.rewardBasis.join(' × '))]),
    '',
  ].join('\n');
}
