import { describe, expect, it } from 'vitest';
import type { CallEvent } from '../../../src/agents/twilio/call-event.js';
import { createMailbox } from '../../../src/agents/twilio/mailbox.js';
import { TwilioCall } from '../../../src/agents/twilio/twilio-call.js';
import { Uplink } from '../../../src/agents/twilio/uplink.js';
import { createManualClock } from '../../../src/shared/index.js';

/** A call whose sandbox is this test. */
function calling() {
  const clock = createManualClock();
  const mailbox = createMailbox<CallEvent>();
  const sent: Record<string, unknown>[] = [];
  let wake = (): void => undefined;
  const uplink = new Uplink({ pace: 'fast', clock, tailSilenceMs: 0, send: () => undefined });
  const call = new TwilioCall({
    events: {
      ...{ waiting: [], next: () => new Promise(() => undefined), close: () => undefined },
      ...{ settle: () => undefined, acknowledge: () => undefined },
      send: (message) => {
        sent.push(message);
        wake();
      },
    },
    ...{ mailbox, uplink, clock, keepsVoice: false, transcriber: null, signal: new AbortController().signal },
  });
  const event = (parts: Record<string, unknown>): void =>
    mailbox.push({ type: 'sandbox', item: { kind: 'event', event: { seq: 1, turn: 0, ...parts } as never } });
  return {
    ...{ clock, event, sent, played: call.play() },
    customerSpeaks: () => {
      event({ type: 'customer.start', utterance: 0, form: 'speech', sampleOffset: 0 });
      event({
        type: 'customer.end',
        utterance: 0,
        samples: 0,
        durationMs: 0,
        final: false,
        interrupted: false,
      });
    },
    agentSays: (transcript: string) =>
      mailbox.push({
        type: 'utterance',
        utterance: { samples: new Int16Array(0), sampleRateHz: 8_000, transcript },
      }),
    hangUp: () => mailbox.push({ type: 'hang-up' }),
    sentSoFar: async (count: number) => {
      while (sent.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return sent.map(({ type, text }) => (text === undefined ? type : text));
    },
  };
}

const end = { type: 'episode.end', episode: 'e', reason: 'agent_stop', owner: 'agent', outcome: null };

describe('a call', () => {
  it('offers again what was said while a tool held the floor', async () => {
    const { clock, customerSpeaks, agentSays, event, sentSoFar, sent, played } = calling();
    customerSpeaks();
    agentSays('One moment.');
    await sentSoFar(1);
    event({ type: 'error', code: 'not_your_turn', message: 'a tool runs' });
    agentSays('Here it is.');
    // The mailbox is read in order: when this is answered the refusal has been, too.
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toHaveLength(1);
    clock.advance(500);
    expect(await sentSoFar(2)).toEqual(['One moment.', 'One moment. Here it is.']);
    event(end);
    expect((await played).reason).toBe('agent_stop');
  });

  it('keeps what the agent says out of turn until the customer has spoken', async () => {
    const { customerSpeaks, agentSays, event, sentSoFar, sent, played } = calling();
    agentSays('Welcome.');
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual([]);
    customerSpeaks();
    expect(await sentSoFar(1)).toEqual(['Welcome.']);
    event(end);
    await played;
  });

  it('stops once when the agent has hung up, after its last words', async () => {
    const { customerSpeaks, agentSays, hangUp, event, sentSoFar, sent, played } = calling();
    agentSays('Bye.');
    hangUp();
    customerSpeaks();
    expect(await sentSoFar(1)).toEqual(['Bye.']);
    customerSpeaks();
    expect(await sentSoFar(2)).toEqual(['Bye.', 'agent.stop']);
    event(end);
    await played;
    expect(sent).toHaveLength(2);
  });

  it('is broken by any other refusal', async () => {
    const { event, played } = calling();
    event({ type: 'error', code: 'bad_message', message: 'no' });
    await expect(played).rejects.toMatchObject({ code: 'message-refused', wireCode: 'bad_message' });
  });
});
