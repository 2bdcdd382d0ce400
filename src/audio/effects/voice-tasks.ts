import { z } from 'zod';
import { ConditionsError } from '../errors.js';
import type { BedKind, BurstKind, Conditions, TicKind } from './conditions.js';
import { parseConditions } from './presets.js';

/** What each recording of tau-voice is here; its file names, without the ending. */
const BEDS: Readonly<Record<string, BedKind>> = {
  people_talking: 'babble',
  medium_size_room_tv_news_iphone_mic: 'tv-news',
  busy_street_iphone_mic: 'street',
  street_and_metro_station_iphone_mic: 'metro',
};
const BURSTS: Readonly<Record<string, BurstKind>> = {
  ringing_phone: 'phone-ring',
  dog_bark: 'dog-bark',
  car_horn: 'car-horn',
  engine_idling: 'engine',
  siren: 'siren',
};
const TICS: readonly TicKind[] = ['cough', 'sneeze', 'sniffle'];

/** tau-voice's own constants, which its task file does not carry. */
const TURNS_PER_MINUTE = 10;
const MUTTERED_CUTOFF_HZ = 1000;
const SPEECH_REFERENCE_RMS = 3000;
const BAD_STATE_LOSS = 0.2;
const CHUNK_MS = 200;
const TELEPHONE = { lowHz: 300, highHz: 3400, headroom: 0.9 };

const phraseSchema = z.object({ text: z.string().max(200), type: z.string() });

const configSchema = z.object({
  persona_name: z.string(),
  background_noise_file: z.string().nullable(),
  burst_noise_files: z.array(z.string()),
  environment: z.string().nullable(),
  telephony_enabled: z.boolean(),
  channel_effects_config: z.object({
    enable_frame_drops: z.boolean(),
    frame_drop_rate: z.number(),
    frame_drop_burst_duration_ms: z.number(),
    frame_drop_duration_ms: z.number(),
  }),
  source_effects_config: z.object({
    enable_background_noise: z.boolean(),
    noise_snr_db: z.number(),
    noise_snr_drift_db: z.number(),
    noise_variation_speed: z.number(),
    enable_burst_noise: z.boolean(),
    burst_noise_events_per_minute: z.number(),
    burst_snr_range_db: z.tuple([z.number(), z.number()]),
  }),
  speech_effects_config: z.object({
    enable_dynamic_muffling: z.boolean(),
    muffle_probability: z.number(),
    muffle_segment_count: z.number(),
    muffle_segment_duration_ms: z.number(),
    muffle_cutoff_freq: z.number(),
    muffle_transition_ms: z.number(),
    enable_vocal_tics: z.boolean(),
    vocal_tics: z.array(phraseSchema),
    min_words_for_vocal_tics: z.number(),
    enable_non_directed_phrases: z.boolean(),
    non_directed_phrases: z.array(phraseSchema),
    speech_insert_events_per_minute: z.number(),
  }),
});
type VoiceConfig = z.infer<typeof configSchema>;

const voiceTasksSchema = z.object({
  base_seed: z.int().nonnegative(),
  configs: z.record(z.string(), z.object({ configs: z.record(z.string(), configSchema) })),
});

/** What tau-voice's task file says of one task at one complexity. */
export interface VoiceTask {
  readonly conditions: Conditions;
  readonly personaName: string;
}

export interface VoiceTasks {
  readonly baseSeed: number;
  readonly taskIds: readonly string[];
  /** Throws `ConditionsError` when the file has no such task or complexity. */
  find(taskId: string, complexity: string): VoiceTask;
}

function soundOf<T>(sounds: Readonly<Record<string, T>>, file: string): T {
  const sound = sounds[file.replace(/\.wav$/, '')];
  if (sound !== undefined) return sound;
  throw new ConditionsError(
    `the sound '${file}' is not known; known are ${Object.keys(sounds)
      .map((name) => `${name}.wav`)
      .join(', ')}`,
  );
}

