import { describe, expect, it } from 'vitest';
import { CascadeEpisode } from '../../../src/agents/cascade/dialogue/cascade-episode.js';
import { Line } from '../../../src/agents/cascade/dialogue/line.js';
import { createEar } from '../../../src/agents/cascade/listening/ear.js';
import { Shop } from '../../../src/agents/cascade/shop.js';
import { type EpisodeClient, startEpisode } from '../../../src/agents/index.js';
import { createMemoryRecords } from '../../../src/episodes/index.js';
import { builtInDomain } from '../../../src/retail/index.js';
import { startSandbox } from '../../../src/sandbox/index.js';
import { systemClock } from '../../../src/shared/index.js';
import { createScriptedCustomers } from '../../../src/user/index.js';

interface BreakIn {
  readonly at: RegExp;
  readonly heard: (message: string) => string;
  readonly answer: string;
}

/** The cascade plays a task; into the first message that fits the customer breaks, and the sandbox never sees it. */
async function playBrokenInto({ at, heard, answer }: BreakIn) {
  const domain = builtInDomain();
  const records = createMemoryRecords();
  const sandbox = await startSandbox({
    ...{ domain, speaker: null, customers: createScriptedCustomers() },
    ...{ outcomeRule: 'tau2', openRecord: records.open, clock: systemClock },
  });
  const said: string[] = [];
  let broken: string | null = null;
  try {
    const signal = new AbortController().signal;
    const task = domain.tasks[0]?.id ?? '';
    const real = await startEpisode(
      { url: sandbox.url, task, mode: 'text', seed: 1, trial: 0 },
      { agent: 'cascade', signal },
    );
    const client: EpisodeClient = new Proxy(real, {
      get: (target, name) => {
        if (name === 'say')
          return (text: string, why: object) => {
            said.push(text);
            if (broken !== null || !at.test(text)) return target.say(text, why);
            broken = text;
            const brokeIn = { text: heard(text), ms: 300 };
            return Promise.resolve({ kind: 'customer', customer: { text: answer, audio: null, brokeIn } });
          };
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const shop = new Shop();
    const line = new Line(client, { shop, ear: createEar(null, signal) });
    const end = await new CascadeEpisode(line, shop).play(client.opening);
    return { said, broken: broken ?? '', end };
  } finally {
    await sandbox.close();
  }
}

describe('the cascade, broken into', () => {
  it('takes no yes to a question that was not heard', async () => {
    const { said, broken, end } = await playBrokenInto({
      ...{ at: /I am going to/, heard: (message) => message.slice(0, 20), answer: 'Yes.' },
    });
    expect(broken).not.toBe('');
    expect(said[said.indexOf(broken) + 1]).toContain(broken.slice(broken.indexOf('I am going to')));
    expect(end?.outcome?.success).toBe(true);
  }, 60_000);

  it('tells again what was not told', async () => {
    const untold = await playBrokenInto({
      ...{ at: /anything else/i, heard: (message) => message.slice(0, 5), answer: 'Sorry, what was that?' },
    });
    const [first = ''] = untold.broken.split(/ (?=Is there|Can I|Anything)/);
    expect(first.length).toBeGreaterThan(10);
    expect(untold.said[untold.said.indexOf(untold.broken) + 1]).toContain(first);
  }, 60_000);
});
