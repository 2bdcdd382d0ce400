import { readFileSync } from 'node:fs';
import type { CustomerBrief } from '../../retail/index.js';
import { sha256Hex } from '../../shared/index.js';
import type { Persona } from './persona.js';

export interface CustomerPrompt {
  readonly version: string;
  /** SHA-256 of the file; in every record by the customer's name. */
  readonly hash: string;
  readonly section: (name: string) => string;
  /** A line `key: text` of a section, or undefined. */
  readonly line: (name: string, key: string) => string | undefined;
}

let builtIn: CustomerPrompt | undefined;

export function customerPrompt(): CustomerPrompt {
  if (builtIn !== undefined) return builtIn;
  const text = readFileSync(new URL('./customer-prompt.md', import.meta.url), 'utf8');
  const sections = new Map(
    [...text.matchAll(/<!-- (\w+) -->\n([\s\S]*?)(?=\n<!-- \w+ -->|$)/g)].map(([, name, body]) => [
      name ?? '',
      (body ?? '').trim(),
    ]),
  );
  const section = (name: string): string => {
    const found = sections.get(name);
    if (found === undefined) throw new RangeError(`the customer's prompt has no section ${name}`);
    return found;
  };
  builtIn = {
    version: /^<!-- version: (\S+) -->/.exec(text)?.[1] ?? '0',
    hash: sha256Hex(text),
    section,
    line: (name, key) =>
      section(name)
        .split('\n')
        .find((line) => line.startsWith(`${key}: `))
        ?.slice(key.length + 2),
  };
  return builtIn;
}

/** All that the customer knows, as prose: what the referee takes for known as well. */
export function situationOf({ instruction, parts }: CustomerBrief): string {
  if (parts === undefined) return instruction.trim();
  const { reasonForCall, knownInfo, unknownInfo, taskInstructions } = parts;
  return [
    ['Why you call', reasonForCall],
    ['What you know', knownInfo],
    ['What you do not know', unknownInfo],
    ['How you go about it', taskInstructions],
  ]
    .filter(([, text]) => text !== undefined && text.trim() !== '')
    .map(([title, text]) => `${title}: ${text?.trim()}`)
    .join('\n\n');
}

export interface CustomerSetting {
  readonly persona: Persona;
  /** A language tag like `de`; null: English. */
  readonly language: string | null;
}

export function customerSystemMessage(brief: CustomerBrief, { persona, language }: CustomerSetting): string {
  const { section, line } = customerPrompt();
  const traits = Object.entries(persona).flatMap(
    ([name, value]) => line('persona', `${name} ${value}`) ?? [],
  );
  const clause =
    language === null
      ? null
      : (line('language', language) ?? `Speak the language with the tag "${language}".`);
  return [
    section('role'),
    ...(traits.length === 0 ? [] : [`What you are like: ${traits.join(' ')}`]),
    ...(clause === null ? [] : [clause]),
    `Your situation:\n\n${situationOf(brief)}`,
    section('form'),
  ].join('\n\n');
}
