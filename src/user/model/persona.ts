import { createRandom, deriveSeed, UsageError } from '../../shared/index.js';

/** How a customer talks, whatever it wants. Each trait reaches the prompt as one sentence. */
const TRAITS = {
  verbosity: ['terse', 'plain', 'chatty'],
  patience: ['low', 'normal', 'high'],
  disfluency: ['none', 'some', 'much'],
  age: ['young', 'adult', 'old'],
  mood: ['calm', 'cheerful', 'worried', 'annoyed'],
} as const;
type TraitName = keyof typeof TRAITS;
const NAMES = Object.keys(TRAITS) as TraitName[];

export type Persona = { readonly [Name in TraitName]?: (typeof TRAITS)[Name][number] };

/** `neutral`, `varied` (each trait by the episode's seed), or traits like `mood=annoyed,age=old`. */
export type PersonaChoice = 'neutral' | 'varied' | Persona;

/** @throws UsageError */
export function parsePersona(text: string): PersonaChoice {
  const trimmed = text.trim();
  if (trimmed === 'neutral' || trimmed === 'varied') return trimmed;
  const persona: Record<string, string> = {};
  for (const part of trimmed.split(',')) {
    const [name = '', value = ''] = part.split('=').map((word) => word.trim());
    const values: readonly string[] = NAMES.includes(name as TraitName) ? TRAITS[name as TraitName] : [];
    if (!values.includes(value))
      throw new UsageError(
        'bad-persona',
        `--persona must be neutral, varied, or traits like mood=annoyed,age=old; got "${part}". Traits: ${NAMES.map((each) => `${each}=${TRAITS[each].join('|')}`).join(', ')}`,
      );
    persona[name] = value;
  }
  return persona;
}

export function personaFor(choice: PersonaChoice, seed: number): Persona {
  if (choice === 'neutral') return {};
  if (choice !== 'varied') return choice;
  const random = createRandom(deriveSeed(seed, 'persona'));
  return Object.fromEntries(NAMES.map((name) => [name, random.pick<string>(TRAITS[name])])) as Persona;
}

/** Stable text for names and manifests. */
export function personaText(choice: PersonaChoice): string {
  if (typeof choice === 'string') return choice;
  return NAMES.flatMap((name) => (choice[name] === undefined ? [] : [`${name}=${choice[name]}`])).join(',');
}
