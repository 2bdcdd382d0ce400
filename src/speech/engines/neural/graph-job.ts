/** One input of a graph. Exports of the same model call it by different names; the first that the graph has is taken. */
export interface GraphInput {
  readonly names: readonly string[];
  readonly type: 'int64' | 'float32';
  readonly values: readonly number[];
  readonly shape: readonly number[];
}

/** One piece of a line for a worker. */
export interface GraphJob {
  readonly modelPath: string;
  readonly inputs: readonly GraphInput[];
}

/** The graph's first output: amplitudes, about -1 to 1, at the voice's own rate. */
export interface GraphSpeech {
  readonly amplitudes: Float32Array;
}
