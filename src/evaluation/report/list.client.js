// The list of episodes: filters, rows that are filled when they are opened, links to single episodes.
import { renderEpisode } from './conversation.client.js';
import { el, readJson } from './page.client.js';

const PAGE_ROWS = 200;

function startList() {
  const { rows, tasks } = readJson('run-data');
  const list = document.getElementById('rows');
  const count = document.getElementById('count');
  const more = document.getElementById('more');
  const filters = document.getElementById('filters');
  let shown = PAGE_ROWS;

  const choose = (name, values, fewest) => {
    const select = filters.elements.namedItem(name);
    for (const value of values) select.append(el('option', { value }, value));
    if (values.length < fewest) select.closest('label').classList.add('gone');
  };
  const modes = [...new Set(rows.map((row) => row.mode))];
  choose('mode', modes, 2);
  const faults = [...new Set(rows.flatMap((row) => row.faults))].sort((a, b) => (a < b ? -1 : 1));
  choose('fault', faults, 1);
  const names = document.getElementById('task-names');
  for (const task of Object.keys(tasks)) names.append(el('option', { value: task }));

  const matches = (row) => {
    const { state, mode, task, fault } = Object.fromEntries(new FormData(filters));
    if (state !== '' && row.state !== state) return false;
    if (mode !== '' && row.mode !== mode) return false;
    if (fault === '*' ? row.faults.length === 0 : fault !== '' && !row.faults.includes(fault)) return false;
    const wanted = task.trim().toLowerCase();
    if (wanted === '') return true;
    return wanted in tasks ? row.task === wanted : row.task.toLowerCase().includes(wanted);
  };

  const makeRow = (row, index) => {
    const parts = [
      el('span', { class: `badge ${row.state.replace(' ', '-')}` }, row.state),
      el('span', { class: 'task-name' }, row.task),
      el('span', { class: 'muted small' }, `trial ${row.trial + 1}`),
      modes.length > 1 ? el('span', { class: 'muted small' }, row.mode) : '',
      el('span', { class: 'muted small' }, row.reason === null ? '' : row.reason.replaceAll('_', ' ')),
      ...row.faults.map((fault) => el('span', { class: 'badge fault' }, fault.replaceAll('_', ' '))),
      el(
        'span',
        { class: 'muted small size' },
        `${row.turns} turns${row.audioSeconds > 0 ? ` · ${row.audioSeconds.toFixed(0)} s` : ''}`,
      ),
    ];
    const details = el(
      'details',
      { class: 'episode', id: row.episode },
      el('summary', { class: 'episode-head' }, ...parts),
    );
    details.addEventListener('toggle', () => {
      if (!details.open || details.children.length > 1) return;
      details.append(renderEpisode(row, index, tasks));
    });
    return el('li', {}, details);
  };
  // Rows are made once and kept, so that an opened one stays open while filters change.
  const made = new Map();
  const rowAt = (index) => {
    if (!made.has(index)) made.set(index, makeRow(rows[index], index));
    return made.get(index);
  };

  const show = () => {
    const found = rows.map((_, index) => index).filter((index) => matches(rows[index]));
    list.replaceChildren(...found.slice(0, shown).map(rowAt));
    count.textContent = `${found.length} of ${rows.length} episodes`;
    more.classList.toggle('gone', found.length <= shown);
    more.textContent = `Show more (${Math.max(0, found.length - shown)} left)`;
  };
  filters.addEventListener('input', () => {
    shown = PAGE_ROWS;
    show();
  });
  filters.addEventListener('submit', (event) => event.preventDefault());
  filters.addEventListener('reset', () => setTimeout(show));
  more.addEventListener('click', () => {
    shown += PAGE_ROWS;
    show();
  });

  const openNamed = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    const index = rows.findIndex((row) => row.episode === name);
    if (index < 0) return;
    const item = rowAt(index);
    if (!item.isConnected) list.prepend(item);
    item.firstElementChild.open = true;
    item.scrollIntoView();
  };
  list.addEventListener('click', (event) => {
    const summary = event.target.closest('.episode-head');
    if (summary !== null) history.replaceState(null, '', `#${encodeURIComponent(summary.parentElement.id)}`);
  });
  window.addEventListener('hashchange', openNamed);
  show();
  openNamed();
}

startList();
