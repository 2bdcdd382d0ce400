import { describe, expect, it } from 'vitest';
import { toWrittenForm } from '../../../src/agents/cascade/listening/written-form.js';
import { createPocketsphinx } from '../../../src/agents/index.js';
import { UsageError } from '../../../src/shared/index.js';
import { createFliteSynthesizer, createSpeaker } from '../../../src/speech/index.js';

const catalogue: Parameters<typeof createPocketsphinx>[0]['catalogue'] = {
  products: [
    { name: 'Tent', options: { color: ['red', 'olive'], capacity: ['2 people', '4 people'] } },
    { name: 'Desk Lamp', options: { color: ['black', 'white'], brightness: ['low', 'high'] } },
  ],
};
const path = process.env.PATH ?? '';
const signal = new AbortController().signal;

/** The reason why not, or null. */
const absent = await createPocketsphinx({ catalogue, path }).then(
  () => null,
  (error: unknown) => (error instanceof UsageError ? error.message : Promise.reject(error)),
);
if (absent !== null) console.warn(`skipped: ${absent}`);

describe('pocketsphinx', () => {
  it('says in one line how to install what is missing', async () => {
    for (const options of [
      { catalogue, path: '/nowhere' },
      { catalogue, path: '/nowhere', modelFolders: [] },
    ])
      await expect(createPocketsphinx(options)).rejects.toMatchObject({
        code: 'recogniser-missing',
        message: expect.stringMatching(/^[^\n]*apt-get install pocketsphinx pocketsphinx-en-us[^\n]*$/),
      });
  });

  it.skipIf(absent !== null)(
    'hears a spoken order number and product, the same each time',
    async () => {
      const engine = await createFliteSynthesizer({ workers: 1 });
      const speaker = await createSpeaker({ engine });
      try {
        const written = 'I want to return the desk lamp from order #W7140697.';
        const line = await speaker.speak(written, speaker.chooseVoice(1));
        const recogniser = await createPocketsphinx({ catalogue, path });
        const first = await recogniser.recognise(line.clip, signal);
        await recogniser.recognise(line.clip, signal);
        const again = await recogniser.recognise(line.clip, signal);
        expect(again).toEqual(first);
        const name = await speaker.speak('My name is Yusuf Rossi.', speaker.chooseVoice(1));
        const { others } = await recogniser.recognise(name.clip, signal);
        // What is clearly heard has one guess; a name that it does not know has several, each once.
        expect(others.length).toBeGreaterThan(1);
        expect(new Set(others).size).toBe(others.length);
        expect(toWrittenForm(first.text)).toContain('return the desk lamp from order #W7140697');
      } finally {
        await speaker.close();
      }
    },
    60_000,
  );
});
