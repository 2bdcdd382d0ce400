import { UsageError } from '../../shared/index.js';
import {
  type CustomerFactory,
  createModelCustomers,
  createScriptedCustomers,
  parsePersona,
} from '../../user/index.js';
import type { ServerFlags, UserFlags } from '../models/model-flags.js';
import type { Models } from '../models/open-models.js';

/** Customers with the flags that decide their lines, as a run's manifest keeps them. */
export interface MadeCustomers {
  readonly customers: CustomerFactory;
  readonly options: Readonly<Record<string, string | number>>;
}

/** @throws UsageError for flags that do not fit together */
export function createCustomers(flags: ServerFlags & UserFlags, models: Models): MadeCustomers {
  const { user = 'scripted', persona, language, userTemperature } = flags;
  if (user === 'scripted') {
    if (persona !== undefined || language !== undefined || flags.userModel !== undefined)
      throw new UsageError(
        'bad-option',
        '--user-model, --persona and --language are for customers played by a model; add --user model',
      );
    return { customers: createScriptedCustomers(), options: {} };
  }
  // Flags of the agent's server go for the customer's only where it is the same one.
  const isOwnServer = flags.userBaseUrl !== undefined;
  const { timeout, retries, maxRequests, record, replay } = flags;
  const chat = models.open('user', {
    ...{ timeout, retries, maxRequests, record, replay },
    baseUrl: flags.userBaseUrl ?? flags.baseUrl,
    model: flags.userModel ?? (isOwnServer ? undefined : flags.model),
    server: flags.userServer ?? (isOwnServer ? undefined : flags.server),
    apiKeyEnv: flags.userApiKeyEnv ?? (isOwnServer ? undefined : flags.apiKeyEnv),
  });
  const customers = createModelCustomers({
    ...{ chat, language, temperature: userTemperature },
    persona: persona === undefined ? undefined : parsePersona(persona),
  });
  const given = { user, userModel: chat.name, persona, language, userTemperature };
  return {
    customers,
    options: Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  };
}
