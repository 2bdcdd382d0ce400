import type { Clock } from '../../shared/index.js';
import type { RunningEpisode } from '../front.js';
import type { EnvParts } from './env-parts.js';
import { EnvSession } from './env-session.js';
import { EnvFault } from './faults.js';

export interface EnvSessionsOptions {
  readonly parts: EnvParts;
  readonly maxSessions: number;
  /** A session that nobody used for so long is closed. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** Must be impossible to guess: whoever knows a session's id can use it. */
  readonly createId: () => string;
}

interface Place {
  readonly session: EnvSession;
  /** The socket that holds it. */
  holder: { readonly onReaped: () => void } | null;
  /** Closed over HTTP while a socket holds it: it goes when the socket does. */
  closing: boolean;
  cancelReaping: () => void;
}

/** The environments of one server: bounded in number, each let go when its client is gone or silent. */
export class EnvSessions {
  readonly #options: EnvSessionsOptions;
  readonly #places = new Map<string, Place>();
  readonly #leaving = new Set<Promise<void>>();
  #resets = 0;
  #closed = false;

  constructor(options: EnvSessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#places.size;
  }

  /** @throws EnvFault CAPACITY_REACHED */
  create(origin: string | null): EnvSession {
    const { parts, maxSessions, createId } = this.#options;
    if (this.#closed) throw new EnvFault('SESSION_ERROR', 'the sandbox is shutting down');
    if (this.#places.size >= maxSessions)
      throw new EnvFault(
        'CAPACITY_REACHED',
        `every one of ${maxSessions} sessions is in use; close one, or raise --max-sessions`,
        { active_sessions: this.#places.size, max_sessions: maxSessions },
      );
    const nextSeed = () => {
      this.#resets += 1;
      return this.#resets - 1;
    };
    const session = new EnvSession({ id: createId(), parts, origin, nextSeed });
    const place: Place = { session, holder: null, closing: false, cancelReaping: () => undefined };
    this.#places.set(session.id, place);
    this.#postpone(place);
    return session;
  }

  /** The session, which counts as used now. */
  use(id: string): EnvSession | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    this.#postpone(place);
    return place.session;
  }

  /** Gives a socket hold of a session. @throws EnvFault SESSION_ERROR */
  hold(id: string, onReaped: () => void): EnvSession {
    const place = this.#places.get(id);
    if (place === undefined) throw new EnvFault('SESSION_ERROR', `Unknown session_id: ${id}`);
    if (place.holder !== null)
      throw new EnvFault('SESSION_ERROR', `Session ${id} already has an attached WebSocket`);
    place.holder = { onReaped };
    this.#postpone(place);
    return place.session;
  }

  /** The socket is gone. A session that was closed meanwhile goes with it. */
  release(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    place.holder = null;
    if (place.closing) this.remove(id);
  }

  /** What a client is told that wants a session closed; null: there is no such session. */
  close(id: string): 'closed' | 'closing' | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    if (place.holder !== null) {
      place.closing = true;
      return 'closing';
    }
    this.remove(id);
    return 'closed';
  }

  remove(id: string, reason: 'disconnected' | 'shutdown' = 'disconnected'): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    place.cancelReaping();
    const gone = place.session.end(reason).finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }

  running(): RunningEpisode[] {
    return [...this.#places.values()].flatMap(({ session }) => session.running ?? []);
  }

  /** Ends everything; resolves when the records are closed. */
  async shutDown(): Promise<void> {
    this.#closed = true;
    for (const id of [...this.#places.keys()]) this.remove(id, 'shutdown');
    await Promise.all(this.#leaving);
  }

  #postpone(place: Place): void {
    const { clock, idleMs } = this.#options;
    place.cancelReaping();
    place.cancelReaping = clock.after(idleMs, () => {
      place.holder?.onReaped();
      this.remove(place.session.id);
    });
  }
}
