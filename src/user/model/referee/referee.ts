import type { CustomerLine } from '../../customer.js';
import { classifyAgentMessage } from '../../scripted/reading/classify-agent-message.js';
import { type Claim, claimsIn } from './claims.js';
import { bare, squeeze } from './squeeze.js';

const STREET_WORDS: Readonly<Record<string, string>> = {
  ...{
    st: 'street',
    ave: 'avenue',
    rd: 'road',
    ln: 'lane',
    dr: 'drive',
    blvd: 'boulevard',
    ct: 'court',
    pl: 'place',
  },
};
/** In any wording; the rules for whole sentences know English only. */
const HAND_OVER_WORDS =
  /transf|hand(?:ing)? (?:you )?over|connect|colleague|specialist|supervisor|human|person|[\u0370-\uffff]/i;
/** Sums and differences are looked for among so many amounts at most. */
const MAX_AMOUNTS = 60;

/** Watches one customer's lines: what they hold must come from the instruction or from the agent. No model is asked. */
export class Referee {
  #text = '';
  #bare = '';
  readonly #words = new Set<string>();
  #amounts: number[] = [];
  #lastAgentText: string | null = null;

  /** @param situation all that the customer was told */
  constructor(situation: string) {
    this.#learn(situation);
  }

  agentSaid(text: string): void {
    this.#lastAgentText = text;
    this.#learn(text);
  }

  #learn(text: string): void {
    const squeezed = squeeze(text);
    this.#text += ` ${squeezed}`;
    this.#bare += ` ${bare(squeezed)}`;
    for (const word of text.toLowerCase().split(/[^\p{L}'’-]+/u)) this.#words.add(word);
    const found = squeezed.matchAll(/\d[\d,]*(?:\.\d+)?/g);
    const numbers = [...found].map(([number]) => Number(number.replaceAll(',', '')));
    this.#amounts = [...new Set([...this.#amounts, ...numbers])].slice(-MAX_AMOUNTS);
  }

  /** What is wrong with a line, worded to follow "because"; null when it may be spoken. */
  check(line: CustomerLine): string | null {
    const made = claimsIn(line.text).filter((claim) => !this.#knows(claim));
    if (made.length > 0)
      return made
        .map(
          ({ kind, said }) =>
            `it holds the ${kind} "${said}", which neither your situation nor the agent told you`,
        )
        .join('; ');
    if (line.end === 'stop' && this.#isAwaitingWork())
      return 'you hung up although the agent has only asked for your yes and not done the work yet; stay on the line until it reports that it is done';
    if (line.end === 'transfer' && !this.#wasHandedOver())
      return 'you accepted a transfer that the agent did not offer';
    return null;
  }

  #knows(claim: Claim): boolean {
    switch (claim.kind) {
      case 'email':
        return this.#text.includes(claim.said) || this.#bare.includes(bare(claim.said));
      case 'identifier':
        return this.#bare.includes(claim.said);
      case 'name':
        return claim.said
          .toLowerCase()
          .split(/\s+/)
          .every(
            (word) => this.#words.has(word) || (word.length > 3 && this.#bare.includes(bare(squeeze(word)))),
          );
      case 'address': {
        const written = claim.said
          .split(/\s+/)
          .map((word) => STREET_WORDS[word] ?? word)
          .join('');
        return this.#bare.includes(bare(claim.said)) || this.#bare.includes(bare(written));
      }
      case 'amount':
        return this.#knowsAmount(claim.value ?? Number.NaN);
    }
  }

  /** Told, rounded, or the sum or difference of two that were told. */
  #knowsAmount(value: number): boolean {
    const isNear = (known: number): boolean =>
      Math.abs(known - value) < 0.005 || Math.round(known) === value || Math.floor(known) === value;
    const { length } = this.#amounts;
    for (let i = 0; i < length; i += 1) {
      const a = this.#amounts[i] ?? 0;
      if (isNear(a)) return true;
      for (let j = 0; j < i; j += 1) {
        const b = this.#amounts[j] ?? 0;
        if (isNear(a + b) || isNear(Math.abs(a - b))) return true;
      }
    }
    return false;
  }

  #isAwaitingWork(): boolean {
    if (this.#lastAgentText === null) return false;
    const { acts } = classifyAgentMessage(this.#lastAgentText);
    const isSettled = acts.has('report_done') || acts.has('refuse') || acts.has('ask_anything_else');
    return acts.has('ask_confirmation') && !isSettled;
  }

  #wasHandedOver(): boolean {
    if (this.#lastAgentText === null) return false;
    return (
      HAND_OVER_WORDS.test(this.#lastAgentText) ||
      classifyAgentMessage(this.#lastAgentText).acts.has('hand_over')
    );
  }
}
