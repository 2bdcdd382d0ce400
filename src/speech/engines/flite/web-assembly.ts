/** The part of the WebAssembly interface that this engine uses; TypeScript has it only among the browser's types. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WasmInterface {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly Instance: new (
    module: WasmModule,
    imports: Record<string, Record<string, unknown>>,
  ) => WasmInstance;
}

export const wasm = (globalThis as unknown as { readonly WebAssembly: WasmInterface }).WebAssembly;
