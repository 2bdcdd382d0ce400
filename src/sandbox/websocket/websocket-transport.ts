import type { WebSocket } from 'ws';
import { CLOSE_CODES, encodeAudioFrame } from '../../protocol/index.js';
import type { SessionTransport } from '../session/transport.js';

const FRAME_MS = 100;
/** Above this much unsent data audio waits until the socket has taken what it was given. */
const HIGH_WATER_BYTES = 256 * 1024;
/** A client that lets this much pile up does not read at all. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

export function createTransport(socket: WebSocket): SessionTransport {
  let seq = 0;
  const isOpen = (): boolean => socket.readyState === socket.OPEN;
  const nextSeq = (): number => {
    seq += 1;
    return seq;
  };
  return {
    send: (event) => {
      if (!isOpen()) return;
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) {
        socket.close(CLOSE_CODES.policy, 'the client does not read');
        return;
      }
      socket.send(JSON.stringify({ ...event, seq: nextSeq() }));
    },
    sendAudio: async ({ utterance, samples, sampleRateHz, stillWanted }) => {
      const step = Math.max(1, Math.round((sampleRateHz * FRAME_MS) / 1000));
      for (let sampleOffset = 0; sampleOffset < samples.length; sampleOffset += step) {
        if (!isOpen() || !stillWanted()) return;
        const part = samples.subarray(sampleOffset, sampleOffset + step);
        const bytes = encodeAudioFrame({ seq: nextSeq(), utterance, sampleOffset, samples: part });
        if (socket.bufferedAmount < HIGH_WATER_BYTES) socket.send(bytes);
        // The callback comes when the data has left, with an error when the connection went meanwhile.
        else await new Promise<void>((resolve) => socket.send(bytes, () => resolve()));
      }
    },
  };
}
