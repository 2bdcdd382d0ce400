import {
  type Conditions,
  changesNothing,
  type LineTimeline,
  type LineVoices,
  onTimeline,
  pcmDurationMs,
  renderLine,
  settleConditions,
} from '../audio/index.js';
import { deriveSeed } from '../shared/index.js';
import type { Speaker } from './speaker.js';
import type { Clip, Voice } from './synthesizer.js';
import { clipSha256 } from './wav-bytes.js';
import type { WordTime } from './word-times.js';

/** What people in the background talk about; several voices say each. */
const CROWD_LINES = [
  'I told him we would be there before noon, but you know how he is.',
  'And then the whole shelf came down, with every single plate on it.',
  'The council will decide on the new bridge by the end of next month.',
  'No, take the second street on the left, it is much quicker at this hour.',
];
const CROWD_VOICES = 5;

function heardWords(words: readonly WordTime[], timeline: LineTimeline): readonly WordTime[] {
  return words.map(([word, start, end]) => [
    word,
    onTimeline(start, timeline),
    // The end is behind the word's last sample, and a tic that follows is no part of it.
    onTimeline(end - 1, timeline) + 1,
  ]);
}

/**
 * A speaker whose lines are heard under the given conditions: `clip` is what the agent gets, `clean` what was said, `timeline`
 * what happened in between. An episode keeps one environment; the rest is drawn anew for every line. Lines without a place in an
 * episode count as the first of episode 0.
 */
export function createConditionedSpeaker(speaker: Speaker, conditions: Conditions): Speaker {
  let crowd: Promise<Clip[]> | null = null;
  const asides = new Map<string, Promise<ReadonlyMap<string, Clip>>>();

  async function speakCrowd(): Promise<Clip[]> {
    const voices = speaker.voices.filter(({ cast }) => cast !== false).slice(0, CROWD_VOICES);
    const spoken = voices.flatMap((voice) => CROWD_LINES.map((text) => speaker.speak(text, voice)));
    return (await Promise.all(spoken)).map(({ clip }) => clip);
  }

  async function speakAsides(voice: Voice): Promise<ReadonlyMap<string, Clip>> {
    const phrases = conditions.inserts?.phrases ?? [];
    const spoken = phrases.map(
      async (phrase) => [phrase, (await speaker.speak(phrase, voice)).clip] as const,
    );
    return new Map(await Promise.all(spoken));
  }

  /** Said once; what fails is tried again with the next line. */
  async function voicesFor(voice: Voice): Promise<LineVoices> {
    if (conditions.bed !== null) crowd ??= speakCrowd();
    const ofVoice = asides.get(voice.id) ?? speakAsides(voice);
    asides.set(voice.id, ofVoice);
    try {
      return { crowd: (await crowd) ?? [], asides: await ofVoice };
    } catch (error) {
      crowd = null;
      asides.delete(voice.id);
      throw error;
    }
  }

  return {
    voices: speaker.voices,
    identify: (voice) => speaker.identify(voice),
    chooseVoice: (seed) => speaker.chooseVoice(seed),
    async speak(written, voice, place = { seed: 0, utterance: 0 }) {
      const line = await speaker.speak(written, voice, place);
      const { clip, timeline } = renderLine(line.clip, settleConditions(conditions, place.seed), {
        seed: deriveSeed('line', place.seed, place.utterance),
        voices: await voicesFor(voice),
        words: written.split(/\s+/).filter((word) => word !== '').length,
      });
      if (timeline.entries.length === 0) return line;
      const { sha256, words } = line;
      return {
        ...{ ...line, clip, timeline, clean: { clip: line.clip, sha256 } },
        ...{ sha256: clipSha256(clip), durationMs: pcmDurationMs(clip) },
        ...(words === undefined ? {} : { words: heardWords(words, timeline) }),
      };
    },
    // Only where nothing happens to a line can it be heard before it is whole.
    ...(changesNothing(conditions) && speaker.stream !== undefined
      ? { stream: speaker.stream.bind(speaker) }
      : {}),
    close: () => speaker.close(),
  };
}

/** A speaker whose lines are heard under the conditions of their task: see `forTask`. Lines of no task are clean. */
export function createTaskConditionedSpeaker(
  speaker: Speaker,
  conditionsOf: (task: string) => Conditions,
): Speaker {
  const made = new Map<string, Speaker>();
  return {
    voices: speaker.voices,
    identify: (voice) => speaker.identify(voice),
    chooseVoice: (seed) => speaker.chooseVoice(seed),
    speak: (written, voice, place) => speaker.speak(written, voice, place),
    close: () => speaker.close(),
    forTask(task) {
      const known = made.get(task) ?? createConditionedSpeaker(speaker, conditionsOf(task));
      made.set(task, known);
      return known;
    },
  };
}
