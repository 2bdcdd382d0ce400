// A trainer's side in small: an OpenAI-compatible address with a policy behind it that is no model at all, which keeps every
// exchange, and an address for rewards. `node examples/tiny-gateway.js PORT`; see docs/training.md, "Online: the sandbox drives".
import { createServer } from 'node:http';

const LINES = ['Good day! May I have your email address, please?', 'Thank you. One moment.', 'Goodbye.'];
/** Every prompt with the reply to it, as text. A conversation is known by its own beginning, so any number may go on at once. */
const replies = new Map();

/** Nothing may have been reworded in between: a prompt begins with an earlier one and the reply to it. */
function checkHistory(messages) {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (last === -1) return;
  const given = replies.get(JSON.stringify(messages.slice(0, last)));
  if (given !== JSON.stringify(messages[last])) throw new Error('the history was changed');
}

function reply({ messages }) {
  checkHistory(messages);
  const said = messages.filter(({ role }) => role === 'assistant').length;
  const message = { role: 'assistant', content: LINES[Math.min(said, LINES.length - 1)] };
  replies.set(JSON.stringify(messages), JSON.stringify(message));
  return { choices: [{ index: 0, message, finish_reason: 'stop' }] };
}

function answer(path, body) {
  if (path !== '/reward') return reply(body);
  console.log(JSON.stringify(body));
  return { status: 'ok' };
}

createServer(async (request, response) => {
  let status = 200;
  let said = '';
  try {
    let text = '';
    for await (const chunk of request) text += chunk;
    said = JSON.stringify(answer(request.url, JSON.parse(text)));
  } catch (error) {
    status = 400;
    said = JSON.stringify({ error: { message: error.message } });
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(said);
}).listen(Number(process.argv[2]), '127.0.0.1');
