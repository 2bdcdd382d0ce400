// A trainer's side in small: an OpenAI-compatible address with a policy behind it that is no model at all, which keeps every
// exchange, and an address for rewards. `node examples/tiny-gateway.js PORT`; see docs/training.md, "Online: the sandbox drives".
import { createServer } from 'node:http';

const LINES = ['Good day! May I have your email address, please?', 'Thank you. One moment.', 'Goodbye.'];
let earlier = '';

/** What is not the end of a conversation begins the next one: nothing may have been reworded in between. */
function checkHistory(messages) {
  const text = JSON.stringify(messages).slice(0, -1);
  if (messages.length > 2 && !text.startsWith(earlier)) throw new Error('the history was changed');
  earlier = text;
}

function reply({ messages }) {
  checkHistory(messages);
  const said = messages.filter(({ role }) => role === 'assistant').length;
  const message = { role: 'assistant', content: LINES[Math.min(said, LINES.length - 1)] };
  return { choices: [{ index: 0, message, finish_reason: 'stop' }] };
}

createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  try {
    const body = JSON.parse(text);
    if (request.url === '/reward') console.log(JSON.stringify(body));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(request.url === '/reward' ? { status: 'ok' } : reply(body)));
  } catch (error) {
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: error.message } }));
  }
}).listen(Number(process.argv[2]), '127.0.0.1');
