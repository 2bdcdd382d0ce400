import type { AudioRef, EpisodeRecord, RecordEvent } from '../../episodes/index.js';

/** Something that was said, on the call's clock. */
export interface PlacedUtterance {
  readonly side: 'customer' | 'agent';
  readonly turn: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** Null: there is no sound of it; its length is a guess from its letters. */
  readonly audio: AudioRef | null;
  /** When each word is heard; absent: not known. What was not said is left out. */
  readonly words?: readonly PlacedWord[];
  /** It was broken off, and only this much of the sound was sent. */
  readonly cut: boolean;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}
export interface PlacedWord extends Span {
  readonly word: string;
}
export interface PlacedTool extends Span {
  readonly turn: number;
  readonly name: string;
  /** Null: it has no result. */
  readonly ok: boolean | null;
}
/** What the line and the room did to an utterance of the customer's. */
export interface PlacedEffect extends Span {
  readonly turn: number;
  readonly kind: string;
}
export interface PlacedInterrupt {
  readonly by: 'agent' | 'customer';
  readonly turn: number;
  readonly atMs: number;
  /** Of what was broken into, as far as the other side had heard it; null: it does not say. */
  readonly heardMs: number | null;
}

/** A call laid out in time. */
export interface CallLayout {
  /**
   * `call`: places and lengths are the record's, to the sample. `laid-out`, without turn-taking: order and lengths are;
   * pauses, and the length of what has no sound, are put in.
   */
  readonly clock: 'call' | 'laid-out';
  readonly durationMs: number;
  readonly utterances: readonly PlacedUtterance[];
  readonly tools: readonly PlacedTool[];
  readonly effects: readonly PlacedEffect[];
  readonly interrupts: readonly PlacedInterrupt[];
}

/** Between two who speak in turn: the middle of what is measured in conversations. */
const PAUSE_MS = 200;
const TOOL_MS = 200;
/** Written words: about 160 a minute. */
const MS_PER_LETTER = 65;

type EventOf<T extends RecordEvent['type']> = Extract<RecordEvent, { type: T }>;

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

type Saying = Omit<PlacedUtterance, 'startMs' | 'endMs' | 'words'> & Pick<EventOf<'customer'>, 'words'>;

/** Where something begins, and how much of it was said. */
interface Place {
  readonly startMs: number;
  readonly durationMs: number;
}

class Layout {
  readonly utterances: PlacedUtterance[] = [];
  readonly tools: PlacedTool[] = [];
  readonly effects: PlacedEffect[] = [];
  readonly interrupts: PlacedInterrupt[] = [];
  readonly isTimed: boolean;
  readonly #events: readonly RecordEvent[];
  /** Of the call's clock, where there is one. */
  readonly #rateHz: number;
  nowMs = 0;

  constructor({ header, events }: Pick<EpisodeRecord, 'header' | 'events'>) {
    this.#events = events;
    this.#rateHz = header.wire?.sampleRateHz ?? 1;
    this.isTimed = events.some((event) => event.type === 'customer' && event.call !== undefined);
    for (const event of events)
      if (event.type === 'customer') this.#customer(event);
      else if (event.type === 'agent') this.#agent(event);
      else if (event.type === 'tool_call') this.#tool(event);
      else if (event.type === 'aside') this.#aside(event);
  }

