import { createResampler, readWavHead } from '../../../audio/index.js';
import type { TakeSamples } from '../../synthesizer.js';
import { CLIP_RATE_HZ, SILENCE_RMS } from '../audible-clip.js';
import { headerlessRateHz, TELLING_BYTES, tellKind } from './read-speech.js';

/** A header that is longer is not waited for: the line goes out when it is whole. */
const MAX_HEAD_BYTES = 65_536;
const FULL_SCALE = 32_768;
const PCM = 1;
const MIN_RATE_HZ = 1000;
const MAX_RATE_HZ = 384_000;

interface Layout {
  readonly sampleRateHz: number;
  readonly start: number;
  /** Null: all that follows. */
  readonly bytes: number | null;
}

/** A rate that cannot be converted is for `readSpeech` to complain about. */
function streamed(layout: Layout): Layout | 'whole' {
  return layout.sampleRateHz >= MIN_RATE_HZ && layout.sampleRateHz <= MAX_RATE_HZ ? layout : 'whole';
}

/** Where the samples of an answer are; 'whole' when only all of it can tell, null when more of it will. */
function tellLayout(head: Uint8Array, contentType: string, configuredHz: number | undefined) {
  if (head.length < TELLING_BYTES) return null;
  const kind = tellKind(head, contentType);
  if (kind === 'samples')
    return streamed({ sampleRateHz: headerlessRateHz(contentType, configuredHz), start: 0, bytes: null });
  if (kind !== 'wav') return 'whole';
  const wav = readWavHead(head);
  if (wav === null) return head.length < MAX_HEAD_BYTES ? null : 'whole';
  const { format, channels, bitsPerSample, sampleRateHz, dataStart: start, dataBytes: bytes } = wav;
  const isPlain = format === PCM && channels === 1 && bitsPerSample === 16;
  return isPlain ? streamed({ sampleRateHz, start, bytes }) : 'whole';
}

/** Whole samples out of bytes that are split anywhere. */
function createSampleReader({ bytes }: Layout): (chunk: Uint8Array) => Int16Array {
  let left = bytes ?? Number.POSITIVE_INFINITY;
  let half: Uint8Array = new Uint8Array(0);
  return (chunk) => {
    const wanted = chunk.subarray(0, Math.min(chunk.length, left));
    left -= wanted.length;
    const joined = Buffer.concat([half, wanted]);
    const samples = new Int16Array(Math.floor(joined.length / 2));
    for (let at = 0; at < samples.length; at += 1) samples[at] = joined.readInt16LE(2 * at);
    half = joined.subarray(2 * samples.length);
    return samples;
  };
}

/** Keeps back what comes until something can be heard in it: a line that is silent is an error, and silence may come first. */
function createSilenceGate(): (samples: Int16Array) => readonly Int16Array[] {
  let kept: Int16Array[] | null = [];
  let squares = 0;
  let count = 0;
  return (samples) => {
    if (kept === null) return [samples];
    for (const sample of samples) squares += sample * sample;
    count += samples.length;
    kept.push(samples);
    if (count === 0 || Math.sqrt(squares / count) / FULL_SCALE < SILENCE_RMS) return [];
    const released = kept;
    kept = null;
    return released;
  };
}

/**
 * Reads an answer while it comes and hands over what will be the beginning of its clip. Nothing is handed over of what is no speech,
 * nor of a WAV file other than 16-bit mono; `readSpeech` judges the whole in any case.
 */
export function createSpeechPieces({
  contentType,
  sampleRateHz,
  take,
}: {
  readonly contentType: string;
  readonly sampleRateHz: number | undefined;
  readonly take: TakeSamples;
}): (chunk: Uint8Array) => void {
  let head: Uint8Array = new Uint8Array(0);
  let next: ((chunk: Uint8Array) => void) | null = null;

  const openSamples = (layout: Layout): ((chunk: Uint8Array) => void) => {
    const read = createSampleReader(layout);
    const pass = createSilenceGate();
    const rateHz = layout.sampleRateHz;
    const resampler = rateHz === CLIP_RATE_HZ ? null : createResampler(rateHz, CLIP_RATE_HZ);
    return (chunk) => {
      for (const samples of pass(read(chunk))) {
        const made = resampler === null ? samples : resampler.push(samples);
        if (made.length > 0) take(made, CLIP_RATE_HZ);
      }
    };
  };

  return (chunk) => {
    if (next !== null) return next(chunk);
    head = Buffer.concat([head, chunk]);
    const layout = tellLayout(head, contentType, sampleRateHz);
    if (layout === null) return;
    next = layout === 'whole' ? () => undefined : openSamples(layout);
    if (layout !== 'whole') next(head.subarray(layout.start));
    head = new Uint8Array(0);
  };
}
