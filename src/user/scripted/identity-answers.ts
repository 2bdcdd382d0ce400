import type { AgentReading } from './reading/agent-acts.js';
import type { Wording } from './wording.js';

/** What the customer knows about itself; null: it does not know or remember. */
export interface KnownIdentity {
  readonly name: string | null;
  readonly zip: string | null;
  readonly email: string | null;
  readonly userId: string | null;
}

const ALTERNATIVES = /\b(?:or|either|alternatively|otherwise|one of|if you (?:don't|do not|can't|cannot))\b/;

/** Answers exactly what was asked about identity; nothing when nothing was asked. */
export function answerIdentity(reading: AgentReading, identity: KnownIdentity, wording: Wording): string[] {
  const { acts, sentences } = reading;
  const lines: string[] = [];
  const tell = (known: string | null, key: 'email' | 'name' | 'zip'): void => {
    if (known !== null) lines.push(wording.phrase(key, { [key]: known }));
    else if (key === 'email') lines.push(wording.phrase('email_unknown'));
    else lines.push(wording.phrase('unknown'));
  };
  const asksEmail = acts.has('ask_email');
  const asksNameOrZip = acts.has('ask_name') || acts.has('ask_zip');
  const choice = asksEmail && asksNameOrZip && sentences.some(({ text }) => ALTERNATIVES.test(text));
  const unspecific = acts.has('ask_identity') && !asksEmail && !asksNameOrZip && !acts.has('ask_user_id');
  if (choice || unspecific) {
    // Offered a choice, one answer is enough.
    if (identity.email !== null) tell(identity.email, 'email');
    else {
      if (asksEmail) tell(null, 'email');
      tell(identity.name, 'name');
      tell(identity.zip, 'zip');
    }
    return lines;
  }
  if (asksEmail) tell(identity.email, 'email');
  if (acts.has('ask_name')) tell(identity.name, 'name');
  if (acts.has('ask_zip')) tell(identity.zip, 'zip');
  if (acts.has('ask_user_id'))
    lines.push(
      identity.userId === null
        ? wording.phrase('user_id_unknown')
        : wording.phrase('user_id', { userId: identity.userId }),
    );
  return lines;
}
