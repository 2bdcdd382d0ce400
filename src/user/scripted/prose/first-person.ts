const AGENT = /\bthe (?:customer (?:service|support) )?(?:agent|representative)\b/gi;
const OBJECT_BEFORE =
  /\b(?:to|for|with|from|at|by|of|about|tell|tells|give|gives|ask|asks|help|helps|let|lets|inform|send|sent|save|saves|cost|costs|allow|allows|call|calls|like)\s+$/i;

/** "{'color': 'red', 'size': 'L'}" → "color red, size L", as one would say it. */
function sayOptions(text: string): string {
  return text.replace(/\{\s*\}/g, 'the same kind').replace(/\{([^{}]*)\}/g, (_, inner: string) => {
    const pairs = [...inner.matchAll(/['"]([^'"]+)['"]\s*:\s*['"]([^'"]*)['"]/g)]
      .filter(([, key]) => key !== 'order_id')
      .map(([, key, value]) => `${key} ${value}`);
    return pairs.length === 0 ? inner : `(${pairs.join(', ')})`;
  });
}

/** Second person to first: what a customer is told about itself becomes what it can say. */
export function toFirstPerson(prose: string): string {
  const text = sayOptions(prose)
    .replace(/\bYou name\b/g, 'My name')
    .replace(/\bare you\b/gi, 'am I')
    .replace(/\bwere you\b/gi, 'was I')
    .replace(/\byou(?:'|\u2019)re\b|\byou are\b/gi, 'I am')
    .replace(/\byou were\b/gi, 'I was')
    .replace(/\byou(?:'|\u2019)(ve|d|ll)\b/gi, "I'$1")
    .replace(/\byou mind\b/gi, 'my mind')
    .replace(/\byourself\b/gi, 'myself')
    .replace(/\byours\b/gi, 'mine')
    .replace(/\byour\b/gi, (word) => (word.startsWith('Y') ? 'My' : 'my'))
    .replace(/\byou\b/gi, (_, at: number, whole: string) => {
      const object = OBJECT_BEFORE.test(whole.slice(Math.max(0, at - 20), at));
      const before = /\b(?:for|to|like) $/i.test(whole.slice(Math.max(0, at - 6), at));
      const subject =
        /^you (?:want|can|could|will|would|have|had|do|did|need|like|prefer|also|just|only|live|get|received|ordered|bought)\b/i.test(
          whole.slice(at),
        );
      return object && !(subject && !before) ? 'me' : 'I';
    })
    .replace(AGENT, 'you')
    .replace(
      /\byou (?:does|has|is)\b/g,
      (words) => ({ 'you does': 'you do', 'you has': 'you have' })[words] ?? 'you are',
    )
    .replace(
      /\byou (say|ask|confirm|tell|offer|allow|mention|provide|give|insist|need|want|propose|refuse)s\b/g,
      'you $1',
    )
    .replace(/\.\s*\.(?=\s|$)/g, '.')
    .replace(/\s+/g, ' ')
    .trim();
  return finish(text);
}

/** A capital at the beginning and a mark at the end. */
export function finish(text: string): string {
  const bare = text.replace(/^[\s.,;:-]+/, '').replace(/[\s,;:]+$/, '');
  if (bare === '') return '';
  const closed = /[.!?]["')]*$/.test(bare) ? bare : `${bare}.`;
  return closed.charAt(0).toUpperCase() + closed.slice(1);
}
