import { describeError } from '../../shared/index.js';

export interface TextCall {
  readonly name: string;
  /** Text, as the API has it. */
  readonly arguments: string;
}

export interface TextCalls {
  /** What stands around the calls. */
  readonly rest: string;
  readonly calls: readonly TextCall[];
  /** One line for each call that cannot be read. */
  readonly faults: readonly string[];
}

const BLOCK = /<tool_call>([\s\S]*?)(?:<\/tool_call>|(?=<tool_call>)|$)/g;

function readCall(text: string): TextCall | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `expected JSON between <tool_call> and </tool_call>; ${describeError(error)}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'expected a JSON object with "name" and "arguments" in a tool call';
  const { name, arguments: args = {} } = value as { name?: unknown; arguments?: unknown };
  if (typeof name !== 'string' || name === '') return 'a tool call needs the tool\'s "name"';
  return { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
}

/** Finds tool calls that a model wrote into its text (Hermes form), closed or cut off. Braces in strings are JSON's business. */
export function findTextCalls(text: string): TextCalls {
  const calls: TextCall[] = [];
  const faults: string[] = [];
  for (const [, body = ''] of text.matchAll(BLOCK)) {
    const read = readCall(body.trim());
    if (typeof read === 'string') faults.push(read);
    else calls.push(read);
  }
  return { rest: text.replace(BLOCK, '').trim(), calls, faults };
}
