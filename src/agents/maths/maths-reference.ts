import { createRandom, deriveSeed, type Random } from '../../shared/index.js';
import type { Agent, AgentReport, InjectedFault } from '../agent.js';
import { startEpisode } from '../client/start-episode.js';
import type { EpisodeClient } from '../episode-client.js';
import { ConnectionLostError } from '../errors.js';

export interface MathsReferenceOptions {
  /** The right answer of a task. Called once per episode. */
  readonly answerOf: (taskId: string) => bigint;
  /** Share of episodes, 0 to 1, with one fault put in on purpose. */
  readonly faultRate: number;
  /** Decides which episodes get which fault. */
  readonly seed: number;
}

/** Share of episodes in which it writes something before it answers. */
const THINKS_ALOUD = 0.3;

const BEFORE = [
  'Let me write down what is given first.',
  'I will work this out in small steps.',
  'One moment: I want to check my way before I answer.',
];

function boxed(answer: bigint, random: Random): string {
  return random.pick([
    `I worked it out step by step and checked it once more. The answer is \\boxed{${answer}}.`,
    `That gives \\boxed{${answer}}.`,
    `So the result is\n\n\\[\\boxed{${answer}}\\]`,
  ]);
}

/** A slip as people make them: the sign, one off, a digit lost, two terms swapped. */
function wrongAnswer(answer: bigint, random: Random): bigint {
  const near = [answer + 1n, answer - 1n, -answer, answer * 2n, answer / 10n, answer + 10n];
  return random.pick(near.filter((value) => value !== answer));
}

type Plan = 'right' | 'wrong_answer' | 'early_end';

function planOf(faultRate: number, random: Random): Plan {
  if (!random.chance(faultRate)) return 'right';
  return random.chance(0.2) ? 'early_end' : 'wrong_answer';
}

/** One episode; gives the faults that were put in. */
async function play(
  client: EpisodeClient,
  answer: bigint,
  { plan, random }: { plan: Plan; random: Random },
): Promise<InjectedFault[]> {
  let turn = 1;
  // Who hangs up has begun at least: an episode without a turn teaches nothing.
  if (random.chance(THINKS_ALOUD) || plan === 'early_end') {
    if ((await client.say(random.pick(BEFORE))).kind === 'end') return [];
    turn += 1;
  }
  if (plan === 'early_end') {
    await client.stop();
    return [{ kind: 'early_end', turn, announced: false, detail: 'hung up without an answer' }];
  }
  const given = plan === 'right' ? answer : wrongAnswer(answer, random);
  // Whoever asks on gets the same answer again, until the conversation is over.
  for (let step = await client.say(boxed(given, random)); step.kind !== 'end'; ) {
    step = await client.say(`\\boxed{${given}}`);
  }
  return plan === 'right'
    ? []
    : [{ kind: 'wrong_answer', turn, announced: false, detail: `answered ${given} in place of ${answer}` }];
}

/**
 * A reference for maths tasks that knows the answers, and gives wrong ones on purpose where asked; it is a yardstick, not a
 * model. It talks only through the WebSocket. `run` answers with reason null when the connection is lost.
 */
export function createMathsReference({ answerOf, faultRate, seed }: MathsReferenceOptions): Agent {
  if (!(faultRate >= 0 && faultRate <= 1)) throw new RangeError(`faultRate must be 0 to 1; got ${faultRate}`);
  const agent = faultRate > 0 ? 'oracle-faulty' : 'oracle';
  return {
    name: agent,
    run: async (assignment, signal): Promise<AgentReport> => {
      const { task, trial } = assignment;
      const random = createRandom(deriveSeed('maths reference', seed, assignment.seed, task, trial));
      const plan = planOf(faultRate, random);
      try {
        const client = await startEpisode(assignment, { agent, signal });
        try {
          const faults = await play(client, answerOf(task), { plan, random });
          return { episode: client.ready.episode, reason: client.end?.reason ?? null, faults };
        } finally {
          client.close();
        }
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        return { episode: null, reason: null, faults: [] };
      }
    },
  };
}
