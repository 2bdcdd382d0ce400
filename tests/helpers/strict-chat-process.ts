import { builtInDomain } from '../../src/retail/index.js';
import { oracleChatPolicy } from './oracle-chat-policy.js';
import { startStrictChatServer } from './strict-chat-server.js';

/**
 * The strict server with the oracle for a model, as a process of its own: sends its address to the parent, and its counts
 * whenever asked. Started by scripts/bench-models.mjs.
 */
const server = await startStrictChatServer({
  policy: oracleChatPolicy(builtInDomain(), (session) =>
    decodeURIComponent(session).replace(/\.(?:speech|text)\.t\d+\.s\d+$/, ''),
  ),
  firstTokenMs: Number(process.env.FIRST_TOKEN_MS ?? 40),
});
process.on('message', () => {
  const [connections, mostAtOnce] = [server.connections(), server.mostAtOnce()];
  process.send?.({ requests: server.seen.length, refusals: server.refusals.length, connections, mostAtOnce });
});
process.send?.({ baseUrl: server.baseUrl });
