import type { LineVoices, Pcm } from '../../../src/audio/index.js';
import { findConditions, resample } from '../../../src/audio/index.js';
import { readFixtures } from '../../helpers/audio-fixtures.js';

const clips = readFixtures().map((fixture) => fixture.clip);

/** The spoken fixtures: the first is the line, all are the crowd, and the asides are stand-ins of the same voices. */
export const line = clips[0] as Pcm;
export const voices: LineVoices = {
  crowd: clips,
  asides: new Map(
    ['regular', 'inserts']
      .flatMap((name) => findConditions(name).inserts?.phrases ?? [])
      .map((phrase, i) => [phrase, clips[i % clips.length] as Pcm]),
  ),
};

export function lineAt(sampleRateHz: number): Pcm {
  return { samples: resample(line.samples, line.sampleRateHz, sampleRateHz), sampleRateHz };
}

/** RMS over the frames of 20 ms that are within 35 dB of the loudest: written again here, to hold the product to it. */
export function speechRms({ samples, sampleRateHz }: Pcm): number {
  const frame = (sampleRateHz * 20) / 1000;
  const powers: number[] = [];
  for (let at = 0; at < samples.length; at += frame) {
    const piece = samples.subarray(at, at + frame);
    powers.push(piece.reduce((sum, sample) => sum + sample * sample, 0) / piece.length);
  }
  const active = powers.filter((power) => power >= Math.max(...powers) / 10 ** 3.5);
  return Math.sqrt(active.reduce((sum, power) => sum + power, 0) / active.length);
}
