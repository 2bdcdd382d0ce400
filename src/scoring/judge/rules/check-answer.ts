import type { Finding, Story } from './story.js';

/**
 * Of a maths episode: the message that gives a wrong answer is the deviation, or the end without any. What was said before
 * it is working, which nothing here can check; a call of a tool that is not there is a slip.
 */
export function checkAnswer({ record, turns }: Story): Finding[] {
  const calls = turns.flatMap((turn, index): Finding[] =>
    turn.kind === 'call'
      ? [{ index, weight: 'minor', reason: `calls ${turn.call.name}; there are no tools` }]
      : [],
  );
  const last = turns.findLastIndex(({ kind }) => kind === 'message');
  const unsaid = record.outcome?.unsaid ?? [];
  if (unsaid.length === 0 || turns.length === 0) return calls;
  const index = last < 0 ? turns.length - 1 : last;
  const gaveUp = record.end?.reason !== 'customer_stop';
  const reason = `${gaveUp ? 'ends without the right answer' : 'answers wrongly'}; it is ${unsaid.join(', ')}`;
  return [...calls, { index, weight: 'major', reason }];
}
