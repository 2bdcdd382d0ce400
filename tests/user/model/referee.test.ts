import { describe, expect, it } from 'vitest';
import { builtInDomain } from '../../../src/retail/index.js';
import { Referee } from '../../../src/user/model/referee/referee.js';
import { playOracle } from '../../helpers/play-oracle.js';

const SITUATION =
  "You are Mia O'Neill, zip code 20165, email mia.oneill4516@example.com. You want to send order #W1234567 to 12 Elm Street, Suite 4, Salem, OR 97301. You paid $120.50.";

const checked = (text: string, agentText = 'How can I help you?') => {
  const referee = new Referee(SITUATION);
  referee.agentSaid(agentText);
  return referee.check({ text });
};

describe('the referee lets pass what was told', () => {
  it.each([
    'My name is Mia O’Neill and my zip is 20165.',
    'It is W, 1, 2, 3, 4, 5, 6, 7.',
    'The number is W one two three four five six seven.',
    'My email is mia dot oneill 4516 at example dot com.',
    "That's M-I-A, O-N-E-I-L-L.",
    'Please send it to 12 Elm St in Salem.',
    'I paid about 120 dollars.',
    "I'm Sorry, I was not clear.",
    'I bought two lamps in 2024.',
    'The last digits are 4567.',
  ])('%s', (line) => expect(checked(line)).toBeNull());

  it('also when only the agent said it, or it follows from two amounts', () => {
    expect(checked('Then use gift card 8765432, please.', 'You have gift card 8765432.')).toBeNull();
    expect(checked('So 170.50 dollars in all?', 'Shipping is $50.')).toBeNull();
  });
});

describe('the referee catches what was made up (benchmarks case 5, serving.md row 52)', () => {
  it.each([
    ['identifier', 'My order is #W7654321.'],
    ['identifier', 'My zip is 9 0 2 1 0.'],
    ['identifier', 'It is two zero one six six.'],
    ['email', 'My email is mia@other.com.'],
    ['email', 'It is mia at other dot org.'],
    ['amount', 'I was promised $300 back.'],
    ['address', 'Send it to 99 Oak Avenue.'],
    ['name', 'My name is Anna Berg.'],
    ['name', 'Hello, this is Bob.'],
  ])('%s: %s', (kind, line) => expect(checked(line)).toContain(`the ${kind} "`));
});

describe('a yes is not yet done (benchmarks case 1)', () => {
  const asking = 'I will cancel order #W1234567. Do you confirm (yes/no)?';
  it('so nobody hangs up on a question for a yes, or accepts a transfer that was not offered', () => {
    const referee = new Referee(SITUATION);
    referee.agentSaid(asking);
    expect(referee.check({ text: 'Yes, thanks, bye.', end: 'stop' })).toContain('not done the work yet');
    expect(referee.check({ text: 'Yes.' })).toBeNull();
    expect(referee.check({ text: 'OK.', end: 'transfer' })).toContain('did not offer');
    referee.agentSaid('Your order has been cancelled. Anything else?');
    expect(referee.check({ text: 'No, thanks, bye.', end: 'stop' })).toBeNull();
    referee.agentSaid('YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON.');
    expect(referee.check({ text: 'Thanks.', end: 'transfer' })).toBeNull();
  });
});

describe('the referee raises no false alarm', () => {
  it('over whole calls of scripted customers, who say only what they were told', async () => {
    const domain = builtInDomain();
    const tasks = domain.tasks.filter((_, index) => index % 5 === 0).slice(0, 30);
    const faults: string[] = [];
    for (const { task, events } of await playOracle(domain, tasks)) {
      const referee = new Referee(task.instruction);
      for (const event of events) {
        if (event.type === 'agent') referee.agentSaid(event.text);
        if (event.type !== 'customer') continue;
        const fault = referee.check({ text: event.text, end: event.end ?? undefined });
        if (fault !== null) faults.push(`${task.id}: ${event.text}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
  });
});
