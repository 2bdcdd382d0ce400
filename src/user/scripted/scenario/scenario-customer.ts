import type { Scenario } from '../../../retail/index.js';
import { createRandom, deriveSeed } from '../../../shared/index.js';
import type { Customer, CustomerLine } from '../../customer.js';
import { answerIdentity, type KnownIdentity } from '../identity-answers.js';
import { mentionsAny, orderIdsIn } from '../mentions.js';
import { createPatience, type Patience } from '../patience.js';
import type { AgentReading } from '../reading/agent-acts.js';
import { classifyAgentMessage } from '../reading/classify-agent-message.js';
import { createWording, type Wording } from '../wording.js';
import { answerSlots } from './answer-slots.js';
import { deedsIn, deedsOf } from './deeds.js';
import { askingText, RequestList, wantsAnswer } from './request-list.js';
import type { RequestState } from './request-state.js';

const INSISTING_SHARE = 0.3;

/** One turn's lines, and whether anything moved. */
interface Turn {
  readonly lines: string[];
  progress: boolean;
}

/**
 * A customer with a structured scenario. Per agent message: take note of what is settled, voice a change of mind that
 * is due, answer what was asked, confirm or object, raise the next request, hang up when all is settled and reported.
 * A yes is not an end: the call stays open until the agent says that the work is done (or refuses, or hands over).
 */
export class ScenarioCustomer implements Omit<Customer, 'name'> {
  readonly #requests: RequestList;
  readonly #identity: KnownIdentity;
  readonly #wording: Wording;
  readonly #patience: Patience;
  readonly #insists: boolean;

  constructor(scenario: Scenario, seed: number) {
    this.#requests = new RequestList(scenario);
    const { firstName, lastName, zip, email } = scenario.identity;
    this.#identity = { name: `${firstName} ${lastName}`, zip, email, userId: null };
    this.#wording = createWording(deriveSeed(seed, 'wording'), scenario.style);
    const random = createRandom(deriveSeed(seed, 'temper'));
    this.#patience = createPatience(random.int(5, 7));
    this.#insists = random.chance(INSISTING_SHARE);
  }

