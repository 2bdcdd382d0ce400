import { readFileSync } from 'node:fs';
import { runPaths } from '../../episodes/index.js';
import { describeError, sha256Hex } from '../../shared/index.js';
import { DatasetSourceError } from '../errors.js';

const CACHE_BYTES = 48 << 20;

/** Clips of run folders, checked against their names. The last ones are kept: rollouts of a group share most of theirs. */
export class ClipStore {
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;

  /** A clip is small: to hand it to a thread and back costs more than to read it. */
  read(dir: string, label: string, sha256: string): Buffer {
    const known = this.#kept.get(sha256);
    if (known !== undefined) return known;
    let wav: Buffer;
    try {
      wav = readFileSync(runPaths(dir).clip(sha256));
    } catch (cause) {
      throw new DatasetSourceError(`a clip is missing: ${describeError(cause)}`, { cause });
    }
    if (sha256Hex(wav) !== sha256)
      throw new DatasetSourceError(
        `${label}/audio/${sha256}.wav does not hold what its name says; the run is damaged`,
      );
    this.#keep(sha256, wav);
    return wav;
  }

  /** First in, first out. */
  #keep(sha256: string, wav: Buffer): void {
    if (this.#kept.has(sha256)) return;
    this.#kept.set(sha256, wav);
    this.#bytes += wav.length;
    for (const [oldest, bytes] of this.#kept) {
      if (this.#bytes <= CACHE_BYTES) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytes.length;
    }
  }
}
