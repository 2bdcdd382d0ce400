import { readFileSync } from 'node:fs';
import type { ChatFormat, ChatMessage } from '../../../models/index.js';
import { sha256Hex } from '../../../shared/index.js';
import { openingOf, turnsOf } from '../../turns.js';
import type { JudgeInput } from '../judge.js';

export interface PromptTemplate {
  readonly version: string;
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly system: string;
  readonly user: string;
}

/** Reads a template: Markdown with the marks `<!-- version: N -->`, `<!-- system -->` and `<!-- user -->` before its parts. */
export function parseTemplate(text: string): PromptTemplate {
  const [, version, system, user] =
    /^<!-- version: (\S+) -->\s*<!-- system -->([\s\S]+)<!-- user -->([\s\S]+)$/.exec(text) ?? [];
  if (version === undefined || system === undefined || user === undefined)
    throw new TypeError('a judge prompt needs the marks "version: N", "system" and "user", in this order');
  return { version, hash: sha256Hex(text), system: system.trim(), user: user.trim() };
}

let builtIn: PromptTemplate | undefined;

export function defaultTemplate(): PromptTemplate {
  builtIn ??= parseTemplate(readFileSync(new URL('./prompt.md', import.meta.url), 'utf8'));
  return builtIn;
}

/** A longer tool result is cut in the middle: judges see its beginning and end. */
const MAX_RESULT_CHARACTERS = 6000;

function shorten(text: string): string {
  if (text.length <= MAX_RESULT_CHARACTERS) return text;
  const half = MAX_RESULT_CHARACTERS / 2;
  return `${text.slice(0, half)} […${text.length - 2 * half} characters left out…] ${text.slice(-half)}`;
}

/**
 * JSON on one line that cannot leave its fence: line feeds are escaped by JSON, and so are backticks and angle
 * brackets here, so that no text of the conversation can end the block or pose as markup.
 */
function fencedJson(value: unknown): string {
  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[`<>\u007f-\u009f\u2028\u2029]/g, escaped);
}

/** The policy is our side's text and many lines long: it stays readable, without anything that could end its fence. */
function fencedText(text: string): string {
  return text.replaceAll('```', "'''").trim();
}

function transcriptLines({ record }: JudgeInput): string[] {
  const lines: unknown[] = [];
  const customer = (turn: number, said: { text: string; spoken: string | null }): void => {
    lines.push({ turn, customer: said.text, ...(said.spoken === null ? {} : { spoken_as: said.spoken }) });
  };
  const opening = openingOf(record);
  if (opening !== null) customer(0, opening);
  // Judges count from 1 without gaps, whatever numbers the record has.
  for (const [index, turn] of turnsOf(record).entries()) {
    const number = index + 1;
    const reasoning = turn.reasoning === null ? {} : { agent_thinks: shorten(turn.reasoning) };
    if (turn.kind === 'message') lines.push({ turn: number, ...reasoning, agent_says: turn.text });
    else {
      lines.push({ turn: number, ...reasoning, agent_calls: turn.call.name, arguments: turn.call.arguments });
      if (turn.content !== null)
        lines.push({ turn: number, result: shorten(turn.content), ok: turn.ok === true });
    }
    if (turn.customer !== null) customer(number, turn.customer);
  }
  return lines.map(fencedJson);
}

/** The messages that put one episode before a model. */
export function judgePrompt(input: JudgeInput, template: PromptTemplate): ChatMessage[] {
  const { record, policy } = input;
  const { task } = record.header;
  const facts: Readonly<Record<string, string>> = {
    turns: String(turnsOf(record).length),
    policy: fencedText(policy),
    instruction: fencedJson(task.instruction),
    groundTruth: task.groundTruth.map(fencedJson).join('\n'),
    outcome: fencedJson({
      ended: record.end?.reason ?? null,
      success: record.outcome?.success ?? null,
      end_state_differences: record.outcome?.difference ?? [],
      required_but_never_said: record.outcome?.unsaid ?? [],
    }),
    transcript: transcriptLines(input).join('\n'),
  };
  // One pass, so that a text that holds "{{policy}}" stays as it is.
  const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (mark, name) => facts[name] ?? mark);
  return [
    { role: 'system', content: fill(template.system) },
    { role: 'user', content: fill(template.user) },
  ];
}

/** The reply's shape, for servers that can hold a model to it. */
export function verdictFormat(turns: number): ChatFormat {
  return {
    name: 'verdicts',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['verdicts'],
      properties: {
        verdicts: {
          ...{ type: 'array', minItems: turns, maxItems: turns },
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['turn', 'reason', 'verdict'],
            properties: {
              turn: { type: 'integer', minimum: 1, maximum: turns },
              reason: { type: 'string' },
              verdict: { type: 'integer', enum: [-1, 0, 1] },
            },
          },
        },
      },
    },
  };
}
