import { verdictFault } from '../verdict-check.js';

/** A model's verdict on one turn, counted from 1. */
export interface ParsedVerdict {
  readonly turn: number;
  readonly verdict: number;
  readonly reason: string;
}

export type Parsing =
  | { readonly ok: true; readonly verdicts: readonly ParsedVerdict[] }
  /** What was wrong, said so that the model can mend it. */
  | { readonly ok: false; readonly fault: string };

const MAX_REPLY_CHARACTERS = 200_000;
const MAX_REASON_CHARACTERS = 500;
const VERDICT_KEYS = ['verdict', 'score', 'value', 'label', 'rating'];

interface Found {
  readonly turn: number;
  /** NaN: something stood there that is no number. */
  readonly verdict: number;
  readonly reason: string;
}

function numberIn(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value)) return Number(value);
  return Number.NaN;
}

function turnNumber(value: unknown): number {
  return typeof value === 'string' ? Number(/\d+/.exec(value)?.[0] ?? Number.NaN) : numberIn(value);
}

function reasonIn(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON_CHARACTERS) : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fromEntry(entry: unknown, place: number): Found {
  if (!isRecord(entry)) return { turn: place + 1, verdict: numberIn(entry), reason: '' };
  const key = VERDICT_KEYS.find((name) => name in entry);
  const turn = turnNumber(entry.turn ?? entry.turn_id ?? entry.index ?? place + 1);
  const verdict = key === undefined ? Number.NaN : numberIn(entry[key]);
  return { turn, verdict, reason: reasonIn(entry.reason ?? entry.explanation ?? entry.rationale) };
}

/** Verdicts in a JSON value of any of the shapes that models choose; null: there are none in it. */
function fromJson(value: unknown): Found[] | null {
  if (Array.isArray(value)) {
    const looksRight = value.every(
      (entry) =>
        !Number.isNaN(numberIn(entry)) || (isRecord(entry) && VERDICT_KEYS.some((key) => key in entry)),
    );
    return looksRight ? value.map(fromEntry) : null;
  }
  if (!isRecord(value)) return null;
  for (const key of ['verdicts', 'scores', 'turns', 'results']) if (key in value) return fromJson(value[key]);
  const entries = Object.entries(value);
  if (entries.length === 0 || !entries.every(([key]) => /^(?:turn[\s_-]*)?\d+$/i.test(key))) return null;
  return entries.map(([key, entry], place) => ({ ...fromEntry(entry, place), turn: turnNumber(key) }));
}

/** Index after the bracket that closes the one at `start`; -1: it is never closed. Strings are skipped. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** The last JSON value in a text that holds verdicts: models often think aloud, or give an example first. */
function fromAnyJson(text: string): Found[] | null {
  let found: Found[] | null = null;
  let attempts = 0;
  for (let at = text.search(/[[{]/); at >= 0 && attempts < 200; attempts += 1) {
    const end = closingOf(text, at);
    let next = at + 1;
    if (end > 0) {
      try {
        const verdicts = fromJson(JSON.parse(text.slice(at, end)));
        if (verdicts !== null) found = verdicts;
        next = end;
      } catch {
        // Not JSON from here; perhaps from the next bracket.
      }
    }
    const offset = text.slice(next).search(/[[{]/);
    at = offset < 0 ? -1 : next + offset;
  }
  return found;
}

const LINE =
  /^[\s>*_#|-]*(?:turn[\s_#]*)?(\d{1,4})[\s*_|]*(?:[:=.)|]|->|=>|-(?!\d)|is\b)[\s*_|`"']*(?:(?:verdict|score)[\s:=]*)?([+-]?\d+(?:\.\d+)?)(?![\d.]*\d)[\s*_|`"']*(.*)$/i;

/** "Turn 3: -1 because …", "3. 0", "| 4 | 1 |": one verdict a line. */
function fromLines(text: string): Found[] {
  return text.split('\n').flatMap((line): Found[] => {
    const [, turn, verdict, rest = ''] = LINE.exec(line.slice(0, 2000)) ?? [];
    if (turn === undefined || verdict === undefined) return [];
    const reason = reasonIn(rest.replace(/^[\s\-:|(),.;]+|[\s|)]+$/g, ''));
    return [{ turn: Number(turn), verdict: Number(verdict), reason }];
  });
}

function inOrder(found: readonly Found[], turns: number): Parsing {
  const byTurn = new Map<number, Found>();
  for (const entry of found) {
    const before = byTurn.get(entry.turn);
    if (!Number.isInteger(entry.turn) || entry.turn < 1 || entry.turn > turns)
      return { ok: false, fault: `turn ${entry.turn} does not exist; the turns are 1 to ${turns}` };
    if (before !== undefined && before.verdict !== entry.verdict)
      return {
        ok: false,
        fault: `turn ${entry.turn} has two verdicts, ${before.verdict} and ${entry.verdict}`,
      };
    byTurn.set(entry.turn, entry);
  }
  const missing = Array.from({ length: turns }, (_, index) => index + 1).filter((turn) => !byTurn.has(turn));
  if (missing.length > 0)
    return {
      ok: false,
      fault: `expected exactly ${turns} verdicts; got ${byTurn.size}; there is none for turn ${missing.slice(0, 20).join(', ')}`,
    };
  const sorted = [...byTurn.values()].sort((a, b) => a.turn - b.turn);
  const fault = verdictFault(
    sorted.map((entry) => entry.verdict),
    turns,
  );
  return fault === null ? { ok: true, verdicts: sorted } : { ok: false, fault };
}

/**
 * Reads a model's reply: JSON in any of several shapes, in fences or amid prose, or one verdict a line, in any order.
 * Exactly one verdict for each of `turns` turns, each -1, 0 or 1, at most one -1; anything else is a fault.
 */
export function parseVerdicts(reply: string, turns: number): Parsing {
  const text = reply
    .slice(-MAX_REPLY_CHARACTERS)
    .replace(/<think>[\s\S]*?<\/think>/g, '')
    .replace(/[\u2212\u2010-\u2015](?=\d)/g, '-');
  const found = fromAnyJson(text) ?? fromLines(text);
  if (found.length === 0)
    return { ok: false, fault: 'no verdicts were found in the reply; expected JSON with a list "verdicts"' };
  return inOrder(found, turns);
}
