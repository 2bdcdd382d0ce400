/** The package has no types; this is the part of its Emscripten module that is used here. Addresses are bytes into the heap. */
declare module '@echogarden/speex-resampler-wasm/simd' {
  interface SpeexResamplerModule {
    readonly HEAP16: Int16Array;
    readonly HEAPU32: Uint32Array;
    _malloc(bytes: number): number;
    /** A state's address, or 0. `quality` is 0 to 10; the error code is written to `errorAt` unless that is 0. */
    _speex_resampler_init(
      channels: number,
      fromHz: number,
      toHz: number,
      quality: number,
      errorAt: number,
    ): number;
    _speex_resampler_skip_zeros(state: number): number;
    /** Lengths are read from `inputLengthAt` and `outputLengthAt`, which are then set to what was used and what was made. */
    _speex_resampler_process_int(
      state: number,
      channel: number,
      inputAt: number,
      inputLengthAt: number,
      outputAt: number,
      outputLengthAt: number,
    ): number;
    _speex_resampler_destroy(state: number): void;
  }
  const createModule: () => Promise<SpeexResamplerModule>;
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default createModule;
}
