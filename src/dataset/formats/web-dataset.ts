import { chatMessages, rowFacts } from './chat-messages.js';
import type { TarEntry, TarFormat } from './format.js';

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** WebDataset: per episode `000123.json` and one clip per spoken turn, all with the same key up to the first dot. */
export const webDatasetFormat: TarFormat = {
  name: 'web-dataset',
  kind: 'tar',
  audio: 'embedded',
  summary: 'WebDataset: tar shards with the sound inside, for streaming',
  convert: (row, { audioBytes, audioFormat, split, index }) => {
    const key = `${split}-${digits(index, 8)}`;
    const sounds: TarEntry[] = [];
    const messages = chatMessages(row, { argumentsAs: 'text' }).map((message, place) => {
      const own = row.messages[place];
      if (own?.role !== 'user' || own.audio === null) return message;
      const name = `user.${digits(sounds.length, 2)}.${audioFormat}`;
      sounds.push({ name: `${key}.${name}`, data: audioBytes(own.audio) });
      return { ...message, audio: name, spoken: own.spoken };
    });
    const json = { ...rowFacts(row), messages, tools: row.tools, turns: row.turns };
    return { values: [{ name: `${key}.json`, data: Buffer.from(JSON.stringify(json)) }, ...sounds] };
  },
};
