import type { VoiceDetector } from '../../audio/index.js';
import type { EpisodeTiming, RecordSink } from '../../episodes/index.js';
import type { EndOwner, EndReason, Mode, Pacing } from '../../protocol/index.js';
import type { Outcome, WorldSession } from '../../retail/index.js';
import type { Clock } from '../../shared/index.js';
import type { Speaker, Voice } from '../../speech/index.js';
import type { Customer } from '../../user/index.js';
import type { Duplex } from '../duplex/duplex.js';
import type { ToolPort } from '../tool-port.js';
import type { Transcriber } from './listener.js';
import type { LiveReview } from './live-judge.js';
import type { Measure } from './measurement.js';
import type { SessionLimits } from './state.js';
import type { SessionTransport } from './transport.js';

/** What turn-taking needs beside the voice. */
export interface DuplexParts {
  readonly opening: Duplex;
  readonly seed: number;
  /** Finds when the agent's own voice is heard. */
  readonly openDetector: () => Promise<VoiceDetector>;
}

export interface SessionVoice {
  readonly speaker: Speaker;
  readonly voice: Voice;
  readonly seed: number;
  /** Lines go out while they are made, where speaker and transport can. Never with turn-taking, which has to know how long they are. */
  readonly streams?: boolean | undefined;
}

/** Who plays in an episode, and where it is written. */
export interface SessionParts {
  readonly mode: Mode;
  readonly pacing: Pacing;
  readonly limits: SessionLimits;
  readonly clock: Clock;
  readonly transport: SessionTransport;
  readonly sink: RecordSink;
  readonly world: WorldSession;
  readonly tools: ToolPort;
  /** Called once, when the opening is wanted; what it throws is the customer's failure. */
  readonly createCustomer: () => Customer;
  /** Set in speech mode. */
  readonly voice: SessionVoice | null;
  /** Null: an agent that speaks has to send its words as well. */
  readonly transcriber: Transcriber | null;
  /** With turn-taking. */
  readonly duplex?: DuplexParts | undefined;
  /** Null: nobody looks on. */
  readonly live: LiveReview | null;
  readonly verify: (agentMessages: readonly string[], endedInOrder: boolean) => Outcome;
  /** Called when the record is closed, before the agent hears of the end. */
  readonly onEnd: (result: SessionResult) => void;
  readonly log: (message: string) => void;
  readonly measure: Measure;
}

/** How an episode went. `outcome` is null when nothing could be verified. */
export interface SessionResult {
  readonly episode: string;
  readonly reason: EndReason;
  readonly owner: EndOwner;
  readonly turns: number;
  readonly outcome: Outcome | null;
  readonly timing: EpisodeTiming;
  /** False when the record is not whole, e.g. for a full disk. */
  readonly recorded: boolean;
}
