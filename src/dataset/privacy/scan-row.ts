import type { DatasetRow } from '../rows/row.js';
import type { PrivacyScan } from './scan.js';

const MAX_POLICIES = 64;

/** Looks through whole rows. Policy and tools are the same in every row of a run, and most of its text: once is enough. */
export function createRowScan(scan: PrivacyScan): (row: DatasetRow) => void {
  const policies = new Set<string>();
  const tools = new WeakSet<object>();
  return (row) => {
    const place = `episode ${row.episode}`;
    const { id: _id, tools: own, messages, ...facts } = row;
    if (!tools.has(own)) {
      scan(JSON.stringify(own), place);
      tools.add(own);
    }
    const [first] = messages;
    const isKnown = first?.role === 'system' && policies.has(first.content);
    scan(JSON.stringify({ ...facts, messages: isKnown ? messages.slice(1) : messages }), place);
    if (first?.role === 'system' && policies.size < MAX_POLICIES) policies.add(first.content);
  };
}
