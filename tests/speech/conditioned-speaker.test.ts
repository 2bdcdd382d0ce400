import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyTimeline, findConditions } from '../../src/audio/index.js';
import { sha256Hex } from '../../src/shared/index.js';
import { createConditionedSpeaker, createSpeaker, type Speaker, wavBytes } from '../../src/speech/index.js';

const TEXT = 'My order is #W2378156, and I want my money back.';
let clean: Speaker;
beforeAll(async () => {
  clean = await createSpeaker({ workers: 2 });
});
afterAll(() => clean.close());

const firstVoice = () => clean.voices[0] ?? expect.fail('no voices');

describe('a speaker under conditions', () => {
  it('gives what is heard with its own hash, and keeps what was said beside it', async () => {
    const speaker = createConditionedSpeaker(clean, findConditions('regular'));
    const said = await clean.speak(TEXT, firstVoice());
    const heard = await speaker.speak(TEXT, firstVoice(), { seed: 5, utterance: 2 });
    expect(heard.sha256).toBe(sha256Hex(wavBytes(heard.clip)));
    expect(heard.sha256).not.toBe(said.sha256);
    expect(heard.clean).toEqual({ clip: said.clip, sha256: said.sha256 });
    expect(heard.spoken).toBe(said.spoken);
    expect(heard.durationMs).toBe(Math.round(heard.clip.samples.length / 16));
  });

  it('the same place gives the same bytes, in any order and in another speaker; another place other ones', async () => {
    const places = Array.from({ length: 12 }, (_, i) => ({ seed: i % 3, utterance: Math.floor(i / 3) }));
    const hashes = async (order: typeof places) => {
      const speaker = createConditionedSpeaker(clean, findConditions('regular'));
      const lines = await Promise.all(order.map((place) => speaker.speak(TEXT, firstVoice(), place)));
      return new Map(order.map((place, i) => [JSON.stringify(place), lines[i]?.sha256]));
    };
    const first = await hashes(places);
    const again = await hashes(places.toReversed());
    for (const [place, hash] of first) expect(again.get(place)).toBe(hash);
    expect(new Set(first.values()).size).toBe(places.length);
  });

  it('the words stand where they are heard: a tic puts off those behind it', async () => {
    const speaker = createConditionedSpeaker(clean, findConditions('tics'));
    const said = await clean.speak(TEXT, firstVoice());
    let putOff = 0;
    for (const seed of [1, 2, 3, 4]) {
      const heard = await speaker.speak(TEXT, firstVoice(), { seed, utterance: 0 });
      const tic = heard.timeline?.entries.find(({ kind }) => kind === 'tic');
      const length = tic === undefined ? 0 : tic.endSample - tic.startSample;
      for (const [place, [word, start, end]] of (heard.words ?? []).entries()) {
        const [, startBefore, endBefore] = said.words?.[place] ?? ['', 0, 0];
        const shift = (sample: number) => (tic !== undefined && sample >= tic.startSample ? length : 0);
        expect([word, start]).toEqual([said.words?.[place]?.[0], startBefore + shift(startBefore)]);
        expect(end).toBe(endBefore + shift(endBefore - 1));
        if (start !== startBefore) putOff += 1;
      }
      expect(heard.words).toHaveLength(said.words?.length ?? 0);
    }
    expect(putOff).toBeGreaterThan(0);
  });

  it('an episode keeps its background', async () => {
    const speaker = createConditionedSpeaker(clean, findConditions('regular'));
    for (const seed of [1, 2, 3]) {
      const beds = new Set<string>();
      for (const utterance of [0, 1, 2, 3]) {
        const { timeline } = await speaker.speak(TEXT, firstVoice(), { seed, utterance });
        for (const entry of timeline?.entries ?? []) if (entry.kind === 'bed') beds.add(entry.parameters.bed);
      }
      expect(beds.size).toBe(1);
    }
  });

  it('the timeline makes the line again from the clean clip', async () => {
    const speaker = createConditionedSpeaker(clean, findConditions('bed-street'));
    const {
      clip,
      clean: said,
      timeline,
    } = await speaker.speak(TEXT, firstVoice(), { seed: 1, utterance: 0 });
    if (said === undefined || timeline === undefined) expect.fail('nothing was done to the line');
    expect(applyTimeline(said.clip, timeline)).toEqual(clip);
  });

  it('conditions that do nothing hand the line through', async () => {
    const speaker = createConditionedSpeaker(clean, findConditions('clean'));
    const line = await speaker.speak(TEXT, firstVoice(), { seed: 1, utterance: 0 });
    expect(line).toEqual(await clean.speak(TEXT, firstVoice()));
  });

  it('asides are said by the customer: every phrase in the voice of the line', async () => {
    const speaker = createConditionedSpeaker(clean, findConditions('inserts'));
    const kinds = new Set<string>();
    for (let utterance = 0; utterance < 12; utterance += 1) {
      const { timeline } = await speaker.speak(TEXT, firstVoice(), { seed: 9, utterance });
      for (const { kind } of timeline?.entries ?? []) kinds.add(kind);
    }
    expect(kinds).toEqual(new Set(['tail', 'insert', 'aside']));
  });

  it('a line that fails for want of its voices is tried again', async () => {
    let failures = 1;
    const shaky: Speaker = {
      ...clean,
      speak: (text, voice) =>
        text !== TEXT && failures-- > 0 ? Promise.reject(new Error('no voice')) : clean.speak(text, voice),
    };
    const speaker = createConditionedSpeaker(shaky, findConditions('bed-babble'));
    await expect(speaker.speak(TEXT, firstVoice(), { seed: 1, utterance: 0 })).rejects.toThrow('no voice');
    expect((await speaker.speak(TEXT, firstVoice(), { seed: 1, utterance: 0 })).timeline).toBeDefined();
  });
});
