import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSpeechEdges, stretchesOf } from '../../../src/audio/index.js';

const CLIP = { frameMs: 20, sampleRateHz: 16_000 };

describe('speech edges', () => {
  it('find frame by frame what is found in the whole, in any pieces', () => {
    const frames = fc.array(
      fc
        .tuple(fc.boolean(), fc.integer({ min: 1, max: 30 }))
        .map(([voice, count]) => Array(count).fill(voice ? 1 : 0)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(frames, (pieces) => {
        const edges = createSpeechEdges(CLIP);
        const found = [...pieces.flatMap((piece) => edges.push(piece)), ...edges.cut()];
        const all = pieces.flat();
        const whole = stretchesOf(all, { ...CLIP, length: all.length * 320 });
        expect(found).toEqual(
          whole.flatMap(({ startSample, endSample }) => [
            { atSample: startSample, speaks: true },
            { atSample: endSample, speaks: false },
          ]),
        );
      }),
    );
  });

  it('tell of a beginning after 60 ms and of an end after 240 ms', () => {
    const edges = createSpeechEdges(CLIP);
    expect(edges.push([0, 1, 1])).toEqual([]);
    expect(edges.push([1])).toEqual([{ atSample: 320, speaks: true }]);
    expect(edges.push(Array(11).fill(0))).toEqual([]);
    expect(edges.push([0])).toEqual([{ atSample: 4 * 320, speaks: false }]);
    expect(edges.cut()).toEqual([]);
  });
});
