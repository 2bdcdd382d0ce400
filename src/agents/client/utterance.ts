import { decodeMuLaw } from '../../audio/index.js';
import { type AudioFormat, pcm16FromBytes, type ServerEvent } from '../../protocol/index.js';
import type { CustomerListener, CustomerPart, CustomerTurn, EpisodeEndEvent } from '../episode-client.js';
import { MessageRefusedError, ProtocolFaultError } from '../errors.js';
import type { EventSocket } from './event-socket.js';

/** How the customer is listened to in one episode. */
export interface Ear {
  readonly format: AudioFormat;
  readonly onCustomer: CustomerListener | undefined;
}

interface Utterance {
  readonly turn: CustomerTurn;
  readonly final: boolean;
  /** Set when the episode ended in the middle of it. */
  readonly end: EpisodeEndEvent | null;
}

/** As it came: text, or decoded samples. */
type Piece = string | Int16Array;

type ServerEventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

/** Collects one utterance, text and audio in any mixture, up to its `customer.end`. */
export async function readUtterance(
  socket: EventSocket,
  { utterance, turn: turnNumber, sampleOffset: startOffset, aside }: ServerEventOf<'customer.start'>,
  { format, onCustomer }: Ear,
): Promise<Utterance> {
  const { sampleRateHz, encoding } = format;
  const pieces: Piece[] = [];
  let sampleCount = 0;
  const misplaced = (what: string) =>
    new ProtocolFaultError(`in utterance ${utterance} the sandbox sent ${what}`);
  function hear(of: number, sampleOffset: number, data: Uint8Array): void {
    const expected = startOffset + sampleCount;
    if (of !== utterance || sampleOffset !== expected)
      throw misplaced(`audio of utterance ${of} at sample ${sampleOffset}, expected ${expected}`);
    const samples = encoding === 'mulaw' ? decodeMuLaw(data) : pcm16FromBytes(data);
    pieces.push(samples);
    sampleCount += samples.length;
    onCustomer?.({ kind: 'audio', utterance, samples, sampleRateHz });
  }
  onCustomer?.({ kind: 'start', utterance, turn: turnNumber, ...(aside === undefined ? {} : { aside }) });
  for (;;) {
    const item = await socket.next();
    if (item.kind === 'audio') {
      hear(item.frame.utterance, item.frame.sampleOffset, item.frame.data);
      continue;
    }
    const { event } = item;
    switch (event.type) {
      case 'customer.audio':
        hear(event.utterance, event.sampleOffset, Buffer.from(event.data, 'base64'));
        break;
      case 'customer.text':
        pieces.push(event.text);
        onCustomer?.({ kind: 'text', utterance, text: event.text });
        break;
      case 'customer.end':
        if (event.samples !== sampleCount)
          throw misplaced(`${sampleCount} samples but announces ${event.samples}`);
        return {
          turn: {
            ...joinTurn(pieces, sampleRateHz),
            ...(event.interrupted ? { interrupted: true } : {}),
          },
          ...{ final: event.final, end: null },
        };
      case 'episode.end':
        return { turn: joinTurn(pieces, sampleRateHz), final: true, end: event };
      case 'error':
        throw new MessageRefusedError(event.code, event.message);
      default:
        throw misplaced(event.type);
    }
  }
}

/** Neighbours of one form belong together. */
function joinNeighbours(pieces: readonly Piece[], sampleRateHz: number): CustomerPart[] {
  const runs: Piece[][] = [];
  for (const piece of pieces) {
    const run = runs.at(-1);
    if (run !== undefined && typeof run[0] === typeof piece) run.push(piece);
    else runs.push([piece]);
  }
  return runs.map((run) =>
    typeof run[0] === 'string'
      ? { text: run.join('') }
      : { audio: { samples: samplesOf(run), sampleRateHz } },
  );
}

function samplesOf(pieces: readonly Piece[]): Int16Array {
  const chunks = pieces.filter((piece) => typeof piece !== 'string');
  const samples = new Int16Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    samples.set(chunk, offset);
    offset += chunk.length;
  }
  return samples;
}

function joinTurn(pieces: readonly Piece[], sampleRateHz: number): CustomerTurn {
  const texts = pieces.filter((piece) => typeof piece === 'string');
  const samples = samplesOf(pieces);
  const isMixed = texts.length > 0 && samples.length > 0;
  return {
    text: texts.length === 0 ? null : texts.join(''),
    audio: samples.length === 0 ? null : { samples, sampleRateHz },
    ...(isMixed ? { parts: joinNeighbours(pieces, sampleRateHz) } : {}),
  };
}