  async open(): Promise<CustomerLine> {
    const opening = this.#requests.open;
    if (opening.length === 0) this.#requests.raiseNext();
    const wishes = this.#requests.open.map(({ request }) => request.say);
    return { text: [this.#wording.phrase('greet'), ...wishes].join(' ') };
  }

  async reply(agentText: string): Promise<CustomerLine> {
    const reading = classifyAgentMessage(agentText);
    const say = this.#wording.phrase;
    if (reading.acts.has('hand_over')) return { text: say('bye_transfer'), end: 'transfer' };

    const turn: Turn = { lines: [], progress: false };
    const settled = this.#settle(reading, turn);
    const changed = this.#changeMind(turn);
    const raised = this.#requests.raiseNext();
    turn.lines.push(...answerIdentity(reading, this.#identity, this.#wording));
    this.#raise(raised, turn);
    if (answerSlots(reading, this.#requests, { wording: this.#wording, lines: turn.lines }))
      turn.progress = true;
    if (reading.acts.has('ask_confirmation')) this.#decide(reading, { turn, changed, raised });

    const waiting = reading.acts.has('hold_on') && !wantsAnswer(reading);
    const mood = this.#patience.count(agentText, { progress: turn.progress || settled, waiting });
    if (mood === 'gone') return { text: say('resign'), end: 'stop' };
    if (this.#requests.allSettled && turn.lines.length === 0)
      return { text: this.#farewell(reading, settled), end: 'stop' };
    if (turn.lines.length === 0 || this.#onlyThanked(reading, turn))
      this.#keepGoing(reading, { turn, waiting });
    if (mood === 'annoyed') turn.lines.unshift(say('circles'));
    return { text: turn.lines.join(' ') };
  }

  /** Notes what is done, refused and answered; the first refusal may be met with one more try. */
  #settle(reading: AgentReading, turn: Turn): boolean {
    const settled = this.#requests.settle(reading);
    for (const state of settled) {
      if (state.status !== 'refused' || state.insisted || !this.#insists) continue;
      state.insisted = true;
      state.status = 'open';
      turn.lines.push(this.#wording.phrase('insist'));
    }
    const refused = settled.filter((state) => state.status === 'refused');
    const pending = !this.#requests.allSettled;
    if (refused.length > 0 && pending) turn.lines.push(this.#wording.phrase('accept'));
    else if (settled.some((state) => state.settled) && pending)
      turn.lines.push(this.#wording.phrase('thanks'));
    return settled.length > 0;
  }

  #changeMind(turn: Turn): RequestState[] {
    const changed: RequestState[] = [];
    for (const state of this.#requests.all) {
      if (state.status === 'waiting' || state.status === 'refused') continue;
      const change = state.takeChange();
      if (change === null) continue;
      state.status = 'open';
      turn.lines.push(change);
      turn.progress = true;
      changed.push(state);
    }
    return changed;
  }

  #raise(raised: readonly RequestState[], turn: Turn): void {
    for (const state of raised) {
      turn.lines.push(this.#wording.phrase('also'), state.request.say);
      turn.progress = true;
    }
  }

  /** Says yes, objects with the right correction, or refuses what it never asked for. */
  #decide(
    reading: AgentReading,
    {
      turn,
      changed,
      raised,
    }: { turn: Turn; changed: readonly RequestState[]; raised: readonly RequestState[] },
  ): void {
    const asked = askingText(reading);
    const live = this.#requests.all.filter((state) => state.status !== 'done');
    const verdict = this.#judge(asked, live);
    if (verdict.kind === 'object') {
      turn.lines.push(verdict.say);
      return;
    }
    if (verdict.kind === 'foreign') {
      const restated = live.find((state) => state.status === 'open')?.request.say;
      const known = this.#requests.about(asked, this.#requests.all).length > 0;
      turn.lines.push(this.#wording.phrase(known ? 'already' : 'not_mine'));
      if (restated !== undefined) turn.lines.push(restated);
      return;
    }
    // Somebody who was just told of a change of mind has to ask again.
    if (verdict.about.some((state) => changed.includes(state) && !raised.includes(state))) return;
    for (const state of verdict.about) {
      if (state.status === 'waiting') {
        turn.lines.push(state.request.say);
        const change = state.takeChange();
        if (change !== null) turn.lines.push(change);
      }
      if (!state.confirmed) turn.progress = true;
      state.status = 'open';
      state.confirmed = true;
    }
    turn.progress = true;
    turn.lines.push(this.#wording.phrase('yes'));
  }

  #judge(
    asked: string,
    live: readonly RequestState[],
  ): { kind: 'yes'; about: RequestState[] } | { kind: 'object'; say: string } | { kind: 'foreign' } {
    const deeds = deedsIn(asked);
    let about = this.#requests.about(asked, live);
    if (about.length === 0) {
      const vague = deeds.size === 0 && orderIdsIn(asked).length === 0;
      if (!vague) return { kind: 'foreign' };
      about = live.filter((state) => state.status === 'open').slice(0, 1);
      if (about.length === 0) return { kind: 'foreign' };
    }
    for (const state of about) {
      const say = state.objection(asked);
      if (say !== null) return { kind: 'object', say };
    }
    const wanted = about.flatMap((state) => deedsOf(state.request));
    if (
      deeds.size > 0 &&
      about.every((state) => state.request.goal !== 'ask') &&
      !wanted.some((deed) => deeds.has(deed))
    )
      return { kind: 'foreign' };
    const orders = orderIdsIn(asked);
    const known = new Set(about.flatMap((state) => [...state.orderIds]));
    if (orders.length > 0 && known.size > 0 && !orders.some((id) => known.has(id)))
      return { kind: 'foreign' };
    return { kind: 'yes', about };
  }

  /** All is settled: say goodbye. */
  #farewell(reading: AgentReading, settled: boolean): string {
    const say = this.#wording.phrase;
    const lines: string[] = [];
    if (settled && reading.acts.has('refuse') && !reading.acts.has('report_done')) lines.push(say('accept'));
    else if (reading.acts.has('ask_anything_else')) lines.push(say('nothing_else'));
    else if (settled) lines.push(say('thanks'));
    return [...lines, say('bye')].join(' ');
  }

  /** Thanks or acceptance alone, while the agent asks what else there is and something is. */
  #onlyThanked({ acts }: AgentReading, { lines, progress }: Turn): boolean {
    return acts.has('ask_anything_else') && !progress && lines.length === 1 && !this.#requests.allSettled;
  }

  /** Nothing was asked that has an answer: wait, ask whether it is done, or say again what is wanted. */
  #keepGoing(reading: AgentReading, { turn, waiting }: { turn: Turn; waiting: boolean }): void {
    const say = this.#wording.phrase;
    const open = this.#requests.open;
    const first = open[0];
    const confirmed = open.find((state) => state.confirmed);
    if (waiting) turn.lines.push(say('wait'));
    else if (confirmed !== undefined && !reading.acts.has('ask_other')) turn.lines.push(say('is_it_done'));
    else if (reading.acts.has('ask_anything_else') || reading.acts.has('ask_need'))
      turn.lines.push(
        ...(reading.acts.has('ask_anything_else') ? [say('still')] : []),
        ...open.map((state) => state.request.say),
      );
    else if (
      reading.acts.has('state') &&
      first !== undefined &&
      mentionsAny(reading.folded, first.request.about)
    )
      turn.lines.push(say('go_on'));
    else turn.lines.push(say('pardon'), ...(first === undefined ? [] : [first.request.say]));
  }
}
