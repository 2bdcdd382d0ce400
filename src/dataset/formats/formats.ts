import type { DatasetFormat } from './format.js';
import { openAiFormat } from './openai.js';
import { parlorFormat } from './parlor.js';
import { trlFormat } from './trl.js';

/** Every format by name. */
export const FORMATS: ReadonlyMap<string, DatasetFormat> = new Map(
  [parlorFormat, trlFormat, openAiFormat].map((format): [string, DatasetFormat] => [format.name, format]),
);
