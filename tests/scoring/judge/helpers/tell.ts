import type { EpisodeRecord, RecordEvent } from '../../../../src/episodes/index.js';
import { END_OWNERS, type EndReason } from '../../../../src/protocol/index.js';
import { type RetailDomain, type Task, verify } from '../../../../src/retail/index.js';

/** Tells an episode line by line against a real world, so that results, end state and outcome are real. */
export interface Telling {
  /** The number of the turn just made. */
  turn(): number;
  customer(text: string, end?: 'stop' | 'transfer'): Telling;
  agent(text: string): Telling;
  call(name: string, args?: Record<string, unknown>): Telling;
  /** Text of the last tool result. */
  result(): string;
  end(reason: EndReason): EpisodeRecord;
}

export function tell(domain: RetailDomain, task: Task, episode = task.id): Telling {
  const session = domain.openSession();
  const events: RecordEvent[] = [
    {
      ...{ type: 'episode', version: 1, episode, mode: 'text', seed: 1, trial: 0, agent: 'test' },
      ...{ customer: 'test', voice: null, source: domain.source, rules: domain.rules },
      ...{ worldHash: 'w', policyHash: 'p', toolsHash: 't', limits: { maxTurns: 30, maxErrors: 10 } },
      task,
    },
  ];
  const messages: string[] = [];
  let turn = 0;
  let utterance = 0;
  let content = '';
  const telling: Telling = {
    turn: () => turn,
    result: () => content,
    customer: (text, end) => {
      events.push({
        ...{ type: 'customer', turn, utterance: utterance++, text, spoken: null, audio: null },
        end: end ?? null,
      });
      return telling;
    },
    agent: (text) => {
      turn += 1;
      messages.push(text);
      events.push({ type: 'agent', turn, text, reasoning: null });
      return telling;
    },
    call: (name, args = {}) => {
      turn += 1;
      const callId = `c${turn}`;
      events.push({ type: 'tool_call', turn, callId, name, arguments: args, reasoning: null });
      const result = session.call(name, args);
      content = result.content;
      events.push({ type: 'tool_result', turn, callId, ok: result.ok, content });
      return telling;
    },
    end: (reason) => {
      const end = { type: 'end' as const, turn, reason, owner: END_OWNERS[reason] };
      const { rule, reward, success, scores, unscored, difference, unsaid } = verify(
        {
          task,
          session,
          agentMessages: messages,
          rule: 'tarl',
          endedInOrder: ['customer_stop', 'transfer', 'agent_stop'].includes(reason),
        },
        domain,
      );
      const outcome = {
        ...{ type: 'outcome' as const, rule, reward, success, scores, unscored: [...unscored] },
        ...{ difference: [...difference], unsaid: [...unsaid] },
      };
      const header = events[0];
      if (header?.type !== 'episode') throw new Error('the header comes first');
      return { header, events: [...events, end, outcome], end, outcome };
    },
  };
  return telling;
}
