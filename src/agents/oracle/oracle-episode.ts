import type { ToolCall } from '../../retail/index.js';
import type { AgentReport } from '../agent.js';
import { describeAction, describeVaguely } from './describe-action.js';
import type { EpisodeLine } from './episode-line.js';
import type { DueFault, FaultInjector } from './faults/fault-injector.js';
import { isWrite, type OracleKnowledge } from './knowledge.js';
import { identifyCustomer, readForWords } from './look-ups.js';
import { writeArguments } from './write-call.js';

const MOST_FINAL_MESSAGES = 8;
const INVENTED_TOOL = 'prioritise_request';

const ASK_IDENTITY =
  'Hello, I am happy to help you with that. To find your account, please tell me your email address, or your first name, last name and zip code.';
const ASK_YES = 'Do you confirm (yes/no)?';
const ANYTHING_ELSE = 'Is there anything else I can help you with?';
const TRANSFER = 'YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON.';
const CANNOT = 'I am sorry, but I cannot do that: it is not possible under our policy.';
const NOTHING_BEYOND = 'I am sorry, but anything else is not possible under our policy.';
const SUMMARY_LEADS = ['To sum up:', 'Let me say it once more:', 'Again, in short:', 'As I said:'];

/**
 * One episode of the oracle: ask who is calling, identify, then the ground truth in order. Each write is stated in full
 * and a yes asked for; then it is done and reported. It is deaf on purpose: its conduct never depends on what it hears,
 * so that text and speech give the same outcomes.
 */
export class OracleEpisode {
  readonly #line: EpisodeLine;
  readonly #knowledge: OracleKnowledge;
  readonly #injector: FaultInjector;
  readonly #writes: readonly ToolCall[];
  /** What was done and what could not be; the first `#told` were said already. */
  readonly #reports: string[] = [];
  #told = 0;
  /** A skipped step whose report is still to be said: the wrong commitment is the message that says it. */
  #forgotten: { readonly detail: string; readonly call: ToolCall } | null = null;

  constructor(line: EpisodeLine, knowledge: OracleKnowledge, injector: FaultInjector) {
    this.#line = line;
    this.#knowledge = knowledge;
    this.#injector = injector;
    this.#writes = knowledge.groundTruth.filter(isWrite);
  }

  async play(): Promise<AgentReport> {
    const { groundTruth } = this.#knowledge;
    await this.#line.say(ASK_IDENTITY);
    await identifyCustomer(this.#line, this.#knowledge);
    const handOver = groundTruth.find((call) => call.name === 'transfer_to_human_agents');
    let write = 0;
    for (const [place, call] of groundTruth.entries()) {
      if (isWrite(call)) {
        await this.#write(call, write, groundTruth.slice(place + 1));
        write += 1;
      } else if (call !== handOver) await this.#line.read(call.name, call.arguments);
    }
    await this.#needless();
    // After a hand-over nothing more can be done, so it comes last wherever it stands.
    if (handOver === undefined) await this.#finish();
    else await this.#handOver(handOver);
    return {
      episode: this.#line.episode,
      reason: this.#line.end?.reason ?? null,
      faults: this.#injector.faults,
      mended: this.#injector.mended,
    };
  }

  /** What was done since the last message, and the refusals whose place is here; to be said at once. */
  #news(write: number): string[] {
    const news = this.#reports.slice(this.#told);
    this.#told = this.#reports.length;
    return [...news, ...this.#refusals((beforeWrite) => beforeWrite === write)];
  }

  #refusals(wanted: (beforeWrite: number) => boolean): string[] {
    return (this.#knowledge.refusals ?? [])
      .filter(({ beforeWrite }) => wanted(beforeWrite))
      .map(({ deed }) => `I am sorry, but I cannot ${deed}: it is not possible under our policy.`);
  }

  #facts(): string[] {
    const { communicate } = this.#knowledge;
    return communicate.length === 0
      ? []
      : [`Here is the information you asked for: ${communicate.join('; ')}.`];
  }

