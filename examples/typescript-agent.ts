/**
 * A stranger's agent in TypeScript, with the client that the package exports: asks who is calling, finds the customer, hands over.
 *
 *   npx parlor serve --mode text --port 8710                                in one terminal
 *   npx tsx examples/typescript-agent.ts ws://127.0.0.1:8710/v1 eval-001
 *
 * Exits with 0 when it found the customer and the episode ended by its hand-over.
 */
import assert from 'node:assert/strict';
import { type EpisodeClient, ParlorError, type SayStep, startEpisode } from 'parlor';

const [url = 'ws://127.0.0.1:8710/v1', task = 'eval-001'] = process.argv.slice(2);

async function say(episode: EpisodeClient, text: string): Promise<SayStep> {
  console.log(`agent:    ${text}`);
  const step = await episode.say(text);
  if (step.customer !== undefined) console.log(`customer: ${step.customer.text}`);
  return step;
}

async function call(episode: EpisodeClient, name: string, args: Record<string, unknown>): Promise<string> {
  const step = await episode.call(name, args);
  assert.ok(step.kind === 'result', 'the episode goes on');
  console.log(`tool:     ${name} ${step.ok ? 'ok' : step.content}`);
  assert.ok(step.ok, step.content);
  return step.content;
}

async function play(episode: EpisodeClient): Promise<void> {
  assert.ok(episode.ready.tools.length >= 10, 'the sandbox offers the tools of the shop');
  console.log(`customer: ${episode.opening.text}`);
  const answer = await say(episode, 'Hello! May I have your first and last name and your zip code?');
  const heard = answer.customer?.text ?? '';
  const name = /(?:name is |It's |^|\. ?|\s)([A-Z][\w'-]+) ([A-Z][\w'-]+)\./u.exec(heard);
  const zip = /\b\d{5}\b/.exec(heard);
  assert.ok(name !== null && zip !== null, 'the customer tells its name and zip code when asked');
  const userId = await call(episode, 'find_user_id_by_name_zip', {
    ...{ first_name: name[1], last_name: name[2], zip: zip[0] },
  });
  const user: { orders: string[] } = JSON.parse(await call(episode, 'get_user_details', { user_id: userId }));
  assert.ok(user.orders.length > 0, 'the customer has orders');
  await call(episode, 'transfer_to_human_agents', { summary: `${name[1]} ${name[2]} needs help` });
  const end = await say(episode, 'I am transferring you to a colleague, please hold on.');
  assert.ok(end.kind === 'end' && end.end.reason === 'transfer');
  console.log(`the end:  ${end.end.reason}, reward ${end.end.outcome?.reward}`);
}

try {
  const assignment = { url, task, mode: 'text', seed: 1, trial: 0 } as const;
  const episode = await startEpisode(assignment, { agent: 'typescript-agent' });
  await play(episode);
  episode.close();
} catch (error) {
  if (!(error instanceof ParlorError)) throw error;
  console.error(`typescript-agent: ${error.message}`);
  process.exitCode = 1;
}
