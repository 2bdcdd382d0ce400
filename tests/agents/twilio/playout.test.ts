import { describe, expect, it } from 'vitest';
import { FRAME_BYTES } from '../../../src/agents/twilio/media-message.js';
import { type Pace, Playout } from '../../../src/agents/twilio/playout.js';
import { Uplink } from '../../../src/agents/twilio/uplink.js';
import { createManualClock } from '../../../src/shared/index.js';
import { tone } from './helpers/twilio-server.js';

function playing(pace: Pace) {
  const clock = createManualClock();
  const heard: string[] = [];
  const playout = new Playout({
    ...{ pace, clock, onFrame: () => heard.push('frame') },
    onMark: (name, wasHeard) => heard.push(wasHeard ? name : `${name} (cleared)`),
  });
  return { clock, heard, playout };
}

describe("the playout of the agent's voice", () => {
  it('plays 20 ms in 20 ms, and echoes a mark when all before it was heard', () => {
    const { clock, heard, playout } = playing('realtime');
    playout.push(tone(60));
    playout.mark('a');
    playout.push(tone(20));
    playout.mark('b');
    expect(heard).toEqual([]);
    clock.advance(59);
    expect(heard).toEqual(['frame', 'frame']);
    clock.advance(1);
    expect(heard).toEqual(['frame', 'frame', 'frame', 'a']);
    clock.advance(1000);
    expect(heard).toEqual(['frame', 'frame', 'frame', 'a', 'frame', 'b']);
    playout.mark('c');
    expect(heard.at(-1)).toBe('c');
  });

  it('forgets at "clear" what was not heard, and its marks come back at once', () => {
    const { clock, heard, playout } = playing('realtime');
    playout.push(tone(100));
    playout.mark('a');
    clock.advance(40);
    playout.clear();
    expect(heard).toEqual(['frame', 'frame', 'a (cleared)']);
    playout.push(tone(20));
    clock.advance(20);
    expect(heard).toHaveLength(4);
    clock.advance(10_000);
    expect(heard).toHaveLength(4);
  });

  it('in fast has played everything as soon as it has come, and pads what is no whole frame', () => {
    const { heard, playout } = playing('fast');
    playout.push(new Uint8Array(FRAME_BYTES + 1));
    playout.mark('a');
    expect(heard).toEqual(['frame', 'frame', 'a']);
  });

  it('takes at most ten minutes that nobody has heard', () => {
    const { playout } = playing('realtime');
    const minute = tone(60_000);
    const taken = Array.from({ length: 12 }, () => playout.push(minute));
    expect(taken.filter((was) => was)).toHaveLength(11);
  });
});

describe("the customer's side of the line", () => {
  it("sends a frame every 20 ms against the stream's start, silence included, however late the timer is", () => {
    const clock = createManualClock();
    const sent: { ms: number; stamp: number; silent: boolean }[] = [];
    const uplink = new Uplink({
      ...{ pace: 'realtime', clock, tailSilenceMs: 0 },
      send: (frame, stamp) =>
        sent.push({ ms: clock.nowMs(), stamp, silent: frame.every((byte) => (byte & 0x7f) === 0x7f) }),
    });
    clock.advance(100);
    uplink.say(tone(50));
    clock.advance(100);
    expect(sent.map(({ ms }) => ms)).toEqual(sent.map(({ stamp }) => stamp));
    expect(sent.map(({ silent }) => silent)).toEqual([
      ...[true, true, true, true, true, true],
      ...[false, false, false, true, true],
    ]);
    uplink.stop();
    clock.advance(1_000);
    expect(sent).toHaveLength(11);
  });

  it('in fast sends what is said at once with silence after it, as long as it lasts', () => {
    const frames: Uint8Array[] = [];
    const uplink = new Uplink({
      ...{ pace: 'fast', clock: createManualClock(), tailSilenceMs: 1_000 },
      send: (frame) => frames.push(frame),
    });
    uplink.say(tone(1_000));
    expect(frames.map(({ length }) => length)).toEqual(Array(100).fill(160));
    expect(frames.slice(50).every((frame) => frame.every((byte) => byte === 0xff))).toBe(true);
  });
});
