import { type Clock, sha256Hex } from '../../shared/index.js';
import { ClientSession, type ClientSessionOptions } from './client-session.js';

interface Entry {
  readonly session: ClientSession;
  /** The connection that carries it now; its session is taken away when another one resumes it. */
  holder: { lose(): void } | null;
  cancelGrace: () => void;
}

export interface OpenedSession {
  readonly session: ClientSession;
  readonly token: string;
}

/**
 * The sessions of a server by their resume token. Tokens are kept and looked up as SHA-256, so neither the time of a look-up
 * nor what lies in memory says anything about a token.
 */
export class SessionRegistry {
  readonly #options: ClientSessionOptions;
  readonly #clock: Clock;
  readonly #createToken: () => string;
  readonly #entries = new Map<string, Entry>();
  readonly #leaving = new Set<ClientSession>();
  #waiting = 0;

  constructor(options: ClientSessionOptions, createToken: () => string) {
    this.#options = options;
    this.#clock = options.timing.clock;
    this.#createToken = createToken;
  }

  /** Sessions that have a connection or wait for another one. */
  get size(): number {
    return this.#entries.size;
  }

  open(holder: Entry['holder']): OpenedSession {
    const token = this.#createToken();
    const hash = sha256Hex(token);
    const session = new ClientSession(hash.slice(0, 16), this.#options);
    this.#entries.set(hash, { session, holder, cancelGrace: () => undefined });
    return { session, token };
  }

  find(token: string): ClientSession | null {
    return this.#entries.get(sha256Hex(token))?.session ?? null;
  }

  /** Gives a session to another connection, whether or not the old one knows that it is dead. */
  take(token: string, holder: Entry['holder']): void {
    const entry = this.#entries.get(sha256Hex(token));
    if (entry === undefined) return;
    this.#stopWaiting(entry);
    entry.holder?.lose();
    entry.holder = holder;
  }

  /** The connection is gone without a word: the session waits for another one. */
  wait(token: string): void {
    const entry = this.#entries.get(sha256Hex(token));
    if (entry === undefined) return;
    const { graceMs, maxWaitingSessions } = this.#options.limits;
    entry.holder = null;
    entry.session.outbox.detach();
    const idle = entry.session.episode === null && entry.session.outbox.lastSeq <= 1;
    if (graceMs === 0 || idle || this.#waiting >= maxWaitingSessions) {
      this.drop(token);
      return;
    }
    this.#waiting += 1;
    const cancel = this.#clock.after(graceMs, () => this.drop(token));
    entry.cancelGrace = () => {
      cancel();
      this.#waiting -= 1;
    };
  }

  /** Ends a session for good. It is kept until its episode is over, so that shutting down can wait for the record. */
  drop(token: string): void {
    const hash = sha256Hex(token);
    const entry = this.#entries.get(hash);
    if (entry === undefined) return;
    this.#stopWaiting(entry);
    this.#entries.delete(hash);
    const { session } = entry;
    session.end({ type: 'disconnected' });
    session.outbox.close();
    if (session.episode === null) return;
    this.#leaving.add(session);
    void session.episode.done.then(() => this.#leaving.delete(session));
  }

  all(): ClientSession[] {
    return [...[...this.#entries.values()].map(({ session }) => session), ...this.#leaving];
  }

  /** Ends what is running as `shutdown`. */
  async shutDown(): Promise<void> {
    for (const entry of this.#entries.values()) this.#stopWaiting(entry);
    const sessions = this.all();
    for (const session of sessions) session.end({ type: 'shutdown' });
    await Promise.all(sessions.map((session) => session.episode?.done));
  }

  #stopWaiting(entry: Entry): void {
    entry.cancelGrace();
    entry.cancelGrace = () => undefined;
  }
}
