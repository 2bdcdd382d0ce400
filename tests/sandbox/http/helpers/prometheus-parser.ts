/** A strict reader of the Prometheus text format 0.0.4: throws at anything that the format's description does not allow. */
export interface ParsedFamily {
  readonly type: string;
  readonly help: string;
  readonly samples: {
    readonly name: string;
    readonly labels: Record<string, string>;
    readonly value: number;
  }[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

function parseValue(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  if (text === '-Inf') return Number.NEGATIVE_INFINITY;
  if (text === 'NaN') return Number.NaN;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw new Error(`no number: ${text}`);
  return Number(text);
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const match = /^([^=]+)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/.exec(rest);
    if (match === null) throw new Error(`labels that cannot be read: ${rest}`);
    const [whole, name = '', value = ''] = match;
    if (!LABEL.test(name) || name.startsWith('__')) throw new Error(`no label name: ${name}`);
    if (name in labels) throw new Error(`label ${name} twice`);
    labels[name] = value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
    rest = rest.slice(whole.length);
  }
  return labels;
}

const SUFFIXES: Record<string, readonly string[]> = { histogram: ['_bucket', '_sum', '_count'] };

export function parsePrometheus(text: string): Map<string, ParsedFamily> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line must end with a line feed');
  const families = new Map<string, ParsedFamily>();
  const seen = new Set<string>();
  let current: { name: string; family: ParsedFamily } | null = null;
  let help: { name: string; text: string } | null = null;
  for (const line of text.split('\n').slice(0, -1)) {
    const helpMatch = /^# HELP (\S+) (.*)$/.exec(line);
    const typeMatch = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (helpMatch !== null) {
      help = { name: helpMatch[1] ?? '', text: helpMatch[2] ?? '' };
    } else if (typeMatch !== null) {
      const [, name = '', type = ''] = typeMatch;
      if (!NAME.test(name)) throw new Error(`no metric name: ${name}`);
      if (!TYPES.includes(type)) throw new Error(`no type: ${type}`);
      if (families.has(name)) throw new Error(`metric ${name} twice`);
      if (help?.name !== name) throw new Error(`no help for ${name}`);
      if (type === 'counter' && !name.endsWith('_total')) throw new Error(`counter ${name} without _total`);
      current = { name, family: { type, help: help.text, samples: [] } };
      families.set(name, current.family);
    } else {
      const match = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line);
      if (match === null || current === null) throw new Error(`a line that cannot be read: ${line}`);
      const [, name = '', labelText = '', value = ''] = match;
      const allowed = SUFFIXES[current.family.type] ?? [''];
      const owner = current.name;
      if (!allowed.some((suffix) => name === owner + suffix))
        throw new Error(`${name} stands under ${owner}`);
      const labels = parseLabels(labelText);
      const key = `${name}${JSON.stringify(Object.entries(labels).sort())}`;
      if (seen.has(key)) throw new Error(`sample twice: ${line}`);
      seen.add(key);
      current.family.samples.push({ name, labels, value: parseValue(value) });
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family);
  return families;
}

function checkHistogram(name: string, { samples }: ParsedFamily): void {
  const groups = new Map<string, typeof samples>();
  for (const sample of samples) {
    const { le: _le, ...labels } = sample.labels;
    const key = JSON.stringify(Object.entries(labels).sort());
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => parseValue(labels.le ?? 'missing'));
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name} has no +Inf bucket`);
    const rises = (values: number[], strictly: boolean) =>
      values.every(
        (value, index) =>
          index === 0 || value > (values[index - 1] ?? 0) || (!strictly && value === values[index - 1]),
      );
    if (!rises(bounds, true)) throw new Error(`${name}: bounds do not rise`);
    if (
      !rises(
        buckets.map(({ value }) => value),
        false,
      )
    )
      throw new Error(`${name}: buckets are not cumulative`);
    const count = group.filter((sample) => sample.name === `${name}_count`);
    if (count.length !== 1 || count[0]?.value !== buckets.at(-1)?.value)
      throw new Error(`${name}: count and +Inf differ`);
    if (group.filter((sample) => sample.name === `${name}_sum`).length !== 1)
      throw new Error(`${name}: no sum`);
  }
}