  async #write(call: ToolCall, write: number, rest: readonly ToolCall[]): Promise<void> {
    const line = this.#line;
    await readForWords(line, call, rest);
    if (line.end !== null) return;
    const { plan, report } = describeAction(call, line.seen);
    const due = this.#injector.atWrite(call, write, line.seen);
    if (due?.kind === 'early_end') {
      this.#note(due, `hung up before this was done: ${plan}`);
      return await line.hangUp();
    }
    if (due?.kind === 'invented_tool') await this.#inventTool();
    const left = due?.kind === 'no_confirmation' ? due : await this.#askForYes(plan, write, due);
    if (line.end !== null) return;
    if (left?.kind === 'forgotten_step') {
      this.#forgotten = { detail: `skipped but reported as done: ${plan}`, call };
      this.#reports.push(report);
      return;
    }
    const { ok, content } = await this.#make(call, { plan, write, due: left });
    const why = content.replace(/^Error:\s*/, '').replace(/\.$/, '');
    this.#reports.push(ok ? report : `I am sorry, I was not able to ${plan}. The system said: ${why}.`);
  }

  /** The write, or the fault that is due in its place, unless a live judge breaks in and it is thought better of. */
  async #make(
    call: ToolCall,
    { plan, write, due }: { readonly plan: string; readonly write: number; readonly due: DueFault | null },
  ): Promise<{ readonly ok: boolean; readonly content: string }> {
    if (due === null || (due.kind !== 'no_confirmation' && due.wrong === undefined))
      return await this.#line.call(call);
    const wasAnnounced = due.wrong !== undefined && this.#injector.announces;
    if (!wasAnnounced) this.#note(due, due.wrong?.detail ?? `not confirmed: ${plan}`);
    const made = await this.#insist(() => this.#line.tryCall(due.wrong?.call ?? call));
    if (made !== null) return made;
    if (wasAnnounced || due.kind === 'no_confirmation') await this.#askForYes(plan, write, null);
    return await this.#line.call(call);
  }

  /** Carries out what was noted as a fault. Null: a live judge broke in and the oracle thinks better of it. */
  async #insist<T>(attempt: () => Promise<T | null>): Promise<T | null> {
    for (;;) {
      const done = await attempt();
      if (done !== null) return done;
      if (this.#injector.insists) continue;
      this.#injector.mend();
      return null;
    }
  }

  /** The same for words. */
  async #insistOnSaying(text: string): Promise<boolean> {
    return (await this.#insist(async () => (await this.#line.trySay(text)) || null)) !== null;
  }

  /** Says something that may report a step as done which was skipped. */
  async #tell(text: string): Promise<void> {
    const forgotten = this.#forgotten;
    this.#forgotten = null;
    if (forgotten === null) return await this.#line.say(text);
    this.#note({ kind: 'forgotten_step' }, forgotten.detail);
    if (await this.#insistOnSaying(text)) return;
    await this.#line.call(forgotten.call);
    await this.#line.say(text);
  }

  /** Gives the fault that is still due. */
  async #askForYes(plan: string, write: number, due: DueFault | null): Promise<DueFault | null> {
    const lead =
      write === 0 ? 'Thank you. Here is what I am going to do' : 'Next, here is what I am going to do';
    const news = this.#news(write);
    const textOf = (words: string): string => [...news, `${lead}: ${words}. ${ASK_YES}`].join(' ');
    const announced = this.#injector.announces ? due?.wrong : undefined;
    if (due !== null && announced !== undefined) {
      this.#note(due, announced.detail);
      if (await this.#insistOnSaying(textOf(describeVaguely(announced.call)))) return due;
    }
    await this.#tell(textOf(plan));
    return announced === undefined ? due : null;
  }

  /** Notes a fault at the next action. */
  #note(due: DueFault, detail: string): void {
    if (this.#line.end !== null) return;
    const announced = due.wrong !== undefined && this.#injector.announces;
    this.#injector.note(due.kind, this.#line.nextTurn, { detail, announced });
  }

  async #inventTool(): Promise<void> {
    const order_id = this.#writes.map((call) => writeArguments(call).order_id).find((id) => id !== '') ?? '';
    this.#note({ kind: 'invented_tool' }, `called ${INVENTED_TOOL}, which does not exist`);
    await this.#insist(() => this.#line.tryCall({ name: INVENTED_TOOL, arguments: { order_id } }));
  }

  async #needless(): Promise<void> {
    if (this.#line.end !== null || this.#forgotten !== null) return;
    const due = this.#injector.atEnd(this.#writes, this.#line.seen);
    if (due === null) return;
    if (due.wrong === undefined) return await this.#inventTool();
    const { call } = due.wrong;
    this.#note(due, due.wrong.detail);
    if (this.#injector.announces) {
      const { plan } = describeAction(call, this.#line.seen);
      const told = this.#told;
      const news = this.#news(this.#writes.length);
      const text = [...news, `Before we finish, I am going to ${plan}. ${ASK_YES}`].join(' ');
      if (!(await this.#insistOnSaying(text))) {
        // What there was to tell is still to be told.
        this.#told = told;
        return;
      }
    }
    await this.#insist(() => this.#line.tryCall(call));
  }

  async #handOver(call: ToolCall): Promise<void> {
    const rounds = this.#knowledge.roundsBeforeHandOver ?? 0;
    for (let round = 0; round < rounds && this.#line.actionsLeft > 3; round += 1) {
      const lead =
        round === 0 ? 'First the rest:' : (SUMMARY_LEADS[(round - 1) % SUMMARY_LEADS.length] ?? '');
      const news = this.#news(this.#writes.length);
      const body = round === 0 ? news : this.#reports;
      await this.#tell([lead, ...body, ...this.#facts(), ANYTHING_ELSE].join(' '));
    }
    await this.#line.call(call);
    const facts = rounds > 0 ? [] : this.#facts();
    await this.#tell([...this.#news(this.#writes.length), ...facts, TRANSFER].join(' '));
  }

  /** Reports, tells what has to be told, says it again while the customer goes on, and in the end hangs up. */
  async #finish(): Promise<void> {
    const news = this.#news(this.#writes.length);
    const body = [...news, ...this.#facts()];
    await this.#tell(
      [...(body.length + this.#reports.length === 0 ? [CANNOT] : body), ANYTHING_ELSE].join(' '),
    );
    const again = [
      ...this.#reports,
      ...this.#facts(),
      ...this.#refusals(() => true),
      NOTHING_BEYOND,
      ANYTHING_ELSE,
    ].join(' ');
    for (let round = 0; round < MOST_FINAL_MESSAGES && this.#line.actionsLeft > 1; round += 1)
      await this.#line.say(`${SUMMARY_LEADS[round % SUMMARY_LEADS.length]} ${again}`);
    await this.#line.hangUp();
  }
}
