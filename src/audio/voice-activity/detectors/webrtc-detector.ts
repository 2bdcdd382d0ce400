import { createFramedStream } from '../framed-stream.js';
import type { VoiceDetector } from '../voice-activity.js';

const RATE_HZ = 16_000;
const FRAME_SAMPLES = 320;

/** How readily something counts as voice: 0 takes much for voice, 3 little. */
export type WebRtcMode = 0 | 1 | 2 | 3;

/**
 * WebRTC's detector (Gaussian mixtures over six bands) as WebAssembly: a yes or no every 20 ms, a few microseconds each, the same on
 * every machine. The default.
 */
export async function createWebRtcDetector(mode: WebRtcMode = 2): Promise<VoiceDetector> {
  const { default: createFvadModule } = await import('@echogarden/fvad-wasm');
  const fvad = await createFvadModule();
  const frameAt = fvad._malloc(FRAME_SAMPLES * 2);
  const forgotten = new FinalizationRegistry<number>((state) => fvad._fvad_free(state));
  return {
    name: `webrtc/fvad-wasm-0.2.0/mode-${mode}`,
    open(sampleRateHz) {
      const state = fvad._fvad_new();
      fvad._fvad_set_mode(state, mode);
      fvad._fvad_set_sample_rate(state, RATE_HZ);
      const judge = {
        rateHz: RATE_HZ,
        frameSamples: FRAME_SAMPLES,
        judge(frame: Int16Array): number {
          fvad.HEAP16.set(frame, frameAt / 2);
          return fvad._fvad_process(state, frameAt, FRAME_SAMPLES) === 1 ? 1 : 0;
        },
        release(): void {
          forgotten.unregister(judge);
          fvad._fvad_free(state);
        },
      };
      forgotten.register(judge, state, judge);
      return createFramedStream(sampleRateHz, judge);
    },
    close: () => Promise.resolve(),
  };
}
