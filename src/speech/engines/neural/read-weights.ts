import { readFile, stat } from 'node:fs/promises';
import { describeError } from '../../../shared/index.js';
import { VoiceNeedsError } from '../../errors.js';

const MAX_WEIGHT_BYTES = 500_000_000;

/** The bytes of weights or settings. Throws `VoiceNeedsError` that names the file. */
export async function readWeights(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > MAX_WEIGHT_BYTES) throw new RangeError(`it has ${size} bytes, more than ${MAX_WEIGHT_BYTES}`);
    return await readFile(path);
  } catch (error) {
    throw new VoiceNeedsError(
      `this voice needs the file ${path}, which cannot be read: ${describeError(error)}`,
      error,
    );
  }
}
