import { CLOSE_CODES, type DialClient, type DialLine } from '../../protocol/index.js';
import { readClientFrame } from '../websocket/client-frame.js';
import type { Greeting } from '../websocket/connection.js';
import type { SessionRegistry } from '../websocket/session-registry.js';

/** One client in this process, with a session as a WebSocket would have. A closed line ends the session: there is no resume. */
export function openHostedLine(
  registry: SessionRegistry,
  greeting: Greeting,
  client: DialClient,
): DialLine & { shutDown(): void } {
  const toClient: (() => void)[] = [];
  let isOpen = true;
  let isFlushing = false;

  /** In turns of their own: neither side is called while it calls. */
  function later(deliver: () => void): void {
    toClient.push(deliver);
    if (isFlushing) return;
    isFlushing = true;
    queueMicrotask(() => {
      for (let next = toClient.shift(); next !== undefined; next = toClient.shift()) next();
      isFlushing = false;
    });
  }
  function hangUp(code: number): void {
    if (!isOpen) return;
    isOpen = false;
    registry.drop(token);
    later(() => client.onClose(code));
  }
  const { session, token } = registry.open({ lose: () => hangUp(CLOSE_CODES.takenOver) });
  session.outbox.attach(
    {
      get isOpen() {
        return isOpen;
      },
      send: (data) => {
        if (isOpen) later(() => client.onFrame(Buffer.from(data as string), typeof data !== 'string'));
        return null;
      },
      close: hangUp,
    },
    0,
  );
  session.send({ ...greeting, session: session.id, resumeToken: token });

  function take(data: Buffer, isBinary: boolean): void {
    const frame = readClientFrame(data, isBinary);
    if (!frame.ok) session.refuse(frame.code, frame.message, frame.messageId);
    else if ('speech' in frame)
      session.takeSpeech(frame.speech.utterance, frame.speech.data, frame.speech.sampleOffset);
    else if (frame.message.type === 'session.resume')
      session.refuse('cannot_resume', 'a line within one process is not resumed');
    else session.take(frame.message);
    if (session.isHopeless) hangUp(CLOSE_CODES.refused);
  }
  return {
    send: (data) => {
      const frame = Buffer.from(data as string);
      queueMicrotask(() => {
        if (isOpen) take(frame, typeof data !== 'string');
      });
    },
    close: () => hangUp(CLOSE_CODES.normal),
    shutDown: () => hangUp(CLOSE_CODES.goingAway),
  };
}
