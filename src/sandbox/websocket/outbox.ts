import { CLOSE_CODES } from '../../protocol/index.js';
import type { OutgoingEvent } from '../session/state.js';
import { EventLog } from './event-log.js';
import { cutBurst, framesInBurst } from './frame-burst.js';
import type { Link } from './link.js';
import { cutFrame, type Sound } from './sound.js';

/**
 * Everything that a session sends, numbered 1, 2, 3 …, through whichever connection it has at the time. What was not
 * acknowledged is kept, text as it was and sound as a reference, so that a resumed connection gets it again, in order
 * and before anything new. Kept data is bounded: what falls out can no longer be resumed from.
 */
export class Outbox {
  readonly #log: EventLog;
  #seq = 0;
  #link: Link | null = null;
  /** Nothing is left to be replayed. */
  #live = false;
  #closed = false;
  #windowBytes = Number.POSITIVE_INFINITY;
  /** Audio that was sent and not acknowledged, while there is a window. */
  #underWay: { readonly seq: number; readonly bytes: number }[] = [];
  #underWayBytes = 0;
  #waiting: (() => void)[] = [];

  constructor(maxKeptBytes: number) {
    this.#log = new EventLog(maxKeptBytes);
  }

  get lastSeq(): number {
    return this.#seq;
  }

  /** May the next frame go out? */
  get isReady(): boolean {
    return this.#live && this.#underWayBytes < this.#windowBytes;
  }

  /** Calls once, when something has changed that the next frame may have waited for. */
  onChange(call: () => void): void {
    this.#waiting.push(call);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  setWindow(bytes: number | undefined): void {
    this.#windowBytes = bytes ?? Number.POSITIVE_INFINITY;
    this.#underWay = [];
    this.#underWayBytes = 0;
  }

  push(event: OutgoingEvent): void {
    if (this.#closed) return;
    this.#seq += 1;
    const text = JSON.stringify({ ...event, seq: this.#seq });
    this.#log.addText(this.#seq, text);
    if (this.#live) void this.#link?.send(text);
  }

  /**
   * Sends frames from sample `at` on, one or more, and at most `most`. Only while `isReady`. `full` resolves when there is
   * room for more; null when there is.
   */
  pushFrames(sound: Sound, at: number, most: number): { frames: number; full: Promise<void> | null } {
    const sent = this.#sendFrames(sound, at, { seq: this.#seq + 1, most });
    this.#keep(sound, at, sent.frames);
    return sent;
  }

  /** Frames that can go out at once, the first with number `seq`. */
  #sendFrames(
    sound: Sound,
    at: number,
    { seq, most }: { readonly seq: number; readonly most: number },
  ): { frames: number; full: Promise<void> | null } {
    if (sound.format.transport !== 'binary' || this.#link?.sendRaw === undefined)
      return { frames: 1, full: this.#sendFrame(seq, cutFrame(sound, at, seq)) };
    const roomBytes = this.#windowBytes - this.#underWayBytes;
    const frames = Math.min(most, framesInBurst(sound, roomBytes));
    const { bytes, lengths } = cutBurst(sound, at, { seq, frames });
    for (const [place, length] of lengths.entries()) this.#count(seq + place, length);
    return { frames: lengths.length, full: this.#link.sendRaw(bytes) };
  }

  #keep(sound: Sound, at: number, count: number): void {
    this.#log.addFrames({ seq: this.#seq + 1, sound, at, count });
    this.#seq += count;
  }

  #sendFrame(seq: number, frame: string | Uint8Array): Promise<void> | null {
    this.#count(seq, frame.length);
    return this.#link?.send(frame) ?? null;
  }

  #count(seq: number, bytes: number): void {
    if (this.#windowBytes === Number.POSITIVE_INFINITY) return;
    this.#underWay.push({ seq, bytes });
    this.#underWayBytes += bytes;
  }

  /** False: no such event was sent. */
  acknowledge(seq: number): boolean {
    if (seq > this.#seq) return false;
    this.#log.forgetTo(seq);
    const left = this.#underWay.findIndex((sent) => sent.seq > seq);
    for (const sent of this.#underWay.splice(0, left < 0 ? this.#underWay.length : left))
      this.#underWayBytes -= sent.bytes;
    this.#wake();
    return true;
  }

  canResume(lastSeq: number): boolean {
    return lastSeq <= this.#seq && lastSeq + 1 >= (this.#log.firstSeq ?? this.#seq + 1);
  }

  /** Goes on over this link with the event after `lastSeq`. Returns how many are sent again. */
  attach(link: Link, lastSeq: number): number {
    this.#log.forgetTo(lastSeq);
    this.#link = link;
    this.#live = false;
    this.#underWay = [];
    this.#underWayBytes = 0;
    const again = this.#seq - lastSeq;
    if (again === 0) this.#goLive();
    else void this.#replay(link, lastSeq + 1);
    return again;
  }

  detach(): void {
    this.#link = null;
    this.#live = false;
  }

  /** Nothing more will be sent; whoever waits is let go. */
  close(): void {
    this.#closed = true;
    this.detach();
    this.#log.forgetTo(this.#seq);
    this.#wake();
  }

  #goLive(): void {
    this.#live = true;
    this.#wake();
  }

  #wake(): void {
    for (const call of this.#waiting.splice(0)) call();
  }

  async #replay(link: Link, from: number): Promise<void> {
    for (let seq = from; seq <= this.#seq; ) {
      const kept = this.#log.at(seq);
      if (kept === null) {
        link.close(CLOSE_CODES.doesNotRead, 'the client reads too slowly to catch up');
        return;
      }
      if ('text' in kept) {
        await link.send(kept.text);
        seq += 1;
      } else {
        while (this.#underWayBytes >= this.#windowBytes && this.#link === link)
          await new Promise<void>((resolve) => this.onChange(resolve));
        if (this.#link !== link) return;
        const { frames, full } = this.#sendFrames(kept.sound, kept.at, { seq, most: kept.count });
        await full;
        seq += frames;
      }
      if (this.#link !== link) return;
    }
    this.#goLive();
  }
}
