import type { EpisodeReadyEvent } from '../episode-client.js';
import type { WireEncoding, WireFormat } from './wire-audio.js';

export type DialectName = 'openai' | 'dashscope';

/** When the customer has finished: `manual`: we say so; `server`: the server's voice detector finds out. */
export type TurnDetection = 'manual' | 'server';

export interface SessionPlan {
  readonly model: string;
  readonly instructions: string;
  readonly tools: EpisodeReadyEvent['tools'];
  readonly speaks: boolean;
  readonly voice: string | undefined;
  readonly turns: TurnDetection;
  /** For the server's detector. */
  readonly silenceMs: number;
  readonly encoding: WireEncoding;
  /** A recogniser beside the model that writes down what the customer said; undefined: none. */
  readonly transcriptionModel: string | undefined;
}

/** What one family of realtime servers calls things and can do. Everything else is the same for all. */
export interface Dialect {
  readonly name: DialectName;
  /** A server event's name in the words of OpenAI's GA API. */
  readonly gaName: (type: string) => string;
  readonly session: (plan: SessionPlan) => object;
  readonly input: (encoding: WireEncoding) => WireFormat;
  readonly output: (encoding: WireEncoding) => WireFormat;
  /** Items of any kind can be written into the conversation: text of the customer, history after a reconnect. */
  readonly writesItems: boolean;
  /** What was not heard can be cut from what was said. */
  readonly truncates: boolean;
  /** The server ends a session after an hour or more; we begin another before. */
  readonly sessionMs: number;
  /** Said before the socket is closed. */
  readonly farewell: object | null;
}

const G711_RATE_HZ = 8_000;
const MINUTE_MS = 60_000;
const same = (type: string): string => type;

function gaFormat(encoding: WireEncoding): object {
  // GA wants the rate of PCM, also of the output, although there is only one.
  if (encoding === 'pcm16') return { type: 'audio/pcm', rate: 24_000 };
  return { type: encoding === 'mulaw' ? 'audio/pcmu' : 'audio/pcma' };
}

const gaWire = (encoding: WireEncoding): WireFormat => ({
  encoding,
  sampleRateHz: encoding === 'pcm16' ? 24_000 : G711_RATE_HZ,
});

function gaSession(plan: SessionPlan): object {
  const { instructions, tools, speaks, voice, turns, silenceMs, encoding, transcriptionModel, model } = plan;
  return {
    ...{ type: 'realtime', model, instructions, output_modalities: [speaks ? 'audio' : 'text'] },
    audio: {
      input: {
        format: gaFormat(encoding),
        turn_detection: turns === 'manual' ? null : { type: 'server_vad', silence_duration_ms: silenceMs },
        ...(transcriptionModel === undefined ? {} : { transcription: { model: transcriptionModel } }),
      },
      output: { format: gaFormat(encoding), ...(voice === undefined ? {} : { voice }) },
    },
    tools: tools.map(({ name, description, inputSchema: parameters }) => ({
      ...{ type: 'function', name, description, parameters },
    })),
    tool_choice: 'auto',
  };
}

function dashscopeSession(plan: SessionPlan): object {
  const { instructions, tools, speaks, voice, turns, silenceMs, transcriptionModel } = plan;
  return {
    // Audio alone is refused. Formats have one value each (16 kHz in, 24 kHz out), under names that have changed.
    ...{ modalities: speaks ? ['text', 'audio'] : ['text'], instructions },
    turn_detection: turns === 'manual' ? null : { type: 'server_vad', silence_duration_ms: silenceMs },
    ...(voice === undefined ? {} : { voice }),
    ...(transcriptionModel === undefined ? {} : { input_audio_transcription: { model: transcriptionModel } }),
    tools: tools.map(({ name, description, inputSchema: parameters }) => ({
      ...{ type: 'function', function: { name, description, parameters } },
    })),
  };
}

const BETA_NAMES: Readonly<Record<string, string>> = {
  'conversation.item.created': 'conversation.item.added',
  'response.text.delta': 'response.output_text.delta',
  'response.text.done': 'response.output_text.done',
  'response.audio.delta': 'response.output_audio.delta',
  'response.audio.done': 'response.output_audio.done',
  'response.audio_transcript.delta': 'response.output_audio_transcript.delta',
  'response.audio_transcript.done': 'response.output_audio_transcript.done',
};

const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  openai: {
    ...{ name: 'openai', gaName: same, session: gaSession, input: gaWire, output: gaWire },
    ...{ writesItems: true, truncates: true, sessionMs: 55 * MINUTE_MS, farewell: null },
  },
  dashscope: {
    name: 'dashscope',
    gaName: (type) => BETA_NAMES[type] ?? type,
    session: dashscopeSession,
    input: () => ({ encoding: 'pcm16', sampleRateHz: 16_000 }),
    output: () => ({ encoding: 'pcm16', sampleRateHz: 24_000 }),
    ...{ writesItems: false, truncates: false },
    // Older models end after 30 minutes, newer ones after 120.
    sessionMs: 25 * MINUTE_MS,
    farewell: { type: 'session.finish' },
  },
};

export function dialectOf(name: DialectName): Dialect {
  return DIALECTS[name];
}
