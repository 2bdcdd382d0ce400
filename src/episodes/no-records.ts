import type { OpenRecord } from './record-sink.js';

/** Keeps nothing: for a server whose clients want the outcomes only. Ids repeat when episodes do. */
export const openNoRecord: OpenRecord = (episode) => ({
  episode,
  append: () => undefined,
  audio: async () => undefined,
  finish: async () => undefined,
});
