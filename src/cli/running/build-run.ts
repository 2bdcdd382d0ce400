import type { Agent, AgentVoice, RealtimeAgentOptions } from '../../agents/index.js';
import { RECORD_VERSION } from '../../episodes/index.js';
import { type RunManifest, selectTasks, splitNames } from '../../evaluation/index.js';
import type { ChatClient, Transcriber } from '../../models/index.js';
import { PROTOCOL_VERSION } from '../../protocol/index.js';
import { findGroundTruthFaults, type RetailDomain, type Task } from '../../retail/index.js';
import { describeAgentMaterial, type LiveJudge, type SandboxOptions } from '../../sandbox/index.js';
import { UsageError } from '../../shared/index.js';
import type { CustomerFactory } from '../../user/index.js';
import type { AgentFlags } from '../models/model-flags.js';
import { packageVersion } from '../package-info.js';
import { createAgent } from './agents.js';
import { openDomain, partsOf, SOURCE_RULES } from './domains.js';
import { openLiveJudge } from './live-judge.js';
import type { RunLine } from './run-line.js';
import type { RunSettings } from './run-settings.js';

/** A run that could start: everything that decides its results. */
export interface BuiltRun {
  readonly domain: RetailDomain;
  readonly agent: Agent;
  readonly customers: CustomerFactory;
  readonly manifest: RunManifest;
  readonly liveJudge: LiveJudge | undefined;
  /** Absent: the shop's. */
  readonly verify: SandboxOptions['verify'];
}

export interface BuildContext {
  readonly cwd: string;
  /** In place of the built-in world, or of what the settings name. */
  readonly domain?: RetailDomain;
  /** See `PlanInput`. */
  readonly sameCustomer?: true;
  readonly customers: CustomerFactory;
  /** What the customers were made with. */
  readonly options: Readonly<Record<string, string | number>>;
  readonly agentFlags: AgentFlags;
  /** Where an agent's programs are looked for. */
  readonly path: string;
  /** How the customer sounds. */
  readonly line: RunLine;
  /** Opens the agent's model, where it has one. */
  readonly openChat: () => ChatClient;
  /** Opens the agent's speech recognition, where one was asked for. */
  readonly openTranscriber: () => Transcriber | null;
  /** Where its realtime model is, where it is one. */
  readonly realtimeServer: () => Pick<RealtimeAgentOptions, 'baseUrl' | 'model' | 'apiKey' | 'recording'>;
  /** A reference agent's own voice, by text and seed; null: none. Called when speech is open. */
  readonly voiceOf: ((text: string, seed: number) => Promise<AgentVoice>) | null;
  /** Opens the voice, once all else is known to be right; gives what the manifest calls it. Asked when a mode speaks. */
  readonly openSpeech: () => Promise<string>;
}

const DEFAULT_SPLIT = 'test';
const MAX_ERRORS = 10;

/** @throws UsageError for a folder, split, task or agent that does not exist. */
export async function buildRun(settings: RunSettings, context: BuildContext): Promise<BuiltRun> {
  const { data } = settings;
  const turnTaking = settings.turnTaking === 'half-duplex' ? undefined : settings.turnTaking;
  if (turnTaking !== undefined && !settings.modes.includes('speech'))
    throw new UsageError('bad-option', '--turn-taking is about speech, so it needs --mode speech or both');
  if (turnTaking !== undefined && context.agentFlags.bargeIn !== undefined)
    throw new UsageError(
      'bad-option',
      '--barge-in breaks in by chance and --turn-taking by the rules of a call; give one of them',
    );
  if (turnTaking === 'lively' && settings.agent === 'twilio')
    throw new UsageError(
      'bad-option',
      'an agent on the telephone cannot be told what was heard when a customer breaks in: use --turn-taking patient or attentive',
    );
  const domain = context.domain ?? (await openDomain(settings.domain, { data, cwd: context.cwd }));
  const { customers = context.customers, verify } = partsOf(domain);
  const made = await createAgent(domain, {
    ...{ name: settings.agent, faults: settings.faults, seed: settings.seed },
    ...{ flags: context.agentFlags, path: context.path, openChat: context.openChat },
    openTranscriber: context.openTranscriber,
    voiceOf: turnTaking === undefined ? null : context.voiceOf,
    realtimeServer: context.realtimeServer,
    speaks: settings.modes.includes('speech'),
  });
  const split = settings.split === undefined ? defaultSplit(domain) : settings.split;
  const tasks = selectTasks(domain, {
    split: split ?? undefined,
    ids: settings.ids ?? undefined,
    count: settings.count ?? undefined,
  });
  for (const { id } of tasks) context.line.taskConditions?.conditionsOf(id);
  const { policyHash, toolsHash } = describeAgentMaterial(domain);
  const liveJudge = openLiveJudge(settings.liveJudge, domain);
  const manifest: RunManifest = {
    type: 'run',
    version: 1,
    parlor: packageVersion(),
    protocol: PROTOCOL_VERSION,
    recordVersion: RECORD_VERSION,
    data,
    domain: {
      source: domain.source,
      label: domain.label,
      rules: domain.rules,
      worldHash: domain.worldHash(),
      policyHash,
      toolsHash,
    },
    split,
    tasks: tasks.map((task) => task.id),
    trials: settings.trials,
    modes: settings.modes,
    seed: settings.seed,
    ...(context.sameCustomer === undefined ? {} : { sameCustomer: context.sameCustomer }),
    agent: { name: settings.agent, options: { ...made.options }, labels: made.labels },
    customer: customers.name,
    // Those of a domain that brings its own customers have none.
    ...(customers !== context.customers || Object.keys(context.options).length === 0
      ? {}
      : { customerOptions: { ...context.options } }),
    speech: settings.modes.includes('speech') ? await context.openSpeech() : null,
    ...lineOf(context.line),
    ...(turnTaking === undefined ? {} : { turnTaking }),
    rule: settings.outcomeRule ?? SOURCE_RULES[domain.source],
    limits: { maxTurns: settings.maxTurns, maxErrors: MAX_ERRORS },
    ...(liveJudge === undefined ? {} : { liveJudge: liveJudge.name }),
    groundTruthFaults: groundTruthFaultsOf(domain, tasks),
  };
  return { domain, agent: made.agent, customers, manifest, liveJudge, verify };
}

function lineOf({ conditions, taskConditions, voices }: RunLine) {
  return {
    ...(conditions === undefined ? {} : { conditions }),
    ...(taskConditions === undefined ? {} : { voiceTasks: taskConditions.facts }),
    ...(voices === undefined ? {} : { voices }),
  };
}

function groundTruthFaultsOf(domain: RetailDomain, tasks: readonly Task[]): RunManifest['groundTruthFaults'] {
  // Nothing is called in a maths task, so nothing can fail.
  if (domain.source === 'maths') return [];
  const writes = new Set(domain.tools.filter((tool) => tool.kind === 'write').map((tool) => tool.name));
  return tasks.flatMap((task) =>
    findGroundTruthFaults(domain, task).map(({ callIndex, call, error }) => ({
      ...{ task: task.id, callIndex, call: call.name, isWrite: writes.has(call.name), error },
    })),
  );
}

function defaultSplit(domain: RetailDomain): string | null {
  return splitNames(domain.tasks).includes(DEFAULT_SPLIT) ? DEFAULT_SPLIT : null;
}
