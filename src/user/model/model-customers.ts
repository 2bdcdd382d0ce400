import type { ChatClient } from '../../models/index.js';
import type { CustomerFactory } from '../customer.js';
import { customerPrompt } from './customer-prompt.js';
import { ModelCustomer } from './model-customer.js';
import { type PersonaChoice, personaFor, personaText } from './persona.js';

/** Changes when the same model and prompt can give other lines: reading, refereeing, asking again. */
const KIND = 'model/1';
const HASH_SHOWN = 12;

export interface ModelCustomersOptions {
  readonly chat: ChatClient;
  /** Default `neutral`. */
  readonly persona?: PersonaChoice | undefined;
  /** A tag like `de`. Default English. */
  readonly language?: string | undefined;
  /** Default: the server's. */
  readonly temperature?: number | undefined;
}

/** Customers played by a model. Their name holds model, prompt and whatever else decides their lines. */
export function createModelCustomers(options: ModelCustomersOptions): CustomerFactory {
  const { chat, persona = 'neutral', language, temperature } = options;
  const details = [
    `prompt ${customerPrompt().hash.slice(0, HASH_SHOWN)}`,
    ...(persona === 'neutral' ? [] : [`persona ${personaText(persona)}`]),
    ...(language === undefined ? [] : [`language ${language}`]),
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
  ];
  const name = `${KIND} ${chat.name} (${details.join(', ')})`;
  return {
    name,
    create: (brief, seed, mode = 'text') =>
      new ModelCustomer(brief, {
        ...{ name, chat, temperature, seed, language: language ?? null },
        persona: personaFor(persona, seed),
        scope: `customer.${brief.taskId}.${mode}.${seed}`,
      }),
  };
}
