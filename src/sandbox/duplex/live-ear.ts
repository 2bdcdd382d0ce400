import {
  createSpeechEdges,
  decodeMuLaw,
  type SpeechEdges,
  type VoiceDetector,
  type VoiceStream,
} from '../../audio/index.js';
import { pcm16FromBytes, type SampleFormat } from '../../protocol/index.js';
import type { WordTime } from '../../speech/index.js';
import type { SessionParts } from '../session/parts.js';
import type { AgentSpeech, EventOf } from '../session/state.js';
import type { CallClock } from './call-clock.js';
import { UploadPlayout } from './upload-playout.js';

/** Learns of uploads while they come. */
export interface SpeechFollower {
  begin(speech: number, format: SampleFormat): void;
  add(speech: number, bytes: Uint8Array): void;
  end(speech: number): void;
  /** What has come of it is all there will be, and no message can refer to it. */
  lose(speech: number): void;
}

/** An upload as it was heard: with silence where nothing came in time. */
interface HeardUpload {
  readonly startSample: number;
  readonly speech: AgentSpeech;
}

interface LiveEarOptions {
  readonly clock: CallClock;
  /** Of the call's clock. */
  readonly sampleRateHz: number;
  readonly openDetector: () => Promise<VoiceDetector>;
  readonly onVoice: (event: EventOf<'voice'>) => void;
}

/** An upload of which nothing more comes in so long is silent. */
const STARVED_MS = 300;
/** As many as wait for their message at most, and the open one. */
const MOST_KEPT = 8;

interface Follow {
  readonly playout: UploadPlayout;
  readonly format: SampleFormat;
  readonly voice: Promise<{ readonly stream: VoiceStream; readonly edges: SpeechEdges }>;
  isOpen: boolean;
}

/**
 * Hears the agent's voice while it is uploaded, at the speed of speech: tells when it begins and ceases to speak on the
 * call's clock. What those edges lead to is decided elsewhere.
 */
export class LiveEar implements SpeechFollower {
  readonly #options: LiveEarOptions;
  readonly #follows = new Map<number, Follow>();
  /** Detectors answer later; the answers come in order. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: LiveEarOptions) {
    this.#options = options;
  }

  begin(speech: number, format: SampleFormat): void {
    const { openDetector, sampleRateHz, clock } = this.#options;
    if (clock.now() === null) return;
    const voice = openDetector().then((detector) => {
      const stream = detector.open(format.sampleRateHz);
      return { stream, edges: createSpeechEdges({ frameMs: stream.frameMs, sampleRateHz }) };
    });
    // The message's own listening meets the same failure, and tells of it.
    voice.catch(() => undefined);
    const playout = new UploadPlayout(format.sampleRateHz, sampleRateHz);
    this.#follows.set(speech, { playout, format, voice, isOpen: true });
    const [oldest] = this.#follows.keys();
    if (this.#follows.size > MOST_KEPT && oldest !== undefined) this.#follows.delete(oldest);
  }

  add(speech: number, bytes: Uint8Array): void {
    const follow = this.#follows.get(speech);
    const now = this.#options.clock.now();
    if (follow === undefined || now === null) return;
    const isFirst = follow.playout.endSample === null;
    const samples = follow.format.encoding === 'mulaw' ? decodeMuLaw(bytes) : pcm16FromBytes(bytes);
    const silence = follow.playout.add(samples.length, now);
    if (silence > 0) this.#hear(speech, ({ stream }) => stream.push(new Int16Array(silence)));
    this.#hear(speech, ({ stream }) => stream.push(samples));
    if (isFirst) this.#watch(speech, follow);
  }

  end(speech: number): void {
    const follow = this.#follows.get(speech);
    if (follow === undefined) return;
    follow.isOpen = false;
    this.#hear(speech, ({ stream }) => stream.end());
    this.#hear(speech, null);
  }

  lose(speech: number): void {
    const now = this.#options.clock.now();
    if (this.#follows.delete(speech) && now !== null)
      this.#options.onVoice({ type: 'voice', at: now, talks: false, lost: true });
  }

  /** Where the whole upload stands on the call's clock; null: it was not followed. */
  place(number: number, speech: AgentSpeech): HeardUpload | null {
    const playout = this.#follows.get(number)?.playout;
    if (playout === undefined || playout.startSample === null) return null;
    const { words } = speech;
    // A word that ends where a gap begins ends before it.
    const heard = words?.map(
      ([word, start, end]): WordTime => [word, playout.moved(start), playout.moved(end - 1) + 1],
    );
    return {
      startSample: playout.startSample,
      speech: {
        ...{ ...speech, samples: playout.withSilence(speech.samples) },
        ...(heard === undefined ? {} : { words: heard }),
      },
    };
  }

  /** Its message has been taken: what is still to be heard of it is known. */
  claim(speech: number): void {
    this.#follows.delete(speech);
  }

  /** @param judge null: nothing more comes for now */
  #hear(
    speech: number,
    judge: ((voice: { stream: VoiceStream }) => Promise<readonly number[]>) | null,
  ): void {
    const follow = this.#follows.get(speech);
    if (follow === undefined) return;
    this.#turn = this.#turn
      .then(async () => {
        const { stream, edges } = await follow.voice;
        const found = judge === null ? edges.cut() : edges.push(await judge({ stream }));
        const { startSample, endSample } = follow.playout;
        if (startSample === null || endSample === null || this.#follows.get(speech) !== follow) return;
        for (const { atSample, speaks: talks } of found)
          this.#options.onVoice({ type: 'voice', at: Math.min(endSample, startSample + atSample), talks });
      })
      .catch(() => undefined);
  }

  /** Sees that an agent falls silent which just stops sending. */
  #watch(speech: number, follow: Follow): void {
    const { clock, sampleRateHz } = this.#options;
    const now = clock.now();
    const { endSample } = follow.playout;
    if (now === null || endSample === null || !follow.isOpen || this.#follows.get(speech) !== follow) return;
    const starvedAt = endSample + (STARVED_MS * sampleRateHz) / 1_000;
    if (now >= starvedAt) this.#hear(speech, null);
    const delayMs = now >= starvedAt ? STARVED_MS : ((starvedAt - now) * 1_000) / sampleRateHz;
    clock.later(delayMs, () => this.#watch(speech, follow));
  }
}

/** Where a call runs at the speed of speech; null elsewhere. */
export function openLiveEar(
  { duplex, pacing }: SessionParts,
  clock: CallClock,
  onVoice: LiveEarOptions['onVoice'],
): LiveEar | null {
  if (duplex === undefined || pacing === 'fast') return null;
  const { sampleRateHz } = duplex.opening.turns;
  return new LiveEar({ clock, sampleRateHz, openDetector: duplex.openDetector, onVoice });
}
