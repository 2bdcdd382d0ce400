import { describe, expect, it } from 'vitest';
import { ChatError, createScriptedChat, type ScriptedAnswer } from '../../../src/models/index.js';
import type { CustomerBrief } from '../../../src/retail/index.js';
import { createModelCustomers, type ModelCustomersOptions, parsePersona } from '../../../src/user/index.js';

const brief: CustomerBrief = {
  taskId: 't1',
  instruction: 'You are Ada Moss, zip 97301. You want to cancel order #W0000001.',
};
const said = (line: string, call = 'stay') => `Thought: SECRET\nSay: ${line}\nCall: ${call}`;
function customerOf(answers: readonly ScriptedAnswer[], options: Partial<ModelCustomersOptions> = {}) {
  const chat = createScriptedChat(answers, { name: 'm' });
  const factory = createModelCustomers({ chat, ...options });
  return { chat, factory, customer: factory.create(brief, 5) };
}
const contents = (chat: ReturnType<typeof customerOf>['chat'], index: number) =>
  chat.requests[index]?.messages.map(({ content }) => String(content)) ?? [];

describe('a customer played by a model', () => {
  it('is told its situation and what the agent said, and gives one line without its thought', async () => {
    const { chat, customer } = customerOf([said('I want to cancel an order.'), said('Bye.', 'done')]);
    expect(await customer.open()).toEqual({ text: 'I want to cancel an order.' });
    expect(await customer.reply('Cancelled. Anything else?')).toEqual({ text: 'Bye.', end: 'stop' });
    expect(contents(chat, 1)[0]).toContain(brief.instruction);
    expect(contents(chat, 1).at(-1)).toBe('Cancelled. Anything else?');
    await expect(customer.reply('Hello?')).rejects.toMatchObject({ code: 'customer-failed' });
  });

  it('is asked again with another request, naming what was wrong, and what was turned down is forgotten', async () => {
    const { chat, customer } = customerOf([
      '',
      said('It is #W7777777.'),
      said('It is #W0000001.'),
      said('Yes.'),
    ]);
    expect((await customer.open()).text).toBe('It is #W0000001.');
    expect(contents(chat, 1).at(-1)).toContain('it was empty');
    expect(contents(chat, 2).at(-1)).toContain('"7777777"');
    await customer.reply('Do you confirm?');
    expect(contents(chat, 3).join('\n')).not.toContain('7777777');
    expect(new Set(chat.requests.map(({ messages }) => JSON.stringify(messages))).size).toBe(4);
  });

  it('fails with the reason when it makes things up three times, so that the agent is not to blame', async () => {
    const { chat, customer } = customerOf([1, 2, 3].map((n) => said(`My order is #W999999${n}.`)));
    await expect(customer.open()).rejects.toMatchObject({
      code: 'customer-failed',
      message: expect.stringContaining('9999993'),
    });
    expect(chat.requests).toHaveLength(3);
  });

  it('does not end the call in the breath of its yes', async () => {
    const { customer } = customerOf([said('Hi.'), said('Yes, bye.', 'done'), said('Yes.')]);
    await customer.open();
    expect(await customer.reply('I will cancel order #W0000001. Do you confirm (yes/no)?')).toEqual({
      text: 'Yes.',
    });
  });

  it('fails as the customer when its server fails', async () => {
    const { customer } = customerOf([new ChatError('down', { failure: 'server', retryable: true })]);
    await expect(customer.open()).rejects.toMatchObject({ code: 'customer-failed', retryable: true });
  });

  it('gets persona and language by its prompt, and its name tells them with model and prompt hash', async () => {
    const { chat, factory, customer } = customerOf([said('Hallo.')], {
      persona: parsePersona('mood=annoyed, age=old'),
      language: 'de',
    });
    await customer.open();
    const [system = ''] = contents(chat, 0);
    for (const words of ['over eighty', 'annoyed by what happened', 'Sprich Deutsch'])
      expect(system).toContain(words);
    expect(factory.name).toMatch(
      /^model\/1 m \(prompt [0-9a-f]{12}, persona age=old,mood=annoyed, language de\)$/,
    );
  });

  it('varies by seed when asked to, the same seed the same', async () => {
    const systemOf = async (seed: number): Promise<string> => {
      const chat = createScriptedChat([said('Hi.')]);
      await createModelCustomers({ chat, persona: 'varied' }).create(brief, seed).open();
      return String(chat.requests[0]?.messages[0]?.content);
    };
    expect(await systemOf(1)).toBe(await systemOf(1));
    expect(new Set(await Promise.all([1, 2, 3, 4, 5].map(systemOf))).size).toBeGreaterThan(2);
  });

  it.each(['mood=odd', 'size=big', 'annoyed', ''])('refuses the persona %j', (text) => {
    expect(() => parsePersona(text)).toThrow('--persona must be');
  });
});
