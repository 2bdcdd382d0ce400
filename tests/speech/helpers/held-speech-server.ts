import type { ServerResponse } from 'node:http';
import { encodeWav } from '../../../src/audio/index.js';
import { type LocalSpeechServer, startSpeechServer, toneSpeech } from './speech-server.js';

/** One line that a server has begun and goes on with when it is told to. */
export interface HeldLine {
  /** The rest of it. */
  goOn(): void;
  /** The connection breaks. */
  breakOff(): void;
  /** Something else, and no more. */
  say(samples: Int16Array): void;
}

interface HeldServer extends LocalSpeechServer {
  /** The next line that was begun. */
  line(): Promise<HeldLine>;
}

const bytesOf = (samples: Int16Array): Buffer =>
  Buffer.from(encodeWav({ samples, sampleRateHz: 24_000 }).subarray(44));

function finish(response: ServerResponse, rest: Buffer): void {
  // Odd pieces: samples are split between them.
  for (let at = 0; at < rest.length; at += 3333) response.write(rest.subarray(at, at + 3333));
  response.end();
}

/** A real server that makes the first part of each line (half, in odd bytes) and holds the rest back. */
export async function startHeldServer(share = 0.5): Promise<HeldServer> {
  const begun: HeldLine[] = [];
  const asked: ((line: HeldLine) => void)[] = [];
  const server = await startSpeechServer(async ({ body }, response) => {
    const bytes = bytesOf(await toneSpeech(body));
    const half = 2 * Math.floor((bytes.length * share) / 2) + 1;
    response.writeHead(200, { 'content-type': 'audio/pcm;rate=24000' });
    response.write(bytes.subarray(0, half));
    const line: HeldLine = {
      goOn: () => finish(response, bytes.subarray(half)),
      breakOff: () => response.destroy(),
      say: (samples) => finish(response, Buffer.concat([bytes.subarray(half, half + 1), bytesOf(samples)])),
    };
    const waiting = asked.shift();
    if (waiting === undefined) begun.push(line);
    else waiting(line);
  });
  return {
    ...server,
    line: async () => begun.shift() ?? new Promise((resolve) => asked.push(resolve)),
  };
}
