import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEnergyDetector,
  createSileroDetector,
  createWebRtcDetector,
  findConditions,
  findSpeech,
  type Pcm,
  renderLine,
  resample,
  type VoiceDetector,
  VoiceDetectorError,
} from '../../../src/audio/index.js';
import { readFixtures } from '../../helpers/audio-fixtures.js';

const clip = readFixtures().find(({ file }) => file === 'refund.wav')?.clip as Pcm;

/** 1 s of silence, the clip, 1.5 s of silence, the clip, 1 s of silence; at 16 kHz. */
const [lead, gap, tail] = [16_000, 24_000, 16_000];
const call: Pcm = {
  samples: Int16Array.of(
    ...new Int16Array(lead),
    ...clip.samples,
    ...new Int16Array(gap),
    ...clip.samples,
    ...new Int16Array(tail),
  ),
  sampleRateHz: 16_000,
};
/** Where the sound of the clip begins and ends, by its samples. */
const first = clip.samples.findIndex((sample) => Math.abs(sample) > 500);
const last = clip.samples.findLastIndex((sample) => Math.abs(sample) > 500);
const wanted = [lead, lead + clip.samples.length + gap].map((at) => ({
  startSample: at + first,
  endSample: at + last,
}));

const silero = await createSileroDetector().catch((error: unknown) => error);
const MAKERS: [string, () => Promise<VoiceDetector>, number][] = [
  ['webrtc', () => createWebRtcDetector(), 150],
  ['energy', () => Promise.resolve(createEnergyDetector()), 60],
];
if (!(silero instanceof Error)) MAKERS.push(['silero', () => createSileroDetector(), 150]);

describe.each(MAKERS)('the %s detector', (_, make, toleranceMs) => {
  let detector: VoiceDetector;
  beforeAll(async () => {
    detector = await make();
  });
  afterAll(() => detector.close());

  it.each([16_000, 8000, 24_000, 48_000])('finds both lines of a call at %i Hz', async (sampleRateHz) => {
    const samples = resample(call.samples, call.sampleRateHz, sampleRateHz);
    const found = await findSpeech({ samples, sampleRateHz }, detector);
    expect(found.length).toBe(2);
    found.forEach(({ startSample, endSample }, i) => {
      const { startSample: start, endSample: end } = wanted[i] as { startSample: number; endSample: number };
      expect(Math.abs((startSample * 1000) / sampleRateHz - start / 16)).toBeLessThan(toleranceMs);
      // WebRTC and Silero hold on a little.
      expect(Math.abs((endSample * 1000) / sampleRateHz - end / 16)).toBeLessThan(toleranceMs + 100);
    });
  });

  it('finds nothing in silence and nothing in nothing', async () => {
    expect(await findSpeech({ samples: new Int16Array(48_000), sampleRateHz: 16_000 }, detector)).toEqual([]);
    expect(await findSpeech({ samples: new Int16Array(0), sampleRateHz: 8000 }, detector)).toEqual([]);
  });

  it('gives the same however the stream is cut, and beside other streams', async () => {
    const whole = detector.open(24_000);
    const cut = detector.open(24_000);
    const other = detector.open(8000);
    const wantedFrames = [...(await whole.push(call.samples)), ...(await whole.end())];
    const frames: number[] = [];
    for (let at = 0; at < call.samples.length; at += 777) {
      frames.push(...(await cut.push(call.samples.subarray(at, at + 777))));
      await other.push(clip.samples.subarray(at % 10_000, (at % 10_000) + 100));
    }
    frames.push(...(await cut.end()));
    expect(frames).toEqual(wantedFrames);
    expect(frames.length).toBe(Math.ceil((call.samples.length * 1000) / 24_000 / whole.frameMs));
    expect(await cut.end()).toEqual([]);
  });
});

describe('in noise', () => {
  it('WebRTC still finds the lines through a telephone with babble at 15 dB', async () => {
    const voices = { crowd: readFixtures().map((fixture) => fixture.clip), asides: new Map() };
    const conditions = { ...findConditions('bed-babble'), telephony: findConditions('telephony').telephony };
    const { clip: noisy } = renderLine(call, conditions, { seed: 4, voices });
    const detector = await createWebRtcDetector(3);
    const found = await findSpeech(noisy, detector);
    const covered = wanted.filter((line) =>
      found.some(
        ({ startSample, endSample }) =>
          startSample < line.startSample + 4800 && endSample > line.endSample - 4800,
      ),
    );
    expect(covered.length).toBe(2);
  });
});

describe('Silero', () => {
  it.skipIf(silero instanceof Error)(
    'without the 64 samples of context its self-test refuses it',
    async () => {
      await expect(createSileroDetector({ contextSamples: 0 })).rejects.toThrow(VoiceDetectorError);
    },
  );

  it('says what is missing when weights are not there or are none', async () => {
    await expect(createSileroDetector({ modelPath: 'nowhere.onnx' })).rejects.toThrow(VoiceDetectorError);
    await expect(createSileroDetector({ modelPath: import.meta.filename })).rejects.toThrow(
      VoiceDetectorError,
    );
  });
});
