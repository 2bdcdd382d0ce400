/**
 * Counters, gauges and histograms in the Prometheus text format 0.0.4. One registry per sandbox, handed to whoever counts;
 * nothing is global. Label values must come from small closed sets: a peer that chose them could fill the memory.
 */
export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(labels?: Labels, amount?: number): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

interface Sample {
  readonly suffix: string;
  readonly labels: Labels;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): Iterable<Sample>;
}

const keyOf = (labels: Labels): string => JSON.stringify(Object.entries(labels).sort());

const escapeHelp = (text: string): string => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
const escapeValue = (text: string): string => escapeHelp(text).replace(/"/g, '\\"');

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

function formatSample(name: string, { suffix, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeValue(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${formatNumber(value)}\n`;
}

class CounterFamily implements Family, Counter {
  readonly type = 'counter';
  readonly #totals = new Map<string, { readonly labels: Labels; total: number }>();
  readonly name: string;
  readonly help: string;

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  add(labels: Labels = {}, amount = 1): void {
    const key = keyOf(labels);
    const kept = this.#totals.get(key) ?? { labels, total: 0 };
    kept.total += amount;
    this.#totals.set(key, kept);
  }

  *samples(): Iterable<Sample> {
    for (const { labels, total } of this.#totals.values()) yield { suffix: '', labels, value: total };
  }
}

interface Spread {
  readonly labels: Labels;
  /** How many values fell into each bucket, not yet summed up; the last one is beyond all bounds. */
  readonly counts: number[];
  sum: number;
}

class HistogramFamily implements Family, Histogram {
  readonly type = 'histogram';
  readonly #spreads = new Map<string, Spread>();
  readonly #bounds: readonly number[];
  readonly name: string;
  readonly help: string;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
  }

  observe(value: number, labels: Labels = {}): void {
    const key = keyOf(labels);
    const counts = Array<number>(this.#bounds.length + 1).fill(0);
    const spread = this.#spreads.get(key) ?? { labels, counts, sum: 0 };
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    const index = bucket === -1 ? this.#bounds.length : bucket;
    spread.counts[index] = (spread.counts[index] ?? 0) + 1;
    spread.sum += value;
    this.#spreads.set(key, spread);
  }

  *samples(): Iterable<Sample> {
    for (const { labels, counts, sum } of this.#spreads.values()) {
      let count = 0;
      for (const [index, inBucket] of counts.entries()) {
        count += inBucket;
        const le = formatNumber(this.#bounds[index] ?? Number.POSITIVE_INFINITY);
        yield { suffix: '_bucket', labels: { ...labels, le }, value: count };
      }
      yield { suffix: '_sum', labels, value: sum };
      yield { suffix: '_count', labels, value: count };
    }
  }
}

export interface MetricText {
  readonly name: string;
  readonly help: string;
}

export class MetricRegistry {
  readonly #families: Family[] = [];

  #add<T extends Family>(family: T): T {
    if (this.#families.some(({ name }) => name === family.name))
      throw new RangeError(`there is a metric ${family.name} already`);
    this.#families.push(family);
    return family;
  }

  counter({ name, help }: MetricText): Counter {
    return this.#add(new CounterFamily(name, help));
  }

  /** `bounds`: upper bounds of the buckets, rising; the one for everything is added. */
  histogram({ name, help }: MetricText, bounds: readonly number[]): Histogram {
    return this.#add(new HistogramFamily(name, help, bounds));
  }

  /** A value that is asked for at every scrape. `type` is `counter` for what only ever grows. */
  reading(
    { name, help }: MetricText,
    type: 'gauge' | 'counter',
    read: () => number,
    labels: Labels = {},
  ): void {
    this.#add({ name, help, type, samples: () => [{ suffix: '', labels, value: read() }] });
  }

  /** Every metric, also those that have no sample yet: their names can be looked up. */
  text(): string {
    return this.#families
      .map((family) => {
        const lines = [...family.samples()].map((sample) => formatSample(family.name, sample));
        return `# HELP ${family.name} ${escapeHelp(family.help)}\n# TYPE ${family.name} ${family.type}\n${lines.join('')}`;
      })
      .join('');
  }
}
