import { describe, expect, it } from 'vitest';
import { createRuleJudge, REWARD_TABLES, renderCreditPicture, scoreRun } from '../../src/scoring/index.js';
import { makeRecord, makeTask, type Step } from './record-builder.js';

async function draw(steps: readonly Step[], episode = 'e'): Promise<string> {
  const record = makeRecord(makeTask('t', []), steps, { success: false, header: { episode } });
  const scorer = {
    ...{ judge: createRuleJudge(), turnScale: '5/T', outcome: 'recorded' },
    ...{ rewards: REWARD_TABLES.v6, advantage: 'none' },
  } as const;
  const scores = await scoreRun([record], scorer as Parameters<typeof scoreRun>[1], { policyOf: () => '' });
  const [line] = scores.lines;
  if (line === undefined) throw new Error('no line');
  return renderCreditPicture(line, record, scores.scorer);
}

describe('the picture of an episode', () => {
  it('holds what an agent wrote as text, whatever it wrote', async () => {
    const picture = await draw(['</text><script>alert(1)</script> & "x" \u0000\u001b[31m \ud800'], '<b>');
    expect(picture).not.toMatch(/<script|<b>|\p{Surrogate}/u);
    for (const control of ['\u0000', '\u001b']) expect(picture).not.toContain(control);
    expect(picture).toContain('&lt;script&gt;');
    // Every tag that is opened is closed, and there is no other.
    const open: string[] = [];
    for (const [, close, name, self] of picture.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
      if (close === '/') expect(open.pop()).toBe(name);
      else if (self !== '/') open.push(name ?? '');
    }
    expect(open).toEqual([]);
  });

  it('is drawn for an episode without turns and for turns without an advantage', async () => {
    expect(await draw([])).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect(await draw(['Hello.'])).toContain('>–</text>');
  });
});
