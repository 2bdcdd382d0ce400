import { describe, expect, it } from 'vitest';
import { renderHearing } from '../../../src/evaluation/hearing/describe-hearing.js';

describe('hearing for people', () => {
  it('shows signs that would begin a line, colour a terminal or turn its text round instead of sending them', () => {
    const said = 'one\n\u001b[31mtwo\u202ethree';
    const turn = { turn: 0, said, spoken: said, understood: null, heard: null, alignment: null, calls: [] };
    const printed = renderHearing([{ episode: 'e', task: 't', turns: [turn] }]);
    expect(printed).toBe('e\n   0  said      one\\u000a\\u001b[31mtwo\\u202ethree');
  });
});
