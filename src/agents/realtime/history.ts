import type { Dialect } from './dialect.js';
import { encodeSound, type Sound, soundMs, type WireFormat } from './wire-audio.js';

/** What was said and done, as another session must be told it. */
export type HistoryEntry =
  | {
      readonly kind: 'customer';
      readonly text: string | null;
      readonly sound: Sound | null;
      /** What a recogniser made of it, once it is known. */
      transcript: string | null;
    }
  /** As far as it was heard. */
  | { readonly kind: 'agent'; readonly text: string }
  | { readonly kind: 'call'; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly kind: 'result'; readonly callId: string; readonly output: string }
  /** Something that the model must know and that nobody said. */
  | { readonly kind: 'note'; readonly text: string };

const NO_RECORDING =
  '[The customer spoke here. The recording is no longer at hand; go by what came after it.]';
/** Of the customer's sound that is sent again; older clips go as text. */
const MOST_SOUND_MS = 5 * 60_000;

const message = (role: string, type: string, text: string): object => ({
  ...{ type: 'message', role, content: [{ type, text }] },
});

function itemOf(entry: HistoryEntry, withSound: boolean, format: WireFormat): object {
  switch (entry.kind) {
    case 'customer':
      if (entry.text !== null) return message('user', 'input_text', entry.text);
      if (entry.sound === null || !withSound)
        return message('user', 'input_text', entry.transcript ?? NO_RECORDING);
      return {
        ...{ type: 'message', role: 'user' },
        content: [{ type: 'input_audio', audio: encodeSound(entry.sound, format).toString('base64') }],
      };
    case 'agent':
      // An assistant's sound cannot be written back; its words can.
      return message('assistant', 'output_text', entry.text);
    case 'call':
      return { type: 'function_call', call_id: entry.callId, name: entry.name, arguments: entry.arguments };
    case 'result':
      return { type: 'function_call_output', call_id: entry.callId, output: entry.output };
    case 'note':
      return message('system', 'input_text', entry.text);
  }
}

/** Entries as items for `conversation.item.create`, in order. */
export function historyItems(
  entries: readonly HistoryEntry[],
  dialect: Dialect,
  format: WireFormat,
): object[] {
  let leftMs = MOST_SOUND_MS;
  const withSound = new Set<HistoryEntry>();
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'customer' || entry.sound === null) continue;
    leftMs -= soundMs(entry.sound);
    if (leftMs >= 0) withSound.add(entry);
  }
  return entries
    .filter(({ kind }) => dialect.writesItems || kind === 'result')
    .filter((entry) => entry.kind !== 'agent' || entry.text !== '')
    .map((entry) => itemOf(entry, withSound.has(entry), format));
}

function lineOf(entry: HistoryEntry): string {
  switch (entry.kind) {
    case 'customer':
      return `Customer: ${entry.text ?? entry.transcript ?? NO_RECORDING}`;
    case 'agent':
      return `You: ${entry.text}`;
    case 'call':
      return `You called ${entry.name} with ${entry.arguments}`;
    case 'result':
      return `It gave: ${entry.output}`;
    case 'note':
      return `[${entry.text}]`;
  }
}

/** Entries as text for the instructions, for servers whose conversation nobody can write into. */
export function historyText(entries: readonly HistoryEntry[]): string {
  if (entries.length === 0) return '';
  return `\n\nThe call was interrupted and goes on here. Do not greet again. So far:\n\n${entries.map(lineOf).join('\n')}`;
}
