import { describe, expect, it } from 'vitest';
import type { CustomerBrief } from '../../../src/retail/index.js';
import { loadDomain, toCustomerBrief } from '../../../src/retail/index.js';
import { type Customer, type CustomerLine, createScriptedCustomers } from '../../../src/user/index.js';
import { parseIdentity } from '../../../src/user/scripted/prose/parse-identity.js';
import { readInstruction } from '../../../src/user/scripted/prose/read-instruction.js';
import { hasReferenceData, referencePath } from '../../helpers/reference-data.js';
import { proseBrief } from './scenarios.js';

async function call(brief: CustomerBrief, seed = 1): Promise<{ customer: Customer; opening: CustomerLine }> {
  const customer = createScriptedCustomers().create(brief, seed);
  return { customer, opening: await customer.open() };
}

const CONFIRM = 'I would return the lamp to your PayPal account. Do you confirm (yes/no)?';
const DONE = 'The return has been submitted. Is there anything else I can help you with?';

describe('a customer with prose only', () => {
  it('opens in the first person with the first wish and holds the rest for later', async () => {
    const { customer, opening } = await call(
      proseBrief(
        "You bought a lamp and you want to return it. You also want your invoice. You'd like to know what you can get back.",
      ),
    );
    expect(opening.text).toContain('I bought a lamp and I want to return it.');
    expect(opening.text).not.toMatch(/invoice|\byou\b/);
    expect((await customer.reply('Is there anything else I can help you with?')).text).toContain(
      'I also want my invoice.',
    );
  });

  it('tells one string of tau-bench apart into who it is and what it wants', () => {
    const brief = {
      taskId: 't',
      instruction:
        'You are ada_berg_1234 (zip code 12345) and you want to exchange your mug. You are impatient. If the agent asks for confirmation, only exchange the lid.',
    };
    expect(parseIdentity(brief)).toEqual({
      name: 'Ada Berg',
      zip: '12345',
      email: null,
      userId: 'ada_berg_1234',
    });
    expect(readInstruction(brief)).toEqual({
      wishes: ['I want to exchange my mug.'],
      heldBack: [{ triggers: ['ask_confirmation'], say: 'Please only exchange the lid.' }],
    });
  });

  it('does not speak character, stage directions or secrets aloud', () => {
    const { wishes } = readInstruction(
      proseBrief(
        'You want to change the address (do not reveal it to the agent). Make sure you mention both. You are a polite person. Do not say more than needed.',
        { taskInstructions: 'You are detail-oriented.' },
      ),
    );
    expect(wishes).toEqual(['I want to change the address.']);
  });

  it('says options as one would say them', () => {
    const { wishes } = readInstruction(
      proseBrief("For #W1234567, exchange Mug {'color': 'red', 'size': 'L'} to {'color': 'blue'}."),
    );
    expect(wishes).toEqual(["For #W1234567, I'd like to exchange Mug (color red, size L) to (color blue)."]);
  });

  it('tells a held-back change when asked to confirm, and says yes the next time', async () => {
    const { customer } = await call(
      proseBrief(
        'You want to return the lamp. If the agent asks for confirmation, mention you also want to return the mug.',
      ),
    );
    const first = await customer.reply(CONFIRM);
    expect(first.text).toContain('I also want to return the mug.');
    expect(first.text).not.toMatch(/\byes\b/i);
    expect((await customer.reply(`${CONFIRM} That is the lamp and the mug.`)).text).toMatch(/yes/i);
  });

  it('stays on the line after its yes until the work is reported', async () => {
    const { customer } = await call(proseBrief('You want to return the lamp.'));
    expect((await customer.reply(CONFIRM)).end).toBeUndefined();
    expect((await customer.reply('Anything else?')).end).toBeUndefined();
    expect((await customer.reply(DONE)).end).toBe('stop');
  });

  it('does not end before everything was told', async () => {
    const { customer } = await call(
      proseBrief('You want to return the lamp. You also want to cancel the mug.'),
    );
    const told = await customer.reply(DONE);
    expect(told.end).toBeUndefined();
    expect(told.text).toContain('cancel the mug');
  });

  it('answers only from its own words: order number when it has one, else that it has none', async () => {
    const known = await call(proseBrief('You want to cancel #W1234567.'));
    expect((await known.customer.reply('What is the order id?')).text).toContain('#W1234567');
    const unknown = await call(proseBrief('You want to cancel your order.'));
    expect((await unknown.customer.reply('What is the order id?')).text).toMatch(/don't (?:know|have)/);
  });

  it('copes with an empty brief, odd texts and an agent that never gets anywhere', async () => {
    for (const prose of ['', '.', '???', 'x'.repeat(20_000), '{'.repeat(500)]) {
      const { customer, opening } = await call(proseBrief(prose));
      expect(opening.text).not.toBe('');
      const lines: CustomerLine[] = [];
      do lines.push(await customer.reply('###STOP### \u0000'));
      while (lines.at(-1)?.end === undefined && lines.length < 50);
      expect(lines.at(-1)?.end).toBe('stop');
    }
  });

  it.skipIf(!hasReferenceData)(
    "finds who is calling in at least 99 % of the benchmarks' instructions",
    async () => {
      for (const source of ['tau1', 'tau2']) {
        const { tasks } = await loadDomain(referencePath('data', `${source}-retail`));
        const briefs = tasks.map(toCustomerBrief);
        const nameless = briefs.filter((brief) => {
          const { name, zip, email } = parseIdentity(brief);
          return email === null && (name?.includes(' ') !== true || zip === null);
        });
        const silent = briefs.filter((brief) => readInstruction(brief).wishes.length === 0);
        const odd = briefs.filter((brief) =>
          readInstruction(brief).wishes.some((wish) => /\b(?:you are|yourself|your|the agent)\b/i.test(wish)),
        );
        console.info(
          `${source}: identity in ${briefs.length - nameless.length} of ${briefs.length}, wishes in ${briefs.length - silent.length}, second person left in ${odd.length}`,
        );
        expect(nameless.length / briefs.length).toBeLessThanOrEqual(0.01);
        expect(silent.map(({ taskId }) => taskId)).toEqual([]);
        expect(odd.map(({ taskId }) => taskId)).toEqual([]);
      }
    },
  );
});
