import { z } from 'zod';
import type { Mode } from '../protocol/index.js';

const MODES: Readonly<Record<string, Mode>> = {
  ...{ 's&t': 'speech', speech: 'speech' },
  ...{ 't-only': 'text', text: 'text' },
};

/** Names that trainers give; they come back in answers and in the journal, never in a path. */
const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w.:~@/+-]+$/, 'letters, digits and . : ~ @ / + - _ only');

const MAX_URL = 2048;
/** What `fetch` would strip or turn into a login is refused at the door: an address is kept, a password must not be. */
const addressSchema = z
  .string()
  .max(MAX_URL)
  .transform((text, context) => {
    const issue = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (!URL.canParse(text)) return issue('an address like http://host:port/path');
    if (/[\s\\\p{Cc}]/u.test(text)) return issue('no space, line break or backslash in an address');
    const url = new URL(text);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return issue('http:// or https:// only');
    if (url.port === '0') return issue('nobody listens on port 0; give the port of the server');
    if (url.username !== '' || url.password !== '') return issue('no name and password in an address');
    url.hash = '';
    return url.href;
  });

/** `/chat/completions` is put behind it, which a query would swallow. */
const baseUrlSchema = addressSchema.refine((href) => !href.includes('?'), {
  message: 'no ?query in base_url: requests go to base_url + /chat/completions',
});

const taskSchema = z.union(
  [
    nameSchema.describe('A task by its id'),
    z.strictObject({ id: nameSchema }),
    z.strictObject({
      split: z.string().min(1).max(200).optional().describe('Default: "train", if there is one'),
      index: z.number().int().min(0).max(10_000_000).describe('Its place in the split'),
    }),
  ],
  {
    error:
      'a task is its id, or {"id": "…"}, or {"split": "train", "index": 12} with an index from 0; "split" may be left out',
  },
);

const samplingSchema = z.strictObject({
  temperature: z.number().min(0).max(10).optional(),
  top_p: z.number().gt(0).max(1).optional(),
  max_tokens: z.number().int().min(1).max(131_072).default(1024).describe('Of one reply'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Every request gets a seed derived from it; absent: none is sent'),
});

const limitsSchema = z.strictObject({
  turns: z.number().int().min(1).max(1000).default(30).describe('Actions of the agent'),
  errors: z.number().int().min(1).max(1000).default(10).describe('Refused messages and failed tool calls'),
  seconds: z.number().min(1).max(86_400).default(900).describe('For the whole rollout, on the wall clock'),
  request_seconds: z.number().min(1).max(86_400).default(300).describe('For one reply of the model'),
  context_tokens: z
    .number()
    .int()
    .min(1024)
    .max(10_000_000)
    .default(32_768)
    .describe('Prompt and reply together; beyond it the rollout ends, nothing is left out of the history'),
});

/** Fields of the request that are the sandbox's own; `extra_body` may not touch them. */
const OWN_FIELDS = ['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream', 'n'];
const MAX_EXTRA_CHARACTERS = 16_384;

const extraBodySchema = z
  .record(z.string(), z.json())
  .refine((extra) => !OWN_FIELDS.some((field) => field in extra), {
    message: `may not hold ${OWN_FIELDS.join(', ')}`,
  })
  .refine((extra) => JSON.stringify(extra).length <= MAX_EXTRA_CHARACTERS, {
    message: `at most ${MAX_EXTRA_CHARACTERS} characters`,
  });

/** Headers that belong to the connection, not to the caller. */
const HOP_HEADERS =
  /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i;
const headersSchema = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,100}$/)
      .refine((name) => !HOP_HEADERS.test(name), { message: "this header is the connection's own" }),
    z
      .string()
      .max(4096)
      .regex(/^[\x20-\x7e]*$/),
  )
  .refine((headers) => Object.keys(headers).length <= 20, { message: 'at most 20 headers' })
  .refine(
    (headers) =>
      new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
    { message: 'one header twice: names are the same in capitals and small letters' },
  );

export const REWARD_SHAPES = ['generic', 'uni-agent', 'rllm', 'agent-lightning'] as const;
export type RewardShape = (typeof REWARD_SHAPES)[number];

/** The body of `POST /v1/rollouts`. Unknown fields are refused: a misspelt one would silently train something else. */
export const rolloutRequestSchema = z.strictObject({
  rollout_id: nameSchema
    .optional()
    .describe(
      'Yours; posting the same one again gives the same rollout and plays nothing. Default: made here',
    ),
  group_id: nameSchema.optional().describe('Yours, e.g. the GRPO group; given back, never looked at'),
  task: taskSchema,
  seed: z
    .number()
    .int()
    .min(0)
    .max(0xffffffff)
    .default(0)
    .describe("Decides the customer's words and voice: one seed for a whole group"),
  trial: z.number().int().min(0).max(1_000_000).default(0).describe('Counts the rollouts of a group'),
  mode: z
    .enum(['s&t', 't-only', 'speech', 'text'])
    .default('t-only')
    .describe('"s&t" (or "speech"): the customer speaks; "t-only" (or "text"): it writes'),
  conditions: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/)
    .optional()
    .describe('A preset of the line and room, in s&t; default: as the server was started'),
  base_url: baseUrlSchema.describe("The trainer's gateway for this rollout, up to and with /v1"),
  model: z.string().min(1).max(200).describe('The name sent in requests'),
  api_key: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .describe('Sent to base_url as the bearer; never logged, recorded or kept'),
  audio_part: z
    .enum(['audio_url', 'input_audio'])
    .default('audio_url')
    .describe('How a clip stands in a message'),
  tools: z
    .enum(['api', 'text'])
    .default('api')
    .describe('"text": calls are read from the reply, for gateways without a tool parser'),
  audio_tokens_per_second: z
    .number()
    .min(1)
    .max(100)
    .default(25)
    .describe('25 for Qwen2.5-Omni, 13 for Qwen3-Omni: what clips cost of the context'),
  token_ids: z
    .boolean()
    .default(false)
    .describe('Ask for token ids and log-probabilities. What the gateway gives unasked is kept as well'),
  sampling: samplingSchema.prefault({}),
  extra_body: extraBodySchema.optional().describe('More fields for every request, as they are'),
  limits: limitsSchema.prefault({}),
  reward: z
    .enum(['outcome', 'tarl'])
    .default('outcome')
    .describe('The number: 1 or 0 by the verifier, or the TARL score of outcome and turns'),
  reward_url: addressSchema
    .optional()
    .describe('Where the reward is posted; absent: it is only to be fetched'),
  reward_shape: z.enum(REWARD_SHAPES).default('generic'),
  reward_headers: headersSchema
    .optional()
    .describe(
      'Sent with the reward, but for content-type and idempotency-key, which are ours; kept in memory only',
    ),
});

export type RolloutRequest = z.output<typeof rolloutRequestSchema>;

export function modeOf({ mode }: Pick<RolloutRequest, 'mode'>): Mode {
  return MODES[mode] ?? 'text';
}
