import type { CustomerTurn, EpisodeEndEvent } from '../../episode-client.js';
import { planStep } from '../planning/plan.js';
import type { Step } from '../planning/step.js';
import { type Request, takeIn } from '../reading/request.js';
import { type Address, readAddress, type Shop } from '../shop.js';
import { asksWhetherDone, insists, readVerdict } from './answer.js';
import { identify } from './identify.js';
import type { Line } from './line.js';
import { ANYTHING_ELSE, ASK_YES, GOODBYE, HAND_OVER, LEADS, NO_ACCOUNT, questionFor } from './lines.js';

type WriteStep = Extract<Step, { kind: 'write' }>;

const MOST_DENIALS = 3;
const MOST_IDLE = 4;

/** One call: who is calling, then each wish to its end, then what else there is. */
export class CascadeEpisode {
  readonly #line: Line;
  readonly #shop: Shop;
  readonly #requests: Request[] = [];
  #current: Request | null = null;
  #turn = 0;
  #lastAddress: Address | null = null;
  /** What was done or refused and not yet told. */
  #news: string[] = [];
  #repeats = 0;

  constructor(line: Line, shop: Shop) {
    this.#line = line;
    this.#shop = shop;
  }

  async play(opening: CustomerTurn): Promise<EpisodeEndEvent | null> {
    this.#hear(await this.#line.listen(opening));
    if (await identify(this.#line, this.#shop, (heard) => this.#hear(heard))) await this.#serve();
    else if (!this.#line.over) await this.#line.say(NO_ACCOUNT);
    await this.#line.hangUp();
    return this.#line.end;
  }

  #hear(text: string): void {
    takeIn(this.#turn, text, this.#requests, this.#current);
    this.#turn += 1;
  }

  /** Hand-overs come last: first whatever can be settled here. */
  #next(): Request | null {
    const open = this.#requests.filter(({ status }) => status === 'open');
    return open.find(({ kind }) => kind !== 'hand_over') ?? open[0] ?? null;
  }

  async #serve(): Promise<void> {
    let idle = 0;
    while (!this.#line.over) {
      const request = this.#next();
      if (request !== null) {
        idle = 0;
        this.#current = request;
        if (await this.#advance(request)) return;
        continue;
      }
      idle += 1;
      if (idle > MOST_IDLE) return void (await this.#line.say(GOODBYE));
      await this.#wrapUp();
    }
  }

  /** True when the call was handed over. */
  async #advance(request: Request): Promise<boolean> {
    const step = planStep(request, { shop: this.#shop, lastAddress: this.#lastAddress });
    if (step.kind === 'read') {
      const { ok } = await this.#line.call(step.call);
      if (!ok) this.#close(request, 'refused', 'I am sorry, but I cannot look that up.');
    } else if (step.kind === 'ask') {
      const times = request.asked.get(step.slot) ?? 0;
      request.asked.set(step.slot, times + 1);
      await this.#say(questionFor(step.slot, times));
    } else if (step.kind === 'write') await this.#confirm(request, step);
    else if (step.kind === 'hand_over') return await this.#handOver(step.summary);
    else this.#close(request, step.kind === 'answer' ? 'done' : 'refused', step.text);
    return false;
  }

  #close(request: Request, status: 'done' | 'refused', text: string): void {
    request.status = status;
    request.outcome = text;
    this.#news.push(text);
  }

  async #say(text: string): Promise<string | null> {
    const news = this.#news;
    this.#news = [];
    const heard = await this.#line.say([...news, text].join(' '));
    const { told } = this.#line;
    // What the customer broke into was not told: it is said again.
    if (told !== null) this.#news = [...news.filter((piece) => !told.includes(piece)), ...this.#news];
    if (heard !== null) this.#hear(heard);
    return heard;
  }

  async #confirm(request: Request, step: WriteStep): Promise<void> {
    const key = JSON.stringify(step.calls);
    const count = request.said.length;
    const again = request.denials > 0 ? (LEADS[request.denials - 1] ?? '') : '';
    const heard = await this.#say(`${again}I am going to ${step.plan}. ${ASK_YES}`);
    // Nobody agrees to what it has not heard.
    if (heard === null || this.#line.told?.includes(step.plan) === false) return;
    const verdict = readVerdict(heard);
    if (verdict === 'yes' && this.#isStill(request, key)) return await this.#write(request, step);
    if (request.said.length === count && verdict === 'yes') return await this.#write(request, step);
    request.denials += 1;
    if (request.denials >= MOST_DENIALS)
      this.#close(request, 'refused', `I am sorry, then I cannot ${step.plan.split(',')[0] ?? 'do that'}.`);
  }

  /** Does the plan stand after what was just said? */
  #isStill(request: Request, key: string): boolean {
    const now = planStep(request, { shop: this.#shop, lastAddress: this.#lastAddress });
    return now.kind === 'write' && JSON.stringify(now.calls) === key;
  }

  async #write(request: Request, step: WriteStep): Promise<void> {
    for (const call of step.calls) {
      const { ok, content } = await this.#line.call(call);
      if (this.#line.over) return;
      if (!ok) {
        const why = content.replace(/^Error:\s*/, '');
        return this.#close(
          request,
          'refused',
          `I am sorry, but that cannot be done. The system said: ${why}`,
        );
      }
      this.#lastAddress = readAddress(call.arguments) ?? this.#lastAddress;
    }
    this.#close(request, 'done', step.report);
  }

  async #handOver(summary: string): Promise<boolean> {
    if (this.#news.length > 0) {
      // What was done is told first; the customer may have more that can be settled here.
      await this.#say(ANYTHING_ELSE);
      if (this.#line.over || this.#next()?.kind !== 'hand_over') return this.#line.over;
    }
    const { ok } = await this.#line.call({ name: 'transfer_to_human_agents', arguments: { summary } });
    await this.#line.say(ok ? HAND_OVER : NO_ACCOUNT);
    return true;
  }

  /** Nothing is open: tell what happened and ask what else there is. */
  async #wrapUp(): Promise<void> {
    const heard = await this.#say(ANYTHING_ELSE);
    if (heard === null || this.#next() !== null) return;
    const last = this.#requests.findLast(({ outcome }) => outcome !== '');
    if (last === undefined || (!insists(heard) && !asksWhetherDone(heard) && this.#repeats > 1)) return;
    this.#news.push(`${LEADS[this.#repeats % LEADS.length] ?? ''}${last.outcome}`);
    this.#repeats += 1;
  }
}
