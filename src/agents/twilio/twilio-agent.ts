import type { Transcriber } from '../../models/index.js';
import { type Clock, describeError, sha256Hex, UsageError } from '../../shared/index.js';
import type { Agent, AgentAssignment, AgentReport } from '../agent.js';
import { type EventSocket, openEventSocket } from '../client/event-socket.js';
import type { EpisodeReadyEvent } from '../episode-client.js';
import { ConnectionLostError, MessageRefusedError, ProtocolFaultError } from '../errors.js';
import type { CallEvent } from './call-event.js';
import { createMailbox, type Mailbox } from './mailbox.js';
import {
  type AgentMedia,
  type CallIds,
  createMediaWriter,
  FRAME_MS,
  MEDIA_RATE_HZ,
  type MediaWriter,
} from './media-message.js';
import { type MediaSocket, openMediaSocket } from './media-socket.js';
import { type Pace, Playout } from './playout.js';
import { TwilioCall } from './twilio-call.js';
import { Uplink } from './uplink.js';
import { UtteranceEar } from './utterance-ear.js';

export interface TwilioAgentOptions {
  /** The agent's own WebSocket server, ws:// or wss://. */
  readonly url: string;
  /** Default `realtime`: production agents expect a telephone's pace. */
  readonly pace?: Pace | undefined;
  readonly transcriber?: Transcriber | undefined;
  readonly clock: Clock;
  /** Silence that ends what the agent says. Default 1000 ms. */
  readonly endSilenceMs?: number | undefined;
  /** Silence after what the customer says, in `fast`. Default 1000 ms. */
  readonly tailSilenceMs?: number | undefined;
  /** What the agent says is cut here. Default 120 s. */
  readonly maxUtteranceMs?: number | undefined;
  /** Sent to the agent in `start`, beside our own. */
  readonly customParameters?: Readonly<Record<string, string>> | undefined;
}

const DEFAULT_END_SILENCE_MS = 1_000;
const DEFAULT_MAX_UTTERANCE_MS = 120_000;

/** A mark by which an agent gives the words of what it says; it is echoed like any other. */
const TRANSCRIPT_MARK = 'transcript:';
/** A mark by which an agent says that its turn is over, so that no silence needs to be waited for. */
const TURN_END_MARK = 'turn-end';

function idsOf({ task, mode, trial, seed }: AgentAssignment): CallIds {
  const sid = (prefix: string): string =>
    prefix + sha256Hex(JSON.stringify([prefix, task, mode, trial, seed])).slice(0, 32);
  return { streamSid: sid('MZ'), callSid: sid('CA'), accountSid: sid('AC') };
}

/** Where the agent finds its tools: the sandbox's MCP endpoint, where it offers one. */
function mcpOf(ready: EpisodeReadyEvent): Readonly<Record<string, string>> {
  const { mcp } = ready;
  return mcp === null ? {} : { mcp_url: mcp.url, mcp_token: mcp.token };
}

/** Starts the episode and reads up to `episode.ready`. */
async function begin(
  events: EventSocket,
  { task, mode, seed, trial, turnTaking }: AgentAssignment,
  agent: string,
): Promise<{ readonly ready: EpisodeReadyEvent; readonly keepsVoice: boolean }> {
  const hello = await events.next();
  if (hello.kind !== 'event' || hello.event.type !== 'hello')
    throw new ProtocolFaultError('expected hello first');
  // The sandbox turns the voice into what a telephone carries.
  const audio = { encoding: 'mulaw', sampleRateHz: MEDIA_RATE_HZ, frameMs: FRAME_MS } as const;
  events.send({ type: 'episode.start', task, mode, seed, trial, agent, audio, turnTaking });
  const ready = await events.next();
  if (ready.kind === 'event' && ready.event.type === 'error')
    throw new MessageRefusedError(ready.event.code, ready.event.message);
  if (ready.kind !== 'event' || ready.event.type !== 'episode.ready')
    throw new ProtocolFaultError('expected episode.ready');
  return { ready: ready.event, keepsVoice: hello.event.capabilities.includes('agent_audio') };
}

