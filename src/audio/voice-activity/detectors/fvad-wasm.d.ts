/** The package has no types; this is the part of its Emscripten module that is used here. Addresses are bytes into the heap. */
declare module '@echogarden/fvad-wasm' {
  interface FvadModule {
    readonly HEAP16: Int16Array;
    _malloc(bytes: number): number;
    _fvad_new(): number;
    _fvad_free(state: number): void;
    _fvad_set_mode(state: number, mode: number): number;
    _fvad_set_sample_rate(state: number, rateHz: number): number;
    /** 1 for voice, 0 for none, -1 for a frame of a wrong length. */
    _fvad_process(state: number, samplesAt: number, length: number): number;
  }
  const createModule: () => Promise<FvadModule>;
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default createModule;
}
