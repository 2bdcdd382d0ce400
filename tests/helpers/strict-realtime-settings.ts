import type { DashscopeSession, GaSession } from './strict-realtime-rules.js';

/** What of a session decides how it behaves, whatever the dialect calls it. */
export interface SessionSettings {
  readonly instructions: string;
  readonly tools: readonly string[];
  readonly speaks: boolean;
  readonly voice: string | null;
  readonly inputFormat: 'pcm24' | 'pcm16' | 'pcmu' | 'pcma';
  readonly outputFormat: 'pcm24' | 'pcm16' | 'pcmu' | 'pcma';
  readonly vad: {
    readonly silenceMs: number;
    readonly creates: boolean;
    readonly interrupts: boolean;
  } | null;
  readonly transcribes: boolean;
}

const PCM = { 'audio/pcm': 'pcm24', 'audio/pcmu': 'pcmu', 'audio/pcma': 'pcma' } as const;

export function mergeSettings(old: SessionSettings, session: GaSession | DashscopeSession): SessionSettings {
  const isGa = 'type' in session;
  const input = isGa ? session.audio?.input : undefined;
  const output = isGa ? session.audio?.output : undefined;
  const turns = isGa ? input?.turn_detection : session.turn_detection;
  const transcription = isGa ? input?.transcription : session.input_audio_transcription;
  const modalities = isGa ? session.output_modalities : session.modalities;
  return {
    instructions: session.instructions ?? old.instructions,
    tools:
      session.tools?.map((entry) => ('function' in entry ? entry.function.name : entry.name)) ?? old.tools,
    speaks: modalities?.includes('audio') ?? old.speaks,
    voice: (isGa ? output?.voice : session.voice) ?? old.voice,
    inputFormat: input?.format === undefined ? old.inputFormat : PCM[input.format.type],
    outputFormat: output?.format === undefined ? old.outputFormat : PCM[output.format.type],
    vad:
      turns === undefined
        ? old.vad
        : turns === null
          ? null
          : {
              silenceMs: ('silence_duration_ms' in turns ? turns.silence_duration_ms : undefined) ?? 500,
              creates: turns.create_response ?? true,
              interrupts: turns.interrupt_response ?? true,
            },
    transcribes: transcription === undefined ? old.transcribes : transcription !== null,
  };
}
