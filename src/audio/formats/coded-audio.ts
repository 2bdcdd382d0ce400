import { spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import type { FfmpegCommand } from 'fluent-ffmpeg';
import { describeError } from '../../shared/index.js';
import { AudioFormatError, FfmpegMissingError } from '../errors.js';
import type { Pcm } from '../pcm.js';
import { AUDIO_FORMATS, type AudioFormat, type CodedFormat, sniffAudioFormat } from './audio-format.js';
import { stateFlacLength } from './flac-header.js';
import { decodeWav, encodeWav } from './wav.js';

/**
 * mp3, Opus (in Ogg) and FLAC through the program ffmpeg, driven by `fluent-ffmpeg`. A start of it costs about 0.2 s, so this is
 * for files, not for a live line. A file that was sent is hostile until proven otherwise: its format is told to ffmpeg rather than
 * guessed, only pipes may be opened (a playlist could name other files), and input, output and time are bounded.
 */
export interface CodedAudioOptions {
  /** From `findFfmpeg`; null refuses every format but WAV. */
  readonly ffmpegPath: string | null;
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const PROBE_TIMEOUT_MS = 20_000;
const MAX_INPUT_BYTES = 100_000_000;
const MAX_OUTPUT_BYTES = 100_000_000;
/** The longest recording that is read; the output limit at 48 kHz is above it. */
const MAX_SECONDS = 900;

/** What ffmpeg calls them. Opus knows five sample rates and ffmpeg converts to one of them. */
const CODECS: Readonly<
  Record<CodedFormat, { demuxer: string; muxer: string; encoder: string; bitrate: string | null }>
> = {
  mp3: { demuxer: 'mp3', muxer: 'mp3', encoder: 'libmp3lame', bitrate: '64k' },
  opus: { demuxer: 'ogg', muxer: 'ogg', encoder: 'libopus', bitrate: '32k' },
  flac: { demuxer: 'flac', muxer: 'flac', encoder: 'flac', bitrate: null },
};

const started = new Map<string, Promise<boolean>>();

/** Whether the program starts at all, asked once per path: `fluent-ffmpeg` throws where nobody can catch it when it does not. */
function starts(path: string): Promise<boolean> {
  let answer = started.get(path);
  if (answer === undefined) {
    answer = new Promise((resolve) => {
      const probe = spawn(path, ['-version'], {
        stdio: 'ignore',
        timeout: PROBE_TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      probe.once('error', () => resolve(false));
      probe.once('exit', (code) => resolve(code === 0));
    });
    started.set(path, answer);
  }
  return answer;
}

async function programFor(format: string, { ffmpegPath }: CodedAudioOptions): Promise<string> {
  if (ffmpegPath === null || !(await starts(ffmpegPath))) throw new FfmpegMissingError(format, ffmpegPath);
  return ffmpegPath;
}

/** Runs one conversion to its end; rejects with `AudioFormatError` when it fails, takes too long or gives too much. */
async function run(
  input: Uint8Array,
  timeoutMs: number,
  configure: (command: FfmpegCommand) => void,
): Promise<Uint8Array> {
  // Loaded when first needed: most runs never convert a file.
  const { default: ffmpeg } = await import('fluent-ffmpeg');
  return new Promise((resolve, reject) => {
    const source = Readable.from([input]);
    // fluent-ffmpeg takes a closed output for a failure when the program's exit is told more than 20 ms after it.
    const sink = new PassThrough({ emitClose: false });
    const parts: Uint8Array[] = [];
    let bytes = 0;
    let reason: string | null = null;
    const command = ffmpeg({ source, stdoutLines: 20 });
    configure(command);
    // Stopped while fluent-ffmpeg still asks the program what it can do: there is nothing to kill yet.
    command.on('start', () => {
      if (reason !== null) command.kill('SIGKILL');
    });
    const stop = (why: string): void => {
      reason ??= why;
      command.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop(`it took longer than ${timeoutMs} ms`), timeoutMs);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      source.destroy();
      finish();
    };
    sink.on('data', (part: Uint8Array) => {
      bytes += part.length;
      if (bytes > MAX_OUTPUT_BYTES) stop(`it came to more than ${MAX_OUTPUT_BYTES} bytes`);
      else parts.push(part);
    });
    command.on('error', (error: Error) => {
      settle(() =>
        reject(
          new AudioFormatError(
            `ffmpeg could not convert ${input.length} bytes: ${reason ?? firstLine(error)}`,
            error,
          ),
        ),
      );
    });
    command.on('end', () => {
      // Its own end can come before the last bytes have been read here.
      const finish = (): void => settle(() => resolve(Buffer.concat(parts)));
      if (sink.readableEnded) finish();
      else sink.once('end', finish);
    });
    command.pipe(sink, { end: true });
  });
}

function firstLine(error: Error): string {
  return describeError(error).split('\n')[0] ?? '';
}

/** PCM of shape [n] → a file of the given format. Throws `FfmpegMissingError` if that needs ffmpeg and there is none. */
export async function encodeAudio(
  pcm: Pcm,
  format: AudioFormat,
  options: CodedAudioOptions,
): Promise<Uint8Array> {
  if (format === 'wav') return encodeWav(pcm);
  const program = await programFor(format, options);
  const { muxer, encoder, bitrate } = CODECS[format];
  const coded = await run(encodeWav(pcm), options.timeoutMs ?? DEFAULT_TIMEOUT_MS, (command) => {
    command.setFfmpegPath(program).inputFormat('wav').inputOptions(['-protocol_whitelist', 'pipe']);
    // Bit-exact: no version or time of day in the file, so the same clip gives the same bytes with the same ffmpeg.
    command
      .audioCodec(encoder)
      .format(muxer)
      .outputOptions([
        '-map_metadata',
        '-1',
        '-fflags',
        '+bitexact',
        '-flags:a',
        '+bitexact',
        '-threads',
        '1',
      ]);
    if (bitrate !== null) command.outputOptions(['-b:a', bitrate]);
  });
  if (format === 'flac') stateFlacLength(coded, pcm);
  return coded;
}

/**
 * A file of any of the formats → mono 16-bit PCM at the file's own rate (Opus: 48 kHz). The format is read from its first bytes.
 * Throws `AudioFormatError` on rubbish, `FfmpegMissingError` if the format needs ffmpeg and there is none.
 */
export async function decodeAudio(bytes: Uint8Array, options: CodedAudioOptions): Promise<Pcm> {
  if (bytes.length > MAX_INPUT_BYTES)
    throw new AudioFormatError(
      `an audio file may have ${MAX_INPUT_BYTES} bytes; this one has ${bytes.length}`,
    );
  const format = sniffAudioFormat(bytes);
  if (format === null)
    throw new AudioFormatError(
      `expected ${AUDIO_FORMATS.join(', ')}; these ${bytes.length} bytes start like none of them`,
    );
  if (format === 'wav') return decodeWav(bytes);
  const program = await programFor(format, options);
  const wav = await run(bytes, options.timeoutMs ?? DEFAULT_TIMEOUT_MS, (command) => {
    command.setFfmpegPath(program).inputFormat(CODECS[format].demuxer);
    command.inputOptions(['-protocol_whitelist', 'pipe', '-t', String(MAX_SECONDS), '-vn', '-sn', '-dn']);
    command
      .audioCodec('pcm_s16le')
      .audioChannels(1)
      .format('wav')
      .outputOptions(['-threads', '1', '-fflags', '+bitexact']);
  });
  const pcm = decodeWav(wav);
  if (pcm.samples.length === 0)
    throw new AudioFormatError(`there is no audio in these ${bytes.length} bytes of ${format}`);
  return pcm;
}
