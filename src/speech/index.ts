export type { Clip, Speaker, SpokenLine, SynthesisRequest, Synthesizer, Voice } from './synthesizer.js';
