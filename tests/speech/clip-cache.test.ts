import { describe, expect, it } from 'vitest';
import { createClipCache } from '../../src/speech/clip-cache.js';
import type { Clip } from '../../src/speech/index.js';

describe('clip cache in memory', () => {
  it('drops the least recently used clips when it is full', async () => {
    const made: string[] = [];
    // Each clip has 10 samples, so 20 bytes; two fit.
    const cache = createClipCache({ files: null, maxMemoryBytes: 40 });
    const get = (key: string) =>
      cache.get(key, async (): Promise<Clip> => {
        made.push(key);
        return { samples: new Int16Array(10), sampleRateHz: 16_000 };
      });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('forgets a failure, so that the next call tries again', async () => {
    const cache = createClipCache({ files: null, maxMemoryBytes: 1000 });
    const failing = cache.get('a', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    const clip = { samples: new Int16Array(1), sampleRateHz: 16_000 };
    expect((await cache.get('a', async () => clip)).clip).toBe(clip);
  });
});
