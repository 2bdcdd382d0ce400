// A call with turn-taking as a picture: the customer above, the agent below, on one axis of time.
import { el } from './page.client.js';

const NS = 'http://www.w3.org/2000/svg';
const WIDTH = 1000;
const ROW = 16;

function shape(tag, attributes, title) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (title !== undefined) {
    const tip = document.createElementNS(NS, 'title');
    tip.textContent = title;
    element.append(tip);
  }
  return element;
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

function picture({ timeline, facts }) {
  const perMs = WIDTH / Math.max(1, facts.callMs);
  const svg = shape('svg', {
    class: 'timeline',
    viewBox: `0 0 ${WIDTH} ${2 * ROW + 6}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `Who spoke when, ${seconds(facts.callMs)}`,
  });
  for (const { side, kind, turn, startMs, endMs, cut } of timeline) {
    const what = `${side}, ${kind.replaceAll('_', ' ')}, turn ${turn}: ${seconds(startMs)} to ${seconds(endMs)}`;
    svg.append(
      shape(
        'rect',
        {
          class: `${side} ${kind}${cut ? ' cut' : ''}`,
          x: (startMs * perMs).toFixed(2),
          y: side === 'customer' ? 0 : ROW + 6,
          width: Math.max(1, (endMs - startMs) * perMs).toFixed(2),
          height: ROW,
        },
        cut ? `${what}, broken off` : what,
      ),
    );
  }
  return svg;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function figures(facts) {
  const counted = [
    [facts.customerInterruptions, 'customer broke in'],
    [facts.agentInterruptions, 'agent broke in'],
    [facts.customerYields, 'customer talked down'],
    [facts.backchannels, 'mm-hmm'],
    [facts.checkIns, 'check-ins'],
  ];
  return [
    `call ${seconds(facts.callMs)}`,
    ...counted.filter(([count]) => count > 0).map(([count, what]) => `${what} ${count}`),
    facts.talkOverMs > 0 ? `both at once ${seconds(facts.talkOverMs)}` : '',
    facts.responseMs.length > 0 ? `agent answers after ${seconds(mean(facts.responseMs))}` : '',
    facts.yieldMs.length > 0 ? `yields after ${seconds(mean(facts.yieldMs))}` : '',
    `longest silence ${seconds(facts.longestSilenceMs)}`,
  ]
    .filter((text) => text !== '')
    .join(' · ');
}

/** Null for episodes without turn-taking. */
export function timelineBox(call) {
  if (call === undefined) return null;
  return el(
    'section',
    { class: 'call-timeline' },
    picture(call),
    el('p', { class: 'muted' }, `customer above, agent below · ${figures(call.facts)}`),
  );
}
