import { createWebRtcDetector, type VoiceDetector } from '../audio/index.js';
import { type EpisodeHeader, episodeId, RECORD_VERSION, type RecordSink } from '../episodes/index.js';
import { type ClientMessage, DEFAULT_AUDIO, isOffered } from '../protocol/index.js';
import { type Outcome, type Task, toCustomerBrief, type VerifyInput } from '../retail/index.js';
import { deriveSeed } from '../shared/index.js';
import { describeAgentMaterial } from './agent-material.js';
import { type DuplexPreset, openDuplex } from './duplex/duplex.js';
import { DEFAULT_LIMITS, type EpisodeSummary, type SandboxOptions } from './options.js';
import type { Measure } from './session/measurement.js';
import type { DuplexParts } from './session/parts.js';
import { SessionRunner } from './session/runner.js';
import type { SessionTransport } from './session/transport.js';
import type { ConnectTools } from './tool-port.js';

/** What an episode is wired to beside its customer. */
export interface EpisodeParts {
  readonly connectTools: ConnectTools;
  readonly verify: (input: VerifyInput) => Outcome;
  readonly measure: Measure;
  /** Opens the MCP endpoint of an episode, whose calls go through `runner.callTool`. Absent: not on this server. */
  readonly bindMcp?: ((runner: SessionRunner, episode: string) => McpBinding) | undefined;
}

/** Where an episode's tools can be called over MCP. */
export interface McpBinding {
  readonly url: string;
  readonly token: string;
  /** Called when the episode is over. */
  close(): void;
}

export type EpisodeStart = Extract<ClientMessage, { type: 'episode.start' }>;

/** A start message that cannot be served. */
interface StartRefusal {
  readonly code: 'unknown_task' | 'unavailable';
  readonly message: string;
}

/** Turns start messages into running sessions; what is the same for all of them is worked out once. */
export interface EpisodeFactory {
  check(start: EpisodeStart): StartRefusal | null;
  /** Opens tools and record and tells the client that it is ready. Rejects when one of them fails. */
  open(
    start: EpisodeStart,
    transport: SessionTransport,
    onEnd: (summary: EpisodeSummary) => void,
  ): Promise<SessionRunner>;
}

