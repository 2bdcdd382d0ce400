import type { GraphInput, GraphJob, GraphSpeech } from './graph-job.js';

/** The part of `onnxruntime-node` that is used here, so that the project compiles where that package is left out. */
interface Tensor {
  readonly data: ArrayLike<number | bigint>;
}
interface Session {
  readonly inputNames: readonly string[];
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
/** Models that one thread keeps; each takes about twice its file's size. */
const MAX_SESSIONS = 2;

export async function loadRuntime(): Promise<Runtime> {
  const loaded = (await import(PACKAGE)) as Runtime & { readonly default?: Runtime };
  return loaded.default ?? loaded;
}

/** Runs a voice's graph: the job's inputs → the first output, whatever its shape, as one row of amplitudes. */
export function createGraphRunner(ort: Runtime): (job: GraphJob) => Promise<GraphSpeech> {
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

  const tensor = ({ type, values, shape }: GraphInput): Tensor =>
    new ort.Tensor(
      type,
      type === 'int64' ? BigInt64Array.from(values, BigInt) : Float32Array.from(values),
      shape,
    );

  return async ({ modelPath, inputs }) => {
    const session = await open(modelPath);
    const feeds = inputs.map((input): [string, Tensor] => {
      const name = input.names.find((one) => session.inputNames.includes(one));
      if (name === undefined)
        throw new Error(
          `expected a model with the input ${input.names.join(' or ')}; it has ${session.inputNames.join(', ')}`,
        );
      return [name, tensor(input)];
    });
    const outputs = await session.run(Object.fromEntries(feeds));
    const output = outputs[session.outputNames[0] ?? 'output'];
    if (output === undefined) throw new Error('the model gave no output; it is no voice');
    return { amplitudes: Float32Array.from(output.data as ArrayLike<number>) };
  };
}
