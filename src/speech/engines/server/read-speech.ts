import { decodeWav, type Pcm, sniffAudioFormat } from '../../../audio/index.js';
import { describeError } from '../../../shared/index.js';
import { SpeechServerError } from '../../errors.js';

/** About 20 minutes at 24 kHz; a bound against servers that never stop. */
const MAX_AUDIO_BYTES = 60_000_000;
const DEFAULT_RATE_HZ = 24_000;
const QUOTE_CHARS = 200;
/** Sizes from here on are what a stream writes that does not know its length. */
const UNKNOWN_SIZE = 0x7fff_0000;

/** All of an answer, or a retryable `SpeechServerError` when the line breaks. `look` sees each piece as it comes. */
export async function readBody(
  response: Response,
  url: string,
  look: (chunk: Uint8Array) => void = () => undefined,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      const chunk = part as Uint8Array;
      bytes += chunk.length;
      if (bytes > MAX_AUDIO_BYTES)
        throw new SpeechServerError(`${url} sent more than ${MAX_AUDIO_BYTES} bytes for one line`, {
          retryable: false,
        });
      parts.push(chunk);
      look(chunk);
    }
  } catch (error) {
    if (error instanceof SpeechServerError) throw error;
    throw new SpeechServerError(`${url} broke off after ${bytes} bytes: ${describeError(error)}`, {
      retryable: true,
      cause: error,
    });
  }
  return Buffer.concat(parts);
}

/** The start of an answer that is no audio, for a message. */
export function quote(bytes: Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes.subarray(0, QUOTE_CHARS)).toString('utf8'));
}

function checkWhole(bytes: Uint8Array, url: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stated = bytes.length >= 8 ? view.getUint32(4, true) : 0;
  if (stated === 0 || stated >= UNKNOWN_SIZE || stated + 8 <= bytes.length) return;
  throw new SpeechServerError(
    `${url} sent ${bytes.length} bytes of a WAV file that should have ${stated + 8}`,
    { retryable: true },
  );
}

/** Samples without a header. An odd last byte is half a sample and dropped; chunks may have been split anywhere before. */
function headerless(bytes: Uint8Array, sampleRateHz: number): Pcm {
  const samples = new Int16Array(Math.floor(bytes.length / 2));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < samples.length; i += 1) samples[i] = view.getInt16(2 * i, true);
  return { samples, sampleRateHz };
}

/** How many of an answer's first bytes tell what it is. */
export const TELLING_BYTES = 32;
const NOT_AUDIO = /^(text\/|application\/(json|xml|problem))/i;

/**
 * The audio of an answer. Its format is told by its first bytes, whatever was asked for; the rate is the file's own, else the MIME
 * type's (`audio/pcm;rate=22050`), else the configured one, else 24 kHz.
 */
export function readSpeech(
  bytes: Uint8Array,
  { contentType, sampleRateHz, url }: { contentType: string; sampleRateHz: number | undefined; url: string },
): Pcm {
  const kind = tellKind(bytes, contentType);
  if (kind === 'text')
    throw new SpeechServerError(
      `${url} sent ${contentType || 'something'} instead of audio: ${quote(bytes)}`,
      {
        retryable: false,
      },
    );
  if (kind === 'wav') {
    checkWhole(bytes, url);
    return decodeWav(bytes);
  }
  if (kind !== 'samples')
    throw new SpeechServerError(
      `${url} sent ${kind}; set "format" to "wav" or "pcm" in the voice file, if the server can`,
      { retryable: false },
    );
  return headerless(bytes, headerlessRateHz(contentType, sampleRateHz));
}

/** What an answer is, by its first bytes and, where they may mean two things, its MIME type. */
export function tellKind(bytes: Uint8Array, contentType: string) {
  const format = sniffAudioFormat(bytes);
  const start = Buffer.from(bytes.subarray(0, TELLING_BYTES)).toString('latin1');
  if (format === null) return NOT_AUDIO.test(contentType) || /^\s*[<{[]/.test(start) ? 'text' : 'samples';
  // Headerless samples may begin like an MPEG frame, so the MIME type decides between these two.
  return format === 'mp3' && /pcm|l16|octet-stream|x-raw|^$/i.test(contentType) ? 'samples' : format;
}

/** Of samples without a header: as the MIME type says, else the voice file. */
export function headerlessRateHz(contentType: string, configuredHz: number | undefined): number {
  const stated = /rate\s*=\s*"?(\d{4,6})/i.exec(contentType)?.[1];
  return stated === undefined ? (configuredHz ?? DEFAULT_RATE_HZ) : Number(stated);
}

/** Slower or quicker than anybody speaks: a wrong rate, or half of the audio. */
const FEWEST_LETTERS_PER_S = 3;
const MOST_LETTERS_PER_S = 40;
const JUDGED_LETTERS = 30;

const lettersIn = (spoken: string): number => spoken.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
/** Pauses around and in a line. */
const SPARE_S = 60;

/** Whatever is said, also in a short text, a server that goes on for longer than this does not say it. */
export function createLengthCheck(spoken: string, { stretch, url }: PaceOptions): (seconds: number) => void {
  const most = SPARE_S + (lettersIn(spoken) / FEWEST_LETTERS_PER_S) * stretch;
  return (seconds) => {
    if (seconds <= most) return;
    throw new SpeechServerError(
      `${url} sent more than ${Math.floor(most)} s of audio for ${lettersIn(spoken)} letters: a wrong rate, or a server that does not stop`,
      { retryable: false },
    );
  };
}

interface PaceOptions {
  readonly stretch: number;
  readonly url: string;
}

/** Throws a `SpeechServerError` when the audio cannot be this text. Short texts are not judged. */
export function checkPace(pcm: Pcm, spoken: string, { stretch, url }: PaceOptions): void {
  const letters = lettersIn(spoken);
  if (letters < JUDGED_LETTERS) return;
  const seconds = pcm.samples.length / pcm.sampleRateHz;
  const perSecond = (letters / seconds) * stretch;
  if (perSecond >= FEWEST_LETTERS_PER_S && perSecond <= MOST_LETTERS_PER_S) return;
  throw new SpeechServerError(
    `${url} sent ${seconds.toFixed(2)} s of audio at ${pcm.sampleRateHz} Hz for ${letters} letters; nobody speaks like that: ` +
      'a wrong rate ("sampleRateHz" in the voice file), or only a part of it',
    { retryable: false },
  );
}
