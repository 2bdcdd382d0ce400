import type { CallStep, CustomerTurn, EpisodeClient, SayStep } from '../../src/agents/episode-client.js';
import { oracleKnowledge } from '../../src/agents/index.js';
import { EpisodeLine } from '../../src/agents/oracle/episode-line.js';
import { FaultInjector } from '../../src/agents/oracle/faults/fault-injector.js';
import { OracleEpisode } from '../../src/agents/oracle/oracle-episode.js';
import type { RetailDomain } from '../../src/retail/index.js';
import type { ModelAnswer } from './strict-chat-answer.js';
import type { SeenRequest } from './strict-chat-server.js';

type Action = { readonly say: string } | { readonly call: string; readonly args: object | string } | 'stop';

const NOTHING_HEARD: CustomerTurn = { text: null, audio: null };

/** The oracle as an episode's mind: what it does next comes out, what came of it goes in. */
class OracleMind {
  #next: (action: Action) => void = () => undefined;
  #feed: ((step: { readonly ok: boolean; readonly content: string }) => void) | null = null;
  #answers = new Map<number, ModelAnswer>();

  constructor(domain: RetailDomain, taskId: string) {
    const task = domain.tasks.find(({ id }) => id === taskId);
    if (task === undefined) throw new RangeError(`no task ${taskId}`);
    const act = (action: Action): Promise<{ readonly ok: boolean; readonly content: string }> => {
      this.#next(action);
      return new Promise((resolve) => {
        this.#feed = resolve;
      });
    };
    const client: EpisodeClient = {
      ready: {
        type: 'episode.ready',
        seq: 1,
        episode: 'mind',
        task: taskId,
        mode: 'text',
        policy: '',
        tools: [],
      } as never,
      opening: NOTHING_HEARD,
      say: async (text): Promise<SayStep> => {
        await act({ say: typeof text === 'string' ? text : (text.text ?? '') });
        return { kind: 'customer', customer: NOTHING_HEARD };
      },
      call: async (call, args): Promise<CallStep> =>
        ({ kind: 'result', ...(await act({ call, args })) }) as CallStep,
      stop: async () => {
        await act('stop');
        throw new Error('never');
      },
      close: () => undefined,
    } as Partial<EpisodeClient> as EpisodeClient;
    const mind = new OracleEpisode(
      new EpisodeLine(client),
      oracleKnowledge(task, domain.world),
      new FaultInjector(null),
    );
    this.#start = () => void mind.play().catch(() => undefined);
  }

  #start: (() => void) | null;

  /** @param step how many answers the model has given so far; the same step gets the same answer, as after a retry */
  async answer(
    step: number,
    result: { readonly ok: boolean; readonly content: string },
  ): Promise<ModelAnswer> {
    const known = this.#answers.get(step);
    if (known !== undefined) return known;
    const action = await new Promise<Action>((resolve) => {
      this.#next = resolve;
      if (this.#start !== null) {
        this.#start();
        this.#start = null;
      } else this.#feed?.(result);
    });
    const answer: ModelAnswer =
      action === 'stop'
        ? { content: 'Thank you for calling, goodbye. I have nothing more to do.' }
        : 'say' in action
          ? { content: action.say }
          : { calls: [{ name: action.call, arguments: JSON.stringify(action.args) }] };
    this.#answers.set(step, answer);
    return answer;
  }
}

/**
 * A model that solves tasks: the oracle, spoken to through chat requests. It learns which task it plays from the session id
 * (an episode's id begins with its task) and answers as often as it is asked.
 */
export function oracleChatPolicy(
  domain: RetailDomain,
  taskOf: (session: string) => string,
): (request: SeenRequest) => Promise<ModelAnswer> {
  const minds = new Map<string, OracleMind>();
  return async ({ session, messages }) => {
    if (session === 'preflight') return { content: 'ready' };
    let mind = minds.get(session);
    if (mind === undefined) {
      mind = new OracleMind(domain, taskOf(session));
      minds.set(session, mind);
    }
    const step = messages.filter(({ role }) => role === 'assistant').length;
    const last = messages.at(-1);
    const content = last?.parts.map((part) => ('text' in part ? part.text : '')).join('') ?? '';
    return mind.answer(step, { ok: !content.startsWith('Error'), content });
  };
}
