import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLine } from '../../../src/user/model/read-line.js';

describe('reading a customer model', () => {
  it.each([
    ['Thought: They ask.\nSay: My zip is 97301.\nCall: stay', { text: 'My zip is 97301.' }],
    ['thought: a\nb\nsay: Thank you, goodbye.\ncall: Done.', { text: 'Thank you, goodbye.', end: 'stop' }],
    ['**Thought:** x\n**Say:** "Yes."\n**Call:** stay', { text: 'Yes.' }],
    ['<think>secret</think>\nSay: Fine.\nCall: transferred', { text: 'Fine.', end: 'transfer' }],
    ['secret plan</think>Say: Fine.', { text: 'Fine.' }],
    ['I want to return my lamp.', { text: 'I want to return my lamp.' }],
    ['Thought: x\nSay:\nCall: out_of_scope', { text: '', end: 'out_of_scope' }],
    ['Say: One line.\nAnd one more.\nCall: stay', { text: 'One line.\nAnd one more.' }],
  ])('%j', (reply, line) => expect(readLine(reply)).toEqual({ line }));

  it.each([
    ['', 'empty'],
    ['<think>only this', 'empty'],
    ['Thought: I should say yes.', 'no line that begins with "Say:"'],
    ['Thought: x\nSay:\nCall: stay', 'nothing stood after'],
    ['Say: hi\nCall: maybe', 'is none of'],
    [`Say: ${'very '.repeat(400)}`, 'too long'],
  ])('%j is asked for again', (reply, fault) => {
    expect(readLine(reply)).toEqual({ fault: expect.stringContaining(fault) });
  });

  it('never lets a thought into the line', () => {
    const word = fc.stringMatching(/^[a-z ]{0,30}$/);
    fc.assert(
      fc.property(
        word,
        word,
        fc.constantFrom('stay', 'done', 'x'),
        fc.boolean(),
        (thought, say, call, tagged) => {
          const secret = `SECRET${thought}`;
          const reply = tagged
            ? `<think>${secret}</think>Say: ${say}\nCall: ${call}`
            : `Thought: ${secret}\nSay: ${say}\nCall: ${call}`;
          const read = readLine(reply);
          expect('line' in read ? read.line.text : '').not.toContain('SECRET');
        },
      ),
    );
  });
});
