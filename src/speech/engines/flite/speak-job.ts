import { decodeWav } from '../../../audio/index.js';
import type { FliteJob, FliteSpeech } from './flite-job.js';
import { FLITE_OUTPUT_PATH, type FliteProgram } from './flite-program.js';

/** Flite's command line for a job. Settings of the voice's own value are left out, so that flite's defaults speak. */
function fliteArguments(job: FliteJob): string[] {
  const args = ['-voice', job.voice];
  if (job.durationStretch !== 1) args.push('--setf', `duration_stretch=${job.durationStretch}`);
  if (job.pitchMeanHz !== null) args.push('--setf', `int_f0_target_mean=${job.pitchMeanHz}`);
  // `-t` takes the next argument as it is, leading dashes included.
  return [...args, '-t', job.text, '-o', FLITE_OUTPUT_PATH];
}

export function speakJob(program: FliteProgram, job: FliteJob): FliteSpeech {
  const { file, messages, tokens } = program.run(fliteArguments(job));
  if (file.length === 0) throw new Error(`flite wrote no audio; it said: ${messages.trim() || 'nothing'}`);
  const pcm = decodeWav(file);
  const sampleAt = (seconds: number): number =>
    Math.min(pcm.samples.length, Math.round(seconds * pcm.sampleRateHz));
  return {
    ...pcm,
    tokens:
      tokens?.map(({ text, startSeconds, endSeconds }) => [
        text,
        sampleAt(startSeconds),
        sampleAt(endSeconds),
      ]) ?? null,
  };
}