/** "[cough][cough]" → cough. */
function ticsOf(texts: readonly { text: string }[]): TicKind[] {
  return TICS.filter((tic) => texts.some(({ text }) => text.includes(`[${tic}]`)));
}

function conditionsOf(config: VoiceConfig, name: string): Conditions {
  const {
    channel_effects_config: channel,
    source_effects_config: source,
    speech_effects_config: speech,
  } = config;
  const chance = Math.min(0.5, speech.speech_insert_events_per_minute / TURNS_PER_MINUTE);
  const kinds = speech.enable_vocal_tics ? ticsOf(speech.vocal_tics) : [];
  const phrases = speech.enable_non_directed_phrases
    ? speech.non_directed_phrases.map(({ text }) => text)
    : [];
  const hasBed = source.enable_background_noise && config.background_noise_file !== null;
  const hasBursts =
    source.enable_burst_noise &&
    source.burst_noise_events_per_minute > 0 &&
    config.burst_noise_files.length > 0;
  const environment = {
    name: config.environment ?? 'anywhere',
    beds: hasBed ? [soundOf(BEDS, config.background_noise_file ?? '')] : [],
    bursts: hasBursts ? config.burst_noise_files.map((file) => soundOf(BURSTS, file)) : [],
  };
  return parseConditions({
    name,
    environments: hasBed || hasBursts ? [environment] : [],
    level: { activeRms: SPEECH_REFERENCE_RMS },
    tics:
      chance > 0 && kinds.length > 0 ? { chance, minWords: speech.min_words_for_vocal_tics, kinds } : null,
    inserts:
      chance > 0 && kinds.length + phrases.length > 0
        ? { chance, kinds, phrases, cutoffHz: MUTTERED_CUTOFF_HZ }
        : null,
    muffling:
      speech.enable_dynamic_muffling && speech.muffle_probability > 0
        ? {
            chance: speech.muffle_probability,
            segments: speech.muffle_segment_count,
            durationMs: speech.muffle_segment_duration_ms,
            transitionMs: speech.muffle_transition_ms,
            cutoffHz: speech.muffle_cutoff_freq,
          }
        : null,
    bed: hasBed
      ? {
          snrDb: source.noise_snr_db,
          driftDb: source.noise_snr_drift_db,
          variationHz: source.noise_variation_speed,
        }
      : null,
    bursts: hasBursts
      ? { perMinute: source.burst_noise_events_per_minute, snrDb: source.burst_snr_range_db }
      : null,
    telephony: config.telephony_enabled ? TELEPHONE : null,
    packetLoss:
      channel.enable_frame_drops && channel.frame_drop_rate > 0
        ? {
            lossRate: channel.frame_drop_rate,
            badStateLoss: BAD_STATE_LOSS,
            meanBurstMs: channel.frame_drop_burst_duration_ms,
            chunkMs: CHUNK_MS,
            lossMs: channel.frame_drop_duration_ms,
          }
        : null,
  });
}

/** Reads tau2-bench's `tasks_voice.json` as it is. Throws `ConditionsError` on anything else. */
export function readVoiceTasks(json: unknown): VoiceTasks {
  const parsed = voiceTasksSchema.safeParse(json);
  if (!parsed.success)
    throw new ConditionsError(
      `this is no tasks_voice.json of tau2-bench: ${z.prettifyError(parsed.error).slice(0, 400)}`,
    );
  const { base_seed: baseSeed, configs } = parsed.data;
  return {
    baseSeed,
    taskIds: Object.keys(configs),
    find(taskId, complexity) {
      const task = configs[taskId]?.configs;
      if (task === undefined) throw new ConditionsError(`the voice tasks have no task '${taskId}'`);
      const config = task[complexity];
      if (config === undefined)
        throw new ConditionsError(
          `task '${taskId}' has no complexity '${complexity}'; it has ${Object.keys(task).join(', ')}`,
        );
      return { conditions: conditionsOf(config, complexity), personaName: config.persona_name };
    },
  };
}
