function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[a-z0-9]/.test(character);
}

/** Does a text hold the phrase as whole words, case ignored? As a simulated customer listens. A leading "#" may be left out. */
export function mentions(text: string, phrase: string): boolean {
  const heard = text.toLowerCase();
  const wanted = phrase.toLowerCase().replace(/^#/, '');
  for (let at = heard.indexOf(wanted); at >= 0; at = heard.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    // "The lamps" speaks about "lamp".
    const isPlural = heard[end] === 's' && !isWordPart(heard[end + 1]);
    if (!isWordPart(heard[at - 1]) && (!isWordPart(heard[end]) || isPlural)) return true;
  }
  return false;
}
