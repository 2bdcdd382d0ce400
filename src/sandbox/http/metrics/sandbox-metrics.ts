import type { EpisodeSummary } from '../../options.js';
import type { SessionMeasurement } from '../../session/measurement.js';
import type { HttpAnswer } from '../router.js';
import type { Histogram, MetricRegistry, MetricText } from './registry.js';

/** Upper bounds in seconds: from a table look-up to an agent that thinks for two minutes. */
const LATENCY_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Close codes that mean something here; a client may send any from 3000 to 4999. */
const isKnownCloseCode = (code: number): boolean =>
  (code >= 1000 && code <= 1015) || (code >= 4001 && code <= 4005);

export interface SandboxMetricsOptions {
  /** Names that may become labels; an agent can call tools by any name. */
  readonly toolNames: readonly string[];
}

/** What a sandbox counts. The table of docs/operations.md is checked against it. */
export interface SandboxMetrics {
  readonly measure: (measurement: SessionMeasurement) => void;
  readonly episodeEnded: (summary: EpisodeSummary) => void;
  readonly answered: (answer: HttpAnswer) => void;
  readonly socketOpened: () => void;
  readonly socketClosed: (code: number) => void;
  readonly connectionRefused: (status: number) => void;
}

export function createSandboxMetrics(
  registry: MetricRegistry,
  options: SandboxMetricsOptions,
): SandboxMetrics {
  const toolNames = new Set(options.toolNames);
  const latency = (name: string, help: string): Histogram =>
    registry.histogram({ name: `parlor_${name}_seconds`, help }, LATENCY_BOUNDS);
  const count = (name: string, help: string) =>
    registry.counter({ name: `parlor_${name}_total`, help } satisfies MetricText);

  const episodes = count('episodes', 'Episodes that ended, by reason, who brought the end about, and mode.');
  const successes = count('episode_successes', 'Episodes whose outcome was a success, by mode.');
  const unverified = count('episodes_unverified', 'Episodes that could not be verified.');
  const unrecorded = count(
    'episodes_unrecorded',
    'Episodes whose record is not whole, e.g. for a full disk.',
  );
  const turns = count('turns', 'Actions of agents (messages and tool calls) in episodes that ended.');
  const audio = count('customer_audio_seconds', 'Length of all that customers said in episodes that ended.');
  const calls = count('tool_calls', 'Tool calls, by tool and how they went.');
  const refused = count('refused_messages', 'Messages of agents that were not taken, by error code.');
  const opened = count('connections', 'WebSockets that were opened.');
  const closed = count('connection_closes', 'WebSockets that were closed, by close code.');
  const turnedAway = count('refused_connections', 'Connections that were turned away, by HTTP status.');
  const requests = count('http_requests', 'Requests over HTTP, by method, route and status.');
  const holders = {
    customer: latency('customer_line', "From an agent's action to the customer's line, with its speech."),
    delivery: latency('delivery', 'Sending one customer turn, as quickly as the agent reads it.'),
    agent: latency('agent_answer', 'From the moment an agent may act to its action.'),
    hearing: null,
    review: null,
    tool: null,
    verdict: latency('verdict', 'Verifying an episode that is over.'),
    nobody: null,
  };
  const speech = latency('speech_synthesis', 'Speaking one line, or taking it from the cache.');
  const firstAudio = latency('speech_first_audio', 'From a line to be spoken to its first sound.');
  const toolSeconds = latency('tool_call', 'One tool call, by tool.');

  return {
    measure: (measurement) => {
      switch (measurement.type) {
        case 'floor':
          holders[measurement.holder]?.observe(measurement.ms / 1000);
          break;
        case 'speech':
          speech.observe(measurement.ms / 1000);
          break;
        case 'first_audio':
          firstAudio.observe(measurement.ms / 1000);
          break;
        case 'tool': {
          const tool = toolNames.has(measurement.name) ? measurement.name : 'unknown';
          calls.add({ tool, status: measurement.status });
          toolSeconds.observe(measurement.ms / 1000, { tool });
          break;
        }
        case 'refused':
          refused.add({ code: measurement.code });
          break;
      }
    },
    episodeEnded: ({ reason, owner, mode, outcome, turns: taken, timing, recorded }) => {
      episodes.add({ reason, owner, mode });
      turns.add({}, taken);
      audio.add({}, timing.audioMs / 1000);
      if (outcome === null) unverified.add();
      else if (outcome.success) successes.add({ mode });
      if (!recorded) unrecorded.add();
    },
    answered: ({ method, route, status }) => requests.add({ method, route, status: String(status) }),
    socketOpened: () => opened.add(),
    socketClosed: (code) => closed.add({ code: isKnownCloseCode(code) ? String(code) : 'other' }),
    connectionRefused: (status) => turnedAway.add({ status: String(status) }),
  };
}
