import type { Scenario } from '../../../retail/index.js';
import { orderIdsIn } from '../mentions.js';
import type { AgentAct, AgentReading, ReadSentence } from '../reading/agent-acts.js';
import { deedsIn, deedsOf } from './deeds.js';
import { RequestState } from './request-state.js';

/** The customer's requests, and which of them a message of the agent's is about. */
export class RequestList {
  readonly all: readonly RequestState[];

  constructor(scenario: Scenario) {
    this.all = scenario.requests.map((request) => new RequestState(request));
  }

  get open(): RequestState[] {
    return this.all.filter((state) => state.status === 'open');
  }

  get allSettled(): boolean {
    return this.all.every((state) => state.settled);
  }

  /** Raises the requests whose turn has come: each waits for the one before it. */
  raiseNext(): RequestState[] {
    const due = this.all.filter(
      (state, place) => state.status === 'waiting' && (place === 0 || this.all[place - 1]?.settled === true),
    );
    for (const state of due) state.status = 'open';
    return due;
  }

  /** Requests a text is about: by their words, else by the deed and a fitting order. */
  about(folded: string, among: readonly RequestState[]): RequestState[] {
    const deeds = deedsIn(folded);
    const fits = (state: RequestState): boolean =>
      deeds.size === 0 ||
      deedsOf(state.request).length === 0 ||
      deedsOf(state.request).some((deed) => deeds.has(deed));
    const named = among.filter((state) => state.isAbout(folded));
    const fitting = named.filter(fits);
    if (fitting.length > 0) return fitting;
    if (named.length > 0) return named;
    const orders = orderIdsIn(folded);
    return among.filter(
      (state) =>
        deedsOf(state.request).some((deed) => deeds.has(deed)) &&
        (orders.length === 0 || state.orderIds.size === 0 || orders.some((id) => state.orderIds.has(id))),
    );
  }

  /** Takes note of what the agent reports, refuses and tells. Returns the requests that are settled by it. */
  settle(reading: AgentReading): RequestState[] {
    const before = new Set(this.all.filter((state) => state.settled));
    for (const sentence of reading.sentences)
      if (sentence.acts.has('report_done')) this.#report(sentence, reading);
    if (!wantsAnswer(reading) && !reading.acts.has('hold_on')) this.#answer(reading);
    for (const sentence of reading.sentences)
      if (sentence.acts.has('refuse')) this.#refuse(sentence, reading);
    return this.all.filter((state) => state.settled && !before.has(state));
  }

  #report(sentence: ReadSentence, reading: AgentReading): void {
    const open = this.all.filter(
      (state) => (state.status === 'open' || state.status === 'refused') && !state.isQuestion,
    );
    const named = this.about(sentence.text, open);
    const generic = deedsIn(sentence.text).size === 0 && orderIdsIn(sentence.text).length === 0;
    const confirmed = open.filter((state) => state.confirmed);
    let targets = named;
    if (targets.length === 0 && generic) {
      const inMessage = this.about(reading.folded, open);
      targets =
        confirmed.length > 0 ? confirmed : inMessage.length > 0 ? inMessage : open.length === 1 ? open : [];
    }
    for (const state of targets) state.takeReport(sentence.text);
  }

  #refuse(sentence: ReadSentence, reading: AgentReading): void {
    const open = this.open;
    const named = this.about(sentence.text, open);
    if (wantsAnswer(reading)) {
      // "Not this one. Shall I do the other?": what is still asked about is not refused.
      const asked = this.about(askingText(reading), open);
      for (const state of named) if (!asked.includes(state)) state.status = 'refused';
      return;
    }
    if (reading.acts.has('hold_on')) return;
    // "Anything else is not possible": said of everything that is still open.
    const sweeping = /\b(?:anything|everything|nothing) (?:else|beyond|more|further)\b|\bany other\b/.test(
      sentence.text,
    );
    const inMessage = this.about(reading.folded, open);
    const unconfirmed = (states: readonly RequestState[]) => states.filter((state) => !state.confirmed);
    const targets = sweeping
      ? unconfirmed(open)
      : named.length > 0
        ? named
        : inMessage.length > 0
          ? unconfirmed(inMessage)
          : unconfirmed(open).slice(0, 1);
    for (const state of targets) state.status = 'refused';
  }

  #answer(reading: AgentReading): void {
    const questions = this.open.filter((state) => state.isQuestion);
    const told = reading.sentences.filter(
      ({ acts, text }) => acts.has('state') || (acts.has('refuse') && /\d/.test(text)),
    );
    const reports = reading.sentences.filter(({ acts }) => acts.has('report_done'));
    for (const state of questions)
      if (
        told.some(({ text }) => state.isAbout(text) || /\d/.test(text)) ||
        reports.some(({ text }) => state.isAbout(text)) ||
        (told.length > 0 && reading.acts.has('ask_anything_else'))
      )
        state.status = 'answered';
  }
}

/** Does the message want something of the customer before it can go on? */
export function wantsAnswer({ acts }: AgentReading): boolean {
  return [...acts].some((act) => act.startsWith('ask_') && act !== 'ask_anything_else');
}

/** What is left of a message without reports and refusals: what the customer is asked about. */
export function askingText(reading: AgentReading): string {
  return reading.sentences
    .filter(
      ({ acts }) => !['report_done', 'refuse', 'ask_anything_else'].some((act) => acts.has(act as AgentAct)),
    )
    .map(({ text }) => text)
    .join(' ');
}
