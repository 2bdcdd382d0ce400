import { createResampler } from '../resample/resampler.js';
import type { VoiceStream } from './voice-activity.js';

interface FrameJudge {
  readonly rateHz: number;
  readonly frameSamples: number;
  /** Probability of voice in one frame of `frameSamples`; frames come in order. The array is used again. */
  judge(frame: Int16Array): number | Promise<number>;
  /** Frees what the judge holds. */
  release?(): void;
}

/** Cuts a stream of any rate into a judge's frames at the judge's rate. Pushes are answered in the order they came. */
export function createFramedStream(sampleRateHz: number, judge: FrameJudge): VoiceStream {
  const resampler =
    sampleRateHz === judge.rateHz ? null : createResampler(sampleRateHz, judge.rateHz, 'fast');
  const frame = new Int16Array(judge.frameSamples);
  let filled = 0;
  let ended = false;
  let turn: Promise<unknown> = Promise.resolve();

  async function take(samples: Int16Array): Promise<number[]> {
    const probabilities: number[] = [];
    for (let at = 0; at < samples.length; ) {
      const count = Math.min(frame.length - filled, samples.length - at);
      frame.set(samples.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled < frame.length) continue;
      filled = 0;
      const answer = judge.judge(frame);
      probabilities.push(typeof answer === 'number' ? answer : await answer);
    }
    return probabilities;
  }

  function inTurn(work: () => Promise<number[]>): Promise<number[]> {
    const answer = turn.then(work);
    turn = answer.catch(() => undefined);
    return answer;
  }

  return {
    frameMs: (judge.frameSamples * 1000) / judge.rateHz,
    push: (samples) => inTurn(() => take(resampler === null ? samples : resampler.push(samples))),
    end: () =>
      inTurn(async () => {
        if (ended) return [];
        ended = true;
        const last = await take(resampler === null ? new Int16Array(0) : resampler.end());
        if (filled > 0) last.push(...(await take(new Int16Array(frame.length - filled))));
        judge.release?.();
        return last;
      }),
  };
}
