import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConditionsError, findConditions, readVoiceTasks, renderLine } from '../../../src/audio/index.js';
import { hasReferenceData, readReferenceJson } from '../../helpers/reference-data.js';
import { line, voices } from './line-clips.js';

const config = {
  persona_name: 'somebody',
  background_noise_file: 'people_talking.wav',
  burst_noise_files: ['siren.wav'],
  environment: 'outdoor',
  telephony_enabled: true,
  channel_effects_config: {
    enable_frame_drops: true,
    frame_drop_rate: 0.02,
    frame_drop_burst_duration_ms: 100,
    frame_drop_duration_ms: 150,
  },
  source_effects_config: {
    enable_background_noise: true,
    noise_snr_db: 15,
    noise_snr_drift_db: 3,
    noise_variation_speed: 0.5,
    enable_burst_noise: true,
    burst_noise_events_per_minute: 1,
    burst_snr_range_db: [-5, 10],
  },
  speech_effects_config: {
    enable_dynamic_muffling: true,
    muffle_probability: 0.2,
    muffle_segment_count: 1,
    muffle_segment_duration_ms: 500,
    muffle_cutoff_freq: 1500,
    muffle_transition_ms: 100,
    enable_vocal_tics: true,
    vocal_tics: [{ text: '[cough]', type: 'vocal_tic' }],
    min_words_for_vocal_tics: 3,
    enable_non_directed_phrases: false,
    non_directed_phrases: [],
    speech_insert_events_per_minute: 0.7,
  },
};
const file = (of: object) => ({ base_seed: 1, configs: { 7: { configs: { regular: of } } } });

describe('readVoiceTasks', () => {
  it("gives the conditions of a task, with tau-voice's own constants", () => {
    const { conditions, personaName } = readVoiceTasks(file(config)).find('7', 'regular');
    expect(personaName).toBe('somebody');
    const { environments, tics, inserts, ...rest } = findConditions('regular');
    expect(conditions).toMatchObject(rest);
    expect(conditions.environments).toEqual([{ name: 'outdoor', beds: ['babble'], bursts: ['siren'] }]);
    expect(conditions.tics?.chance).toBeCloseTo(0.07);
    expect(conditions.tics?.kinds).toEqual(['cough']);
  });

  it('names what it does not know', () => {
    const tasks = readVoiceTasks(file(config));
    expect(() => tasks.find('8', 'regular')).toThrow("no task '8'");
    expect(() => tasks.find('7', 'control')).toThrow("no complexity 'control'; it has regular");
    const strange = readVoiceTasks(file({ ...config, background_noise_file: 'bagpipes.wav' }));
    expect(() => strange.find('7', 'regular')).toThrow(
      "'bagpipes.wav' is not known; known are people_talking.wav",
    );
  });

  it('answers rubbish with one clear error', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(() => readVoiceTasks(value)).toThrow(ConditionsError);
      }),
    );
  });

  it.skipIf(!hasReferenceData)(
    "reads every task and complexity of tau2-bench's file as it is (needs the reference data)",
    () => {
      const tasks = readVoiceTasks(readReferenceJson('data', 'tau2-retail', 'tasks_voice.json'));
      expect(tasks.taskIds.length).toBe(114);
      for (const id of tasks.taskIds) {
        expect(tasks.find(id, 'control').conditions.bed).toBeNull();
        expect(tasks.find(id, 'regular').conditions.packetLoss?.lossRate).toBe(0.02);
        expect(tasks.find(id, 'control_audio').conditions.packetLoss?.lossRate).toBe(0.005);
      }
      const { conditions } = tasks.find('0', 'regular');
      const phrases = conditions.inserts?.phrases ?? [];
      const asides = new Map(phrases.map((phrase) => [phrase, line] as const));
      expect(
        renderLine(line, conditions, { seed: 1, voices: { ...voices, asides } }).clip.samples.length,
      ).toBeGreaterThan(0);
    },
  );
});
