import type { OpenRecord } from '../../episodes/index.js';
import { HttpError } from './http-error.js';
import { sendBytes } from './respond.js';
import type { HttpRoute } from './route.js';

/** The newest clips of this sandbox by content hash, up to a number of bytes. */
export interface AudioClips {
  readonly route: HttpRoute;
  /** The same records; what they keep as sound can also be fetched from here. */
  watch(openRecord: OpenRecord): OpenRecord;
}

const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Looks a clip up elsewhere, e.g. in a run folder. Asked with 64 hexadecimal digits only. */
export type ReadClip = (sha256: string) => Promise<Uint8Array | null>;

/**
 * `GET /v1/audio/<sha256>.wav`: what the customer said, by content. Nothing of a request reaches a file system but 64
 * hexadecimal digits, so there is no path to climb; who does not know a clip's hash cannot find it.
 */
export function createAudioClips(readClip: ReadClip = async () => null): AudioClips {
  const kept = new Map<string, Uint8Array>();
  let keptBytes = 0;

  function keep(sha256: string, wav: Uint8Array): void {
    keptBytes += wav.length - (kept.get(sha256)?.length ?? 0);
    // Set anew, so that it is the youngest.
    kept.delete(sha256);
    kept.set(sha256, wav);
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= MAX_KEPT_BYTES) break;
      kept.delete(oldest);
      keptBytes -= length;
    }
  }

  return {
    route: {
      ...{ method: 'GET', path: '/v1/audio/:file', auth: 'token' },
      handle: async (_request, response, { params }) => {
        const sha256 = /^([0-9a-f]{64})\.wav$/.exec(params.file ?? '')?.[1];
        const wav = sha256 === undefined ? null : (kept.get(sha256) ?? (await readClip(sha256)));
        if (wav === null) throw new HttpError(404, 'no such clip; expected /v1/audio/<sha256>.wav');
        sendBytes(response, wav, {
          headers: { 'content-type': 'audio/wav', 'cache-control': 'private, max-age=86400, immutable' },
        });
      },
    },
    watch: (openRecord) => (episode) => {
      const sink = openRecord(episode);
      return {
        episode: sink.episode,
        append: (event) => sink.append(event),
        audio: async (sha256, wav) => {
          await sink.audio(sha256, wav);
          keep(sha256, wav);
        },
        finish: () => sink.finish(),
      };
    },
  };
}
