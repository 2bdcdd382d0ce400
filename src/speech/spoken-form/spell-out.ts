/** How a customer says an id or a name that was not understood. */
export const SPELL_STYLES = ['letters', 'nato'] as const;
export type SpellStyle = (typeof SPELL_STYLES)[number];

/** The alphabet of radio and telephone, in ICAO's order; spelled as English voices say it right. */
const NATO =
  'Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliet Kilo Lima Mike November Oscar Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey Xray Yankee Zulu'.split(
    ' ',
  );
const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
const SIGNS: Readonly<Record<string, string>> = {
  ...{ '@': 'at', '.': 'dot', _: 'underscore', '-': 'dash', '+': 'plus', '/': 'slash', '#': 'number sign' },
};
/** As people group them when they read aloud. */
const GROUP = 3;

function nameOf(sign: string, style: SpellStyle): string | null {
  if (/\d/.test(sign)) return DIGITS[Number(sign)] ?? null;
  const upper = sign.toUpperCase();
  if (/[A-Z]/.test(upper)) return style === 'nato' ? (NATO[upper.charCodeAt(0) - 65] ?? null) : upper;
  return SIGNS[sign] ?? null;
}

/**
 * A text sign by sign, with a pause (a comma) after every third of a run and at the end of each run of letters or digits:
 * "W2378156" → "W, two three seven, eight one five, six", in `nato` with "Whiskey". Signs without a name are a pause.
 */
export function spellOut(text: string, style: SpellStyle): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const groups: string[] = [];
  for (const run of plain.match(/\d+|[A-Za-z]+|[^\dA-Za-z\s]/g) ?? []) {
    const names = [...run].map((sign) => nameOf(sign, style)).filter((name) => name !== null);
    for (let at = 0; at < names.length; at += GROUP) groups.push(names.slice(at, at + GROUP).join(' '));
  }
  return groups.join(', ');
}
