export { type FilledSchedule, fillSchedule } from './curriculum/fill-schedule.js';
export { createModelRewriter } from './curriculum/model-rewriter.js';
export { stepsOf, stepsPicture } from './curriculum/picture.js';
export { createRuleRewriter, type Rewriter } from './curriculum/rewriter.js';
export { layOut, parseSchedule, type Schedule, sizeOf, TARL_SCHEDULE } from './curriculum/schedule.js';
export { hardenTask, simplifyTask } from './curriculum/vary-task.js';
export {
  DatasetChoiceError,
  DatasetFolderError,
  DatasetSourceError,
  EvaluationTaskError,
  PrivateDataError,
  TokenizerError,
} from './errors.js';
export {
  CLIP_FORMATS,
  type ClipCoder,
  type ClipFormat,
  openClipCoder,
  WAV_CLIPS,
} from './export/clip-coder.js';
export { type ExportOptions, exportDataset } from './export/export-dataset.js';
export type { DatasetManifest } from './export/manifest.js';
export type { DatasetFormat } from './formats/format.js';
export { FORMATS } from './formats/formats.js';
export type { PrivateText } from './privacy/scan.js';
export { type DatasetSource, openSource, type RunInput } from './source/dataset-source.js';
export { type FilterOptions, KEEP_ALL } from './source/filters.js';
export { AUDIO_FAMILIES, findAudioFamily } from './tokens/audio-family.js';
export { loadTokenizer, type ModelTokenizer } from './tokens/model-tokenizer.js';
export { createTokenEncoder, type EncodeRow, NOT_ENCODED } from './tokens/token-encoder.js';
export { TARL_LIMITS, type TokenLimits } from './tokens/truncate.js';
