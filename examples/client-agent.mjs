// @ts-check
/**
 * An agent on Parlor's own client, which resumes a lost connection by itself. It asks who is calling, looks the customer
 * up, reads two things in one message, and hands over to a person. JavaScript with types in its comments, so that Node runs it
 * as it stands and TypeScript checks it; in a `.ts` file of your own everything but the comments is the same.
 *
 *   npx parlor serve --mode text --port 8710        in one terminal
 *   node examples/client-agent.mjs ws://127.0.0.1:8710/v1 eval-001
 *
 * Exits with 0 when it found the customer and the episode ended by its hand-over, else with 1.
 */
import assert from 'node:assert/strict';
import { ParlorError, startEpisode } from 'parlor';

/** @import { EpisodeClient } from 'parlor' */

const [url = 'ws://127.0.0.1:8710/v1', task = 'eval-001'] = process.argv.slice(2);

/** @param {EpisodeClient} episode @param {string} text */
async function say(episode, text) {
  console.log(`agent:    ${text}`);
  await episode.say(text);
}

/** @param {EpisodeClient} episode @param {string} heard */
async function lookUp(episode, heard) {
  const name = /(?:name is |It's |^|\. ?|\s)([A-Z][\w'-]+) ([A-Z][\w'-]+)\./u.exec(heard);
  const zip = /\b\d{5}\b/.exec(heard);
  assert.ok(name !== null && zip !== null, 'the customer tells its name and zip code when asked');
  const [, first_name, last_name] = name;
  const found = await episode.call(
    'find_user_id_by_name_zip',
    { first_name, last_name, zip: zip[0] },
    { reasoning: 'Nothing may be read before the customer is identified.' },
  );
  assert.ok(found.kind === 'result' && found.ok, 'the customer is found by what it said');
  console.log('tool:     find_user_id_by_name_zip ok');
  const { results } = await episode.callAll([
    { name: 'get_user_details', arguments: { user_id: found.content } },
    { name: 'list_all_product_types', arguments: {} },
  ]);
  assert.ok(results.length === 2 && results.every(({ ok }) => ok), 'both look-ups have their answer');
  await episode.call('transfer_to_human_agents', { summary: `${first_name} ${last_name} needs help` });
}

/** @param {EpisodeClient} episode */
async function play(episode) {
  let asked = false;
  for await (const { text } of episode) {
    console.log(`customer: ${text}`);
    if (!asked) {
      asked = true;
      await say(episode, 'Hello! May I have your first and last name and your zip code?');
    } else {
      await lookUp(episode, text ?? '');
      await say(episode, 'I am transferring you to a colleague, please hold on.');
    }
  }
}

try {
  const episode = await startEpisode(
    { url, task, mode: 'text', seed: 1, trial: 0 },
    { agent: 'client-agent', onConnection: (change) => console.log(`(connection ${change})`) },
  );
  try {
    await play(episode);
    assert.equal(episode.end?.reason, 'transfer');
    console.log(`the end:  ${episode.end.reason}, reward ${episode.end.outcome?.reward}`);
  } finally {
    episode.close();
  }
} catch (error) {
  if (!(error instanceof ParlorError)) throw error;
  console.error(`client-agent: ${error.code}: ${error.message}; is \`parlor serve\` running?`);
  process.exitCode = 1;
}
