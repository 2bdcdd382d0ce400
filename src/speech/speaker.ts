import { type LineTimeline, pcmDurationMs } from '../audio/index.js';
import { canonicalJson, createRandom, deriveSeed, sha256Hex } from '../shared/index.js';
import { createClipCache } from './clip-cache.js';
import { createClipFiles, type StoredClip } from './clip-files.js';
import { createFliteSynthesizer } from './engines/flite/flite-synthesizer.js';
import { SpeechClosedError, SynthesisWorkerError, VoiceFileError } from './errors.js';
import type { GrowingClip } from './growing-clip.js';
import { toSpokenForm } from './spoken-form/spoken-form.js';
import type { Clip, SynthesisRequest, Synthesizer, Voice } from './synthesizer.js';
import { defaultVoicesDir, loadVoices } from './voices.js';
import type { WordTime } from './word-times.js';

/** What the sandbox calls: written line in, clip with both forms out. Cached by content. */
export interface SpokenLine {
  readonly written: string;
  readonly spoken: string;
  readonly clip: Clip;
  /** SHA-256 of the clip's WAV file, which is also its name in the audio folder. */
  readonly sha256: string;
  readonly durationMs: number;
  readonly voiceId: string;
  /** When each word of the spoken form is heard in `clip`; absent: the engine cannot tell. */
  readonly words?: readonly WordTime[];
  /** Under conditions that changed the line: what was said before they did. `clip` is what is heard. */
  readonly clean?: { readonly clip: Clip; readonly sha256: string };
  /** With it and the clean clip, what is heard can be made again. */
  readonly timeline?: LineTimeline;
}

/** A line whose sound is still being made. */
export interface GrowingLine {
  readonly growing: GrowingClip;
  /** What `speak` gives, once it is whole. Rejects with `SpeechBrokenOffError` when it cannot be finished. */
  readonly whole: Promise<SpokenLine>;
}

/** Where a line stands; what chance does to it follows from this. */
export interface LinePlace {
  /** Of the episode. */
  readonly seed: number;
  /** Counts the customer's utterances from 0. */
  readonly utterance: number;
}

export interface Speaker {
  readonly voices: readonly Voice[];
  /** The voice of an episode, chosen by seed from those whose file does not say `"cast": false`. */
  chooseVoice(seed: number): Voice;
  /** Engine, version and whatever else this voice's bytes depend on. Rejects with `VoiceNeedsError` if something is missing. */
  identify(voice: Voice): Promise<string>;
  /** Same text, voice and place, same bytes. Rejects with `SynthesisError` when there is nothing to say. */
  speak(written: string, voice: Voice, place?: LinePlace): Promise<SpokenLine>;
  /**
   * The same line, and if it has to be made by an engine that streams: as soon as there is something to hear of it. Absent where lines
   * are heard under conditions, which need the whole.
   */
  stream?(written: string, voice: Voice, place?: LinePlace): Promise<SpokenLine | GrowingLine>;
  /** The speaker of one task's episodes, where tasks have conditions of their own; absent: this one. */
  forTask?(task: string): Speaker;
  /** Safe twice; closes the engine, also one that was handed in. */
  close(): Promise<void>;
}

interface SpeakerOptions {
  /** The embedded flite unless given. */
  readonly engine?: Synthesizer;
  /** Folder of voice files; the package's own `voices/` unless given. */
  readonly voicesDir?: string;
  /** Clips are also kept here, for the next run; in memory only unless given. */
  readonly cacheDir?: string;
  /** Threads of the embedded engine; 2 unless given. */
  readonly workers?: number;
  /** Of clips kept in memory; 64 MB unless given. */
  readonly maxMemoryBytes?: number;
}

const MAX_MEMORY_BYTES = 64_000_000;
/** Part of every cache key: a change in how clips are made from the same request raises it. */
const CLIP_FORMAT = 2;

function clipKey(identity: string, { spoken, voice }: SynthesisRequest): string {
  const { engineVoice, durationStretch, pitchMeanHz } = voice;
  return sha256Hex(
    canonicalJson({
      format: CLIP_FORMAT,
      engine: identity,
      engineVoice,
      durationStretch,
      pitchMeanHz,
      spoken,
    }),
  );
}

/** A worker that died is replaced at once, so the line gets a second chance before the episode fails. */
async function synthesizeWithRetry(engine: Synthesizer, request: SynthesisRequest): Promise<Clip> {
  try {
    return await engine.synthesize(request);
  } catch (error) {
    if (!(error instanceof SynthesisWorkerError)) throw error;
    return engine.synthesize(request);
  }
}

/** Those that a seed may choose. Throws `VoiceFileError` if there is none. */
function castOf(voices: readonly Voice[], voicesDir: string): readonly Voice[] {
  const cast = voices.filter((voice) => voice.cast !== false);
  if (cast.length > 0) return cast;
  throw new VoiceFileError(`every voice in ${voicesDir} has "cast": false; a customer needs at least one`);
}

/** Throws `VoiceFileError` if the voices cannot be read, `SynthesisError` if the engine cannot be loaded. */
export async function createSpeaker(options: SpeakerOptions = {}): Promise<Speaker> {
  const { voicesDir = defaultVoicesDir(), cacheDir, workers, maxMemoryBytes = MAX_MEMORY_BYTES } = options;
  const voices = await loadVoices(voicesDir);
  const engine = options.engine ?? (await createFliteSynthesizer(workers === undefined ? {} : { workers }));
  const cache = createClipCache({
    files: cacheDir === undefined ? null : createClipFiles(cacheDir),
    maxMemoryBytes,
  });
  const cast = castOf(voices, voicesDir);
  // Asked once for each voice; what fails is asked again.
  const identities = new Map<string, Promise<string>>();
  const identify = async (voice: Voice): Promise<string> => {
    const asked = identities.get(voice.id) ?? engine.identify?.(voice);
    if (asked === undefined) return engine.name;
    identities.set(voice.id, asked);
    try {
      return await asked;
    } catch (error) {
      identities.delete(voice.id);
      throw error;
    }
  };
  let closed = false;
  const prepare = async (written: string, voice: Voice) => {
    if (closed) throw new SpeechClosedError();
    const request = { spoken: toSpokenForm(written), voice };
    const finish = ({ clip, sha256 }: StoredClip): SpokenLine => ({
      ...{ written, spoken: request.spoken, clip, sha256 },
      ...{ durationMs: pcmDurationMs(clip), voiceId: voice.id },
      ...(clip.words === undefined ? {} : { words: clip.words }),
    });
    return { request, finish, key: clipKey(await identify(voice), request) };
  };
  return {
    voices,
    identify,
    chooseVoice: (seed) => createRandom(deriveSeed('voice', seed)).pick(cast),
    async speak(written, voice) {
      const { request, finish, key } = await prepare(written, voice);
      return finish(await cache.get(key, () => synthesizeWithRetry(engine, request)));
    },
    async stream(written, voice) {
      const { request, finish, key } = await prepare(written, voice);
      const opened = await cache.open(
        key,
        (take) => engine.stream?.(request, take) ?? synthesizeWithRetry(engine, request),
      );
      if ('clip' in opened) return finish(opened);
      const whole = opened.whole.then(finish);
      // Who follows the sound is told as well; a line that nobody wants any more fails in silence.
      whole.catch(() => undefined);
      return { growing: opened.growing, whole };
    },
    close() {
      closed = true;
      return engine.close();
    },
  };
}
