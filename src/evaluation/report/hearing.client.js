// Said, heard, passed to tools: a table with a row for each turn of the customer's, differences marked.
import { el } from './page.client.js';

/** One side of what was said and what was heard; what differs is marked, and what has no counterpart is a gap. */
function side(alignment, name) {
  return alignment.stretches.flatMap((stretch, place) => {
    const text = stretch[name] === '' ? '·' : stretch[name];
    return [place === 0 ? '' : ' ', stretch.same ? text : el('mark', {}, text)];
  });
}

function saidCell({ said, spoken, alignment }) {
  const written = el('td', {}, el('p', {}, said));
  if (alignment === null || alignment.errors === 0) return written;
  // The marks lie over the form that was compared: ids sign by sign, where they were spoken so.
  return el(
    'td',
    {},
    spoken === null ? null : el('p', {}, said),
    el('p', { class: 'aligned' }, ...side(alignment, 'said')),
  );
}

function heardCell({ heard, understood, alignment }) {
  if (heard === null) return el('td', { class: 'muted' }, 'not told');
  if (heard === '') return el('td', {}, el('mark', {}, 'nothing'));
  return el(
    'td',
    {},
    el('p', { class: 'aligned' }, ...side(alignment, 'heard')),
    understood === null || understood === heard
      ? null
      : el('p', { class: 'muted small' }, `understood: ${understood}`),
  );
}

const SOURCES = { said: 'as said', tool: 'looked up', own: "the agent's words", misheard: 'not as said' };

function argumentRow({ name, value, source, said }) {
  return el(
    'li',
    { class: `from-${source}` },
    el('span', { class: 'name' }, `${name} `),
    source === 'misheard' ? el('mark', {}, value) : el('span', {}, value),
    source === 'misheard' ? el('span', { class: 'instead' }, ` said: ${said}`) : null,
    el('span', { class: 'source' }, ` ${SOURCES[source]}`),
  );
}

function argumentsCell({ calls }) {
  if (calls.length === 0) return el('td', { class: 'muted' }, 'no call');
  return el(
    'td',
    {},
    ...calls.map((call) =>
      el(
        'div',
        { class: 'passed' },
        el('code', {}, call.tool),
        el('ul', {}, ...call.arguments.map((argument) => argumentRow(argument))),
      ),
    ),
  );
}

function countOf(turns) {
  const told = turns.filter(({ alignment }) => alignment !== null);
  const words = told.reduce((sum, { alignment }) => sum + alignment.words, 0);
  const errors = told.reduce((sum, { alignment }) => sum + alignment.errors, 0);
  const misheard = turns
    .flatMap(({ calls }) => calls.flatMap((call) => call.arguments))
    .filter(({ source }) => source === 'misheard').length;
  const heard =
    words === 0 ? '' : `word errors ${((100 * errors) / words).toFixed(1)} % of ${words} words · `;
  return `${heard}${misheard} tool ${misheard === 1 ? 'argument' : 'arguments'} otherwise than said`;
}

/** Null in text, where nothing is to be heard. Open where something went wrong on the way. */
export function hearingBox(turns) {
  if (turns === null || turns.length === 0) return null;
  const isTold = turns.some(({ heard }) => heard !== null);
  const table = el(
    'table',
    { class: isTold ? '' : 'untold' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('th', { scope: 'col' }, 'turn'),
        el('th', { scope: 'col' }, 'said'),
        isTold ? el('th', { scope: 'col' }, 'heard') : null,
        el('th', { scope: 'col' }, 'argument'),
      ),
    ),
    el(
      'tbody',
      {},
      ...turns.map((turn) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, String(turn.turn)),
          saidCell(turn),
          isTold ? heardCell(turn) : null,
          argumentsCell(turn),
        ),
      ),
    ),
  );
  const box = el(
    'details',
    { class: 'hearing' },
    el('summary', {}, 'Said, heard, argument ', el('span', { class: 'muted small' }, countOf(turns))),
    el('div', { class: 'scroll' }, table),
  );
  box.open = isTold;
  return box;
}
