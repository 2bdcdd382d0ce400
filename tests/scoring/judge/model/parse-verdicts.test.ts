import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseVerdicts } from '../../../../src/scoring/judge/model/parse-verdicts.js';

function verdictsIn(reply: string, turns = 3): number[] | string {
  const parsed = parseVerdicts(reply, turns);
  return parsed.ok ? parsed.verdicts.map((entry) => entry.verdict) : parsed.fault;
}

describe('a reply is read', () => {
  it.each([
    [
      '{"verdicts":[{"turn":1,"reason":"ok","verdict":1},{"turn":2,"reason":"bad","verdict":-1},{"turn":3,"reason":"so","verdict":0}]}',
    ],
    [
      '```json\n{"verdicts":[{"turn":1,"verdict":"1"},{"turn":2,"verdict":"-1"},{"turn":3,"verdict":"+0"}]}\n```',
    ],
    ['Here is my judgement, for example {"a":1}:\n[1, -1, 0]\nI hope this helps {really}.'],
    ['{"scores":[1,-1,0]}'],
    ['{"1": 1, "2": -1, "3": 0}'],
    ['{"turn_1": {"score": 1}, "turn_3": {"score": 0}, "turn_2": {"score": -1}}'],
    ['[{"turn":3,"verdict":0},{"turn":1,"verdict":1},{"turn":2,"verdict":-1}]'],
    ['Turn1: 1\nTurn2: -1\nTurn3: 0'],
    ['Let me see.\n- **Turn 3**: 0 (follows)\n- **Turn 1** -> 1\n- **Turn 2**: \u22121, the wrong item'],
    ['1. 1\n2. -1\n3. 0'],
    ['| 1 | 1 | fine |\n| 2 | -1 | wrong |\n| 3 | 0 | follows |'],
    ['turn #1 = 1\nturn #2 = verdict: -1\nturn #3 = 0'],
    ['<think>Turn 1: 0? [0,0,0]</think>{"verdicts":[1,-1,0]}'],
  ])('%s', (reply) => {
    expect(verdictsIn(reply)).toEqual([1, -1, 0]);
  });

  it('with its reasons, on one line', () => {
    const parsed = parseVerdicts('{"verdicts":[{"turn":1,"reason":"two\\n lines","verdict":1}]}', 1);
    expect(parsed).toEqual({ ok: true, verdicts: [{ turn: 1, verdict: 1, reason: 'two lines' }] });
  });
});

describe('a fault is named', () => {
  it.each([
    ['', 'no verdicts were found'],
    ['I cannot judge this.', 'no verdicts were found'],
    ['[1, 1]', 'expected exactly 3 verdicts; got 2; there is none for turn 3'],
    ['[1, 1, 1, 1]', 'turn 4 does not exist'],
    ['[-1, 1, -1]', 'at most one -1'],
    ['[1, 1, 2]', 'expected -1, 0 or 1 for turn 3; got 2'],
    ['[1, 0.5, 1]', 'expected -1, 0 or 1 for turn 2; got 0.5'],
    [
      '{"verdicts":[{"turn":1,"verdict":"good"},{"turn":2,"verdict":1},{"turn":3,"verdict":1}]}',
      'for turn 1; got NaN',
    ],
    ['Turn 1: 1\nTurn 1: 0\nTurn 2: 1\nTurn 3: 1', 'turn 1 has two verdicts, 1 and 0'],
    ['{"verdicts":[{"turn":1,"verdict":1},{"turn":2,"verdict":1}', 'no verdicts were found'],
    ['{"verdicts": 7}', 'no verdicts were found'],
  ])('%s', (reply, fault) => {
    expect(verdictsIn(reply)).toContain(fault);
  });
});

describe('whatever a model says', () => {
  it('there is a list of exactly T valid verdicts with at most one -1, or a fault', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"verdicts":',
        'Turn 1: -1\n',
        '```',
        '1,',
        '"',
        '\\',
        'Turn 2: 1\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), (pieces, turns) => {
        const parsed = parseVerdicts(pieces.join(''), turns);
        if (!parsed.ok) return parsed.fault.length > 0;
        const values = parsed.verdicts.map((entry) => entry.verdict);
        return (
          values.length === turns &&
          values.every((value) => [-1, 0, 1].includes(value)) &&
          values.filter((value) => value === -1).length <= 1
        );
      }),
    );
  });
});
