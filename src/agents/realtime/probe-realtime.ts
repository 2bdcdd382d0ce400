import { dialectOf } from './dialect.js';
import { DEFAULT_SILENCE_MS, type RealtimeAgentOptions, TAIL_MARGIN_MS } from './realtime-agent.js';
import { RealtimeLine } from './realtime-line.js';
import type { Sound } from './wire-audio.js';

const PROBE_TOOL = {
  ...{ name: 'nothing', title: 'Nothing', description: 'Does nothing.', readOnly: true, destructive: false },
  inputSchema: { type: 'object', properties: {} },
};
const PROBE_TEXT = 'This is a test of the line. Say the word ready.';

/**
 * One real reply, with what the run is going to send: sound where it is spoken with, and a tool.
 * Rejects with `RealtimeError`.
 */
export async function probeRealtime(
  options: Omit<RealtimeAgentOptions, 'recording' | 'transcriber' | 'breakIns'>,
  sound: Sound | null,
): Promise<void> {
  const { baseUrl, model, apiKey, clock, voice, encoding = 'pcm16' } = options;
  const dialect = dialectOf(options.dialect ?? 'openai');
  const silenceMs = options.silenceMs ?? DEFAULT_SILENCE_MS[dialect.name];
  const line = new RealtimeLine({
    ...{ address: { baseUrl, model, apiKey }, dialect, clock, signal: new AbortController().signal },
    ...{ tailSilenceMs: silenceMs + TAIL_MARGIN_MS, sessionMs: dialect.sessionMs },
  });
  try {
    await line.connect();
    line.plan({
      ...{ model, speaks: sound !== null, voice, silenceMs, encoding, instructions: PROBE_TEXT },
      // A server's detector would wait for speech, which a tone is not.
      turns: 'manual',
      transcriptionModel: options.transcriptionModel,
      tools: [PROBE_TOOL],
    });
    line.tell({ kind: 'customer', text: sound === null ? 'Ready?' : null, sound, transcript: null });
    await line.ask(null);
  } finally {
    line.close();
  }
}
