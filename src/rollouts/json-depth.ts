/** Looks without recursion: what a schema or a serialiser would recurse into may be deeper than the stack. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value];
  for (let level = 0; layer.length > 0; level += 1) {
    const inner = layer.filter((item): item is object => typeof item === 'object' && item !== null);
    if (inner.length > 0 && level >= levels) return true;
    layer = inner.flatMap((item) => Object.values(item) as unknown[]);
  }
  return false;
}
