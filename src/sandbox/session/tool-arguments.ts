import { readPythonLiteral } from './python-literal.js';
import type { AgentCall } from './state.js';

/**
 * Models write arguments as an object, as JSON text, as JSON text within JSON text, or as a Python dictionary; some put
 * the whole call where the arguments belong. What can be meant in one way only is accepted; of anything else the model
 * reads what was expected, and nothing happens.
 */
export function readCall(call: {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string | Readonly<Record<string, unknown>>;
}): AgentCall {
  const { callId, name, arguments: raw } = call;
  const understood = understand(raw, name, MOST_LAYERS);
  if (understood === null)
    return {
      ...{ callId, name, arguments: {}, rawArguments: raw },
      fault: `the arguments of ${name} must be a JSON object, such as {"order_id": "#W0000000"}; nothing was done. Send the call again with a JSON object`,
    };
  return { callId, name, arguments: understood, ...(understood === raw ? {} : { rawArguments: raw }) };
}

/** Text in text in text, and the call around it. Deeper is no habit of a model but a mistake. */
const MOST_LAYERS = 4;

type Arguments = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function understand(raw: unknown, name: string, layers: number): Arguments | null {
  if (layers === 0) return null;
  if (isObject(raw)) {
    const keys = Object.keys(raw);
    const isWholeCall = keys.length === 2 && raw.name === name && 'arguments' in raw;
    return isWholeCall ? understand(raw.arguments, name, layers - 1) : raw;
  }
  if (typeof raw !== 'string') return null;
  const text = raw.trim();
  // A tool without arguments: several servers send nothing at all.
  if (text === '') return {};
  const value = readText(text);
  return value === undefined ? null : understand(value, name, layers - 1);
}

/** The value that the text holds; undefined when it holds none. */
function readText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return readPythonLiteral(text);
  }
}
