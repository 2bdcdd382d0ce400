import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTokenizer, type ModelTokenizer } from '../../../src/dataset/index.js';
import { encodeRow } from '../../../src/dataset/tokens/encode-row.js';
import { makeRecord, makeTask, type Step } from '../../scoring/record-builder.js';
import { oddText, rowOf, steps, withWords, writtenBy } from '../helpers/odd-rows.js';

const folder = join(import.meta.dirname, '../../../.venv-qwen');
const isThere = existsSync(join(folder, 'made-from'));
if (!isThere)
  console.warn(
    'no .venv-qwen: masks are not checked with a real tokenizer; get it with scripts/qwen-tokenizer.sh',
  );

/** Its normaliser composes letters, so only composed text comes back as it was. */
const composed = oddText.map((text) => text.normalize('NFC'));
const composedSteps = steps.map(
  (made): Step[] => JSON.parse(JSON.stringify(made).normalize('NFC')) as Step[],
);

describe.skipIf(!isThere)('the tokenizer and chat template of Qwen2.5', () => {
  let model: ModelTokenizer;
  beforeAll(async () => {
    model = await loadTokenizer({ folder, template: null });
  }, 120_000);

  it('is the real one: its own template, and ids as its authors give them', () => {
    const config = JSON.parse(readFileSync(join(folder, 'tokenizer_config.json'), 'utf8')) as {
      chat_template: string;
    };
    expect(config.chat_template).toContain('<tool_call>');
    expect(model.idOf('<|im_end|>')).toBe(151_645);
    expect(model.idOf('<|im_start|>')).toBe(151_644);
    expect(model.encodeText('Hello world')).toEqual([9707, 1879]);
  });

  it("gives masked-in tokens that decode to the agent's text byte for byte, and lets nobody write a special token", () => {
    fc.assert(
      fc.property(composedSteps, fc.array(composed, { minLength: 1, maxLength: 3 }), (made, words) => {
        const row = rowOf(withWords(makeRecord(makeTask('t', []), made), words));
        const { ids, turnSpans } = encodeRow(row, { tokenizer: model, audio: null });
        expect(turnSpans.map(({ start, tokens }) => model.decode(ids.slice(start, start + tokens)))).toEqual(
          writtenBy(row),
        );
        const last = row.messages.findLastIndex(({ role }) => role === 'assistant');
        expect(ids.filter((id) => id === model.idOf('<|im_start|>')).length).toBe(last + 1);
        expect(ids.filter((id) => id === model.idOf('<|im_end|>')).length).toBe(last + 1);
      }),
      { numRuns: 200 },
    );
  }, 240_000);
});
