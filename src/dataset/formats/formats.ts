import type { DatasetFormat } from './format.js';
import { huggingFaceFormat } from './hugging-face.js';
import { llamaFactoryFormat } from './llama-factory.js';
import { msSwiftFormat } from './ms-swift.js';
import { nemoGymFormat } from './nemo-gym.js';
import { openEnvFormat } from './open-env.js';
import { openAiFormat } from './openai.js';
import { parlorFormat } from './parlor.js';
import { preferenceFormat } from './preference.js';
import { skyRlFormat } from './sky-rl.js';
import { stepsFormat } from './steps.js';
import { trlFormat } from './trl.js';
import { trlPromptsFormat } from './trl-prompts.js';
import { verifiersFormat } from './verifiers.js';
import { verlFormat } from './verl.js';
import { verlTrajectoriesFormat } from './verl-trajectories.js';
import { webDatasetFormat } from './web-dataset.js';

const ALL: readonly DatasetFormat[] = [
  ...[parlorFormat, verlFormat, verlTrajectoriesFormat, msSwiftFormat, llamaFactoryFormat, huggingFaceFormat],
  ...[
    trlFormat,
    trlPromptsFormat,
    openAiFormat,
    preferenceFormat,
    stepsFormat,
    verifiersFormat,
    openEnvFormat,
  ],
  ...[skyRlFormat, nemoGymFormat, webDatasetFormat],
];

/** Every format by name. */
export const FORMATS: ReadonlyMap<string, DatasetFormat> = new Map(
  ALL.map((format) => [format.name, format]),
);
