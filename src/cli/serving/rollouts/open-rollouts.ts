import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ConditionsError, findConditions } from '../../../audio/index.js';
import {
  createCallbackHosts,
  createRewardCourier,
  createRolloutDesk,
  openJournal,
  openNoJournal,
} from '../../../rollouts/index.js';
import type { Sandbox, SandboxOptions } from '../../../sandbox/index.js';
import { systemClock } from '../../../shared/index.js';
import { createConditionedSpeaker, type Speaker } from '../../../speech/index.js';
import { wholeNumber } from '../../number-option.js';
import type { ServeLog } from '../serve-log.js';
import type { RateTurns } from '../turn-rewards.js';
import { createRolloutPlayer } from './play-rollout.js';

export interface RolloutFlags {
  readonly maxRollouts: number;
  readonly rolloutQueue: number;
  readonly allowCallback: readonly string[];
}

export function addRolloutOptions(command: Command): Command {
  return command
    .option(
      '--max-rollouts <n>',
      'rollouts of POST /v1/rollouts played at once (docs/training.md)',
      wholeNumber('--max-rollouts', { min: 1, max: 10_000 }),
      64,
    )
    .option(
      '--rollout-queue <n>',
      'rollouts that may wait for their turn; beyond it 429',
      wholeNumber('--rollout-queue', { min: 0, max: 100_000 }),
      1024,
    )
    .option(
      '--allow-callback <host...>',
      'where rollouts may send requests and rewards beside loopback: HOST, HOST:PORT, *.DOMAIN, 10.0.0.0/8',
      [],
    );
}

export interface RolloutPlace {
  /** Set once the sandbox has started; nothing is played before. */
  readonly sandbox: () => Pick<Sandbox, 'seat'>;
  readonly rateTurns: RateTurns;
  /** Before the line and the room do anything to it; null: no voice. */
  readonly cleanSpeaker: Speaker | null;
  /** Where the journal lies; null: a restart forgets every rollout. */
  readonly folder: string | null;
  readonly log: ServeLog;
}

/** Presets only: a file's name from the network would be a way to ask for files. */
function refuseConditions(name: string): string | null {
  try {
    findConditions(name);
    return null;
  } catch (error) {
    if (error instanceof ConditionsError) return error.message;
    throw error;
  }
}

/** Each preset's speaker, made when it is first asked for; all share one engine and cache. */
function speakersFor(clean: Speaker | null): (conditions: string | undefined) => Speaker | undefined {
  const made = new Map<string, Speaker>();
  return (name) => {
    if (clean === null || name === undefined) return undefined;
    const speaker = made.get(name) ?? createConditionedSpeaker(clean, findConditions(name));
    made.set(name, speaker);
    return speaker;
  };
}

/** @throws UsageError `callback-host`, and RolloutJournalError when the journal cannot be used */
export function openRollouts(flags: RolloutFlags, place: RolloutPlace): SandboxOptions['rollouts'] {
  const { sandbox, rateTurns, cleanSpeaker, folder, log } = place;
  const hosts = createCallbackHosts(flags.allowCallback);
  const warn = (message: string): void => log({ level: 'warning', event: 'rollout', message });
  const desk = createRolloutDesk({
    play: createRolloutPlayer({
      ...{ sandbox, rateTurns, clock: systemClock, speakerFor: speakersFor(cleanSpeaker) },
    }),
    journal: folder === null ? openNoJournal() : openJournal(join(folder, 'rollouts.jsonl')),
    courier: createRewardCourier({ hosts, clock: systemClock }),
    ...{ clock: systemClock, createId: randomUUID, onFault: warn },
    ...{ maxRunning: flags.maxRollouts, maxQueued: flags.rolloutQueue },
  });
  return { desk, hosts, refuseConditions };
}
