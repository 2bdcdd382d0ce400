import { describe, expect, it } from 'vitest';
import { createOracle, startEpisode } from '../../../src/agents/index.js';
import { type Played, playOracle, transcript } from '../../helpers/play-oracle.js';
import { smallDomain } from '../../helpers/small-retail-world.js';
import { askAndRefuse, exchangeMug, handOver, shopTasks, twoWrites } from './shop-tasks.js';

const domain = smallDomain('parlor', shopTasks);

async function play(task: (typeof shopTasks)[number], options = {}): Promise<Played> {
  const [played] = await playOracle(domain, [task], options);
  if (played === undefined) throw new Error('nothing was played');
  return played;
}

const said = ({ events }: Played): string[] =>
  events.flatMap((event) => (event.type === 'agent' ? [event.text] : []));
const steps = ({ events }: Played): string[] =>
  events.flatMap((event) =>
    event.type === 'agent'
      ? ['say']
      : event.type === 'tool_call'
        ? [event.name]
        : event.type === 'customer'
          ? ['hear']
          : [],
  );

describe('the oracle', () => {
  it('identifies, states each write in full words, waits for a yes, acts, and reports', async () => {
    const played = await play(twoWrites);
    expect(steps(played)).toEqual([
      ...['hear', 'say', 'hear', 'find_user_id_by_name_zip', 'get_order_details', 'get_user_details'],
      ...['say', 'hear', 'return_delivered_order_items'],
      ...['get_order_details', 'say', 'hear', 'cancel_pending_order', 'say', 'hear'],
    ]);
    expect(said(played)[1]).toContain('return the Lamp (height/width low; item L1) from order #W0000002');
    expect(said(played)[1]).toContain(
      'refund of $30.50 to your visa credit card ending in 1234. Do you confirm (yes/no)?',
    );
    expect(said(played)[2]).toMatch(
      /^The return .* has been requested.*Next.*cancel order #W0000001, reason: no longer needed/,
    );
    expect(played.report).toMatchObject({ reason: 'customer_stop', faults: [] });
    expect(played.success, transcript(played)).toBe(true);
  });

  it('names the new item and the price difference of an exchange from what it read', async () => {
    const played = await play(exchangeMug);
    expect(said(played)[1]).toContain(
      'the Mug (colour blue; item M2); the price difference of $2.10 is charged to',
    );
    expect(played.success).toBe(true);
  });

  it('tells the facts, refuses what policy forbids, and the customer goes', async () => {
    const played = await play(askAndRefuse);
    expect(said(played).join('\n')).toContain('40.50');
    expect(said(played).join('\n')).toMatch(/cannot cancel what you asked for .#W0000002./);
    expect(played.report.reason).toBe('customer_stop');
    expect(played.success, transcript(played)).toBe(true);
  });

  it('hands over with the tool first and then says so', async () => {
    const played = await play(handOver);
    expect(steps(played).slice(-2)).toEqual(['transfer_to_human_agents', 'say']);
    expect(played.report.reason).toBe('transfer');
    expect(played.success).toBe(true);
  });

  it('hears nothing: in speech and text it says and calls the same and has the same outcome', async () => {
    const conduct = (played: readonly Played[]) =>
      played.map((each) => [said(each), steps(each), each.success, each.report.reason, each.report.faults]);
    const options = { faultRate: 0.5, seed: 3 };
    const text = await playOracle(domain, shopTasks, { ...options, mode: 'text' });
    const speech = await playOracle(domain, shopTasks, { ...options, mode: 'speech' });
    expect(conduct(speech)).toEqual(conduct(text));
  });

  it('reports a write that the tools refuse as it is, and goes on', async () => {
    const [cancel] = twoWrites.groundTruth.slice(-1);
    if (cancel === undefined) throw new Error('no write');
    const impossible = { ...cancel, arguments: { ...cancel.arguments, order_id: '#W0000002' } };
    const task = { ...twoWrites, id: 'impossible', groundTruth: [...twoWrites.groundTruth, impossible] };
    const [played] = await playOracle(smallDomain('parlor', [task]), [task]);
    expect(played === undefined ? [] : said(played).join('\n')).toContain(
      'I was not able to cancel order #W0000002',
    );
  });

  it('without a look-up in the ground truth or hints it finds the owner by way of the order', async () => {
    const { userId: _, ...task } = {
      ...twoWrites,
      id: 'no-identity',
      groundTruth: twoWrites.groundTruth.slice(1),
    };
    const calls: string[] = [];
    const [played] = await playOracle(smallDomain('parlor', [task]), [task], { hints: false });
    for (const event of played?.events ?? []) if (event.type === 'tool_call') calls.push(event.name);
    expect(calls.slice(0, 3)).toEqual(['get_order_details', 'get_user_details', 'find_user_id_by_email']);
    expect(played?.success).toBe(true);
  });

  it('whose socket is lost reports reason null', async () => {
    const oracle = createOracle({
      lookup: () => ({ groundTruth: [], communicate: [] }),
      faultRate: 0,
      seed: 1,
    });
    const assignment = { url: 'ws://127.0.0.1:9/v1', task: 'x', mode: 'text', seed: 1, trial: 0 } as const;
    const report = await oracle.run(assignment, new AbortController().signal);
    expect(report).toEqual({ episode: null, reason: null, faults: [] });
    await expect(startEpisode(assignment, { agent: 'x' })).rejects.toMatchObject({ code: 'connection-lost' });
  });

  it('refuses a fault rate outside 0 to 1', () => {
    expect(() =>
      createOracle({ lookup: () => ({ groundTruth: [], communicate: [] }), faultRate: 1.5, seed: 1 }),
    ).toThrow('faultRate must be 0 to 1; got 1.5');
  });
});
