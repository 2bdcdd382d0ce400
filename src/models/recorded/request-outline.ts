import { z } from 'zod';
import { canonicalJson, sha256Hex } from '../../shared/index.js';
import type { ChatRequest } from '../chat-client.js';

const SHORT_HASH = 12;
const shortHash = (value: unknown): string => sha256Hex(canonicalJson(value)).slice(0, SHORT_HASH);

/** A request without the bytes of its clips: their hashes stand for them. */
function withoutBytes(request: ChatRequest): unknown {
  return {
    ...request,
    messages: request.messages.map((message) =>
      message.role !== 'user' || typeof message.content === 'string'
        ? message
        : {
            ...message,
            content: message.content.map((part) =>
              part.type === 'text' ? part : { type: 'audio', sha256: part.audio.sha256 },
            ),
          },
    ),
  };
}

/** What makes two requests the same: messages (clips by their content), tools, format, sampling, seed and scope. */
export function chatRequestHash(request: ChatRequest): string {
  return sha256Hex(canonicalJson(withoutBytes(request)));
}

/** A request in short, kept with its reply, so that one that was not recorded can be told what differs. */
export const outlineSchema = z.object({
  scope: z.string().nullable(),
  /** `role:hash` each. */
  messages: z.array(z.string()),
  /** Everything else by name, long values as hashes. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type RequestOutline = z.infer<typeof outlineSchema>;

export function outlineOf(request: ChatRequest): RequestOutline {
  const { messages, scope, ...rest } = withoutBytes(request) as ChatRequest;
  const options: RequestOutline['options'] = {};
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    options[name] =
      typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
        ? value
        : shortHash(value);
  }
  return {
    scope: scope ?? null,
    messages: messages.map((message) => `${message.role}:${shortHash(message)}`),
    options,
  };
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function differences(wanted: RequestOutline, known: RequestOutline): string[] {
  const found: string[] = [];
  if (wanted.scope !== known.scope)
    found.push(`it is asked for ${wanted.scope}, recorded for ${known.scope}`);
  const same = sharedStart(wanted.messages, known.messages);
  if (same < wanted.messages.length && same < known.messages.length) {
    const role = wanted.messages[same]?.split(':')[0];
    found.push(`message ${same + 1} of ${wanted.messages.length} (${role}) differs`);
  } else if (wanted.messages.length !== known.messages.length)
    found.push(`it has ${wanted.messages.length} messages, the recorded one ${known.messages.length}`);
  for (const name of new Set([...Object.keys(wanted.options), ...Object.keys(known.options)])) {
    const now = wanted.options[name];
    const then = known.options[name];
    if (now !== then) found.push(`${name} is ${now ?? 'not set'} now and ${then ?? 'not set'} there`);
  }
  return found;
}

/** What sets a request apart from the nearest recorded one, for people; null when nothing was recorded with an outline. */
export function describeNearest(wanted: RequestOutline, known: readonly RequestOutline[]): string | null {
  let nearest: { readonly outline: RequestOutline; readonly score: number } | null = null;
  for (const outline of known) {
    const score =
      (outline.scope === wanted.scope ? 1_000_000 : 0) +
      sharedStart(outline.messages, wanted.messages) * 100 -
      differences(wanted, outline).length;
    if (nearest === null || score > nearest.score) nearest = { outline, score };
  }
  if (nearest === null) return null;
  return differences(wanted, nearest.outline).join('; ');
}
