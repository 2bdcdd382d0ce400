import type { Sound } from './sound.js';

interface KeptText {
  readonly seq: number;
  readonly text: string;
}

/** Frames of one sound with numbers that follow each other. */
interface KeptFrames {
  readonly seq: number;
  readonly sound: Sound;
  /** First sample of the first frame. */
  readonly at: number;
  count: number;
}

/** Sounds that stay at hand: who has acted twice since has heard the older ones. */
const MOST_SOUNDS = 2;

/** The last events of a session by number, without a gap, within bounds. */
export class EventLog {
  readonly #maxBytes: number;
  #kept: (KeptText | KeptFrames)[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Null: nothing is kept. */
  get firstSeq(): number | null {
    return this.#kept[0]?.seq ?? null;
  }

  addText(seq: number, text: string): void {
    this.#kept.push({ seq, text });
    this.#bytes += text.length;
    let drop = 0;
    for (let place = 0; this.#bytes > this.#maxBytes && place < this.#kept.length - 1; place += 1) {
      this.#bytes -= bytesOf(this.#kept[place]);
      drop = place + 1;
    }
    if (drop > 0) this.#kept.splice(0, drop);
  }

  /** Frames of one sound, the first with number `seq` and from sample `at` on. */
  addFrames({ seq, sound, at, count }: Readonly<KeptFrames>): void {
    const last = this.#kept.at(-1);
    if (last !== undefined && 'sound' in last && last.sound === sound) {
      last.count += count;
      return;
    }
    this.#kept.push({ seq, sound, at, count });
    this.#dropOldSounds();
  }

  #dropOldSounds(): void {
    const sounds = new Set(this.#kept.flatMap((kept) => ('sound' in kept ? [kept.sound] : [])));
    const [oldest] = sounds;
    if (sounds.size <= MOST_SOUNDS) return;
    this.#drop(this.#kept.findLastIndex((kept) => 'sound' in kept && kept.sound === oldest) + 1);
  }

  /** `count`: frames of the same sound from this one on. */
  at(seq: number): { readonly text: string } | Omit<KeptFrames, 'seq'> | null {
    const kept = this.#kept[this.#placeOf(seq)];
    if (kept === undefined) return null;
    if ('text' in kept) return kept;
    const done = seq - kept.seq;
    const { sound, at, count } = kept;
    return { sound, at: at + done * sound.samplesPerFrame, count: count - done };
  }

  /** Forgets everything up to this number. */
  forgetTo(seq: number): void {
    const place = this.#placeOf(seq);
    const kept = this.#kept[place];
    if (kept === undefined) {
      if (this.#kept.length > 0 && seq >= (this.#kept.at(-1)?.seq ?? 0)) this.#drop(this.#kept.length);
      return;
    }
    const done = seq - kept.seq + 1;
    if ('text' in kept || done >= kept.count) {
      this.#drop(place + 1);
      return;
    }
    this.#drop(place);
    const { sound, at, count } = kept;
    this.#kept[0] = {
      ...{ seq: kept.seq + done, sound, count: count - done },
      at: at + done * sound.samplesPerFrame,
    };
  }

  #drop(count: number): void {
    for (const kept of this.#kept.splice(0, count)) this.#bytes -= bytesOf(kept);
  }

  /** -1 when it is not there. Binary search: the numbers ascend. */
  #placeOf(seq: number): number {
    let low = 0;
    let high = this.#kept.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const kept = this.#kept[middle];
      if (kept === undefined) return -1;
      const count = 'text' in kept ? 1 : kept.count;
      if (seq < kept.seq) high = middle - 1;
      else if (seq >= kept.seq + count) low = middle + 1;
      else return middle;
    }
    return -1;
  }
}

const bytesOf = (kept: KeptText | KeptFrames | undefined): number =>
  kept !== undefined && 'text' in kept ? kept.text.length : 0;
