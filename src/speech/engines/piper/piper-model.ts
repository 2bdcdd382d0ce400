import type { PiperJob, PiperSpeech } from './piper-job.js';

/** The part of `onnxruntime-node` that is used here, so that the project compiles where that package is left out. */
interface Tensor {
  readonly data: ArrayLike<number | bigint>;
}
interface Session {
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor | undefined>>>;
  release(): Promise<void>;
}
interface Runtime {
  readonly InferenceSession: {
    create(modelPath: string, options: Readonly<Record<string, unknown>>): Promise<Session>;
  };
  readonly Tensor: new (type: string, data: Float32Array | BigInt64Array, shape: readonly number[]) => Tensor;
}

const PACKAGE = 'onnxruntime-node';
/** Voices that one thread keeps; each takes about twice its file's size. */
const MAX_SESSIONS = 2;

export async function loadRuntime(): Promise<Runtime> {
  const loaded = (await import(PACKAGE)) as Runtime & { readonly default?: Runtime };
  return loaded.default ?? loaded;
}

/**
 * Runs Piper's graph: `input` int64 [1, N], `input_lengths` int64 [1], `scales` float [noise, length, noise of durations], `sid`
 * int64 [1] where there are several speakers → the first output, float [1, 1, T] or [1, 1, 1, T]. Both noises are 0: they are
 * drawn inside the graph without a seed, and the same line must be the same bytes.
 */
export function createPiperModel(ort: Runtime): (job: PiperJob) => Promise<PiperSpeech> {
  // The key used longest ago comes first.
  const sessions = new Map<string, Session>();

  async function open(modelPath: string): Promise<Session> {
    const known = sessions.get(modelPath);
    if (known !== undefined) {
      sessions.delete(modelPath);
      sessions.set(modelPath, known);
      return known;
    }
    for (const [path, session] of sessions) {
      if (sessions.size < MAX_SESSIONS) break;
      sessions.delete(path);
      await session.release();
    }
    // One thread: the order of additions, and so the bytes, stay the same.
    const session = await ort.InferenceSession.create(modelPath, {
      ...{ intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 },
    });
    sessions.set(modelPath, session);
    return session;
  }

  const whole = (values: readonly number[], shape: readonly number[]): Tensor =>
    new ort.Tensor('int64', BigInt64Array.from(values, BigInt), shape);

  return async ({ modelPath, ids, lengthScale, speaker }) => {
    const session = await open(modelPath);
    const outputs = await session.run({
      input: whole(ids, [1, ids.length]),
      input_lengths: whole([ids.length], [1]),
      scales: new ort.Tensor('float32', Float32Array.of(0, lengthScale, 0), [3]),
      ...(speaker === null ? {} : { sid: whole([speaker], [1]) }),
    });
    const output = outputs[session.outputNames[0] ?? 'output'];
    if (output === undefined) throw new Error('the model gave no output; it is no Piper voice');
    return { amplitudes: Float32Array.from(output.data as ArrayLike<number>) };
  };
}
