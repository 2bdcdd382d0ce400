import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../src/episodes/index.js';
import { endsOfWritten } from '../../../src/sandbox/duplex/word-ends.js';
import { wordsBy, wordsSaid } from '../../../src/sandbox/duplex/words-said.js';
import { createSpeaker, type Speaker, spokenWords, type WordTime } from '../../../src/speech/index.js';
import { SPOKEN_PAIRS } from '../../speech/spoken-form-pairs.js';
import { customersOf } from '../helpers/fakes.js';
import { beginEpisode, eventsOf, testSandbox } from '../helpers/sandbox.js';

/** Each word lasts 100 samples, with 10 between them. */
const timed = (spoken: string): WordTime[] =>
  spokenWords(spoken).map((word, place) => [word, place * 110, place * 110 + 100]);
const pieces = (text: string): string[] => text.split(/(?<=\S)(?=\s)/);

describe('the ends of written words, from the times of those that were spoken', () => {
  it('are those of their last spoken word, however many there are', () => {
    // It | costs | one hundred twenty nine dollars and ninety five cents | now: 1, 2, 11 and 12 words.
    const spoken = 'It costs one hundred twenty nine dollars and ninety five cents now.';
    expect(endsOfWritten(pieces('It costs $129.95 now.'), timed(spoken))).toEqual([100, 210, 1200, 1310]);
  });

  it('are shares in a group that is read as one, and nothing more in marks that stand alone', () => {
    // "March fifth" is not what "March" and "5" are by themselves.
    const ends =
      endsOfWritten(pieces('Yes - on March 5, please'), timed('Yes, on March fifth, please')) ?? [];
    expect(ends).toHaveLength(6);
    expect([ends[0], ends[2], ends[5]]).toEqual([100, 210, 540]);
    expect(ends[3]).toBeGreaterThan(210);
    expect(ends[3]).toBeLessThan(ends[4] ?? 0);
    expect(ends[4]).toBe(430);
  });

  it('are found for every spoken form that is in the tables, and end with the last word', () => {
    for (const [written, spoken] of Object.values(SPOKEN_PAIRS).flat()) {
      const words = timed(spoken);
      if (words.length === 0) continue;
      const ends = endsOfWritten(pieces(written.trim()), words);
      // A rule may read more than eight words as one; then there are no ends, never wrong ones.
      if (ends === null) continue;
      expect(ends.at(-1), written).toBe(words.at(-1)?.[2]);
      expect(ends, written).toEqual(ends.toSorted((a, b) => a - b));
    }
    const found = Object.values(SPOKEN_PAIRS)
      .flat()
      .filter(([written, spoken]) => endsOfWritten(pieces(written.trim()), timed(spoken)) !== null);
    expect(found.length).toBeGreaterThan(295);
  });

  it('are unknown where the times are of other words; as written they fit too', () => {
    expect(endsOfWritten(['one', ' two'], timed('one three'))).toBeNull();
    expect(endsOfWritten(['one'], [])).toBeNull();
    expect(endsOfWritten(pieces('$129.95, now!'), timed('$129.95 now'))).toEqual([100, 210]);
    expect(endsOfWritten(pieces('x '.repeat(3_000).trim()), timed('y '.repeat(3_000)))).toBeNull();
  });
});

describe('the words that were said by then, with times', () => {
  const talk = { talks: [{ startSample: 0, endSample: 1_400 }], words: timed('It costs nine dollars now.') };
  it('are those that were over: one that was begun is not', () => {
    expect(wordsSaid('It costs $9.00 now.', talk, 99)).toBe('');
    expect(wordsSaid('It costs $9.00 now.', talk, 429)).toBe('It costs');
    expect(wordsSaid('It costs $9.00 now.', talk, 430)).toBe('It costs $9.00');
    expect(wordsSaid('It costs $9.00 now.', talk, 1_400)).toBe('It costs $9.00 now.');
    expect(wordsBy('It costs $9.00 now.', talk)).toBe('times');
  });

  it('are shares where the times are of something else', () => {
    expect(wordsBy('Something else.', talk)).toBe('share');
    expect(wordsSaid('Something else.', talk, 1_000)).toBe('Something');
  });
});

type EventOf<T extends RecordEvent['type']> = Extract<RecordEvent, { type: T }>;
const ofType = <T extends RecordEvent['type']>(events: readonly RecordEvent[], type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

describe('a long text with times of other words', () => {
  it('is given up after so many tries, however long it is, for everybody waits meanwhile', () => {
    const length = 3000;
    let looked = 0;
    const pieces = new Proxy(
      Array.from({ length }, (_, i) => (i === 0 ? 'one' : ' one')),
      {
        get: (all, key) => {
          looked += 1;
          return Reflect.get(all, key);
        },
      },
    );
    expect(endsOfWritten(pieces, timed(`${'one '.repeat(length - 1)}two`))).toBeNull();
    expect(looked).toBeGreaterThan(10_000);
    expect(looked).toBeLessThan(200_000);
  });
});

describe('a call in which the agent says when its words are heard', () => {
  let speaker: Speaker;
  beforeAll(async () => {
    speaker = await createSpeaker({ workers: 1 });
  });
  afterAll(() => speaker.close());

  it('has a customer who breaks in and has heard just those that were over, by the record too [P-SPEECH-6]', async () => {
    const customers = customersOf({});
    const { sandbox, records } = await testSandbox({ turnTaking: true, customers });
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'lively', seed: 3 });
    const text = 'It is $129.95 and I will now read you the terms of this service. '.repeat(8).trim();
    const { clip } = await speaker.speak(text, speaker.chooseVoice(1));
    await client.say({ text, voice: clip });
    const events = eventsOf(records, client.ready.episode);
    const [agent] = ofType(events, 'agent');
    expect(agent?.words).toEqual(clip.words);
    const [broke] = ofType(events, 'customer_interrupted');
    expect(broke).toMatchObject({ words: 'times' });
    const { heardText = '', heardSamples = 0 } = broke ?? {};
    expect(text.startsWith(heardText)).toBe(true);
    const over = (clip.words ?? []).filter(([, , end]) => end <= heardSamples).map(([word]) => word);
    // A price of nine spoken words may have been begun.
    const heard = spokenWords((await speaker.speak(heardText, speaker.chooseVoice(1))).spoken);
    expect(over.slice(0, heard.length)).toEqual(heard);
    expect(over.length - heard.length).toBeLessThan(9);
    expect(heard.length).toBeGreaterThan(3);
  });
});
