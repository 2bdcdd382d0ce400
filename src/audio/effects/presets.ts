import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createRandom, deriveSeed } from '../../shared/index.js';
import { ConditionsError } from '../errors.js';
import { type Conditions, conditionsSchema } from './conditions.js';

const OFF: Omit<Conditions, 'name'> = {
  environments: [],
  level: null,
  tics: null,
  inserts: null,
  muffling: null,
  reverberation: null,
  bed: null,
  bursts: null,
  clipping: null,
  telephony: null,
  packetLoss: null,
};

/** Conditions from JSON: a part that is left out is off. Throws `ConditionsError` on anything that does not fit. */
export function parseConditions(json: unknown): Conditions {
  const parsed = conditionsSchema.partial().required({ name: true }).safeParse(json);
  if (!parsed.success) throw new ConditionsError(`these are no conditions: ${z.prettifyError(parsed.error)}`);
  const conditions = { ...OFF, ...parsed.data };
  checkSounds(conditions, 'bed', 'beds');
  checkSounds(conditions, 'bursts', 'bursts');
  return conditions;
}

/** Are lines heard as they were said? Environments make no sound of their own. */
export function changesNothing({ name: _, environments: __, ...parts }: Conditions): boolean {
  return Object.values(parts).every((part) => part === null);
}

/** A background that is asked for has to be there in every environment, rather than be silently missing in some. */
function checkSounds(conditions: Conditions, part: 'bed' | 'bursts', list: 'beds' | 'bursts'): void {
  const { name, environments } = conditions;
  if (conditions[part] === null) return;
  const bare = environments.find((environment) => environment[list].length === 0);
  if (environments.length > 0 && bare === undefined) return;
  const where = bare === undefined ? 'there is no environment' : `the environment '${bare.name}' has none`;
  throw new ConditionsError(
    `the conditions '${name}' have '${part}' but ${where}: list some under '${list}'`,
  );
}

function loadPresets(): ReadonlyMap<string, Conditions> {
  const text = readFileSync(new URL('./presets.json', import.meta.url), 'utf8');
  const entries = Object.entries(z.record(z.string(), z.looseObject({})).parse(JSON.parse(text)));
  return new Map(entries.map(([name, parts]) => [name, parseConditions({ ...parts, name })]));
}

let presets: ReadonlyMap<string, Conditions> | null = null;

/** The built-in conditions by name: `clean`, `control`, `regular` and each factor alone. */
export function conditionPresets(): ReadonlyMap<string, Conditions> {
  presets ??= loadPresets();
  return presets;
}

/** Throws `ConditionsError` when there is no preset of that name. */
export function findConditions(name: string): Conditions {
  const found = conditionPresets().get(name);
  if (found !== undefined) return found;
  const names = [...conditionPresets().keys()].join(', ');
  throw new ConditionsError(`no conditions are called '${name}'; there are ${names}`);
}

/** What one episode keeps throughout: one environment of those that are possible, and one bed of its. Same seed, same choice. */
export function settleConditions(conditions: Conditions, seed: number): Conditions {
  if (conditions.environments.length === 0) return conditions;
  const random = createRandom(deriveSeed('environment', seed));
  const environment = random.pick(conditions.environments);
  const beds = environment.beds.length === 0 ? [] : [random.pick(environment.beds)];
  return { ...conditions, environments: [{ ...environment, beds }] };
}
