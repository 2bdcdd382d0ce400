import { describeError } from '../../../shared/index.js';
import { VoiceDetectorError } from '../../errors.js';

/** The part of `onnxruntime-node` that is used here. Spelled out, so that the project compiles where that package is left out. */
export interface OnnxTensor {
  readonly data: ArrayLike<number | bigint>;
}

export interface OnnxSession {
  run(
    inputs: Readonly<Record<string, OnnxTensor>>,
  ): Promise<Readonly<Record<string, OnnxTensor | undefined>>>;
  release(): Promise<void>;
}

export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>;
  };
  readonly Tensor: new (
    type: string,
    data: Float32Array | BigInt64Array,
    shape: readonly number[],
  ) => OnnxTensor;
}

/** An optional package: 290 MB, for two processors and three systems. */
const PACKAGE = 'onnxruntime-node';

/** Throws `VoiceDetectorError` where the package is not installed or does not load. */
export async function loadOnnxRuntime(): Promise<OnnxRuntime> {
  try {
    const loaded = (await import(PACKAGE)) as OnnxRuntime & { readonly default?: OnnxRuntime };
    return loaded.default ?? loaded;
  } catch (error) {
    throw new VoiceDetectorError(
      `Silero runs in ${PACKAGE}, which is not installed or does not load here (${describeError(error)}); ` +
        'run npm i --include=optional, or use the WebRTC detector',
      error,
    );
  }
}
