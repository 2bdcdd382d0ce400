import { encodeWav } from '../../audio/index.js';
import type { Transcriber } from '../../models/index.js';
import { makeCalls } from '../client/make-calls.js';
import type { CustomerTurn, EpisodeClient, EpisodeEndEvent, Reasons } from '../episode-client.js';
import { MessageRefusedError, WordsMissingError } from '../errors.js';
import type { Generation } from '../openai-compatible/generation.js';
import { breakInAt, cutToHeard } from './break-in.js';
import { generationOf } from './generation-of.js';
import type { Mind } from './realtime-line.js';
import type { AskedReply, BrokenIn } from './realtime-session.js';
import type { AskedCall, Spoken } from './reply.js';
import { joinSound, type Sound, soundMs } from './wire-audio.js';

export interface RealtimeEpisodeParts {
  readonly client: EpisodeClient;
  readonly line: Mind;
  /** Share of the agent's utterances into which the customer breaks. */
  readonly breakIns: number;
  readonly seed: number;
  /** Asked for sound that comes without a transcript. */
  readonly transcriber: Transcriber | null;
  readonly signal: AbortSignal;
}

/** Replies in a row of which nothing can be used before the agent gives up. */
const MAX_UNUSABLE = 3;
const MAX_SPOKEN_CHARACTERS = 20_000;
const MAX_REASONING_CHARACTERS = 100_000;
const BROKEN_IN = 'Error: not done, because the customer broke in. Call again if it is still wanted.';
const BROKEN_OFF = 'Error: not done, because the call broke off before its arguments were complete.';
const NOTHING = { text: '[The customer says nothing.]', audio: null };

/** One episode of a realtime model: what the customer says goes to it, what it says and calls comes back. */
export class RealtimeEpisode {
  /** Reply by reply, for whoever counts tokens: such servers tell no ids. */
  readonly generations: Generation[] = [];
  readonly #parts: RealtimeEpisodeParts;
  /** What the customer said since the model was last asked. */
  #clips: Sound[] = [];
  /** Said beside calls: the customer hears it together with what follows. */
  #held: Spoken[] = [];
  #utterances = 0;
  /** Turns so far, as the record counts them. */
  #actions = 0;
  #end: EpisodeEndEvent | null = null;

  constructor(parts: RealtimeEpisodeParts) {
    this.#parts = parts;
  }

