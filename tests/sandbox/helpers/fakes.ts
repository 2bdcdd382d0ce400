import type { ConnectTools } from '../../../src/sandbox/index.js';
import { sha256Hex } from '../../../src/shared/index.js';
import { type Speaker, type Voice, wavBytes } from '../../../src/speech/index.js';
import type { CustomerFactory, CustomerLine } from '../../../src/user/index.js';

/** A customer that opens, echoes what it hears and hangs up at the word "bye". Its words depend on the seed. */
export const echoCustomers: CustomerFactory = {
  name: 'echo/1',
  create: (_brief, seed) => ({
    name: 'echo/1',
    open: async () => ({ text: `Hello, this is caller ${seed}.` }),
    reply: async (agentText): Promise<CustomerLine> =>
      /\bbye\b/.test(agentText)
        ? { text: 'Thank you, goodbye.', end: 'stop' }
        : { text: `You said: ${agentText}` },
  }),
};

/** A customer made of what its two methods do. */
export function customersOf(
  parts: Partial<{ open: () => Promise<CustomerLine>; reply: (text: string) => Promise<CustomerLine> }>,
): CustomerFactory {
  const open = parts.open ?? (async () => ({ text: 'Hello.' }));
  const reply = parts.reply ?? (async () => ({ text: 'Go on.' }));
  return { name: 'parts/1', create: () => ({ name: 'parts/1', open, reply }) };
}

const voice = (id: string): Voice => ({
  ...{ id, engine: 'fake', engineVoice: id, description: '', licence: 'none' },
  ...{ durationStretch: 1, pitchMeanHz: null },
});

/** Sound made of the letters' codes: 100 samples a letter. */
export const fakeSpeaker: Speaker = {
  voices: [voice('low'), voice('high')],
  identify: async () => 'fake/1',
  chooseVoice: (seed) => voice(seed % 2 === 0 ? 'low' : 'high'),
  speak: async (written, { id }) => {
    const samples = new Int16Array(written.length * 100);
    for (let index = 0; index < samples.length; index += 1)
      samples[index] = written.charCodeAt(Math.floor(index / 100)) * (id === 'low' ? 1 : 2);
    const clip = { samples, sampleRateHz: 16_000 };
    return {
      ...{ written, spoken: written.toLowerCase(), clip, sha256: sha256Hex(wavBytes(clip)), voiceId: id },
      durationMs: samples.length / 16,
    };
  },
  close: async () => undefined,
};

/** The world's tools without MCP between. */
export const directTools: ConnectTools = async (session) => ({
  call: async (name, args) => session.call(name, args),
  close: async () => undefined,
});
