import type { EndReason } from '../../protocol/index.js';
import type { Task, ToolCall } from '../../retail/index.js';
import { canonicalJson } from '../../shared/index.js';
import type { RecordEvent } from '../record.js';
import { toolKindByName } from '../tool-kind.js';

export type ImportFormat = 'tau1' | 'tau2';

/** One row as an episode: everything of its record. */
export interface ImportedEpisode {
  /** The id it is wished to have; see `episodeId`. */
  readonly episode: string;
  readonly events: readonly RecordEvent[];
}

/** A row that was skipped. */
export interface ImportFault {
  /** Where, for people: `row 17 (task 4, trial 1)`. */
  readonly where: string;
  readonly problem: string;
}

/** What the rows of one file gave. */
export interface RowsReading {
  readonly format: ImportFormat;
  readonly episodes: readonly ImportedEpisode[];
  readonly faults: readonly ImportFault[];
  /** Policies that agents were given, each once. */
  readonly policies: readonly string[];
}

export interface ImportReading extends RowsReading {
  /** The file without its rows, as it was. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What both formats are read from. */
export interface ImportSource {
  /** Base name of the file or folder. */
  readonly file: string;
  readonly agent: string | null;
}

/** The domain, by a tool that only it has; null where none was used. */
export function domainOf(calls: readonly { readonly name: string }[]): string | null {
  const used = (pattern: RegExp): boolean => calls.some(({ name }) => pattern.test(name));
  if (used(/reservation|flight/)) return 'airline';
  return used(/order|_product|find_user_id/) ? 'retail' : null;
}

/** How a conversation ended, where the source does not say it (version 1): by marker, by hand-over, or out of turns. */
export function inferEnd(events: readonly RecordEvent[]): EndReason {
  const last = events.at(-1);
  if (last?.type === 'customer' && last.end !== null)
    return last.end === 'transfer' ? 'transfer' : 'customer_stop';
  const call = events.at(-2);
  const handedOver =
    last?.type === 'tool_result' &&
    last.ok &&
    call?.type === 'tool_call' &&
    call.name === 'transfer_to_human_agents';
  return handedOver ? 'transfer' : 'turn_limit';
}

function isWrite({ name }: ToolCall): boolean {
  return toolKindByName(name) === 'state' && name !== 'transfer_to_human_agents';
}

/** 1 when the successful writes are the ground truth's, in any order (rule `tarl`); arguments by canonical JSON. */
export function scoreWrites(events: readonly RecordEvent[], task: Task): 0 | 1 {
  const succeeded = new Set(
    events.flatMap((event) => (event.type === 'tool_result' && event.ok ? [event.turn] : [])),
  );
  const made = events.flatMap((event) =>
    event.type === 'tool_call' && succeeded.has(event.turn)
      ? [{ name: event.name, arguments: event.arguments }]
      : [],
  );
  const keys = (calls: readonly ToolCall[]): string =>
    calls.filter(isWrite).map(canonicalJson).sort().join('\n');
  return keys(made) === keys(task.groundTruth.map(({ name, arguments: args }) => ({ name, arguments: args })))
    ? 1
    : 0;
}

/** Required strings that no message of the agent's holds; lower case, without commas, as both benchmarks look. */
export function findUnsaid(events: readonly RecordEvent[], required: readonly string[]): string[] {
  const plain = (text: string): string => text.toLowerCase().replaceAll(',', '');
  const said = events.flatMap((event) => (event.type === 'agent' ? [plain(event.text)] : []));
  return required.filter((text) => !said.some((message) => message.includes(plain(text))));
}
