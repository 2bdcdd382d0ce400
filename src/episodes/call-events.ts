import { z } from 'zod';
import { asideSchema, wordTimesSchema } from '../protocol/index.js';
import { audioRefSchema, turn, WORDS } from './record-parts.js';

/**
 * What turn-taking adds to a record. Positions are samples of the call's clock: at the rate of `wire`, from the first
 * sample of the opening. With `fast` pacing it is moved only by what is said and by silence that the agent sent or told of.
 */

const sample = z.number().int().min(0);

/** Where on the call's clock a line or a message was spoken. */
const callPlaceSchema = z.object({
  startSample: sample,
  samples: sample.describe('How long it lasted; of a message that was broken into, how long it would have'),
});

export const customerCallSchema = callPlaceSchema.extend({
  cause: z
    .enum(['answer', 'interruption', 'check_in'])
    .describe('`answer`: the agent had finished, or the opening; `check_in`: it had said nothing'),
});

export const agentCallSchema = callPlaceSchema.extend({
  talks: z
    .array(z.object({ startSample: sample, endSample: sample }))
    .describe('Where it is heard to speak, from the start of the message'),
  timing: z
    .enum(['voice', 'estimate'])
    .describe('`voice`: a voice detector on its own sound; `estimate`: from the letters of the spoken form'),
});

export const asideEventSchema = z
  .object({
    type: z.literal('aside'),
    turn,
    utterance: z.number().int().min(0).describe("Counts with the customer's lines"),
    kind: asideSchema,
    text: z.string(),
    spoken: z.string(),
    audio: audioRefSchema,
    startSample: sample,
    samples: sample.describe('As far as it was said'),
    words: wordTimesSchema.optional().describe(WORDS),
  })
  .describe('With turn-taking: the customer said something beside its lines.');

export const customerInterruptedEventSchema = z
  .object({
    type: z.literal('customer_interrupted'),
    turn,
    cause: z
      .enum(['interruption', 'pause'])
      .describe('`pause`: the agent had paused so long that the customer took it for the end'),
    atSample: sample.describe('Where the customer began to speak'),
    agentStopSample: sample.describe('Where the agent fell silent'),
    heardSamples: sample.describe("Of the agent's sound until then"),
    answeredText: z
      .string()
      .describe('What had been heard when the customer spoke: all that its words follow from'),
    heardText: z.string().describe('What had been heard when the agent fell silent'),
    words: z
      .enum(['times', 'share'])
      .describe(
        "How the words were found: by their times; or each has its letters' share of the time that the agent speaks",
      ),
  })
  .describe('With turn-taking: the customer broke in while the agent spoke.');

export const customerYieldedEventSchema = z
  .object({
    type: z.literal('customer_yielded'),
    turn,
    utterance: z.number().int().min(0),
    because: z
      .enum(['interrupted', 'interrupting'])
      .describe('`interrupted`: the agent broke in; `interrupting`: it talked on when the customer did'),
    agentStartSample: sample.describe('Since when both had been talking'),
    samplesSaid: sample.describe('Of the utterance, before the customer stopped'),
    samplesSent: sample.describe(
      'Of the utterance, to the agent; with `fast` pacing all of it, ahead of time',
    ),
    saidText: z.string().describe('The words in what was said'),
    words: z
      .enum(['times', 'share'])
      .optional()
      .describe('How they were found, as in `customer_interrupted`'),
  })
  .describe(
    'With turn-taking: the customer stopped in the middle of its utterance, and let the agent speak.',
  );
