import type { EpisodeHeader, RecordEvent } from '../../src/episodes/index.js';
import type { Task } from '../../src/retail/index.js';

const sampleTask: Task = {
  id: 'cancel-1',
  splits: ['test'],
  instruction: 'You want to cancel one order because you no longer need it.',
  groundTruth: [{ name: 'cancel_pending_order', arguments: { order_id: '#W1', reason: 'no longer needed' } }],
  communicate: [],
  assertions: [],
  rewardBasis: ['DB'],
  tags: [],
};

function sampleHeader(episode: string, trial = 0): EpisodeHeader {
  return {
    ...{ type: 'episode', version: 1, episode, mode: 'text', seed: 7, trial, agent: 'a', customer: 'c/1' },
    ...{ voice: null, source: 'parlor', rules: 'parlor', worldHash: 'w', policyHash: 'p', toolsHash: 't' },
    limits: { maxTurns: 30, maxErrors: 10 },
    task: sampleTask,
  };
}

/** A finished episode with a line of every kind but the error, in words that take more than one byte a letter. */
export function sampleEvents(episode: string): RecordEvent[] {
  return [
    sampleHeader(episode),
    {
      ...{ type: 'customer', turn: 0, utterance: 0, text: 'Grüße: cancel “it” ☕', spoken: null },
      ...{ audio: null, end: null },
    },
    {
      ...{ type: 'tool_call', turn: 1, callId: 'c1', name: 'cancel_pending_order' },
      ...{ arguments: { order_id: '#W1' }, reasoning: 'why not' },
    },
    { type: 'tool_result', turn: 1, callId: 'c1', ok: true, content: '{"status":"cancelled"}' },
    { type: 'agent', turn: 2, text: 'Done.', reasoning: null },
    { type: 'customer', turn: 2, utterance: 1, text: 'Thanks', spoken: null, audio: null, end: 'stop' },
    { type: 'end', turn: 2, reason: 'customer_stop', owner: 'user' },
    {
      ...{ type: 'outcome', rule: 'tau2', reward: 1, success: true },
      scores: { database: 1, writes: 1, communicate: null, actions: 1, assertions: null },
      ...{ unscored: [], difference: [], unsaid: [] },
    },
  ];
}
