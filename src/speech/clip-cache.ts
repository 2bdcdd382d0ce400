import type { ClipFiles, StoredClip } from './clip-files.js';
import { type ClipGrowth, createClipGrowth, type GrowingClip } from './growing-clip.js';
import type { Clip, TakeSamples } from './synthesizer.js';
import { clipSha256 } from './wav-bytes.js';

export interface ClipCache {
  /** The clip of this key, from memory, from disk, or made now. Asked for twice at once it is made once. */
  get(key: string, make: MakeClip): Promise<StoredClip>;
  /** The same, but a clip that is being made comes as soon as there is something to hear of it. */
  open(key: string, make: MakeClip): Promise<StoredClip | OpenClip>;
}

/** Hands over the clip's beginning while it makes it, if it can. */
export type MakeClip = (take: TakeSamples) => Promise<Clip>;

export interface OpenClip {
  readonly growing: GrowingClip;
  /** Rejects when it cannot be finished. */
  readonly whole: Promise<StoredClip>;
}

export interface ClipCacheOptions {
  /** Null keeps clips in memory only. */
  readonly files: ClipFiles | null;
  /** Bound on the samples held in memory; the least recently used go first. */
  readonly maxMemoryBytes: number;
}

interface Making {
  readonly whole: Promise<StoredClip>;
  /** Never settles where nothing is handed over before the whole. */
  readonly open: Promise<OpenClip>;
}

export function createClipCache(options: ClipCacheOptions): ClipCache {
  const { files, maxMemoryBytes } = options;
  // A Map keeps insertion order: the first key is the one used longest ago.
  const held = new Map<string, StoredClip>();
  const pending = new Map<string, Making>();
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

  const fetch = async (key: string, make: MakeClip, growth: ClipGrowth): Promise<StoredClip> => {
    const onDisk = await files?.read(key);
    if (onDisk) return onDisk;
    const clip = await make(growth.add);
    growth.finish(clip);
    const stored = { clip, sha256: clipSha256(clip) };
    await files?.write(key, stored);
    return stored;
  };

  const find = (key: string): StoredClip | null => {
    const found = held.get(key);
    if (found === undefined) return null;
    held.delete(key);
    held.set(key, found);
    return found;
  };

  const start = (key: string, make: MakeClip): Making => {
    const growth = createClipGrowth();
    const finish = async (): Promise<StoredClip> => {
      try {
        const stored = await fetch(key, make, growth);
        hold(key, stored);
        return stored;
      } catch (error) {
        growth.fail(error);
        throw error;
      } finally {
        pending.delete(key);
      }
    };
    const whole = finish();
    const making = { whole, open: growth.begun.then((growing) => ({ growing, whole })) };
    pending.set(key, making);
    return making;
  };

  return {
    get: async (key, make) => find(key) ?? (pending.get(key) ?? start(key, make)).whole,
    async open(key, make) {
      const found = find(key);
      if (found !== null) return found;
      const { whole, open } = pending.get(key) ?? start(key, make);
      return Promise.race([open, whole]);
    },
  };
}
