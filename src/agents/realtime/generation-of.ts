import { pcm16ToBytes } from '../../protocol/index.js';
import { sha256Hex } from '../../shared/index.js';
import type { Generation } from '../openai-compatible/generation.js';
import type { AskedReply } from './realtime-session.js';
import { type Sound, soundMs } from './wire-audio.js';

/** How a reply ended, in the words of the chat agent's side file. */
function finishOf({ status, reason, calls }: AskedReply): Generation['finish'] {
  if (status === 'completed') return calls.length > 0 ? 'tools' : 'stop';
  if (status !== 'incomplete') return 'other';
  return reason === 'content_filter' ? 'filter' : 'length';
}

/**
 * A reply of a realtime model as the side file keeps it. Such servers tell no ids and no audio-token counts of a clip; what they
 * count is the session's, and the prompt holds everything said so far. Clips are hashed as their PCM16 samples.
 * @param heard what the customer said since the reply before
 */
export function generationOf(reply: AskedReply, turn: number, heard: readonly Sound[]): Generation {
  return {
    ...{ turn, finish: finishOf(reply), usage: reply.usage },
    ...{ promptShared: null, promptRest: null, ids: null, logprobs: null, faults: [] },
    clips: heard.map((sound) => ({
      sha256: sha256Hex(pcm16ToBytes(sound.samples)),
      ...{ durationMs: soundMs(sound), tokens: null },
    })),
    discarded: reply.spoken.length === 0 && reply.calls.length === 0,
  };
}
