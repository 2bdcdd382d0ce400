import type { ClipFiles, StoredClip } from './clip-files.js';
import type { Clip } from './synthesizer.js';
import { clipSha256 } from './wav-bytes.js';

export interface ClipCache {
  /** The clip of this key, from memory, from disk, or made now. Asked for twice at once it is made once. */
  get(key: string, make: () => Promise<Clip>): Promise<StoredClip>;
}

export interface ClipCacheOptions {
  /** Null keeps clips in memory only. */
  readonly files: ClipFiles | null;
  /** Bound on the samples held in memory; the least recently used go first. */
  readonly maxMemoryBytes: number;
}

export function createClipCache(options: ClipCacheOptions): ClipCache {
  const { files, maxMemoryBytes } = options;
  // A Map keeps insertion order: the first key is the one used longest ago.
  const held = new Map<string, StoredClip>();
  const pending = new Map<string, Promise<StoredClip>>();
  let heldBytes = 0;

  const hold = (key: string, stored: StoredClip): void => {
    held.set(key, stored);
    heldBytes += stored.clip.samples.byteLength;
    for (const [oldKey, old] of held) {
      if (heldBytes <= maxMemoryBytes) return;
      held.delete(oldKey);
      heldBytes -= old.clip.samples.byteLength;
    }
  };

  const fetch = async (key: string, make: () => Promise<Clip>): Promise<StoredClip> => {
    const onDisk = await files?.read(key);
    if (onDisk) return onDisk;
    const clip = await make();
    const stored = { clip, sha256: clipSha256(clip) };
    await files?.write(key, stored);
    return stored;
  };

  return {
    async get(key, make) {
      const found = held.get(key);
      if (found !== undefined) {
        held.delete(key);
        held.set(key, found);
        return found;
      }
      const running = pending.get(key);
      if (running !== undefined) return running;
      const started = fetch(key, make);
      pending.set(key, started);
      try {
        const stored = await started;
        hold(key, stored);
        return stored;
      } finally {
        pending.delete(key);
      }
    },
  };
}
