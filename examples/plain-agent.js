/**
 * A stranger's agent: plain JavaScript and the `ws` package, nothing of Parlor's own code.
 * It asks who is calling, finds the customer, tells what orders there are, and hands over to a person.
 *
 *   npx parlor serve --mode text --port 8710        in one terminal
 *   node examples/plain-agent.js ws://127.0.0.1:8710/v1 eval-001
 *
 * Exits with 0 when it found the customer and the episode ended by its hand-over, else with 1.
 */
import assert from 'node:assert/strict';
import { WebSocket } from 'ws';

const [url = 'ws://127.0.0.1:8710/v1', task = 'eval-001'] = process.argv.slice(2);
const socket = new WebSocket(url);
const send = (message) => socket.send(JSON.stringify(message));

/** Events in the order they came; `next` waits for one of the given types and skips the rest. */
const events = [];
let wake = () => {};
socket.on('message', (data, isBinary) => {
  if (!isBinary) events.push(JSON.parse(data.toString()));
  wake();
});
socket.on('close', () => {
  events.push({ type: 'closed' });
  wake();
});
socket.on('error', (error) => {
  console.error(`plain-agent: cannot talk to ${url}: ${error.message}; is \`parlor serve\` running?`);
  process.exit(1);
});
async function next(...types) {
  for (;;) {
    while (events.length > 0) {
      const event = events.shift();
      if (types.includes(event.type)) return event;
      assert.notEqual(event.type, 'error', event.message);
      assert.notEqual(event.type, 'closed', `the sandbox hung up before ${types.join(' or ')}`);
    }
    await new Promise((resolve) => {
      wake = resolve;
    });
  }
}

let customerText = '';
/** Says something and waits for the customer's answer, or for the end of the episode. */
async function say(text) {
  console.log(`agent:    ${text}`);
  send({ type: 'agent.message', text });
  return await listen();
}
async function listen() {
  const event = await next('customer.text', 'episode.end');
  if (event.type === 'episode.end') return event;
  console.log(`customer: ${event.text}`);
  customerText += ` ${event.text}`;
  await next('customer.end');
  return null;
}

let calls = 0;
async function call(name, args) {
  calls += 1;
  send({ type: 'tool.call', callId: `call-${calls}`, name, arguments: args });
  const result = await next('tool.result');
  console.log(`tool:     ${name} ${result.ok ? 'ok' : result.content}`);
  return result;
}

await next('hello');
send({ type: 'episode.start', task, mode: 'text', seed: 1, agent: 'plain-agent' });
const { tools } = await next('episode.ready');
assert.ok(tools.length >= 10, 'the sandbox offers the tools of the shop');
await listen();

await say('Hello! May I have your first and last name and your zip code?');
const name = /(?:name is |It's |^|\. ?|\s)([A-Z][\w'-]+) ([A-Z][\w'-]+)\./u.exec(
  customerText.split('.').slice(-4).join('.'),
);
const zip = /\b\d{5}\b/.exec(customerText.slice(-120));
assert.ok(name !== null && zip !== null, 'the customer tells its name and zip code when asked');
const found = await call('find_user_id_by_name_zip', {
  first_name: name[1],
  last_name: name[2],
  zip: zip[0],
});
assert.ok(found.ok, 'the customer is found by what it said');
const user = JSON.parse((await call('get_user_details', { user_id: found.content })).content);
assert.ok(user.orders.length > 0, 'the customer has orders');

await call('transfer_to_human_agents', { summary: `${name[1]} ${name[2]} needs help with an order` });
const end = await say('I am transferring you to a colleague, please hold on.');
assert.equal(end?.reason, 'transfer');
console.log(`the end:  ${end.reason}, reward ${end.outcome.reward}`);
socket.close();
