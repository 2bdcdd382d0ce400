import { z } from 'zod';

/**
 * The conditions of a line: what happens to clean speech between a mouth and the far end of a telephone. Every part may be null
 * (off). Names, defaults and numbers follow tau-voice of tau2-bench; what it has no word for (level, reverberation, clipping) is
 * our own. docs/speech.md says what each does.
 */
export const BED_KINDS = ['babble', 'tv-news', 'street', 'metro', 'music', 'pink'] as const;
export type BedKind = (typeof BED_KINDS)[number];
export const BURST_KINDS = ['phone-ring', 'dog-bark', 'car-horn', 'engine', 'siren'] as const;
export type BurstKind = (typeof BURST_KINDS)[number];
export const TIC_KINDS = ['cough', 'sneeze', 'sniffle'] as const;
export type TicKind = (typeof TIC_KINDS)[number];

const chance = z.number().min(0).max(1);
const snrDb = z.number().min(-30).max(60);
const frequencyHz = z.number().min(20).max(20_000);

const environmentSchema = z.strictObject({
  name: z.string().min(1).max(40),
  beds: z.array(z.enum(BED_KINDS)).max(8),
  bursts: z.array(z.enum(BURST_KINDS)).max(8),
});

export const conditionsSchema = z.strictObject({
  name: z.string().min(1).max(60),
  /** One is drawn per episode. */
  environments: z.array(environmentSchema).max(8),
  /** Speech is brought to this level before anything is mixed in: RMS over active frames, in steps of 16-bit samples. */
  level: z.strictObject({ activeRms: z.number().min(10).max(10_000) }).nullable(),
  /** Coughs and the like inside a line, at a pause. */
  tics: z
    .strictObject({
      chance,
      minWords: z.int().min(0).max(100),
      kinds: z.array(z.enum(TIC_KINDS)).min(1).max(8),
    })
    .nullable(),
  /** Coughs and words said to somebody else, after the line. */
  inserts: z
    .strictObject({
      chance,
      kinds: z.array(z.enum(TIC_KINDS)).max(8),
      /** Spoken by the customer's own voice, turned away from the telephone: dull above `cutoffHz`. */
      phrases: z.array(z.string().min(1).max(100)).max(40),
      cutoffHz: frequencyHz,
    })
    .nullable(),
  /** A hand over the microphone: everything above `cutoffHz` is gone for a while (Butterworth, fourth order). */
  muffling: z
    .strictObject({
      chance,
      segments: z.int().min(1).max(10),
      durationMs: z.int().min(20).max(10_000),
      transitionMs: z.int().min(0).max(1000),
      cutoffHz: frequencyHz,
    })
    .nullable(),
  /** A room: reverberation time to -60 dB, and how far the direct sound stands above it. */
  reverberation: z
    .strictObject({ rt60Ms: z.int().min(50).max(3000), directToReverberantDb: z.number().min(-20).max(40) })
    .nullable(),
  /** A steady background, its level drifting by up to `driftDb` around `snrDb`, so many swings a second. */
  bed: z
    .strictObject({
      snrDb,
      driftDb: z.number().min(0).max(20),
      variationHz: z.number().min(0.01).max(10),
    })
    .nullable(),
  /** Single loud events, on average so many a minute, each at its own SNR from the range. */
  bursts: z
    .strictObject({ perMinute: z.number().min(0).max(120), snrDb: z.tuple([snrDb, snrDb]) })
    .nullable(),
  /** An overdriven microphone: peaks stand this far above what it can take. */
  clipping: z.strictObject({ driveDb: z.number().min(0).max(40) }).nullable(),
  /** A telephone's band, headroom (share of full scale) and 8 kHz G.711 µ-law. */
  telephony: z
    .strictObject({ lowHz: frequencyHz, highHz: frequencyHz, headroom: z.number().min(0.1).max(1) })
    .nullable(),
  /** Gilbert-Elliott: chunks are lost only in a bad state, `lossRate` of all in the long run; of a lost chunk `lossMs` are silent. */
  packetLoss: z
    .strictObject({
      lossRate: chance,
      badStateLoss: z.number().min(0.01).max(1),
      meanBurstMs: z.number().min(1).max(10_000),
      chunkMs: z.int().min(5).max(1000),
      lossMs: z.int().min(1).max(1000),
    })
    .nullable(),
});

export type Conditions = z.infer<typeof conditionsSchema>;

/** One thing that was done to a line. Positions are samples of the finished clip, end not included. */
const span = { startSample: z.int().nonnegative(), endSample: z.int().nonnegative() };
const seed = z.int().nonnegative();
const referenceRms = z.number().nonnegative();
const sha256 = z.string().length(64);
const entry = <K extends string, P extends z.ZodRawShape>(kind: K, parameters: P) =>
  z.strictObject({ kind: z.literal(kind), ...span, parameters: z.strictObject(parameters) });

export const timelineEntrySchema = z.discriminatedUnion('kind', [
  entry('level', { gain: z.number() }),
  entry('tic', { tic: z.enum(TIC_KINDS), seed, referenceRms }),
  entry('tail', {}),
  entry('insert', { tic: z.enum(TIC_KINDS), seed, referenceRms }),
  entry('aside', { phrase: z.string(), sha256, cutoffHz: z.number(), gain: z.number() }),
  entry('muffling', { cutoffHz: z.number(), transitionSamples: z.int().nonnegative() }),
  entry('reverberation', { rt60Ms: z.number(), directToReverberantDb: z.number(), seed }),
  entry('bed', {
    bed: z.enum(BED_KINDS),
    seed,
    snrDb: z.number(),
    driftDb: z.number(),
    variationHz: z.number(),
    referenceRms,
    /** Of the voices that babble is made from, or null. */
    voicesSha256: sha256.nullable(),
  }),
  entry('burst', { burst: z.enum(BURST_KINDS), seed, snrDb: z.number(), referenceRms }),
  entry('clipping', { driveDb: z.number() }),
  entry('telephony', { lowHz: z.number(), highHz: z.number(), headroom: z.number() }),
  entry('packet-loss', {}),
]);
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
export type EntryOf<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>;

export const lineTimelineSchema = z.strictObject({
  format: z.literal(1),
  sampleRateHz: z.int().min(8000).max(48_000),
  /** Samples of the clean clip. */
  cleanSamples: z.int().nonnegative(),
  /** In the order in which they were applied. */
  entries: z.array(timelineEntrySchema).max(10_000),
});
/** All that was done to a clean clip; with it and the same voices the clip can be made again, bit for bit. */
export type LineTimeline = z.infer<typeof lineTimelineSchema>;
