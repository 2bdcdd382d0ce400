import { describe, expect, it } from 'vitest';
import { openingOf, turnsOf } from '../../src/scoring/turns.js';
import { call, makeRecord, makeTask } from './record-builder.js';

const task = makeTask('1', []);

describe('turns of a record', () => {
  it('are one per agent action, with the feedback that follows; the opening is none', () => {
    const record = makeRecord(task, [
      'Hi',
      { call: call('get_order_details', { order_id: '#W1' }), content: '{"a":1}' },
    ]);
    expect(openingOf(record)?.text).toBe('hello');
    expect(turnsOf(record)).toMatchObject([
      { turn: 1, kind: 'message', text: 'Hi', customer: { text: 'ok' } },
      {
        turn: 2,
        kind: 'call',
        call: { name: 'get_order_details' },
        ok: true,
        content: '{"a":1}',
        customer: null,
      },
    ]);
  });

  it('a call whose result never came has neither success nor content', () => {
    const [turn] = turnsOf(makeRecord(task, [{ call: call('think'), pending: true }]));
    expect(turn).toMatchObject({ kind: 'call', ok: null, content: null });
  });

  it('pairs results with calls by id even when both calls come first, and when an id is used again', () => {
    const record = makeRecord(task, []);
    const toolCall = (turn: number, callId: string) =>
      ({ type: 'tool_call', turn, callId, name: `tool${turn}`, arguments: {}, reasoning: null }) as const;
    const result = (turn: number, callId: string, content: string) =>
      ({ type: 'tool_result', turn, callId, ok: true, content }) as const;
    const events = [
      toolCall(1, 'a'),
      toolCall(2, 'b'),
      result(2, 'b', 'second'),
      result(1, 'a', 'first'),
      toolCall(3, 'a'),
      result(3, 'a', 'third'),
    ];
    const turns = turnsOf({ ...record, events });
    expect(turns.map((turn) => (turn.kind === 'call' ? turn.content : ''))).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('messages that the sandbox could not take are no turns', () => {
    const record = makeRecord(task, ['Hi']);
    const events = [
      ...record.events,
      { type: 'agent_error', turn: 2, code: 'bad-message', message: 'not JSON' } as const,
    ];
    expect(turnsOf({ ...record, events })).toHaveLength(1);
  });
});
