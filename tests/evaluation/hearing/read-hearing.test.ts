import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../src/episodes/index.js';
import { renderHearing } from '../../../src/evaluation/hearing/describe-hearing.js';
import { readHearing, summariseHearing } from '../../../src/evaluation/hearing/read-hearing.js';
import { makeRecord } from '../helpers/records.js';

const said = (turn: number, text: string, spoken: string | null = null): RecordEvent => ({
  ...{ type: 'customer', turn, utterance: turn, text, spoken, audio: null, end: null },
});
const called = (turn: number, args: Record<string, unknown>, reasoning: string | null): RecordEvent => ({
  ...{ type: 'tool_call', turn, callId: `c${turn}`, name: 'look', arguments: args, reasoning },
});
const told = (turn: number, content: string): RecordEvent => ({
  ...{ type: 'tool_result', turn, callId: `c${turn}`, ok: true, content },
});
const record = (events: readonly RecordEvent[]) => makeRecord({ task: 't', mode: 'speech', events });

describe('what an episode tells of what was heard', () => {
  it('says of each value whether the customer said it, a tool told it, it was misheard or it is the agent’s own', () => {
    const turns = readHearing(
      record([
        said(0, 'It is kim.lee42@example.com.', 'It is kim dot lee four two at example dot com.'),
        called(1, { email: 'kim.lee42@example.com' }, 'heard: it is kim dot lee four two at example dot com'),
        told(1, '{"user_id":"kim_lee_7"}'),
        called(2, { user_id: 'kim_lee_7' }, null),
        told(2, '{}'),
        { type: 'agent', turn: 3, text: 'Which order?', reasoning: null },
        said(3, 'Order #W1234567.', 'Order W, one two three four five six seven.'),
        called(
          4,
          { ids: ['#W1239567'], why: 'no longer needed' },
          'heard: order w one two three nine five six seven',
        ),
      ]),
    );
    expect(turns?.map(({ turn, calls }) => [turn, calls.flatMap((call) => call.arguments)])).toEqual([
      [
        0,
        [
          { name: 'email', value: 'kim.lee42@example.com', source: 'said', said: null },
          { name: 'user_id', value: 'kim_lee_7', source: 'tool', said: null },
        ],
      ],
      [
        3,
        [
          { name: 'ids.0', value: '#W1239567', source: 'misheard', said: '#W1234567' },
          { name: 'why', value: 'no longer needed', source: 'own', said: null },
        ],
      ],
    ]);
    expect(turns?.map(({ alignment }) => alignment?.errors)).toEqual([0, 1]);
    expect(summariseHearing([turns, null])).toEqual({
      ...{ turns: 2, heardTurns: 2, words: 20, wordErrors: 1, arguments: 4, misheardArguments: 1 },
    });
    const text = renderHearing([{ episode: 'e', task: 't', turns: turns ?? [] }]);
    expect(text).toContain('said      Order W, one two three [four] five six seven.');
    expect(text).toContain('heard     order w one two three [nine] five six seven');
    expect(text).toContain('ids.0 [#W1239567] (said: #W1234567)');
  });

  it('takes a choice from a list of the tool for the agent’s own: nobody has to say it word for word', () => {
    const call = called(1, { order_id: '#W1239567', reason: 'ordered by mistake' }, null);
    const [turn] =
      readHearing(
        record([
          said(0, 'Order #W1234567. I ordered them by mistake.'),
          { ...call, name: 'cancel_pending_order' } as RecordEvent,
        ]),
      ) ?? [];
    expect(turn?.calls[0]?.arguments).toEqual([
      { name: 'order_id', value: '#W1239567', source: 'misheard', said: '#W1234567' },
      { name: 'reason', value: 'ordered by mistake', source: 'own', said: null },
    ]);
  });

  it('compares with the written form where a recogniser writes figures', () => {
    const [turn] =
      readHearing(
        record([
          said(0, 'My zip code is 90067.', 'My zip code is nine zero zero six seven.'),
          { type: 'agent', turn: 1, text: 'Thanks.', reasoning: 'heard: My zip code is 90067.' },
        ]),
      ) ?? [];
    expect(turn?.alignment).toMatchObject({ errors: 0, words: 5 });
  });

  it('counts what was not heard at all as all wrong, and what was not told as unknown', () => {
    const turns = readHearing(
      record([
        said(0, 'Hello there.'),
        { type: 'agent', turn: 1, text: 'Sorry?', reasoning: 'heard nothing' },
        said(1, 'Hello!'),
        { type: 'agent', turn: 2, text: 'Yes?', reasoning: 'He greets me.' },
        said(2, 'Good.'),
      ]),
    );
    expect(turns?.map(({ heard, alignment }) => [heard, alignment?.errors])).toEqual([
      ['', 2],
      [null, undefined],
      [null, undefined],
    ]);
  });

  it('has nothing to tell of an episode in text', () => {
    expect(readHearing(makeRecord({ task: 't' }))).toBeNull();
    expect(summariseHearing([null])).toBeNull();
  });
});
