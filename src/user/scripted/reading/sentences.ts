/** One sentence of an agent's message, folded for reading: lower case, plain quotes, no emphasis marks. */
export interface Sentence {
  readonly text: string;
  readonly question: boolean;
  /** A list item below a line such as "Please provide:"; it asks although it is no question. */
  readonly listedAsk: boolean;
}

/** Of a longer message the customer takes in the beginning and the end, as people do. */
const HEARD_CHARACTERS = 4000;
const SENTENCE_CHARACTERS = 600;

const BULLET = /^\s*(?:[-•*+–]|\(?\d{1,2}[.)])\s+/;
const ASKING_HEADER =
  /\b(?:provide|share|give|tell|send|need|require|specify|one of|either|any of|following information)\b/;
const SPEAKER_LABEL = /^\s*(?:customer|user|human|caller|system)\s*:/;
const ABBREVIATION = /\b(e\.g|i\.e|no|st|ave|dr|apt|vs|mr|ms|mrs)\.(?=\s)/g;

/** Lower case, plain quotes and dashes; markdown emphasis is dropped, underscores in ids stay. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u00a0\t]/g, ' ')
    .replace(/\*\*|__|`/g, '');
}

function heardPart(text: string): string {
  if (text.length <= 2 * HEARD_CHARACTERS) return text;
  return `${text.slice(0, HEARD_CHARACTERS)}\n${text.slice(-HEARD_CHARACTERS)}`;
}

/** Lines that pretend to be somebody else speaking are not the agent's words and are left out. */
export function splitSentences(agentText: string): Sentence[] {
  const sentences: Sentence[] = [];
  let underAsk = false;
  for (const line of fold(heardPart(agentText)).split(/\r?\n/)) {
    if (line.trim() === '' || SPEAKER_LABEL.test(line)) continue;
    const bullet = BULLET.test(line);
    const body = line
      .replace(BULLET, '')
      .replace(/^\s*#{1,6}\s/, '')
      .replace(ABBREVIATION, '$1');
    const listedAsk = bullet && underAsk;
    for (const part of body.split(/(?<=[.!?…])["')\]]{0,3}\s+/)) {
      const text = part.trim().slice(0, SENTENCE_CHARACTERS);
      if (/[a-z0-9]/.test(text)) sentences.push({ text, question: /\?["')\]\s]*$/.test(text), listedAsk });
    }
    if (!bullet) underAsk = /:\s*$/.test(line) && ASKING_HEADER.test(line) && !/\bconfirm\b/.test(line);
  }
  return sentences;
}
