import { describe, expect, it } from 'vitest';
import { type AgentUtterance, UtteranceEar } from '../../../src/agents/twilio/utterance-ear.js';
import { createManualClock } from '../../../src/shared/index.js';
import { silence, tone } from './helpers/twilio-server.js';

function listening(maxUtteranceMs = 60_000) {
  const clock = createManualClock();
  const heard: AgentUtterance[] = [];
  const ear = new UtteranceEar({
    ...{ clock, endSilenceMs: 800, maxUtteranceMs, onUtterance: (utterance) => heard.push(utterance) },
  });
  const play = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; at += 160) {
      clock.advance(20);
      ear.hear(bytes.subarray(at, at + 160));
    }
  };
  return { clock, heard, ear, play };
}

describe("the ear for the agent's utterances", () => {
  it('hears nothing in a minute of silence, however many packets it takes', () => {
    const { heard, play } = listening();
    play(silence(60_000));
    expect(heard).toEqual([]);
  });

  it('ends an utterance by silence, sent or not sent, and keeps short pauses within it', () => {
    const sent = listening();
    sent.play(tone(500));
    sent.play(silence(400));
    sent.play(tone(500));
    sent.play(silence(5_000));
    expect(sent.heard.map(({ samples }) => samples.length / 8)).toEqual([500 + 400 + 500 + 200]);
    const stopped = listening();
    stopped.play(tone(500));
    stopped.clock.advance(799);
    expect(stopped.heard).toHaveLength(0);
    stopped.clock.advance(1);
    expect(stopped.heard).toHaveLength(1);
  });

  it('takes a click for nothing, and words without sound for an utterance', () => {
    const { heard, ear, play, clock } = listening();
    play(tone(40));
    play(silence(2_000));
    expect(heard).toEqual([]);
    ear.read('Hello');
    ear.read('there.');
    clock.advance(800);
    expect(heard.map(({ transcript, samples }) => [transcript, samples.length])).toEqual([
      ['Hello there.', 0],
    ]);
  });

  it('cuts who never stops', () => {
    const { heard, play } = listening(2_000);
    play(tone(5_000));
    expect(heard.map(({ samples }) => samples.length / 8)).toEqual([2_000, 2_000]);
  });
});
