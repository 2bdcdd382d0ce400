/** A path's parts by the names that the pattern gives them. Null: the path is not one of the pattern's. */
export function matchPath(pattern: string, parts: readonly string[]): Record<string, string> | null {
  const wanted = pattern.split('/');
  if (wanted.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const found = parts[index] ?? '';
    if (part.startsWith(':')) {
      if (found === '') return null;
      params[part.slice(1)] = found;
    } else if (part !== found) return null;
  }
  return params;
}
