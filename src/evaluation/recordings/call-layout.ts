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
  /** It was broken off, and only this much of the sound was sent. */
  readonly cut: boolean;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
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
  readonly turn: number;
  readonly atMs: number;
  /** Of the customer's utterance, as far as the agent says that it had played it; null: it does not say. */
  readonly heardMs: number | null;
}

/** A call laid out in time. */
export interface CallLayout {
  /** `laid-out`: order and lengths are the record's; pauses, and the length of what has no sound, are put in. */
  readonly clock: 'laid-out';
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

class Layout {
  readonly utterances: PlacedUtterance[] = [];
  readonly tools: PlacedTool[] = [];
  readonly effects: PlacedEffect[] = [];
  readonly interrupts: PlacedInterrupt[] = [];
  readonly #cuts: ReadonlyMap<number, EventOf<'interrupted'>>;
  readonly #results: ReadonlyMap<string, EventOf<'tool_result'>>;
  nowMs = 0;

  constructor(events: readonly RecordEvent[]) {
    const of = <T extends RecordEvent['type']>(type: T) =>
      events.filter((event): event is EventOf<T> => event.type === type);
    this.#cuts = new Map(of('interrupted').map((event) => [event.utterance, event]));
    this.#results = new Map(of('tool_result').map((event) => [event.callId, event]));
    for (const event of events)
      if (event.type === 'customer') this.#customer(event);
      else if (event.type === 'agent') this.#agent(event);
      else if (event.type === 'tool_call') this.#tool(event);
  }

  #say(said: Omit<PlacedUtterance, 'startMs' | 'endMs'>, durationMs: number): number {
    const startMs = round(this.nowMs + (this.nowMs === 0 ? 0 : PAUSE_MS));
    this.nowMs = round(startMs + durationMs);
    this.utterances.push({ ...said, startMs, endMs: this.nowMs });
    return startMs;
  }

  #customer({ turn, utterance, text, audio, effects }: EventOf<'customer'>): void {
    const cut = this.#cuts.get(utterance);
    if (audio === null) {
      if (text !== '')
        this.#say({ side: 'customer', turn, text, audio, cut: false }, text.length * MS_PER_LETTER);
      return;
    }
    const sentMs = cut === undefined ? audio.durationMs : (cut.samplesSent * 1000) / cut.sampleRateHz;
    const isCut = cut !== undefined && sentMs < audio.durationMs;
    const lengthMs = Math.min(audio.durationMs, sentMs);
    const startMs = this.#say({ side: 'customer', turn, text, audio, cut: isCut }, lengthMs);
    for (const { kind, startSample, endSample } of effects?.entries ?? []) {
      const toMs = (sample: number): number =>
        round(startMs + Math.min(lengthMs, (sample * 1000) / (effects?.sampleRateHz ?? 1)));
      this.effects.push({ turn, kind, startMs: toMs(startSample), endMs: toMs(endSample) });
    }
    if (cut === undefined) return;
    const heardMs = cut.samplesHeard === null ? null : round((cut.samplesHeard * 1000) / cut.sampleRateHz);
    this.interrupts.push({
      turn: cut.turn,
      atMs: round(startMs + Math.min(lengthMs, heardMs ?? lengthMs)),
      heardMs,
    });
  }

  #agent({ turn, text, audio: voice }: EventOf<'agent'>): void {
    const audio = voice ?? null;
    this.#say(
      { side: 'agent', turn, text, audio, cut: false },
      audio?.durationMs ?? text.length * MS_PER_LETTER,
    );
  }

  #tool({ turn, name, callId }: EventOf<'tool_call'>): void {
    const startMs = this.nowMs;
    this.nowMs = round(startMs + TOOL_MS);
    this.tools.push({ turn, name, ok: this.#results.get(callId)?.ok ?? null, startMs, endMs: this.nowMs });
  }
}

/** Lays a call out from its record alone: the same record, the same layout. */
export function layOutCall({ events }: Pick<EpisodeRecord, 'events'>): CallLayout {
  const { utterances, tools, effects, interrupts, nowMs } = new Layout(events);
  return { clock: 'laid-out', durationMs: nowMs, utterances, tools, effects, interrupts };
}
