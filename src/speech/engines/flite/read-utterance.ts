/**
 * When flite says each token, read from its own memory. Its command line prints segments with their ends, but not which token
 * they belong to; the utterance in memory has both, and lies there whole while the sound is being written. Layouts are those
 * of flite 2.3 (cst_item.h, cst_features.h, cst_val.h) with pointers of 32 bits:
 *
 * relation { name, features, owner, head, tail }    item { contents, relation, next, previous, up, down }
 * contents { features, relations }    features { head }    pair { name, value, next }    value { type: 16 bits, references: 16 bits, data }
 *
 * Whatever does not look like that gives null: then the line has no times, which is no fault of the line.
 */
export interface FliteToken {
  /** Without the marks around it. */
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

const MAX_ITEMS = 5_000;
const MAX_NAME_BYTES = 300;
const FLOAT_TYPE = 3;

class Memory {
  readonly #view: DataView;
  readonly bytes: Buffer;

  constructor(memory: ArrayBuffer) {
    this.#view = new DataView(memory);
    this.bytes = Buffer.from(memory);
  }

  /** Throws `RangeError` outside. */
  word(at: number): number {
    return this.#view.getUint32(at, true);
  }

  text(at: number): string {
    const end = this.bytes.indexOf(0, at);
    if (at === 0 || end < 0 || end - at > MAX_NAME_BYTES) throw new RangeError(`no text at ${at}`);
    return this.bytes.toString('latin1', at, end);
  }

  /** A linked list from its head on; `link` is where an element keeps the next one. */
  *list(head: number, link: number): Generator<number> {
    let seen = 0;
    for (let at = head; at !== 0; at = this.word(at + link)) {
      seen += 1;
      if (seen > MAX_ITEMS) throw new RangeError('a list without an end');
      yield at;
    }
  }

  /** The value of this name, where it lies; null if there is none. */
  value(features: number, name: string): number | null {
    for (const pair of this.list(this.word(features), 8))
      if (this.text(this.word(pair)) === name) return this.word(pair + 4);
    return null;
  }

  float(value: number | null): number {
    if (value === null || this.#view.getUint16(value, true) !== FLOAT_TYPE) throw new RangeError('no number');
    return this.#view.getFloat32(value + 4, true);
  }
}

const next = (item: number): number => item + 8;
const previous = (item: number): number => item + 12;
const down = (item: number): number => item + 20;

/** The same thing in another relation; null if it is not in it. */
function itemAs(memory: Memory, item: number, relation: string): number | null {
  const value = memory.value(memory.word(memory.word(item) + 4), relation);
  return value === null ? null : memory.word(value + 4);
}

function feature(memory: Memory, item: number, name: string): number | null {
  return memory.value(memory.word(memory.word(item)), name);
}

const daughters = (memory: Memory, item: number): number[] => [
  ...memory.list(memory.word(down(item)), next(0)),
];

/** Where the relation of tokens lies: a struct that points to its name, and to a first and a last item that point back to it. */
function findTokens(memory: Memory, heapFrom: number): number | null {
  const { bytes } = memory;
  const pointer = Buffer.alloc(4);
  // Zeros are everywhere, a search for one of them first would be slow.
  const name = Buffer.from('Token\0', 'latin1');
  for (let at = bytes.indexOf(name, heapFrom); at >= 0; at = bytes.indexOf(name, at + 1)) {
    pointer.writeUInt32LE(at);
    for (let found = bytes.indexOf(pointer, heapFrom); found >= 0; found = bytes.indexOf(pointer, found + 1))
      if (found % 4 === 0 && isRelation(memory, found)) return found;
  }
  return null;
}

function isRelation(memory: Memory, at: number): boolean {
  try {
    const [head, tail] = [memory.word(at + 12), memory.word(at + 16)];
    return head !== 0 && tail !== 0 && memory.word(head + 4) === at && memory.word(tail + 4) === at;
  } catch {
    return false;
  }
}

function tokenAt(memory: Memory, token: number): FliteToken {
  const segments = daughters(memory, token)
    .map((word) => itemAs(memory, word, 'SylStructure'))
    .flatMap((word) => (word === null ? [] : daughters(memory, word)))
    .flatMap((syllable) => daughters(memory, syllable));
  const [first, last] = [segments[0], segments.at(-1)];
  const name = feature(memory, token, 'name');
  if (first === undefined || last === undefined || name === null)
    throw new RangeError('a token without sound');
  const inLine = itemAs(memory, first, 'Segment');
  if (inLine === null) throw new RangeError('a segment that is in no line');
  const before = memory.word(previous(inLine));
  return {
    text: memory.text(memory.word(name + 4)),
    startSeconds: before === 0 ? 0 : memory.float(feature(memory, before, 'end')),
    endSeconds: memory.float(feature(memory, last, 'end')),
  };
}

/** @param heapFrom what lies before it was there before the program ran */
export function readTokens(buffer: ArrayBuffer, heapFrom: number): readonly FliteToken[] | null {
  const memory = new Memory(buffer);
  try {
    const relation = findTokens(memory, heapFrom);
    if (relation === null) return null;
    return [...memory.list(memory.word(relation + 12), next(0))].map((token) => tokenAt(memory, token));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
