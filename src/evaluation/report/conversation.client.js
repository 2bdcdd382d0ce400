// One episode, opened: its outcome, what was expected, and the conversation turn by turn.
// Everything from a record goes into the page as text, never as markup.
import { hearingBox } from './hearing.client.js';
import { el, readJson } from './page.client.js';
import { createPlayer } from './player.client.js';
import { timelineBox } from './timeline.client.js';

/** Tool results are JSON where they can be; then they are indented. */
function pretty(content) {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}

function shortArguments(args) {
  const text = Object.entries(args)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  return text.length > 90 ? `${text.slice(0, 88)}…` : text;
}

function faultMark(fault) {
  const said = fault.announced ? ' (already in words)' : '';
  return el(
    'p',
    { class: 'fault-mark' },
    el('b', {}, `fault put in: ${fault.kind.replaceAll('_', ' ')}`),
    ` ${fault.detail}${said}`,
  );
}

function customerBubble(event, players, kind = '') {
  const parts = [event.text === '' ? null : el('p', { class: 'said' }, event.text)];
  if (event.audio !== null) {
    const player = createPlayer(event.audio.sha256, event.audio.durationMs, `customer, turn ${event.turn}`);
    if (player.play !== undefined) players.push(player);
    parts.push(player);
  }
  if (event.spoken !== null && event.spoken !== event.text)
    parts.push(
      el('details', { class: 'spoken' }, el('summary', {}, 'spoken form'), el('p', {}, event.spoken)),
    );
  if (event.end !== null)
    parts.push(el('p', { class: 'hangs-up' }, `hangs up (${event.end.replaceAll('_', ' ')})`));
  return bubble(`customer ${kind}`.trim(), 'Customer', event.turn, parts);
}

function bubble(kind, who, turn, parts) {
  return el(
    'li',
    { class: `turn ${kind}` },
    el(
      'div',
      { class: 'bubble' },
      el(
        'p',
        { class: 'who' },
        who,
        el('span', { class: 'number' }, turn === 0 ? 'opening' : `turn ${turn}`),
      ),
      ...parts,
    ),
  );
}

function reasoningBox(text) {
  return text === null
    ? null
    : el('details', { class: 'reasoning' }, el('summary', {}, 'reasoning'), el('p', {}, text));
}

function toolBox(call, result) {
  const failed = result !== undefined && !result.ok;
  const state = result === undefined ? 'no result' : failed ? 'error' : 'ok';
  const details = el(
    'details',
    { class: 'tool' },
    el(
      'summary',
      { class: 'tool-head' },
      el('code', { class: 'name' }, call.name),
      el('span', { class: 'arguments' }, shortArguments(call.arguments)),
      el('span', { class: `state ${failed ? 'bad' : ''}` }, state),
      el('span', { class: 'number' }, `turn ${call.turn}`),
    ),
    el('h5', {}, 'arguments'),
    el('pre', {}, JSON.stringify(call.arguments, null, 2)),
    result === undefined ? null : el('h5', {}, failed ? 'error' : 'result'),
    result === undefined ? null : el('pre', { class: failed ? 'bad' : '' }, pretty(result.content)),
    reasoningBox(call.reasoning),
  );
  if (failed) details.open = true;
  return el('li', { class: `turn call ${failed ? 'failed' : ''}` }, details);
}

function note(text, kind = '') {
  return el('li', { class: `turn note ${kind}` }, text);
}

/** What stands in the conversation for one event of the record; null: nothing of its own. */
function itemOf(event, results, players) {
  switch (event.type) {
    case 'customer':
      return customerBubble(event, players);
    case 'agent':
      return bubble('agent', 'Agent', event.turn, [
        el('p', { class: 'said' }, event.text),
        reasoningBox(event.reasoning),
      ]);
    case 'tool_call':
      return toolBox(event, results.get(event.callId));
    case 'tool_cancelled':
      return note(`${event.name} was asked for and never made`);
    case 'interrupted': {
      const heard = event.samplesHeard ?? event.samplesSent;
      return note(`the agent interrupts after ${(heard / event.sampleRateHz).toFixed(1)} s`);
    }
    case 'aside':
      return customerBubble({ ...event, end: null }, players, event.kind.replaceAll('_', '-'));
    case 'customer_interrupted':
      return note(`the customer breaks in; heard: "${event.heardText}"`);
    case 'customer_yielded':
      return note(`the customer stops, and has said: "${event.saidText}"`);
    case 'intervention': {
      const about = event.call === null ? `"${event.text}"` : event.call.name;
      return note(`live judge, before ${about}: ${event.message}`, 'bad');
    }
    case 'agent_error':
      return note(`turn ${event.turn}: message refused (${event.code}): ${event.message}`, 'bad');
    case 'end':
      return note(`ended: ${event.reason.replaceAll('_', ' ')} (${event.owner})`);
    default:
      return null;
  }
}

