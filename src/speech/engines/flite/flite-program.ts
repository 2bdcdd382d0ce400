import { type FliteToken, readTokens } from './read-utterance.js';
import { type WasmMemory, type WasmModule, wasm } from './web-assembly.js';

/**
 * Flite as a function. `flite.wasm` is a command: it reads its arguments, writes one WAV file and ends. Its 13 WASI imports are
 * served from memory (one read-only root folder, one output file), so there are no temporary files and no process-wide state.
 *
 * A fresh instance costs about 17 ms, nearly all of it copying 17 MB of voice data into new memory, as much as speaking one
 * second. So the instance is kept and its memory put back to what it was at birth before each run: 3 ms, and the same bytes as
 * a fresh instance gives, whatever ran before. A run that traps or exits early may leave the stack pointer displaced, which is
 * not in memory; then the instance is thrown away.
 */
export interface FliteProgram {
  /** Runs the command with these arguments (without the program's name). Throws on a trap or a non-zero exit. */
  run(args: readonly string[]): FliteOutput;
}

interface FliteOutput {
  /** What was written to the output file. */
  readonly file: Uint8Array;
  /** Standard output and error, cut at 4 kB. */
  readonly messages: string;
  /** When each token of the text is said; null if that could not be read. */
  readonly tokens: readonly FliteToken[] | null;
}

export const FLITE_OUTPUT_PATH = '/out.wav';

const ROOT_FD = 3;
const OUTPUT_FD = 4;
const OK = 0;
const BAD_FD = 8;
const NOT_SEEKABLE = 70;
const MAX_OUTPUT_BYTES = 32_000_000;
const MAX_MESSAGE_BYTES = 4096;
/** The heap begins in the last of the memory that is there at birth. */
const HEAP_BEFORE_BIRTH_BYTES = 1_000_000;

class ExitSignal extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`flite ended with exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

interface Instance {
  readonly memory: WasmMemory;
  readonly start: () => void;
  readonly newborn: Uint8Array;
}

export function createFliteProgram(module: WasmModule): FliteProgram {
  const encoder = new TextEncoder();
  let instance: Instance | null = null;
  let memory: WasmMemory | null = null;
  let args: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let outputBytes = 0;
  let messages = '';
  let tokens: readonly FliteToken[] | null = null;

  const buffer = (): ArrayBuffer => (memory as WasmMemory).buffer;
  const view = (): DataView => new DataView(buffer());
  const bytes = (): Uint8Array => new Uint8Array(buffer());

  // Signatures: WASI snapshot preview 1, https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
  const wasi = {
    args_sizes_get: (countAt: number, sizeAt: number): number => {
      view().setUint32(countAt, args.length, true);
      view().setUint32(
        sizeAt,
        args.reduce((sum, arg) => sum + arg.length, 0),
        true,
      );
      return OK;
    },
    args_get: (pointersAt: number, textAt: number): number => {
      let text = textAt;
      args.forEach((arg, i) => {
        view().setUint32(pointersAt + 4 * i, text, true);
        bytes().set(arg, text);
        text += arg.length;
      });
      return OK;
    },
    // Time stands still: speech must not depend on it.
    clock_time_get: (_clock: number, _precision: bigint, timeAt: number): number => {
      view().setBigUint64(timeAt, 0n, true);
      return OK;
    },
    fd_close: (): number => OK,
    fd_fdstat_get: (fd: number, statAt: number): number => {
      if (fd > OUTPUT_FD) return BAD_FD;
      const fileType = fd === ROOT_FD ? 3 : fd === OUTPUT_FD ? 4 : 2;
      bytes().fill(0, statAt, statAt + 24);
      view().setUint8(statAt, fileType);
      view().setBigUint64(statAt + 8, 0xffff_ffff_ffff_ffffn, true);
      view().setBigUint64(statAt + 16, 0xffff_ffff_ffff_ffffn, true);
      return OK;
    },
    fd_fdstat_set_flags: (): number => OK,
    fd_prestat_get: (fd: number, prestatAt: number): number => {
      if (fd !== ROOT_FD) return BAD_FD;
      view().setUint32(prestatAt, 0, true);
      view().setUint32(prestatAt + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name: (_fd: number, pathAt: number): number => {
      bytes()[pathAt] = '/'.charCodeAt(0);
      return OK;
    },
    fd_read: (_fd: number, _vectors: number, _count: number, readAt: number): number => {
      view().setUint32(readAt, 0, true);
      return OK;
    },
    fd_seek: (): number => NOT_SEEKABLE,
    fd_write: (fd: number, vectorsAt: number, count: number, writtenAt: number): number => {
      let written = 0;
      for (let i = 0; i < count; i += 1) {
        const start = view().getUint32(vectorsAt + 8 * i, true);
        const length = view().getUint32(vectorsAt + 8 * i + 4, true);
        const chunk = bytes().slice(start, start + length);
        if (fd === OUTPUT_FD) chunks.push(chunk);
        else if (messages.length < MAX_MESSAGE_BYTES) messages += new TextDecoder().decode(chunk);
        written += length;
      }
      if (fd === OUTPUT_FD) outputBytes += written;
      if (outputBytes > MAX_OUTPUT_BYTES) throw new Error(`flite wrote more than ${MAX_OUTPUT_BYTES} bytes`);
      view().setUint32(writtenAt, written, true);
      return OK;
    },
    path_open: (...given: readonly (number | bigint)[]): number => {
      // The sound is made, and the utterance still there.
      if (instance !== null) tokens = readTokens(buffer(), instance.newborn.length - HEAP_BEFORE_BIRTH_BYTES);
      view().setUint32(given[8] as number, OUTPUT_FD, true);
      return OK;
    },
    proc_exit: (exitCode: number): never => {
      throw new ExitSignal(exitCode);
    },
  };

  const ready = (): Instance => {
    if (instance !== null) {
      const all = new Uint8Array(instance.memory.buffer);
      all.set(instance.newborn);
      all.fill(0, instance.newborn.length);
      return instance;
    }
    const { exports } = new wasm.Instance(module, { wasi_snapshot_preview1: wasi });
    memory = exports.memory as WasmMemory;
    instance = { memory, start: exports._start as () => void, newborn: bytes().slice() };
    return instance;
  };

  return {
    run(given) {
      args = ['flite', ...given].map((arg) => encoder.encode(`${arg}\0`));
      chunks = [];
      outputBytes = 0;
      messages = '';
      tokens = null;
      const { start } = ready();
      try {
        start();
      } catch (error) {
        instance = null;
        if (!(error instanceof ExitSignal) || error.exitCode !== 0) throw error;
      }
      const file = new Uint8Array(outputBytes);
      let at = 0;
      for (const chunk of chunks) {
        file.set(chunk, at);
        at += chunk.length;
      }
      return { file, messages, tokens };
    },
  };
}
