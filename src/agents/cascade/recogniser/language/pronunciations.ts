/** Words of shops that the dictionary of the acoustic model lacks, in its phones. */
const EXTRA: Readonly<Record<string, string>> = {
  amoled: 'AE M OW L EH D',
  clicky: 'K L IH K IY',
  hepa: 'HH EH P AH',
  hoodie: 'HH UH D IY',
  microfiber: 'M AY K R OW F AY B ER',
  milliamp: 'M IH L IY AE M P',
  milliliters: 'M IH L AH L IY T ER Z',
  neckline: 'N EH K L AY N',
  paypal: 'P EY P AE L',
  pullover: 'P UH L OW V ER',
  snapback: 'S N AE P B AE K',
  terabyte: 'T EH R AH B AY T',
  webcam: 'W EH B K AE M',
  wifi: 'W AY F AY',
  mastercard: 'M AE S T ER K AA R D',
  camila: 'K AH M IY L AH',
  giulia: 'JH UW L IY AH',
  kwame: 'K W AA M EY',
  meera: 'M IH R AH',
  okafor: 'OW K AH F AO R',
  petrov: 'P EH T R AO F',
  priya: 'P R IY AH',
  yuki: 'Y UW K IY',
  adeyemi: 'AA D EY EH M IY',
  beatriz: 'B IY AH T R IH Z',
  deepa: 'D IY P AH',
  kaur: 'K AO R',
  kavya: 'K AA V Y AH',
  mwangi: 'M W AA NG G IY',
  yilmaz: 'Y IH L M AA Z',
  nikhil: 'N IH K IH L',
  eriksen: 'EH R IH K S AH N',
  kenji: 'K EH N JH IY',
  kowalski: 'K AH W AO L S K IY',
};

/**
 * The lines of a dictionary ("word P H O N E S", further pronunciations "word(2) …") for the words that are needed.
 * Words that nobody knows how to say are left out.
 */
export function pronunciationsFor(
  wanted: ReadonlySet<string>,
  dictionary: string,
): { words: Set<string>; text: string } {
  const lines: string[] = [];
  const known = new Set<string>();
  for (const line of dictionary.split('\n')) {
    const word = /^[^\s(]+/.exec(line)?.[0];
    if (word === undefined || !wanted.has(word)) continue;
    lines.push(line.trim());
    known.add(word);
  }
  for (const [word, phones] of Object.entries(EXTRA)) {
    if (!wanted.has(word) || known.has(word)) continue;
    lines.push(`${word} ${phones}`);
    known.add(word);
  }
  return { words: known, text: `${lines.join('\n')}\n` };
}