  #find<T extends RecordEvent['type']>(type: T, of: (event: EventOf<T>) => boolean): EventOf<T> | undefined {
    return this.#events.find((event): event is EventOf<T> => event.type === type && of(event as EventOf<T>));
  }

  #ms(samples: number, rateHz = this.#rateHz): number {
    return round((samples * 1000) / rateHz);
  }

  /** Its own place, or the next one: after a pause. */
  #placeOf(call: { readonly startSample: number } | undefined, durationMs: number): Place {
    const next = round(this.nowMs + (this.nowMs === 0 ? 0 : PAUSE_MS));
    return { startMs: call === undefined ? next : this.#ms(call.startSample), durationMs };
  }

  #say({ words, ...said }: Saying, { startMs, durationMs }: Place): void {
    const endMs = round(startMs + durationMs);
    const toMs = (sample: number): number => round(startMs + this.#ms(sample, said.audio?.sampleRateHz));
    const placed = words
      ?.map(([word, start, end]) => ({ startMs: toMs(start), endMs: Math.min(endMs, toMs(end)), word }))
      .filter((word) => word.startMs < word.endMs);
    this.nowMs = Math.max(this.nowMs, endMs);
    this.utterances.push({ ...said, startMs, endMs, ...(placed === undefined ? {} : { words: placed }) });
  }

  #customer(event: EventOf<'customer'>): void {
    const { turn, utterance, text, audio, effects, call, words } = event;
    if (audio === null && text === '') return;
    const wholeMs = audio?.durationMs ?? text.length * MS_PER_LETTER;
    const broken = this.#find('interrupted', (one) => one.utterance === utterance);
    const yielded = this.#find('customer_yielded', (one) => one.utterance === utterance);
    const saidMs =
      yielded !== undefined
        ? this.#ms(yielded.samplesSaid)
        : broken !== undefined && call === undefined
          ? this.#ms(broken.samplesSent, broken.sampleRateHz)
          : wholeMs;
    const place = this.#placeOf(call, Math.min(wholeMs, saidMs));
    this.#say({ side: 'customer', turn, text, audio, words, cut: saidMs < wholeMs }, place);
    for (const { kind, startSample, endSample } of effects?.entries ?? []) {
      const toMs = (sample: number): number =>
        round(place.startMs + Math.min(place.durationMs, this.#ms(sample, effects?.sampleRateHz)));
      this.effects.push({ turn, kind, startMs: toMs(startSample), endMs: toMs(endSample) });
    }
    if (broken === undefined) return;
    const heardMs = broken.samplesHeard === null ? null : this.#ms(broken.samplesHeard, broken.sampleRateHz);
    const atMs = round(place.startMs + Math.min(wholeMs, heardMs ?? place.durationMs));
    this.interrupts.push({ by: 'agent', turn: broken.turn, atMs, heardMs });
  }

  #agent({ turn, text, audio: voice, words, call }: EventOf<'agent'>): void {
    const audio = voice ?? null;
    const wholeMs =
      audio?.durationMs ?? (call === undefined ? text.length * MS_PER_LETTER : this.#ms(call.samples));
    const broken = this.#find('customer_interrupted', (one) => one.turn === turn);
    const saidMs = broken === undefined ? wholeMs : this.#ms(broken.heardSamples);
    const place = this.#placeOf(call, Math.min(wholeMs, saidMs));
    this.#say({ side: 'agent', turn, text, audio, words, cut: saidMs < wholeMs }, place);
    if (broken !== undefined)
      this.interrupts.push({ by: 'customer', turn, atMs: this.#ms(broken.atSample), heardMs: saidMs });
  }

  #aside({ turn, text, audio, words, startSample, samples }: EventOf<'aside'>): void {
    const durationMs = Math.min(audio.durationMs, this.#ms(samples));
    const cut = durationMs < audio.durationMs;
    this.#say(
      { side: 'customer', turn, text, audio, words, cut },
      { startMs: this.#ms(startSample), durationMs },
    );
  }

  #tool({ turn, name, callId }: EventOf<'tool_call'>): void {
    const { nowMs: startMs } = this;
    const endMs = round(startMs + TOOL_MS);
    // Tools take no time of a call's own clock.
    if (!this.isTimed) this.nowMs = endMs;
    const ok = this.#find('tool_result', (one) => one.callId === callId)?.ok ?? null;
    this.tools.push({ turn, name, ok, startMs, endMs });
  }
}

/** Lays a call out from its record alone: the same record, the same layout. */
export function layOutCall(record: Pick<EpisodeRecord, 'header' | 'events'>): CallLayout {
  const { utterances, tools, effects, interrupts, isTimed, nowMs } = new Layout(record);
  return {
    ...{ clock: isTimed ? 'call' : 'laid-out', durationMs: nowMs },
    ...{ utterances, tools, effects, interrupts },
  };
}
