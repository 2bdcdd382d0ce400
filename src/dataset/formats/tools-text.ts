import type { DatasetRow } from '../rows/row.js';

const texts = new WeakMap<DatasetRow['tools'], string>();

/** A row's tools as JSON. All rows of a run share one list, so it is made once. */
export function toolsText(tools: DatasetRow['tools']): string {
  const known = texts.get(tools);
  if (known !== undefined) return known;
  const text = JSON.stringify(tools);
  texts.set(tools, text);
  return text;
}
