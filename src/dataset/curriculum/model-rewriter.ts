import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ChatClient } from '../../models/index.js';
import type { Task } from '../../retail/index.js';
import { sha256Hex } from '../../shared/index.js';
import { inventedFacts, lostFacts } from './instruction-facts.js';
import { hardenByRule, type Rewriter } from './rewriter.js';

const replySchema = z.object({
  instruction: z.string().min(20).max(8000),
  requests: z.array(z.object({ id: z.string(), say: z.string().trim().min(3).max(400) })).max(20),
});
type Reply = z.infer<typeof replySchema>;

const FORMAT = { name: 'rewritten_instruction', schema: z.toJSONSchema(replySchema) };
const MAX_TOKENS = 1500;

/** Why a rewrite is not used. Few and fixed, so that they can be counted. */
type Fault =
  | 'reply cannot be read'
  | 'rewrite loses facts'
  | 'rewrite makes facts up'
  | 'hints tell too much';

function read(content: string): Reply | null {
  const json = content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1);
  try {
    return replySchema.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

function faultOf({ instruction }: Task, reply: Reply): Fault | null {
  if (lostFacts(instruction, reply.instruction).length > 0) return 'rewrite loses facts';
  if (inventedFacts(instruction, reply.instruction).length > 0) return 'rewrite makes facts up';
  return reply.requests.some(({ say }) => /[\d@]/.test(say)) ? 'hints tell too much' : null;
}

/** The rule's rewrite with the model's words: which facts are told when stays as the rule has it. */
function withWords(hardened: Task, original: Task, { instruction, requests }: Reply): Task {
  const { scenario } = hardened;
  if (scenario === undefined) return { ...hardened, instruction };
  const said = new Map(requests.map(({ id, say }) => [id, say]));
  const before = new Map(original.scenario?.requests.map(({ id, say }) => [id, say]));
  return {
    ...hardened,
    instruction,
    scenario: {
      ...scenario,
      // A request that the rule left alone keeps its words: it has no other place to be told.
      requests: scenario.requests.map((request) =>
        request.say === before.get(request.id)
          ? request
          : { ...request, say: said.get(request.id) ?? request.say },
      ),
    },
  };
}

/**
 * A model that makes instructions harder. Its rewrite is used only when every number, id, address and name of the original
 * is in it and no new one; else the rule's is. A model that cannot be asked at all ends the whole undertaking.
 */
export function createModelRewriter(chat: ChatClient, seed: number): Rewriter {
  const prompt = readFileSync(new URL('./rewrite-prompt.md', import.meta.url), 'utf8');
  return {
    name: `${chat.name} ${sha256Hex(prompt).slice(0, 12)}`,
    harden: async (task) => {
      const byRule = hardenByRule(task, seed);
      const requests = task.scenario?.requests.map(({ id, say }) => ({ id, say })) ?? [];
      const reply = await chat.complete(
        {
          messages: [
            { role: 'system', content: prompt },
            { role: 'user', content: JSON.stringify({ instruction: task.instruction, requests }) },
          ],
          ...(chat.takesFormat ? { format: FORMAT } : {}),
          ...{ maxTokens: MAX_TOKENS, seed, scope: task.id },
        },
        new AbortController().signal,
      );
      const words = read(reply.content);
      const fault = words === null ? 'reply cannot be read' : faultOf(task, words);
      if (words === null || fault !== null) return { task: byRule, by: `rules, for the model's ${fault}` };
      return { task: withWords(byRule, task, words), by: 'model' };
    },
  };
}
