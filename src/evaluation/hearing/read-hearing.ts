import type { EpisodeRecord, RecordEvent } from '../../episodes/index.js';
import { toolDefinitions } from '../../retail/index.js';
import { type Alignment, alignWords } from './align-words.js';
import { type SourcedArgument, searchable, sourceArguments } from './argument-source.js';

/** One turn of the customer's: what was said, what the agent heard, what it then passed to tools. */
export interface HeardTurn {
  readonly turn: number;
  /** As written: ids as ids. */
  readonly said: string;
  /** As spoken: ids by sign. Null in text, and where it is the same. */
  readonly spoken: string | null;
  /** What the agent's recogniser gave; empty: nothing. Null: the agent told nothing of that. */
  readonly heard: string | null;
  /** How the agent read what it heard; null: it did not tell. */
  readonly understood: string | null;
  /** What was heard beside what was said; null where nothing was told. */
  readonly alignment: Alignment | null;
  readonly calls: readonly {
    readonly callId: string;
    readonly tool: string;
    readonly arguments: readonly SourcedArgument[];
  }[];
}

/** Over the turns of one or more episodes. */
export interface HearingSummary {
  readonly turns: number;
  /** Turns of which the agent told what it had heard; the next two are of these. */
  readonly heardTurns: number;
  readonly words: number;
  readonly wordErrors: number;
  readonly arguments: number;
  readonly misheardArguments: number;
}

/** How an agent tells what it heard: lines in the reasoning of its next message or call (docs/agents.md). */
const HEARD = /^heard: (.*)$/m;
const HEARD_NOTHING = /^heard nothing$/m;
const UNDERSTOOD = /^understood: (.*)$/m;

const NO_CHOICES: ReadonlySet<string> = new Set();
/** By tool: the values that its schema lists, such as reasons to cancel; the same under every rule set. */
const CHOICES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  toolDefinitions('parlor').map(({ name, inputSchema }) => [name, new Set(listedValues(inputSchema))]),
);

function* listedValues(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, inner] of Object.entries(schema))
    if (key === 'enum' && Array.isArray(inner))
      yield* inner.filter((value): value is string => typeof value === 'string');
    else yield* listedValues(inner);
}

interface OpenTurn {
  readonly turn: number;
  readonly said: string[];
  readonly spoken: string[];
  heard: string | null;
  understood: string | null;
  readonly calls: { callId: string; tool: string; arguments: SourcedArgument[] }[];
}

function noteHeard(open: OpenTurn, reasoning: string | null): void {
  if (reasoning === null || open.heard !== null) return;
  open.heard = HEARD.exec(reasoning)?.[1] ?? (HEARD_NOTHING.test(reasoning) ? '' : null);
  open.understood = UNDERSTOOD.exec(reasoning)?.[1] ?? null;
}

/** Numbers may be heard as words or as figures: what was said is laid out in the form that comes nearer. */
function alignBest(said: string, spoken: string, heard: string): Alignment {
  const [asSpoken, asWritten] = [alignWords(spoken, heard), alignWords(said, heard)];
  return asSpoken.errors <= asWritten.errors ? asSpoken : asWritten;
}

function close(open: OpenTurn): HeardTurn {
  const [said, spoken] = [open.said.join(' '), open.spoken.join(' ')];
  const { turn, heard, understood, calls } = open;
  return {
    ...{ turn, said, spoken: spoken === said ? null : spoken, heard, understood },
    alignment: heard === null ? null : alignBest(said, spoken, heard),
    calls,
  };
}

function isCustomers(event: RecordEvent): event is Extract<RecordEvent, { type: 'customer' | 'aside' }> {
  return event.type === 'customer' || event.type === 'aside';
}

/** Turn by turn, for an episode in speech. Null in text: there is nothing to hear. */
export function readHearing({ header, events }: EpisodeRecord): HeardTurn[] | null {
  if (header.mode !== 'speech') return null;
  const turns: HeardTurn[] = [];
  const known = { written: [] as string[], said: [] as string[], told: [] as string[] };
  let open: OpenTurn | null = null;
  let answered = false;
  for (const event of events) {
    if (isCustomers(event)) {
      if (event.text === '') continue;
      known.written.push(event.text);
      known.said.push(searchable(event.text), searchable(event.spoken ?? ''));
      // Until the agent acts it is all one turn: a customer may speak twice.
      if (open !== null && answered) {
        turns.push(close(open));
        open = null;
      }
      answered = false;
      open ??= { turn: event.turn, said: [], spoken: [], heard: null, understood: null, calls: [] };
      open.said.push(event.text);
      open.spoken.push(event.spoken ?? event.text);
    } else if (event.type === 'tool_result') known.told.push(searchable(event.content));
    else if (open !== null && (event.type === 'agent' || event.type === 'tool_call')) {
      answered = true;
      noteHeard(open, event.reasoning);
      if (event.type === 'tool_call') {
        const sourced = sourceArguments(event.arguments, known, CHOICES.get(event.name) ?? NO_CHOICES);
        open.calls.push({ callId: event.callId, tool: event.name, arguments: sourced });
      }
    }
  }
  if (open !== null) turns.push(close(open));
  return turns;
}

/** Null when nothing was to be heard. */
export function summariseHearing(episodes: readonly (readonly HeardTurn[] | null)[]): HearingSummary | null {
  const turns = episodes.flatMap((episode) => episode ?? []);
  if (turns.length === 0) return null;
  const alignments = turns.flatMap(({ alignment }) => alignment ?? []);
  const args = turns.flatMap(({ calls }) => calls.flatMap((call) => call.arguments));
  return {
    turns: turns.length,
    heardTurns: alignments.length,
    words: alignments.reduce((sum, { words }) => sum + words, 0),
    wordErrors: alignments.reduce((sum, { errors }) => sum + errors, 0),
    arguments: args.length,
    misheardArguments: args.filter(({ source }) => source === 'misheard').length,
  };
}
