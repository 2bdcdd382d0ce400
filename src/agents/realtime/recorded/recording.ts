import type { Transcriber } from '../../../models/index.js';
import { sha256Hex } from '../../../shared/index.js';
import { realtimeError } from '../errors.js';
import type { Mind } from '../realtime-line.js';
import type { AskedReply } from '../realtime-session.js';
import { ConversationHash } from './conversation-hash.js';
import { type ExchangeLine, headerLine, parseRecording, readReply, writeReply } from './exchange.js';

/** Where the replies of one agent's episodes go, or come from. */
export interface RealtimeRecording {
  readonly model: string;
  /** Stands between an episode and its model. @param scope the episode, so that equal words of two are kept apart */
  mind(scope: string, line: Mind): Mind;
  transcriber(inner: Transcriber | null): Transcriber | null;
}

/**
 * Passes everything through and hands out the lines of a recording, header first, each with its line feed. What the model said
 * is in it with its sound, for the sandbox keeps that; keys are not, and the customer's voice is named by its hash.
 */
export function recordRealtime(model: string, append: (line: string) => void): RealtimeRecording {
  append(headerLine(model));
  const keep = (line: ExchangeLine): void => append(`${JSON.stringify(line)}\n`);
  return {
    model,
    mind: (scope, line) => {
      const hash = new ConversationHash(scope);
      let index = 0;
      return {
        connect: () => line.connect(),
        plan: (plan) => {
          hash.plan(plan);
          line.plan(plan);
        },
        tell: (entry) => {
          hash.add(entry);
          line.tell(entry);
        },
        remember: (entry) => {
          hash.add(entry);
          line.remember(entry);
        },
        cutSaid: (said, heardText) => {
          hash.add({ kind: 'note', text: `heard: ${heardText}` });
          line.cutSaid(said, heardText);
        },
        ask: async (breakInAtMs) => {
          const request = hash.request(breakInAtMs);
          const reply = await line.ask(breakInAtMs);
          index += 1;
          keep({ type: 'realtime_reply', request, scope, index, reply: writeReply(reply) });
          return reply;
        },
        forget: (cut) => line.forget(cut),
        close: () => line.close(),
      };
    },
    transcriber: (inner) =>
      inner === null
        ? null
        : {
            name: inner.name,
            transcribe: async (wav, signal) => {
              const text = await inner.transcribe(wav, signal);
              keep({ type: 'transcript', sound: sha256Hex(wav), text });
              return text;
            },
          },
  };
}

/**
 * The replies of a recording again, with no server. What was not recorded fails with `RealtimeError` and says where the
 * conversation left the recorded one.
 * @param source the file's name, for messages
 * @throws ChatRecordingError
 */
export function replayRealtime(text: string, source: string): RealtimeRecording {
  const { model, lines } = parseRecording(text, source);
  const replies = new Map<string, AskedReply[]>();
  const counts = new Map<string, number>();
  const transcripts = new Map<string, string>();
  for (const line of lines) {
    if (line.type === 'transcript') {
      transcripts.set(line.sound, line.text);
      continue;
    }
    counts.set(line.scope, Math.max(counts.get(line.scope) ?? 0, line.index));
    const known = replies.get(line.request);
    if (known === undefined) replies.set(line.request, [readReply(line.reply)]);
    else known.push(readReply(line.reply));
  }
  const unrecorded = (what: string) =>
    realtimeError('refused', `${source} ${what}; record it again with the same options`);
  return {
    model,
    mind: (scope) => {
      const hash = new ConversationHash(scope);
      let index = 0;
      return {
        connect: async () => undefined,
        plan: (plan) => hash.plan(plan),
        tell: (entry) => hash.add(entry),
        remember: (entry) => hash.add(entry),
        cutSaid: (_said, heardText) => hash.add({ kind: 'note', text: `heard: ${heardText}` }),
        ask: async (breakInAtMs) => {
          index += 1;
          const known = replies.get(hash.request(breakInAtMs));
          const found = known !== undefined && known.length > 1 ? known.shift() : known?.[0];
          if (found !== undefined) return found;
          const count = counts.get(scope) ?? 0;
          throw unrecorded(
            count === 0
              ? `holds nothing of the episode ${scope}`
              : index > count
                ? `holds ${count} replies of the episode ${scope}, and this is the ${index}th that is asked for`
                : `holds another conversation of the episode ${scope}: before reply ${index} something else was said`,
          );
        },
        forget: async () => undefined,
        close: () => undefined,
      };
    },
    transcriber: (inner) => ({
      name: inner?.name ?? 'recorded',
      transcribe: async (wav) => {
        const found = transcripts.get(sha256Hex(wav));
        if (found === undefined) throw unrecorded('holds no transcript of something that the model said');
        return found;
      },
    }),
  };
}
