import { builtInDomain } from '../../src/retail/index.js';
import { oracleChatPolicy } from './oracle-chat-policy.js';
import { startStrictChatServer } from './strict-chat-server.js';

/**
 * The strict server with the oracle for a model, as a process of its own: sends its address to the parent, and whenever asked
 * its counts and the time that each session's answers were made to take. Started by scripts/bench-models.mjs.
 */
const paces = new Map<string, number>();
const server = await startStrictChatServer({
  policy: oracleChatPolicy(builtInDomain(), (session) =>
    decodeURIComponent(session).replace(/\.(?:speech|text)\.t\d+\.s\d+$/, ''),
  ),
  firstTokenMs: Number(process.env.FIRST_TOKEN_MS ?? 40),
  tokenMs: Number(process.env.TOKEN_MS ?? 0),
  onPace: (session, ms) => void paces.set(session, (paces.get(session) ?? 0) + ms),
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({
    ...{ requests: server.seen.length, refusals: server.refusals.length },
    ...{ connections: server.connections(), mostAtOnce: server.mostAtOnce() },
    ...{ cpuMs: (user + system) / 1000, paces: [...paces] },
  });
  paces.clear();
});
process.send?.({ baseUrl: server.baseUrl });
