import { decodeMuLaw } from '../../audio/index.js';
import {
  BYTES_PER_SAMPLE,
  type ClientMessage,
  type ErrorCode,
  isOffered,
  pcm16FromBytes,
  type SampleFormat,
} from '../../protocol/index.js';
import { areInOrder } from '../../speech/index.js';
import type { SpeechFollower } from '../duplex/live-ear.js';
import type { AgentSpeech } from '../session/state.js';

/** Why something was not taken. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

interface Upload {
  readonly speech: number;
  readonly format: SampleFormat;
  readonly chunks: Uint8Array[];
  samples: number;
}

type SpeechEnd = Extract<ClientMessage, { type: 'agent.speech.end' }>;

/** Whole uploads that no message has claimed yet. */
const MOST_UNCLAIMED = 4;

/**
 * The agent's own voice on its way in: one upload at a time, bounded. It has no say in whose turn it is: an agent whose
 * microphone is always open, even one that sends nothing but silence, neither speaks nor keeps the customer waiting.
 */
export class SpeechUploads {
  readonly #maxMs: number;
  /** Null: nobody listens before the message. */
  readonly #follower: () => SpeechFollower | null;
  #open: Upload | null = null;
  /** Its frames are swallowed: one error is enough. */
  #dropped: number | null = null;
  readonly #whole = new Map<number, AgentSpeech>();

  constructor(maxMs: number, follower: () => SpeechFollower | null = () => null) {
    this.#maxMs = maxMs;
    this.#follower = follower;
  }

  start(speech: number, format: SampleFormat): Refusal | null {
    if (!isOffered(format))
      return bad(`no audio of ${format.encoding} at ${format.sampleRateHz} Hz; hello lists the formats`);
    if (this.#open !== null) return bad(`speech ${this.#open.speech} is still open; end it first`);
    if (this.#whole.has(speech)) return bad(`speech ${speech} was uploaded already; use another number`);
    this.#open = { speech, format, chunks: [], samples: 0 };
    this.#dropped = null;
    this.#follower()?.begin(speech, format);
    return null;
  }

  /** `sampleOffset` null: the frame did not say. */
  add(speech: number, data: Uint8Array, sampleOffset: number | null): Refusal | null {
    const open = this.#open;
    if (speech === this.#dropped) return null;
    if (open === null || open.speech !== speech)
      return bad(`speech ${speech} is not open; send agent.speech.start first`);
    const { sampleRateHz, encoding } = open.format;
    const width = BYTES_PER_SAMPLE[encoding];
    if (data.byteLength % width !== 0)
      return this.#drop(`${encoding} has ${width} bytes a sample; got ${data.byteLength} bytes`);
    if (sampleOffset !== null && sampleOffset !== open.samples)
      return this.#drop(
        `speech ${speech}: expected the frame at sample ${open.samples}; got ${sampleOffset}`,
      );
    const samples = data.byteLength / width;
    if (((open.samples + samples) * 1_000) / sampleRateHz > this.#maxMs) {
      this.#drop('');
      return {
        code: 'too_large',
        message: `a speech is at most ${this.#maxMs} ms long; this one is dropped`,
      };
    }
    // A copy: the frame is a view of the socket's buffer.
    open.chunks.push(Uint8Array.from(data));
    open.samples += samples;
    this.#follower()?.add(speech, data);
    return null;
  }

  end({ speech, samples, transcript, words }: SpeechEnd): Refusal | null {
    const open = this.#open;
    if (speech === this.#dropped) {
      this.#dropped = null;
      return null;
    }
    if (open === null || open.speech !== speech) return bad(`speech ${speech} is not open`);
    if (samples !== open.samples || samples === 0)
      return this.#drop(
        `speech ${speech} has ${open.samples} samples, at least one is needed; you told of ${samples}`,
      );
    if (words !== undefined && !areInOrder(words, samples))
      return this.#drop(
        `speech ${speech}: expected the words one after the other and within its ${samples} samples`,
      );
    this.#open = null;
    this.#follower()?.end(speech);
    const bytes = Buffer.concat(open.chunks);
    this.#whole.set(speech, {
      samples: open.format.encoding === 'mulaw' ? decodeMuLaw(bytes) : pcm16FromBytes(bytes),
      sampleRateHz: open.format.sampleRateHz,
      transcript: transcript ?? null,
      ...(words === undefined ? {} : { words }),
    });
    const [oldest] = this.#whole.keys();
    if (this.#whole.size > MOST_UNCLAIMED && oldest !== undefined) this.#whole.delete(oldest);
    return null;
  }

  find(speech: number): AgentSpeech | null {
    return this.#whole.get(speech) ?? null;
  }

  claim(speech: number): void {
    this.#whole.delete(speech);
  }

  /** The open upload is forgotten; what still comes of it is passed over. */
  breakOff(): void {
    if (this.#open !== null) this.#drop('');
  }

  clear(): void {
    this.#open = null;
    this.#dropped = null;
    this.#whole.clear();
  }

  #drop(message: string): Refusal {
    if (this.#open !== null) this.#follower()?.lose(this.#open.speech);
    this.#dropped = this.#open?.speech ?? null;
    this.#open = null;
    return bad(message);
  }
}

const bad = (message: string): Refusal => ({ code: 'bad_message', message });
