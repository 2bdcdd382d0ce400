import { type ChatClient, ChatError, type ChatMessage } from '../../models/index.js';
import type { CustomerBrief } from '../../retail/index.js';
import { describeError } from '../../shared/index.js';
import type { Customer, CustomerLine } from '../customer.js';
import { CustomerFailedError } from '../errors.js';
import {
  type CustomerSetting,
  customerPrompt,
  customerSystemMessage,
  situationOf,
} from './customer-prompt.js';
import { readLine } from './read-line.js';
import { Referee } from './referee/referee.js';

/** After the first answer; each time the request holds what was wrong, so that it is another request. */
const MAX_ASKED_AGAIN = 2;
/** A line is short, a thought may be longer. */
const MAX_REPLY_TOKENS = 1024;

export interface ModelCustomerOptions extends CustomerSetting {
  readonly name: string;
  readonly chat: ChatClient;
  readonly temperature: number | undefined;
  readonly seed: number;
  /** Keeps this customer's requests apart in recordings. */
  readonly scope: string;
}

/**
 * A customer played by a model: it thinks, then says one line. It is told its situation and what the agent said, nothing
 * else. Every line passes the referee before it is spoken; one that does not is asked for again, with what is wrong.
 */
export class ModelCustomer implements Customer {
  readonly name: string;
  readonly #options: ModelCustomerOptions;
  readonly #referee: Referee;
  readonly #messages: ChatMessage[];
  readonly #taskId: string;
  #asked = 0;
  /** How much of the last line was said, when it was cut off. */
  #cutOff: string | null = null;
  #state: 'new' | 'talking' | 'over' = 'new';

  constructor(brief: CustomerBrief, options: ModelCustomerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#taskId = brief.taskId;
    this.#referee = new Referee(situationOf(brief));
    this.#messages = [{ role: 'system', content: customerSystemMessage(brief, options) }];
  }

  async open(): Promise<CustomerLine> {
    this.#expect('new');
    this.#state = 'talking';
    this.#messages.push({ role: 'user', content: customerPrompt().section('opening') });
    return await this.#speak();
  }

  async reply(agentText: string): Promise<CustomerLine> {
    this.#expect('talking');
    this.#referee.agentSaid(agentText);
    const heard = agentText === '' ? '(silence)' : agentText;
    const cut = this.#cutOff === null ? '' : `(You were interrupted. You had only said: "${this.#cutOff}")\n`;
    this.#cutOff = null;
    this.#messages.push({ role: 'user', content: `${cut}${heard}` });
    return await this.#speak();
  }

  cutOff(saidText: string): void {
    this.#cutOff = saidText;
  }

  #expect(state: 'new' | 'talking'): void {
    if (this.#state !== state)
      throw new CustomerFailedError(
        `the customer of task ${this.#taskId} cannot speak: the call is ${this.#state}`,
      );
  }

  async #speak(): Promise<CustomerLine> {
    let retry: ChatMessage[] = [];
    let fault = '';
    for (let attempt = 0; attempt <= MAX_ASKED_AGAIN; attempt += 1) {
      const content = await this.#ask([...this.#messages, ...retry]);
      const read = readLine(content);
      const found = 'fault' in read ? read.fault : this.#referee.check(read.line);
      if (found === null && 'line' in read) {
        // What was turned down leaves no trace: later lines would learn from it.
        this.#messages.push({ role: 'assistant', content });
        if (read.line.end !== undefined) this.#state = 'over';
        return read.line;
      }
      fault = found ?? '';
      retry = [
        { role: 'assistant', content: content === '' ? '(nothing)' : content },
        {
          role: 'user',
          content: customerPrompt()
            .section('again')
            .replace('{{fault}}', () => fault),
        },
      ];
    }
    throw new CustomerFailedError(
      `the customer's model gave no line that could be spoken, in ${MAX_ASKED_AGAIN + 1} tries: ${fault}`,
      { facts: { taskId: this.#taskId } },
    );
  }

  async #ask(messages: readonly ChatMessage[]): Promise<string> {
    const { chat, temperature, seed, scope } = this.#options;
    this.#asked += 1;
    try {
      const { content } = await chat.complete(
        { messages, temperature, maxTokens: MAX_REPLY_TOKENS, seed: (seed + this.#asked) >>> 1, scope },
        new AbortController().signal,
      );
      return content;
    } catch (error) {
      const retryable = error instanceof ChatError && error.retryable;
      throw new CustomerFailedError(`the customer's model could not be asked: ${describeError(error)}`, {
        ...{ cause: error, retryable },
      });
    }
  }
}
