import { encodeWav } from '../../audio/index.js';
import type { Transcriber } from '../../models/index.js';
import type { ErrorCode } from '../../protocol/index.js';
import type { Clock } from '../../shared/index.js';
import type { EventSocket } from '../client/event-socket.js';
import type { AgentVoice } from '../client/voice.js';
import type { EpisodeEndEvent } from '../episode-client.js';
import { MessageRefusedError, ProtocolFaultError, WordsMissingError } from '../errors.js';
import type { CallEvent } from './call-event.js';
import type { Mailbox } from './mailbox.js';
import { MEDIA_RATE_HZ } from './media-message.js';
import type { Uplink } from './uplink.js';
import type { AgentUtterance } from './utterance-ear.js';

export interface TwilioCallParts {
  readonly events: EventSocket;
  readonly mailbox: Mailbox<CallEvent>;
  readonly uplink: Uplink;
  /** True: the sandbox keeps the agent's voice, too. */
  readonly keepsVoice: boolean;
  /** Asked for utterances that come without words. */
  readonly transcriber: Transcriber | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Before words that came while a tool ran are offered again. */
const RETRY_MS = 500;

function voiceOf(said: readonly AgentUtterance[]): AgentVoice | undefined {
  const samples = Int16Array.from(said.flatMap((one) => [...one.samples]));
  if (samples.length === 0) return undefined;
  return { samples, sampleRateHz: MEDIA_RATE_HZ, encoding: 'mulaw' };
}

/**
 * One call: carries what the customer says to the agent and what the agent said, in words, to the customer. It waits for
 * three at once (the sandbox, the agent's voice, the line), so all of them put what happens into one mailbox.
 */
export class TwilioCall {
  readonly #parts: TwilioCallParts;
  #floor: 'customer' | 'agent' = 'customer';
  #customerSound: Uint8Array[] = [];
  /** What the customer says now is beside its lines: it is still the customer's turn. */
  #isAside = false;
  /** What the agent said and the customer has not been told yet. */
  #untold: AgentUtterance[] = [];
  /** What was told last, until the customer answers. */
  #said: string | null = null;
  #hungUp = false;
  #stopped = false;

  constructor(parts: TwilioCallParts) {
    this.#parts = parts;
  }

  /** Until the episode is over. Rejects with what broke the call. */
  async play(): Promise<EpisodeEndEvent> {
    for (;;) {
      const event = await this.#parts.mailbox.next();
      switch (event.type) {
        case 'sandbox': {
          const end = this.#onSandbox(event.item);
          if (end !== null) return await this.#farewell(end);
          break;
        }
        case 'utterance':
          this.#untold.push(event.utterance);
          break;
        case 'hang-up':
          this.#hungUp = true;
          break;
        case 'again':
          break;
        case 'fault':
          throw event.error;
      }
      await this.#answer();
    }
  }

  #onSandbox(item: Extract<CallEvent, { type: 'sandbox' }>['item']): EpisodeEndEvent | null {
    if (item.kind === 'audio') {
      this.#customerSound.push(item.frame.data);
      return null;
    }
    const { event } = item;
    switch (event.type) {
      case 'customer.start':
        if (event.form !== 'speech')
          throw new ProtocolFaultError('the customer writes; a telephone carries speech');
        this.#customerSound = [];
        this.#isAside = event.aside !== undefined;
        this.#said = null;
        break;
      case 'customer.end':
        this.#parts.uplink.say(Buffer.concat(this.#customerSound));
        if (!event.final && !this.#isAside) this.#floor = 'agent';
        break;
      case 'episode.end':
        return event;
      case 'error':
        this.#onRefusal(event.code, event.message);
        break;
      default:
    }
    return null;
  }

  /** A tool call of the agent's, over MCP, may hold the floor while it speaks: what it said is said a little later. */
  #onRefusal(code: ErrorCode, message: string): void {
    if (code !== 'not_your_turn' || this.#said === null) throw new MessageRefusedError(code, message);
    this.#untold.unshift({ samples: new Int16Array(0), sampleRateHz: MEDIA_RATE_HZ, transcript: this.#said });
    this.#said = null;
    this.#parts.clock.after(RETRY_MS, () => {
      this.#floor = 'agent';
      this.#parts.mailbox.push({ type: 'again' });
    });
  }

  /** Tells the customer what the agent has said since, when it is the agent's turn. */
  async #answer(): Promise<void> {
    if (this.#floor !== 'agent' || this.#stopped) return;
    const said = this.#untold;
    this.#untold = [];
    const words: string[] = [];
    for (const utterance of said) words.push(await this.#wordsOf(utterance));
    const text = words.filter((word) => word !== '').join(' ');
    if (text !== '') {
      this.#floor = 'customer';
      this.#said = text;
      const { events, keepsVoice } = this.#parts;
      // How it was said, for the record.
      const voice = keepsVoice ? voiceOf(said) : undefined;
      events.send({ type: 'agent.message', text }, voice);
    } else if (this.#hungUp && this.#untold.length === 0) {
      this.#stopped = true;
      this.#parts.events.send({ type: 'agent.stop' });
    }
  }

  #wordsOf({ transcript, samples, sampleRateHz }: AgentUtterance): Promise<string> | string {
    if (transcript !== null) return transcript;
    const { transcriber, signal } = this.#parts;
    if (transcriber === null)
      throw new WordsMissingError(
        'the agent spoke, and nothing says which words: give --transcriber-url, or let the agent send a mark named "transcript:<what it said>" after its audio',
      );
    return transcriber.transcribe(encodeWav({ samples, sampleRateHz }), signal);
  }

  /** The customer's last words are played to their end. */
  async #farewell(end: EpisodeEndEvent): Promise<EpisodeEndEvent> {
    if (!this.#hungUp) await this.#parts.uplink.drained();
    return end;
  }
}
