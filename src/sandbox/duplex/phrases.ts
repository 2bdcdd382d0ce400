import type { Aside } from '../../protocol/index.js';
import { createRandom, deriveSeed } from '../../shared/index.js';

/** What the customer says beside its lines, whoever plays it. English only. */
const PHRASES: Readonly<Record<Aside, readonly string[]>> = {
  check_in: [
    'Hello? Are you still there?',
    'Hello? Can you hear me?',
    'Are you still on the line?',
    'Sorry, is anybody there?',
  ],
  backchannel: ['Uh-huh.', 'Mm-hmm.'],
  interruption: [
    'Sorry, wait a moment.',
    'Sorry to interrupt.',
    'Hold on a second.',
    'Excuse me, one thing.',
  ],
};

/** @param utterance of the customer's: with the seed it decides the words */
export function asidePhrase(kind: Aside, seed: number, utterance: number): string {
  return createRandom(deriveSeed(seed, kind, utterance)).pick(PHRASES[kind]);
}
