import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createCallbackHosts,
  createRewardCourier,
  createRolloutDesk,
  openNoJournal,
} from '../../../src/rollouts/index.js';
import { MetricRegistry } from '../../../src/sandbox/http/metrics/registry.js';
import { systemClock } from '../../../src/shared/index.js';
import { rawEpisode } from '../helpers/raw-client.js';
import { testSandbox } from '../helpers/sandbox.js';
import { parsePrometheus } from './helpers/prometheus-parser.js';

async function scrape(port: number) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const families = parsePrometheus(await response.text());
  return {
    families,
    value: (name: string, labels: Record<string, string> = {}) => {
      const family = families.get(name.replace(/_(count|sum)$/, '')) ?? families.get(name);
      return family?.samples.find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
      )?.value;
    },
  };
}

describe('GET /metrics', () => {
  it('is well formed before anything has happened', async () => {
    const { sandbox } = await testSandbox({ serverName: 'parlor/"9"\\' });
    const { families, value } = await scrape(sandbox.port);
    expect(value('parlor_build_info', { server: 'parlor/"9"\\', protocol: 'parlor/1' })).toBe(1);
    expect(value('parlor_ready')).toBe(1);
    expect(families.get('parlor_tool_calls_total')).toMatchObject({ type: 'counter', samples: [] });
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });

  it('counts what happened in an episode', async () => {
    const { sandbox, nextEnd } = await testSandbox();
    const client = await rawEpisode(sandbox.url, { mode: 'speech' });
    const order = { order_id: '#W0000001' };
    client.send({ type: 'tool.call', callId: 'a', name: 'get_order_details', arguments: order });
    await client.next('tool.result');
    client.send({ type: 'tool.call', callId: 'b', name: 'x'.repeat(40), arguments: {} });
    await client.next('tool.result');
    client.sendRaw('{');
    await client.next('error');
    client.send({ type: 'agent.message', text: 'bye' });
    await nextEnd();
    await client.next('episode.end');
    client.socket.close(1000);
    await client.closed;
    const { value } = await scrape(sandbox.port);
    expect(value('parlor_episodes_total', { reason: 'customer_stop', owner: 'user', mode: 'speech' })).toBe(
      1,
    );
    expect(value('parlor_turns_total')).toBe(3);
    expect(value('parlor_tool_calls_total', { tool: 'get_order_details', status: 'result' })).toBe(1);
    expect(value('parlor_tool_calls_total', { tool: 'unknown', status: 'error' })).toBe(1);
    expect(value('parlor_refused_messages_total', { code: 'bad_json' })).toBe(1);
    expect(value('parlor_customer_line_seconds_count')).toBe(2);
    expect(value('parlor_speech_synthesis_seconds_count')).toBe(2);
    expect(value('parlor_agent_answer_seconds_count')).toBe(3);
    expect(value('parlor_tool_call_seconds_count', { tool: 'get_order_details' })).toBe(1);
    expect(value('parlor_connections_total')).toBe(1);
    expect(value('parlor_received_bytes_total')).toBeGreaterThan(100);
    expect(value('parlor_sent_bytes_total')).toBeGreaterThan(10_000);
    expect(value('parlor_customer_audio_seconds_total')).toBeGreaterThan(0.1);
  });

  it('asks for the token', async () => {
    const { sandbox } = await testSandbox({ tokens: ['s3cret'] });
    const url = `http://127.0.0.1:${sandbox.port}/metrics`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: 'Bearer s3cret' } })).status).toBe(200);
  });

  it('has each of its metrics in the table of docs/operations.md, and no other', async () => {
    const hosts = createCallbackHosts([]);
    const desk = createRolloutDesk({
      ...{ play: () => Promise.reject(new Error('never')), journal: openNoJournal(), clock: systemClock },
      ...{ courier: createRewardCourier({ hosts, clock: systemClock }), createId: () => 'id' },
      ...{ maxRunning: 1, maxQueued: 1, onFault: () => undefined },
    });
    const { sandbox } = await testSandbox({ rollouts: { desk, hosts, refuseConditions: () => null } });
    const { families } = await scrape(sandbox.port);
    const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `((?:parlor|process|nodejs)_\w+)`/gm)].map(([, name]) => name);
    expect(documented).toEqual([...families.keys()]);
  });
});

describe('a registry', () => {
  it('sums buckets up and escapes what labels and help hold', () => {
    const registry = new MetricRegistry();
    const seconds = registry.histogram({ name: 'wait_seconds', help: 'a\\b\nc' }, [1, 2]);
    for (const value of [0.5, 1, 1.5, 9]) seconds.observe(value, { who: 'a"b\\c\nd' });
    const family = parsePrometheus(registry.text()).get('wait_seconds');
    expect(family?.samples.map(({ labels, value }) => [labels.le, value])).toEqual([
      ...[
        ['1', 2],
        ['2', 3],
        ['+Inf', 4],
      ],
      ...[
        [undefined, 12],
        [undefined, 4],
      ],
    ]);
    expect(family?.samples[0]?.labels.who).toBe('a"b\\c\nd');
    expect(() => registry.counter({ name: 'wait_seconds', help: '' })).toThrow(RangeError);
  });
});