  /** Rejects with `RealtimeError` when the model's server fails, and with what the client rejects with. */
  async play(): Promise<EpisodeEndEvent> {
    const { client, line, seed, breakIns } = this.#parts;
    this.#hear(client.opening);
    let unusable = 0;
    while (this.#end === null) {
      const turn = this.#actions + 1;
      const reply = await line.ask(breakInAt(seed, this.#utterances, breakIns));
      this.generations.push(generationOf(reply, turn, this.#clips));
      this.#clips = [];
      unusable = (await this.#act(reply)) ? 0 : unusable + 1;
      if (unusable >= MAX_UNUSABLE)
        return await client.stop({
          reason: 'failed',
          detail: `nothing of ${MAX_UNUSABLE} replies in a row could be used`,
        });
    }
    return this.#end;
  }

  #hear({ text, audio }: CustomerTurn): void {
    const heard = text === null && audio === null ? NOTHING : { text, audio };
    if (heard.text === null && heard.audio !== null) this.#clips.push(heard.audio);
    this.#parts.line.tell({ kind: 'customer', text: heard.text, sound: heard.audio, transcript: null });
  }

  /** False when nothing of the reply could be used. */
  async #act(reply: AskedReply): Promise<boolean> {
    const { line } = this.#parts;
    const { brokenIn } = reply;
    if (brokenIn !== null) await line.forget(brokenIn);
    const spoken = [...reply.spoken, ...(brokenIn?.spoken ?? [])];
    for (const { text } of spoken) if (text !== '') line.remember({ kind: 'agent', text });
    await this.#answerCalls(reply.calls, brokenIn !== null);
    this.#held.push(...spoken);
    if (this.#end !== null || (brokenIn === null && reply.calls.length > 0)) return true;
    const words = await this.#words();
    const said = this.#held;
    const sound = joinSound(said.flatMap((item) => (item.sound === null ? [] : [item.sound])));
    this.#held = [];
    if (words === '') {
      line.tell({
        kind: 'note',
        text: 'Your reply was empty. Call a tool, or say something to the customer.',
      });
      return false;
    }
    return await this.#say({ text: words.slice(0, MAX_SPOKEN_CHARACTERS), sound, said }, whyCut(brokenIn));
  }

  /** Every call gets its output, also those that are not made. */
  async #answerCalls(calls: readonly AskedCall[], brokenIn: boolean): Promise<void> {
    const { line } = this.#parts;
    for (const { callId, name, arguments: args } of calls) {
      // History is told to other sessions, where arguments must be JSON.
      const written = isJson(args) ? args : '{}';
      line.remember({ kind: 'call', callId, name, arguments: written });
    }
    const whole = brokenIn ? [] : calls.filter((call) => call.whole);
    const { contents, end, made } = await makeCalls(this.#parts.client, whole);
    this.#end = end;
    this.#actions += made;
    for (const call of calls) {
      const place = whole.indexOf(call);
      const output = brokenIn ? BROKEN_IN : place < 0 ? BROKEN_OFF : (contents[place] ?? '');
      line.tell({ kind: 'result', callId: call.callId, output });
    }
  }

  async #words(): Promise<string> {
    const { transcriber, signal } = this.#parts;
    const words: string[] = [];
    for (const { text, sound } of this.#held) {
      if (text !== '' || sound === null) words.push(text);
      else if (transcriber !== null) words.push(await transcriber.transcribe(encodeWav(sound), signal));
      else
        throw new WordsMissingError(
          'the model spoke, and its server sent no transcript: give --transcriber-url, so that the customer can be told what was said',
        );
    }
    return words
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .join(' ');
  }

  async #say(
    { text, sound, said }: { text: string; sound: Sound | null; said: readonly Spoken[] },
    why: Reasons,
  ): Promise<boolean> {
    const { client, line } = this.#parts;
    this.#utterances += 1;
    try {
      const step = await client.say({ text, voice: this.#kept(sound) }, why);
      if (step.kind === 'intervention') {
        const note = `Your last message did not reach the customer, for a judge looked at it first: ${step.message}`;
        line.tell({ kind: 'note', text: note });
        return true;
      }
      this.#actions += 1;
      if (step.kind === 'end') {
        this.#end = step.end;
        return true;
      }
      const { brokeIn } = step.customer;
      if (brokeIn !== undefined) {
        // The sandbox says what was heard; the model's memory and its server's are cut to the same.
        const { cut, removed } = cutToHeard(said, brokeIn.ms);
        line.cutSaid(said, brokeIn.text);
        await line.forget({ cut, removed });
      }
      this.#hear(step.customer);
      return true;
    } catch (error) {
      if (!(error instanceof MessageRefusedError)) throw error;
      line.tell({ kind: 'note', text: `The customer did not hear your message: ${error.message}` });
      return false;
    }
  }

  /** The voice for the record, where the sandbox keeps voices of that length. */
  #kept(sound: Sound | null): Sound | undefined {
    const { capabilities, limits } = this.#parts.client.hello;
    const isTaken = capabilities.includes('agent_audio');
    return sound !== null && isTaken && soundMs(sound) <= limits.maxSpeechMs ? sound : undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** For the record: the customer answers what it heard, and a reader should see what it did not. */
function whyCut(brokenIn: BrokenIn | null): Reasons {
  if (brokenIn === null) return {};
  const rest = brokenIn.unheard === '' ? '' : ` Not heard: ${brokenIn.unheard}`;
  const reasoning = `The customer broke in after ${brokenIn.atMs} ms.${rest}`;
  return { reasoning: reasoning.slice(0, MAX_REASONING_CHARACTERS) };
}
