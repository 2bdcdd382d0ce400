import type { CustomerBrief } from '../../../retail/index.js';
import { createRandom, deriveSeed } from '../../../shared/index.js';
import type { Customer, CustomerLine } from '../../customer.js';
import { answerIdentity, type KnownIdentity } from '../identity-answers.js';
import { createPatience, type Patience } from '../patience.js';
import type { AgentAct, AgentReading } from '../reading/agent-acts.js';
import { classifyAgentMessage } from '../reading/classify-agent-message.js';
import { createWording, type PhraseKey, type Wording } from '../wording.js';
import { parseIdentity } from './parse-identity.js';
import { type ProseScript, readInstruction } from './read-instruction.js';

const WISHING =
  /\b(?:want|wish|'d like|would like|need to|wonder|hope|like to|please|return|exchange|cancel|modify|refund)\b/i;
const PER_TURN = 2;

/** What a question is answered with: a sentence of the instruction that speaks of it, else that it is not known. */
const SLOT_WORDS: readonly { readonly act: AgentAct; readonly words: RegExp; readonly unknown: PhraseKey }[] =
  [
    { act: 'ask_order_id', words: /#?\bW\d{6,8}\b/, unknown: 'order_unknown' },
    {
      act: 'ask_payment',
      words: /\b(?:paypal|gift ?card|credit card|visa|mastercard|amex|payment|GC)\b/i,
      unknown: 'no_wish',
    },
    { act: 'ask_reason', words: /\b(?:because|since|mistake|no longer|reason)\b/i, unknown: 'unknown' },
    { act: 'ask_address', words: /\baddress\b|\b\d{5}\b/i, unknown: 'unknown' },
    {
      act: 'ask_options',
      words: /\b(?:to|for|into|with|prefer|cheapest|colou?r|size|option)\b/i,
      unknown: 'no_wish',
    },
    { act: 'ask_items', words: WISHING, unknown: 'unknown' },
  ];

/**
 * A customer with prose only. It tells its wishes in portions, answers from its own sentences, says yes when asked for
 * a yes (a condition that speaks of it comes first), and hangs up once all is told and the agent reports or refuses.
 */
export class ProseCustomer implements Omit<Customer, 'name'> {
  readonly #script: ProseScript;
  readonly #identity: KnownIdentity;
  readonly #wording: Wording;
  readonly #patience: Patience;
  readonly #untold: string[];
  readonly #told: string[] = [];
  readonly #held: { triggers: readonly AgentAct[]; say: string }[];
  /** A yes was given and nothing was reported since. */
  #awaitsReport = false;
  /** The agent has done, refused or told something. */
  #served = false;

  constructor(brief: CustomerBrief, seed: number) {
    this.#script = readInstruction(brief);
    this.#identity = parseIdentity(brief);
    const random = createRandom(deriveSeed(seed, 'temper'));
    this.#wording = createWording(
      deriveSeed(seed, 'wording'),
      random.pick(['terse', 'plain', 'plain', 'chatty']),
    );
    this.#patience = createPatience(random.int(5, 7));
    this.#untold = [...this.#script.wishes];
    this.#held = [...this.#script.heldBack];
  }

  async open(): Promise<CustomerLine> {
    const first: string[] = [];
    // The story up to the first wish, and that wish.
    while (this.#untold.length > 0 && !first.some((line) => WISHING.test(line))) first.push(...this.#tell(1));
    if (first.length === 0) first.push(...this.#held.splice(0, 1).map(({ say }) => say));
    return { text: [this.#wording.phrase('greet'), ...first].join(' ') };
  }

  async reply(agentText: string): Promise<CustomerLine> {
    const reading = classifyAgentMessage(agentText);
    const { acts } = reading;
    const say = this.#wording.phrase;
    if (acts.has('hand_over')) return { text: say('bye_transfer'), end: 'transfer' };
    if (acts.has('report_done') || acts.has('refuse')) this.#awaitsReport = false;
    const asks = [...acts].some((act) => act.startsWith('ask_') && act !== 'ask_anything_else');
    const answered = acts.has('state') && acts.has('ask_anything_else');
    if (acts.has('report_done') || acts.has('refuse') || (answered && !asks)) this.#served = true;

    const lines = answerIdentity(reading, this.#identity, this.#wording);
    const held = this.#takeHeld(reading);
    lines.push(...held);
    const confirming = acts.has('ask_confirmation');
    if (confirming && held.length === 0) {
      lines.push(say('yes'));
      this.#awaitsReport = true;
    }
    const before = this.#untold.length;
    if (lines.length === 0 || confirming) this.#answerSlots(reading, lines);
    const waiting = acts.has('hold_on') && !asks;
    if (!waiting && held.length === 0 && before === this.#untold.length)
      lines.push(...this.#portion(reading, lines.length > 0));

    const moved = held.length > 0 || before > this.#untold.length || confirming || acts.has('report_done');
    const mood = this.#patience.count(agentText, { progress: moved, waiting });
    if (mood === 'gone') return { text: say('resign'), end: 'stop' };
    if (lines.length === 0 && !asks && !waiting && this.#finished(reading))
      return { text: this.#farewell(acts), end: 'stop' };
    if (lines.length === 0) lines.push(...this.#keepGoing(acts, waiting));
    if (mood === 'annoyed') lines.unshift(say('circles'));
    return { text: lines.join(' ') };
  }

  #tell(count: number): string[] {
    const portion = this.#untold.splice(0, count);
    this.#told.push(...portion);
    return portion;
  }

  /** The first held-back sentence whose time has come. */
  #takeHeld({ acts }: AgentReading): string[] {
    // Facts that come along with a request for a yes are no cue of their own.
    const cues = new Set([...acts].filter((act) => act !== 'state' || !acts.has('ask_confirmation')));
    const place = this.#held.findIndex(({ triggers }) => triggers.some((act) => cues.has(act)));
    if (place < 0) return [];
    return this.#held.splice(place, 1).map(({ say }) => say);
  }

  #answerSlots({ acts }: AgentReading, lines: string[]): void {
    for (const { act, words, unknown } of SLOT_WORDS) {
      if (!acts.has(act)) continue;
      const fresh = this.#untold.findIndex((line) => words.test(line));
      if (act === 'ask_order_id') lines.push(this.#orderNumbers());
      else if (fresh >= 0) lines.push(...this.#take(fresh));
      else {
        const known = this.#told.filter((line) => words.test(line)).at(-1);
        const line = known ?? this.#wording.phrase(unknown);
        if (!lines.includes(line)) lines.push(line);
      }
    }
  }

  #take(place: number): string[] {
    const taken = this.#untold.splice(place, 1);
    this.#told.push(...taken);
    return taken;
  }

  #orderNumbers(): string {
    const ids = [...new Set(this.#script.wishes.join(' ').match(/#?\bW\d{6,8}\b/g) ?? [])];
    return ids.length === 0 ? this.#wording.phrase('order_unknown') : `${ids.join(' and ')}.`;
  }

  /** More of the story: two sentences when asked openly, one along with another answer. */
  #portion({ acts }: AgentReading, answering: boolean): string[] {
    if (acts.has('ask_anything_else') || acts.has('ask_need')) return this.#tell(PER_TURN);
    const identityOnly = answering && !acts.has('ask_confirmation');
    return identityOnly ? [] : this.#tell(1);
  }

  /** All told, and the agent has said what came of it. A yes alone is not an end. */
  #finished({ acts }: AgentReading): boolean {
    if (this.#untold.length > 0 || this.#awaitsReport) return false;
    return this.#served && (acts.has('ask_anything_else') || acts.has('report_done') || acts.has('refuse'));
  }

  #farewell(acts: ReadonlySet<AgentAct>): string {
    const say = this.#wording.phrase;
    return [...(acts.has('ask_anything_else') ? [say('nothing_else')] : [say('thanks')]), say('bye')].join(
      ' ',
    );
  }

  #keepGoing(acts: ReadonlySet<AgentAct>, waiting: boolean): string[] {
    const say = this.#wording.phrase;
    if (waiting) return [say('wait')];
    if (this.#awaitsReport) return [say('is_it_done')];
    const wish = this.#told.findLast((line) => WISHING.test(line)) ?? this.#told.at(-1);
    if (acts.has('state')) return [say('go_on')];
    return [
      acts.has('ask_anything_else') ? say('still') : say('pardon'),
      ...(wish === undefined ? [] : [wish]),
    ];
  }
}
