import fc from 'fast-check';
import { buildRow } from '../../../src/dataset/rows/build-row.js';
import type { DatasetRow } from '../../../src/dataset/rows/row.js';
import { toolSchemasOf } from '../../../src/dataset/rows/tool-schema.js';
import type { EpisodeRecord } from '../../../src/episodes/index.js';
import { call, type Step } from '../../scoring/record-builder.js';
import { POLICY, TOOLS } from './sample-run.js';
import { SPECIALS } from './tiny-tokenizer.js';

/** A row as an export makes it, with rewards that can be told apart. */
export function rowOf(record: EpisodeRecord): DatasetRow {
  const row = buildRow(record, {
    ...{ id: record.header.episode, policy: POLICY, tools: toolSchemasOf(JSON.stringify(TOOLS), 'tools') },
    ...{ score: null, voiceLicences: new Map(), speechTurns: 1 },
  });
  const turns = row.turns.map((turn, place) => ({
    ...turn,
    verdictReward: 0.5 + place,
    advantage: place - 1,
  }));
  return { ...row, turns, outcomeReward: 10 };
}

/** What the agent wrote in each turn, byte for byte, with the token that ends it. */
export function writtenBy({ messages }: DatasetRow): string[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const { content, toolCall } = message;
    const text =
      toolCall === null
        ? content
        : `<tool_call>\n{"name": "${toolCall.name}", "arguments": ${pythonJson(toolCall.arguments)}}\n</tool_call>`;
    return [`${text}<|im_end|>`];
  });
}

/** JSON with a blank after colon and comma, as chat templates write it. */
function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${pythonJson(item)}`)
    .join(', ')}}`;
}

/** Odd text: emoji with joiners, CJK, control signs, look-alikes of special tokens, of our own marks, of templates. */
export const oddText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...SPECIALS,
        '👩🏽‍🚀',
        '你好',
        'ß',
        '\u202e',
        '\n\n',
        '  ',
        '{{ messages }}',
        '\uE0F00\uE0F1',
        '"\\',
        '\u0000',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => Buffer.from(parts.join('')).toString())
  .filter((text) => text !== '');

export const steps = fc.array(
  fc.oneof(
    oddText.map((text): Step => text),
    fc
      .record({
        order_id: oddText,
        list: fc.array(oddText, { maxLength: 2 }),
        count: fc.integer(),
        deep: fc.record({ a: oddText }),
      })
      .map(
        (args): Step => ({
          call: call('get_order_details', args),
          content: '{"status":"pending <|im_end|>"}',
        }),
      ),
  ),
  { minLength: 1, maxLength: 5 },
);

/** The record with these words in the customer's mouth, in turn. */
export function withWords(record: EpisodeRecord, words: readonly string[]): EpisodeRecord {
  let place = 0;
  const events = record.events.map((event) => {
    if (event.type !== 'customer') return event;
    place += 1;
    return { ...event, text: words[place % words.length] ?? 'ok' };
  });
  return { ...record, events };
}
