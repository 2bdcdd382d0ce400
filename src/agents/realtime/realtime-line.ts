import type { Clock } from '../../shared/index.js';
import type { SessionPlan } from './dialect.js';
import { RealtimeError } from './errors.js';
import { type HistoryEntry, historyItems, historyText } from './history.js';
import { type AskedReply, type BrokenIn, RealtimeSession, type SessionOptions } from './realtime-session.js';

export interface LineOptions extends SessionOptions {
  /** Silence after what the customer says, for the server's turn detection. */
  readonly tailSilenceMs: number;
  /** Another session is begun when one is as old as this. */
  readonly sessionMs: number;
}

/** Tries of one reply. */
const MOST_TRIES = 3;
const RETRY_MS = 500;

function pause(clock: Clock, durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(durationMs, resolve);
    signal.addEventListener(
      'abort',
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}

/** What an episode says to its model and hears from it, whoever is behind it: a server, or a recording. */
export interface Mind {
  /** Rejects with `RealtimeError` when nobody is there. */
  connect(): Promise<void>;
  plan(plan: SessionPlan): void;
  tell(entry: HistoryEntry): void;
  /** What the model said, as far as it was heard: it knows it already. */
  remember(entry: Extract<HistoryEntry, { kind: 'agent' | 'call' }>): void;
  /** Of what was remembered as said, only the first words were heard. */
  cutSaid(said: readonly { readonly text: string }[], heardText: string): void;
  /** Rejects with `RealtimeError` when there is no reply for good. */
  ask(breakInAtMs: number | null): Promise<AskedReply>;
  /** Takes back what was not heard. */
  forget(cut: Pick<BrokenIn, 'cut' | 'removed'>): Promise<void>;
  /** Safe twice. */
  close(): void;
}

/**
 * A conversation that outlives its sessions: everything that was said and done is kept, and a session that was lost, is
 * silent or grows too old is followed by another that is told all of it. Nothing is done twice: only replies that were
 * finished are acted on, and their results are part of what is told.
 */
export class RealtimeLine implements Mind {
  readonly #options: LineOptions;
  readonly #entries: HistoryEntry[] = [];
  #plan: SessionPlan | null = null;
  #session: RealtimeSession | null = null;
  /** How many entries the session knows; null: it does not know its instructions either. */
  #told: number | null = null;
  #customerItem: { readonly itemId: string; readonly entry: HistoryEntry } | null = null;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** Opens the first session, so that a server that is not there or refuses the key costs no episode. */
  async connect(): Promise<void> {
    this.#session = await RealtimeSession.open(this.#options);
  }

  plan(plan: SessionPlan): void {
    this.#plan = plan;
  }

  tell(entry: HistoryEntry): void {
    this.#entries.push(entry);
  }

  /** What the model said, as far as it was heard: the session knows it already. */
  remember(entry: Extract<HistoryEntry, { kind: 'agent' | 'call' }>): void {
    this.#entries.push(entry);
    if (this.#told !== null) this.#told = this.#entries.length;
  }

  /** Of what was remembered as said, only the first words were heard: other sessions are told no more. */
  cutSaid(said: readonly { readonly text: string }[], heardText: string): void {
    let rest = heardText.trim();
    for (const { text } of said) {
      const whole = text.trim();
      const isHeard = rest.startsWith(whole);
      const place = this.#entries.findLastIndex((entry) => entry.kind === 'agent' && entry.text === text);
      if (!isHeard && place >= 0) this.#entries[place] = { kind: 'agent', text: rest };
      rest = isHeard ? rest.slice(whole.length).trim() : '';
    }
  }

  /** Rejects with `RealtimeError` when the server fails for good. */
  async ask(breakInAtMs: number | null): Promise<AskedReply> {
    const { clock, signal, sessionMs } = this.#options;
    if (this.#session !== null && this.#session.ageMs >= sessionMs) this.#drop();
    for (let tries = 1; ; tries += 1) {
      try {
        const session = await this.#ready();
        const create = await this.#catchUp(session);
        return await session.ask({ create: create || tries > 1, breakInAtMs });
      } catch (error) {
        const canPass = error instanceof RealtimeError && error.failure !== 'refused';
        // The model failed, not the line: the session stays.
        if (!(error instanceof RealtimeError && error.failure === 'failed')) this.#drop();
        if (!canPass || tries >= MOST_TRIES || signal.aborted) throw error;
        await pause(clock, RETRY_MS * 2 ** (tries - 1), signal);
      }
    }
  }

  /** Takes back on the server what was not heard. A session in which that fails is not used again. */
  async forget({ cut, removed }: Pick<BrokenIn, 'cut' | 'removed'>): Promise<void> {
    const { dialect } = this.#options;
    const session = this.#session;
    if (session === null || !dialect.truncates) return;
    try {
      if (cut !== null) await session.truncate(cut.itemId, cut.heardMs);
      for (const itemId of removed) await session.remove(itemId);
    } catch (error) {
      if (!(error instanceof RealtimeError)) throw error;
      this.#drop();
    }
  }

  close(): void {
    this.#drop();
  }

  #drop(): void {
    this.#noteTranscript();
    this.#session?.close();
    this.#session = null;
    this.#told = null;
    this.#customerItem = null;
  }

  async #ready(): Promise<RealtimeSession> {
    this.#session ??= await RealtimeSession.open(this.#options);
    return this.#session;
  }

  /** Tells the session what it does not know yet. True: a response must be asked for, the server begins none itself. */
  async #catchUp(session: RealtimeSession): Promise<boolean> {
    const { dialect, tailSilenceMs } = this.#options;
    const plan = this.#plan;
    if (plan === null) throw new TypeError('a line needs a plan before it is asked');
    const last = this.#entries.findLastIndex(({ kind }) => kind === 'customer');
    if (this.#told === null) {
      // Where nothing can be written into the conversation, all but the customer's last words go into the instructions.
      const before = dialect.writesItems ? [] : this.#entries.filter((_, index) => index !== last);
      await session.configure({ ...plan, instructions: plan.instructions + historyText(before) });
      this.#told = dialect.writesItems ? 0 : last;
      if (!dialect.writesItems && last < this.#entries.length - 1) {
        const create = await this.#hear(session, last, tailSilenceMs);
        this.#told = this.#entries.length;
        return create;
      }
    }
    const isLive = last === this.#entries.length - 1 && last >= this.#told;
    const written = this.#entries.slice(this.#told, isLive ? last : this.#entries.length);
    for (const item of historyItems(written, dialect, dialect.input(plan.encoding)))
      await session.write(item);
    const create = isLive ? await this.#hear(session, last, tailSilenceMs) : true;
    this.#told = this.#entries.length;
    return create;
  }

  /** Lets the session hear an entry of the customer's as it was spoken, or read it. */
  async #hear(session: RealtimeSession, index: number, tailSilenceMs: number): Promise<boolean> {
    const entry = this.#entries[index];
    if (entry?.kind !== 'customer') return true;
    const { dialect } = this.#options;
    if (entry.sound === null) {
      const [item] = historyItems([entry], dialect, dialect.input('pcm16'));
      if (item !== undefined) await session.write(item);
      return true;
    }
    this.#noteTranscript();
    const itemId = await session.hear(entry.sound, tailSilenceMs);
    this.#customerItem = itemId === null ? null : { itemId, entry };
    return this.#plan?.turns !== 'server';
  }

  /** Transcripts come when they come, often after the reply. */
  #noteTranscript(): void {
    const item = this.#customerItem;
    if (item === null || item.entry.kind !== 'customer') return;
    item.entry.transcript = this.#session?.transcriptOf(item.itemId) ?? item.entry.transcript;
  }
}
