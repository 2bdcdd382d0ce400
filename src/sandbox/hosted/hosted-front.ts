import type { EpisodeRecord } from '../../episodes/index.js';
import type { Dial, DialLine } from '../../protocol/index.js';
import type { Clock } from '../../shared/index.js';
import type { Speaker } from '../../speech/index.js';
import type { EpisodeFactory } from '../episode-factory.js';
import type { Front } from '../front.js';
import type { RecordTap } from '../openenv/record-tap.js';
import type { EpisodeSummary, SandboxLog } from '../options.js';
import type { Measure } from '../session/measurement.js';
import type { SessionLimits } from '../session/state.js';
import type { Greeting } from '../websocket/connection.js';
import type { WebSocketLimits } from '../websocket/limits.js';
import { createPacer } from '../websocket/pacer.js';
import { SessionRegistry } from '../websocket/session-registry.js';
import { openHostedLine } from './hosted-line.js';

/** What is different for one agent of this process. */
export interface SeatOptions {
  readonly limits?: Partial<SessionLimits> | undefined;
  /** Absent: the sandbox's own. */
  readonly speaker?: Speaker | undefined;
}

export interface HostedEpisode {
  readonly summary: EpisodeSummary;
  readonly record: EpisodeRecord;
}

/** A place for one agent of this process, and one episode. */
export interface Seat {
  /** To be handed to the agent, in place of an address. */
  readonly dial: Dial;
  /** Ends what runs as `shutdown`. */
  end(): void;
  /** Gives the seat back, when the agent has gone; what still runs ends. Null: no episode was played to an end. */
  leave(): Promise<HostedEpisode | null>;
}

export interface HostedFrontOptions {
  readonly makeFactory: (seat: SeatOptions) => EpisodeFactory;
  readonly greet: (seat: SeatOptions) => Greeting;
  /** Of the factory's records. */
  readonly tap: RecordTap;
  readonly clock: Clock;
  readonly createToken: () => string;
  readonly limits: WebSocketLimits;
  readonly canTranscribe: boolean;
  readonly measure: Measure;
  readonly log: (line: SandboxLog) => void;
  readonly onEpisodeEnd: (summary: EpisodeSummary) => void;
}

/**
 * Agents of this process without a socket. They meet the same sessions as those on the WebSocket, with limits and conditions
 * of their own, and their word is good: one that says `unavailable` ends as such.
 */
export function createHostedFront(options: HostedFrontOptions): Front & { seat(of: SeatOptions): Seat } {
  const { clock, tap, onEpisodeEnd } = options;
  const taken = new Set<SessionRegistry>();
  const timing = { clock, pacer: createPacer(clock) };

  function seat(of: SeatOptions): Seat {
    let summary: EpisodeSummary | null = null;
    const lines: (DialLine & { shutDown(): void })[] = [];
    const registry = new SessionRegistry(
      {
        ...options,
        ...{ timing, ownAgents: true, factory: options.makeFactory(of) },
        onEpisodeEnd: (ended) => {
          summary = ended;
          onEpisodeEnd(ended);
        },
      },
      options.createToken,
    );
    const greeting = options.greet(of);
    taken.add(registry);
    const endAll = (): void => {
      for (const session of registry.all()) session.end({ type: 'shutdown' });
    };
    return {
      dial: (client) => {
        const line = openHostedLine(registry, greeting, client);
        lines.push(line);
        return line;
      },
      end: endAll,
      leave: async () => {
        await registry.shutDown();
        for (const line of lines) line.shutDown();
        taken.delete(registry);
        if (summary === null) return null;
        const record = tap.read(summary.episode);
        tap.forget(summary.episode);
        return record === null ? null : { summary, record };
      },
    };
  }

  return {
    ...{ routes: [], upgrades: [], seat },
    running: () =>
      [...taken].flatMap((registry) =>
        registry
          .all()
          .flatMap(({ episode }) => (episode === null ? [] : [{ key: episode.start, done: episode.done }])),
      ),
    shutDown: async () => {
      await Promise.all([...taken].map((registry) => registry.shutDown()));
    },
  };
}