function conversation(body, players) {
  const results = new Map(
    body.events.filter((event) => event.type === 'tool_result').map((event) => [event.callId, event]),
  );
  const list = el('ol', { class: 'chat' });
  const marked = new Set();
  const faultsAt = (turn) =>
    body.faults.filter((fault) => fault.turn === turn && !marked.has(fault) && marked.add(fault));
  for (const event of body.events) {
    const item = itemOf(event, results, players);
    if (item === null) continue;
    if (event.type === 'agent' || event.type === 'tool_call')
      for (const fault of faultsAt(event.turn)) item.append(faultMark(fault));
    list.append(item);
  }
  for (const fault of body.faults.filter((each) => !marked.has(each)))
    list.append(el('li', { class: 'turn note' }, faultMark(fault)));
  return list;
}

function lines(title, items, kind) {
  if (items.length === 0) return null;
  return el(
    'div',
    { class: `lines ${kind}` },
    el('h4', {}, title),
    el('ul', {}, ...items.map((item) => el('li', {}, item))),
  );
}

function outcomeBox(row, body) {
  const outcome = body.events.find((event) => event.type === 'outcome');
  if (outcome === undefined)
    return el('section', { class: 'outcome' }, el('p', {}, 'This episode was cut short; it has no outcome.'));
  const scores = Object.entries(outcome.scores).map(([name, value]) =>
    el(
      'span',
      { class: `score ${value === null ? 'none' : value >= 1 ? 'full' : 'short'}` },
      `${name} ${value === null ? '–' : Number(value.toFixed(2))}`,
    ),
  );
  return el(
    'section',
    { class: 'outcome' },
    el(
      'p',
      { class: 'verdict' },
      el('b', { class: row.state }, row.state),
      ` reward ${outcome.reward} under rule ${outcome.rule}`,
    ),
    el('p', { class: 'scores' }, ...scores),
    lines('Difference between the end state and the expected one', outcome.difference, 'difference'),
    lines('Never said, though required', outcome.unsaid, ''),
    lines('Unscored here (no model to judge them)', outcome.unscored, ''),
  );
}

function expectedBox(task) {
  const parts = Object.entries(task.parts ?? {}).filter(([, text]) => text !== '');
  return el(
    'details',
    { class: 'expected' },
    el('summary', {}, 'What was expected (hidden from the agent)'),
    el('h4', {}, 'Instruction of the customer'),
    el('p', { class: 'instruction' }, task.instruction),
    ...parts.map(([name, text]) => el('p', { class: 'instruction' }, el('b', {}, `${name}: `), text)),
    el('h4', {}, 'Ground truth'),
    task.groundTruth.length === 0
      ? el('p', {}, 'no calls: the right answer changes nothing')
      : el(
          'ol',
          { class: 'truth' },
          ...task.groundTruth.map((call) =>
            el(
              'li',
              {},
              el('code', { class: 'name' }, call.name),
              ' ',
              el('code', {}, JSON.stringify(call.arguments)),
            ),
          ),
        ),
    lines('Must be said', task.communicate, ''),
    lines('Assertions in prose', task.assertions, ''),
    lines('Doubtful', task.doubts, 'bad'),
    el(
      'p',
      { class: 'muted' },
      `reward basis: ${task.rewardBasis.join(', ')}${task.difficulty ? ` · ${task.difficulty}` : ''}${task.tags.length > 0 ? ` · ${task.tags.join(', ')}` : ''}`,
    ),
  );
}

/** The whole call, in files beside the page. */
function recordingBox({ wav, picture, labels, facts }) {
  const name = 'Waveform and spectrogram: customer above, agent below';
  return el(
    'figure',
    { class: 'recording' },
    el('img', { src: picture, alt: name, loading: 'lazy' }),
    el('audio', { src: wav, controls: '', preload: 'none' }),
    el(
      'figcaption',
      { class: 'muted small' },
      'the call, customer left and agent right: ',
      el('a', { href: wav }, 'WAV'),
      ' · ',
      el('a', { href: picture }, 'picture'),
      ' · ',
      el('a', { href: labels }, 'Audacity labels'),
      ' · ',
      el('a', { href: facts }, 'JSON'),
    ),
  );
}

/** The inside of an opened row. */
export function renderEpisode(row, index, tasks) {
  const body = readJson(`episode-${index}`);
  const players = [];
  const chat = conversation(body, players);
  const bar = el(
    'p',
    { class: 'about' },
    [row.episode, body.voice === null ? null : `voice ${body.voice}`, `seed ${body.seed}`]
      .filter(Boolean)
      .join(' · '),
  );
  if (players.length > 1) {
    const all = el(
      'button',
      { type: 'button', class: 'play-all' },
      `Play all ${players.length} customer turns`,
    );
    all.addEventListener('click', async () => {
      for (const player of players) {
        player.scrollIntoView({ block: 'nearest' });
        if (!(await player.play())) break;
      }
    });
    bar.append(' ', all);
  }
  const recording = body.recording === null ? null : recordingBox(body.recording);
  return el(
    'div',
    { class: 'inside' },
    ...[
      bar,
      timelineBox(body.call),
      outcomeBox(row, body),
      recording,
      expectedBox(tasks[row.task]),
      hearingBox(body.hearing),
      chat,
    ],
  );
}