/** Puts everything that the sandbox sends into the mailbox, until its end. */
async function pump(events: EventSocket, mailbox: Mailbox<CallEvent>): Promise<void> {
  try {
    for (;;) mailbox.push({ type: 'sandbox', item: await events.next() });
  } catch (error) {
    mailbox.push({
      type: 'fault',
      error: error instanceof Error ? error : new ConnectionLostError(describeError(error)),
    });
  }
}

/** The agent's side of the line: its voice, played and listened to. */
function createLine(
  options: TwilioAgentOptions,
  parts: {
    readonly mailbox: Mailbox<CallEvent>;
    readonly writer: MediaWriter;
    readonly send: (text: string) => void;
  },
) {
  const { clock, pace = 'realtime' } = options;
  const { mailbox, writer, send } = parts;
  const ear = new UtteranceEar({
    ...{ clock, endSilenceMs: options.endSilenceMs ?? DEFAULT_END_SILENCE_MS },
    maxUtteranceMs: options.maxUtteranceMs ?? DEFAULT_MAX_UTTERANCE_MS,
    onUtterance: (utterance) => mailbox.push({ type: 'utterance', utterance }),
  });
  const playout = new Playout({
    ...{ pace, clock, onFrame: (frame) => ear.hear(frame) },
    onMark: (name, heard) => {
      send(writer.mark(name));
      if (!heard) return;
      if (name.startsWith(TRANSCRIPT_MARK)) ear.read(name.slice(TRANSCRIPT_MARK.length).trim());
      if (name === TURN_END_MARK) ear.end();
    },
  });
  const fault = (error: Error): void => mailbox.push({ type: 'fault', error });
  return {
    onMessage: (message: AgentMedia): void => {
      if (message.event === 'clear') playout.clear();
      else if (message.event === 'mark') playout.mark(message.mark.name);
      else if (!playout.push(Buffer.from(message.media.payload, 'base64')))
        fault(
          new ProtocolFaultError(
            'the agent has sent more than ten minutes of sound that nobody has heard yet',
          ),
        );
    },
    onHangUp: (): void => {
      // What was heard before the line went was said; what was not played yet is lost, as on a telephone.
      playout.stop();
      ear.end();
      mailbox.push({ type: 'hang-up' });
    },
    onFault: fault,
    stop: (): void => {
      playout.stop();
      ear.stop();
    },
  };
}

/**
 * An agent that is itself a server and speaks Twilio Media Streams, as production voice agents do: the sandbox calls it. Its
 * tools are the sandbox's MCP endpoint, whose address and token it finds in `start.customParameters`.
 */
export function createTwilioAgent(options: TwilioAgentOptions): Agent {
  const name = `twilio ${new URL(options.url).host}`;
  async function call(assignment: AgentAssignment, signal: AbortSignal): Promise<AgentReport> {
    if (assignment.mode !== 'speech')
      throw new UsageError('agent-needs-speech', 'an agent on the telephone only hears; use --mode speech');
    const { clock, pace = 'realtime', transcriber = null } = options;
    const ids = idsOf(assignment);
    const writer = createMediaWriter(ids);
    const mailbox = createMailbox<CallEvent>();
    let socket: MediaSocket | null = null;
    const send = (text: string): void => socket?.send(text);
    const line = createLine(options, { mailbox, writer, send });
    const events = openEventSocket(assignment.url, { token: assignment.token, signal });
    let uplink: Uplink | null = null;
    try {
      const streamSid = ids.streamSid;
      // Before the episode begins: an agent that cannot be reached has not failed the customer.
      socket = await openMediaSocket(options.url, { streamSid, handlers: line, signal });
      const { ready, keepsVoice } = await begin(events, assignment, name);
      send(writer.connected());
      const { episode, policy } = ready;
      send(writer.start({ ...options.customParameters, episode, policy, ...mcpOf(ready) }));
      uplink = new Uplink({
        ...{ pace, clock, tailSilenceMs: options.tailSilenceMs ?? DEFAULT_END_SILENCE_MS },
        send: (frame, timestampMs) => send(writer.media(frame, timestampMs)),
      });
      void pump(events, mailbox);
      const parts = { events, mailbox, uplink, keepsVoice, transcriber, clock, signal };
      const end = await new TwilioCall(parts).play();
      return { episode: end.episode, reason: end.reason, faults: [] };
    } finally {
      send(writer.stop());
      uplink?.stop();
      line.stop();
      socket?.close();
      events.close();
    }
  }
  return { name, run: call };
}
