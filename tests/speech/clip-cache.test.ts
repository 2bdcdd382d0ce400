import { describe, expect, it } from 'vitest';
import { createClipCache, type MakeClip, type OpenClip } from '../../src/speech/clip-cache.js';
import type { StoredClip } from '../../src/speech/clip-files.js';
import type { Clip } from '../../src/speech/index.js';
import type { TakeSamples } from '../../src/speech/synthesizer.js';

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

describe('a clip that is heard while it is made', () => {
  const rateHz = 16_000;
  const clip: Clip = { samples: Int16Array.from({ length: 100 }, (_, at) => at), sampleRateHz: rateHz };

  /** A clip whose maker is told what to do. */
  function making() {
    let take: TakeSamples = () => undefined;
    let finish: (made: Clip) => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    let calls = 0;
    const make: MakeClip = (hand) => {
      take = hand;
      calls += 1;
      return new Promise((resolve, reject) => {
        finish = resolve;
        fail = reject;
      });
    };
    return {
      ...{ make, calls: () => calls },
      begin: (length: number) => take(clip.samples.subarray(0, length), rateHz),
      finish: (made: Clip = clip) => finish(made),
      fail: (message: string) => fail(new Error(message)),
    };
  }

  async function listen(opened: StoredClip | OpenClip): Promise<number[]> {
    const heard: number[] = [];
    if ('growing' in opened) await opened.growing.follow((samples) => heard.push(...samples));
    return heard;
  }

  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('is made once for all who ask meanwhile, each hears all of it, and it is kept', async () => {
    const cache = createClipCache({ files: null, maxMemoryBytes: 1000 });
    const maker = making();
    const opening = [cache.open('a', maker.make), cache.open('a', maker.make)];
    const plain = cache.get('a', maker.make);
    await tick();
    maker.begin(30);
    const early = (await Promise.all(opening)).map(listen);
    maker.begin(0);
    const late = cache.open('a', maker.make).then(listen);
    await tick();
    maker.finish();
    for (const heard of [...early, late]) expect(await heard).toEqual([...clip.samples]);
    expect((await plain).clip).toBe(clip);
    expect(await cache.open('a', maker.make)).toBe(await plain);
    expect(maker.calls()).toBe(1);
  });

  it('comes whole when nothing of it was handed over before', async () => {
    const cache = createClipCache({ files: null, maxMemoryBytes: 1000 });
    expect(await cache.open('a', async () => clip)).toMatchObject({ clip });
  });

  it('that fails tells who listens and who waits, and is made anew', async () => {
    const cache = createClipCache({ files: null, maxMemoryBytes: 1000 });
    const maker = making();
    const opening = cache.open('a', maker.make);
    await tick();
    maker.begin(30);
    const opened = await opening;
    const heard = listen(opened);
    maker.fail('the line is dead');
    await expect(heard).rejects.toThrow('the line is dead');
    await expect('whole' in opened ? opened.whole : null).rejects.toThrow('the line is dead');
    expect(await cache.get('a', async () => clip)).toMatchObject({ clip });
  });

  it('is not kept when it does not begin with what was handed over', async () => {
    for (const other of [
      { samples: clip.samples.slice(1), sampleRateHz: rateHz },
      { samples: clip.samples.subarray(0, 20), sampleRateHz: rateHz },
      { samples: clip.samples, sampleRateHz: 8_000 },
    ]) {
      const cache = createClipCache({ files: null, maxMemoryBytes: 1000 });
      const maker = making();
      const opening = cache.open('a', maker.make);
      await tick();
      maker.begin(30);
      const heard = listen(await opening);
      maker.finish(other);
      await expect(heard).rejects.toThrow('not how its clip');
      expect(await cache.get('a', async () => clip)).toMatchObject({ clip });
    }
  });
});