export function createEpisodeFactory(options: SandboxOptions, parts: EpisodeParts): EpisodeFactory {
  const { domain, speaker, customers, clock, outcomeRule } = options;
  const tasks = new Map(domain.tasks.map((task) => [task.id, task]));
  const { policy, tools, policyHash, toolsHash } = describeAgentMaterial(domain);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const liveJudge = options.liveJudge ?? null;

  /** One for all episodes, opened when the first needs it. */
  let detector: Promise<VoiceDetector> | null = null;
  const openDetector = (): Promise<VoiceDetector> => {
    detector ??= createWebRtcDetector();
    return detector;
  };

  function headerFor(start: EpisodeStart, task: Task, voice: string | null): EpisodeHeader {
    const { mode, seed, trial, agent } = start;
    return {
      ...{
        type: 'episode',
        version: RECORD_VERSION,
        mode,
        seed,
        trial,
        agent,
        voice,
        ...(mode === 'speech' ? { wire: { ...(start.audio ?? DEFAULT_AUDIO), pacing: start.pacing } } : {}),
        ...turnTakingOf(start),
        task,
        policyHash,
        toolsHash,
      },
      episode: episodeId({ task: task.id, mode, trial, seed }),
      customer: customers.name,
      ...{ source: domain.source, rules: domain.rules, worldHash: domain.worldHash() },
      limits: { maxTurns: limits.maxTurns, maxErrors: limits.maxErrors },
      ...(liveJudge === null ? {} : { liveJudge: liveJudge.name }),
    };
  }

  return {
    check: ({ task, mode, audio, turnTaking = 'half-duplex' }) => {
      if (!tasks.has(task))
        return { code: 'unknown_task', message: `no task ${JSON.stringify(task)} in ${domain.label}` };
      if (mode === 'speech' && speaker === null)
        return {
          code: 'unavailable',
          message: 'this sandbox has no voice; start the episode with mode "text"',
        };
      if (turnTaking !== 'half-duplex' && options.turnTaking !== true)
        return {
          code: 'unavailable',
          message:
            'turn-taking is not offered here: parlor serve needs --turn-taking; hello lists turn_taking where it is',
        };
      if (audio !== undefined && !isOffered(audio))
        return {
          code: 'unavailable',
          message: `no audio of ${audio.encoding} at ${audio.sampleRateHz} Hz; hello lists the formats`,
        };
      return null;
    },
    open: async (start, transport, onEnd) => {
      const task = tasks.get(start.task);
      if (task === undefined) throw new RangeError(`no task ${start.task}`);
      const { mode, seed, trial, agent } = start;
      const voice =
        mode === 'speech' && speaker !== null
          ? {
              speaker: speaker.forTask?.(task.id) ?? speaker,
              voice: speaker.chooseVoice(deriveSeed(seed, 'voice')),
              seed: deriveSeed(seed, 'line', task.id),
              streams: options.streamSpeech === true && turnTakingOf(start).turnTaking === undefined,
            }
          : null;
      const world = domain.openSession();
      const toolPort = await parts.connectTools(world);
      const header = headerFor(start, task, voice?.voice.id ?? null);
      const sink = openRecordWith(header, () => void toolPort.close());
      const { episode } = sink;
      const runner = new SessionRunner({
        ...{ mode, limits, clock, transport, sink, world, tools: toolPort, voice },
        ...{ pacing: start.pacing, transcriber: options.transcriber ?? null },
        duplex: duplexFor(start, task, openDetector),
        live: liveJudge === null ? null : { judge: liveJudge, past: [header] },
        createCustomer: () => customers.create(toCustomerBrief(task), deriveSeed(seed, 'customer'), mode),
        verify: (agentMessages, endedInOrder) =>
          parts.verify({ task, session: world, agentMessages, rule: outcomeRule, endedInOrder }),
        onEnd: (result) => onEnd({ ...result, task: task.id, mode, trial, seed, agent }),
        log: (message) => options.log?.({ level: 'error', message, episode }),
        measure: parts.measure,
      });
      const mcp = parts.bindMcp?.(runner, episode) ?? null;
      void runner.finished.then(() => mcp?.close());
      transport.send({
        ...{ type: 'episode.ready', episode, task: task.id, mode, policy, tools: [...tools] },
        audio: mode === 'speech' ? (start.audio ?? DEFAULT_AUDIO) : null,
        pacing: start.pacing,
        mcp: mcp === null ? null : { url: mcp.url, token: mcp.token },
        ...(liveJudge === null ? {} : { liveJudge: liveJudge.name }),
        ...turnTakingOf(start),
      });
      return runner;
    },
  };

  function openRecordWith(header: EpisodeHeader, undo: () => void): RecordSink {
    try {
      const sink = options.openRecord(header.episode);
      sink.append({ ...header, episode: sink.episode });
      return sink;
    } catch (error) {
      undo();
      throw error;
    }
  }
}

/** For header and client; nothing for half-duplex, and none in text. */
function turnTakingOf({ mode, turnTaking }: EpisodeStart): { readonly turnTaking?: DuplexPreset } {
  return mode === 'text' || turnTaking === undefined || turnTaking === 'half-duplex' ? {} : { turnTaking };
}

function duplexFor(
  start: EpisodeStart,
  task: Task,
  openDetector: () => Promise<VoiceDetector>,
): DuplexParts | undefined {
  const { turnTaking } = turnTakingOf(start);
  if (turnTaking === undefined) return undefined;
  const seed = deriveSeed(start.seed, 'turn-taking', task.id);
  const { sampleRateHz } = start.audio ?? DEFAULT_AUDIO;
  return { opening: openDuplex(turnTaking, { sampleRateHz, seed }), seed, openDetector };
}
