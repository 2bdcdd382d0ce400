import { describe, expect, it } from 'vitest';
import { classifyAgentMessage } from '../../../src/user/scripted/reading/classify-agent-message.js';
import { AGENT_SENTENCES } from './agent-sentences.js';

describe('reading what an agent says', () => {
  it('the table is long enough to mean something', () => {
    expect(AGENT_SENTENCES.length).toBeGreaterThanOrEqual(120);
  });

  it.each(AGENT_SENTENCES)('%s', (text, expected) => {
    const acts: ReadonlySet<string> = classifyAgentMessage(text).acts;
    const wrong = expected.split(' ').filter((mark) => acts.has(mark.slice(1)) !== mark.startsWith('+'));
    expect({ wrong, heard: [...acts] }).toEqual({ wrong: [], heard: [...acts] });
  });

  it('a message of 20 kB of any shape is read without stalling', () => {
    const shapes = ['a ', 'please ', 'has been ', 'if you ', '- x\n', 'no ', '?', '\u0000', 'which order '];
    for (const shape of shapes) {
      const long = shape.repeat(Math.ceil(20_000 / shape.length));
      expect(classifyAgentMessage(long).sentences.length).toBeLessThanOrEqual(20_000);
    }
  });

  it('of a very long message the end is heard', () => {
    const long = `${'Our store has many things. '.repeat(1500)}Do you confirm (yes/no)?`;
    expect(classifyAgentMessage(long).acts.has('ask_confirmation')).toBe(true);
  });
});
