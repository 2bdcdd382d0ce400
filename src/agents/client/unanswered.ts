import type { ClientMessageInput } from '../../protocol/index.js';
import type { AgentVoice } from './voice.js';

/** Messages of an agent that have consequences; `ack` and `session.resume` are the connection's. */
export type AgentMessage = Exclude<ClientMessageInput, { type: 'ack' | 'session.resume' }>;

export interface Sent {
  /** Null: a message that may come twice. */
  readonly messageId: string | null;
  readonly message: AgentMessage;
  readonly voice: AgentVoice | null;
}

/** For clients that never settle: older messages have long been answered. */
const MOST_KEPT = 16;

/**
 * What was sent and may have been lost with the connection, in order. A session takes messages in the order in which they
 * were sent, so the last one that it took tells about all before it; what was refused was answered as well.
 */
export class Unanswered {
  #sent: Sent[] = [];
  #count = 0;

  add(message: AgentMessage, voice: AgentVoice | null): Sent {
    const named = message.type !== 'interrupt' && !message.type.startsWith('agent.speech.');
    if (named) this.#count += 1;
    const sent = { messageId: named ? `m${this.#count}` : null, message, voice };
    this.#sent.push(sent);
    if (this.#sent.length > MOST_KEPT) this.#sent.shift();
    return sent;
  }

  /** Everything sent so far has had its effect. */
  settle(): void {
    this.#sent = [];
  }

  refused(messageId: string): void {
    this.#sent = this.#sent.filter((one) => one.messageId !== messageId);
  }

  /** What has to be sent again when this one was the last that was taken. */
  after(lastMessageId: string | null): readonly Sent[] {
    this.#sent = this.#sent.slice(
      this.#sent.findIndex((one) => lastMessageId !== null && one.messageId === lastMessageId) + 1,
    );
    return this.#sent;
  }
}
