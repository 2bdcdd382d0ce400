import { z } from 'zod';
import { describeError } from '../../shared/index.js';
import type { RecordEvent } from '../record.js';
import { BrokenRowError } from './rows.js';

const call = z.looseObject({
  id: z.string().nullish(),
  name: z.string().optional(),
  arguments: z.unknown().optional(),
  requestor: z.string().nullish(),
  /** Version 1 keeps name and arguments in here, the arguments as a JSON string. */
  function: z.looseObject({ name: z.string(), arguments: z.unknown() }).optional(),
});

/** A message of either format. */
export const sourceMessageSchema = z.looseObject({
  role: z.string(),
  content: z.string().nullish(),
  tool_calls: z.array(call).nullish(),
  tool_call_id: z.string().nullish(),
  id: z.string().nullish(),
  error: z.boolean().nullish(),
  requestor: z.string().nullish(),
});
export type SourceMessage = z.infer<typeof sourceMessageSchema>;

/** Fields that go into events; all others are kept beside. */
const PLACED_FIELDS = new Set([
  'role',
  'content',
  'tool_calls',
  'tool_call_id',
  'id',
  'error',
  'requestor',
  'name',
]);

export interface Conversation {
  /** From the opening to the last line, without header, end and outcome. */
  readonly events: readonly RecordEvent[];
  readonly turns: number;
  /** What the agent was made to say before the customer spoke. */
  readonly greeting: string | null;
  /** The system prompt, where the conversation holds it. */
  readonly system: string | null;
  readonly messageFields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const MARKERS = [
  ['###STOP###', 'stop'],
  ['###TRANSFER###', 'transfer'],
  ['###OUT-OF-SCOPE###', 'out_of_scope'],
] as const;

function readMarker(content: string): { text: string; end: 'stop' | 'transfer' | 'out_of_scope' | null } {
  const found = MARKERS.find(([marker]) => content.includes(marker));
  return found === undefined
    ? { text: content, end: null }
    : { text: content.replaceAll(found[0], '').trim(), end: found[1] };
}

function readArguments(value: unknown, where: string): Record<string, unknown> {
  let parsed = value;
  if (typeof value === 'string') {
    try {
      parsed = value.trim() === '' ? {} : JSON.parse(value);
    } catch (error) {
      throw new BrokenRowError(`${where}: the call's arguments are not JSON: ${describeError(error)}`);
    }
  }
  const record = z.record(z.string(), z.unknown()).safeParse(parsed ?? {});
  if (record.success) return record.data;
  throw new BrokenRowError(
    `${where}: expected the call's arguments to be an object; got ${JSON.stringify(parsed)}`,
  );
}

/** Builds the events of one conversation, message by message. */
class ConversationReader {
  readonly events: RecordEvent[] = [];
  readonly messageFields: Record<string, Record<string, unknown>> = {};
  greeting: string | null = null;
  system: string | null = null;
  turn = 0;
  #utterance = 0;
  #waiting: { callId: string; turn: number }[] = [];

  read(message: SourceMessage, place: number): void {
    const where = `message ${place}`;
    const byCustomer = message.role === 'user' || message.requestor === 'user';
    if (message.role === 'tool' && !byCustomer) this.#readResult(message, where);
    else if (message.role === 'assistant') this.#readAgent(message, where);
    else if (message.role === 'user' && (message.tool_calls?.length ?? 0) === 0)
      this.#readCustomer(message, where);
    else if (message.role === 'system') this.system ??= message.content ?? null;
    // Calls of the customer's own have no place among an agent's turns: the whole message is kept beside.
    else if (byCustomer) this.messageFields[place] = { ...message };
    else
      throw new BrokenRowError(
        `${where}: expected a role of assistant, user, tool or system; got "${message.role}"`,
      );
    if (!byCustomer || message.role === 'user') this.#keepFields(message, place);
  }

  #keepFields(message: SourceMessage, place: number): void {
    if (this.messageFields[place] !== undefined) return;
    const rest = Object.entries(message).filter(([key, value]) => !PLACED_FIELDS.has(key) && value != null);
    if (rest.length > 0) this.messageFields[place] = Object.fromEntries(rest);
  }

  #readAgent(message: SourceMessage, where: string): void {
    const calls = message.tool_calls ?? [];
    const text = message.content ?? '';
    if (calls.length === 0) {
      if (this.turn === 0 && this.#utterance === 0) {
        this.greeting = text;
        return;
      }
      this.turn += 1;
      this.events.push({ type: 'agent', turn: this.turn, text, reasoning: null });
      return;
    }
    calls.forEach((one, index) => {
      const name = one.function?.name ?? one.name;
      if (name === undefined) throw new BrokenRowError(`${where}: a tool call without a name`);
      this.turn += 1;
      const callId = one.id || `call-${this.turn}`;
      const args = readArguments(one.function?.arguments ?? one.arguments, where);
      // Text beside a call never reached the customer, in either benchmark: it is the agent thinking aloud.
      const reasoning = index === 0 && text.trim() !== '' ? text : null;
      this.events.push({ type: 'tool_call', turn: this.turn, callId, name, arguments: args, reasoning });
      this.#waiting.push({ callId, turn: this.turn });
    });
  }

  #readResult(message: SourceMessage, where: string): void {
    const id = message.tool_call_id ?? message.id;
    const place = this.#waiting.findIndex((waiting) => waiting.callId === id);
    // Ids may be missing; then results come in the order of the calls.
    const [waiting] = this.#waiting.splice(Math.max(0, place), 1);
    if (waiting === undefined) throw new BrokenRowError(`${where}: a tool result without a call before it`);
    const content = message.content ?? '';
    const ok = message.error == null ? !/^\s*(?:error\b|unknown action\b)/i.test(content) : !message.error;
    this.events.push({ type: 'tool_result', turn: waiting.turn, callId: waiting.callId, ok, content });
  }

  #readCustomer(message: SourceMessage, where: string): void {
    const content = message.content ?? '';
    if (/^\s*API output:/i.test(content))
      throw new BrokenRowError(
        `${where}: a transcript of the act or react agent, which hides calls in prose; only tool-calling rollouts can be imported`,
      );
    const { text, end } = readMarker(content);
    const utterance = this.#utterance++;
    this.events.push({ type: 'customer', turn: this.turn, utterance, text, spoken: null, audio: null, end });
  }
}

/** @throws BrokenRowError naming the message */
export function readConversation(messages: readonly SourceMessage[]): Conversation {
  const reader = new ConversationReader();
  messages.forEach((message, place) => {
    reader.read(message, place);
  });
  const { events, turn: turns, greeting, system, messageFields } = reader;
  return { events, turns, greeting, system, messageFields };
}
