import { TokenizerError } from '../errors.js';
import type { AssistantMessage, DatasetRow } from '../rows/row.js';
import type { AudioFamily } from './audio-family.js';
import { type Marked, Marks } from './marks.js';
import type { ModelTokenizer } from './model-tokenizer.js';
import type { TokenSpan } from './token-block.js';

/** A row as token ids, before rewards. */
export interface EncodedRow {
  readonly ids: readonly number[];
  /** Per turn: the agent's own tokens, the token that ends the turn included. */
  readonly turnSpans: readonly TokenSpan[];
  readonly audioSpans: readonly (TokenSpan & { readonly sha256: string })[];
}

export interface RowEncoder {
  readonly tokenizer: ModelTokenizer;
  /** Null: rows with sound cannot be encoded. */
  readonly audio: AudioFamily | null;
}

/** Ids that grow, with the spans that matter. */
class TokenStream {
  readonly ids: number[] = [];
  readonly turnSpans: TokenSpan[] = [];
  readonly audioSpans: (TokenSpan & { sha256: string })[] = [];
  readonly #encoder: RowEncoder;

  constructor(encoder: RowEncoder) {
    this.#encoder = encoder;
  }

  #push(ids: readonly number[]): void {
    for (const id of ids) this.ids.push(id);
  }

  #clip({ clip }: Extract<Marked, { clip: unknown }>): void {
    const { audio, tokenizer } = this.#encoder;
    if (audio === null)
      throw new TokenizerError(
        'rows with sound need the family of the model, for its audio placeholders: give --audio-family, or export text episodes only',
      );
    const marks = [audio.begin, audio.pad, audio.end].map((token) => tokenizer.idOf(token));
    const [begin, pad, end] = marks;
    if (begin == null || pad == null || end == null)
      throw new TokenizerError(
        `the tokenizer has no ${audio.begin}, ${audio.pad} and ${audio.end}; is it one of ${audio.name}?`,
      );
    this.#push([begin]);
    const tokens = audio.tokensOf(clip.samples);
    this.audioSpans.push({ start: this.ids.length, tokens, sha256: clip.sha256 });
    this.#push(new Array<number>(tokens).fill(pad));
    this.#push([end]);
  }

  /** What the agent was given, and what the template puts around. */
  given(pieces: readonly (string | Marked)[]): void {
    const { tokenizer } = this.#encoder;
    for (const piece of pieces)
      if (typeof piece === 'string') this.#push(tokenizer.encodeMarked(piece));
      else if ('clip' in piece) this.#clip(piece);
      else this.#push(tokenizer.encodeText(piece.text));
  }

  /** What the agent wrote: in one go, as it would write it, unless its words look like a special token. */
  written(pieces: readonly (string | Marked)[]): void {
    const { tokenizer } = this.#encoder;
    const start = this.ids.length;
    const texts = pieces.flatMap((piece) =>
      typeof piece === 'string' || 'clip' in piece ? [] : [piece.text],
    );
    if (texts.some((text) => tokenizer.holdsSpecial(text))) this.given(pieces);
    else
      this.#push(
        tokenizer.encodeMarked(
          pieces
            .map((piece) => (typeof piece === 'string' ? piece : 'text' in piece ? piece.text : ''))
            .join(''),
        ),
      );
    this.turnSpans.push({ start, tokens: this.ids.length - start });
  }
}

const UNSTABLE =
  'the chat template writes earlier turns otherwise once later ones follow, so its text is not what the model saw; give another with --chat-template';

/** What the template makes of the agent's message at `place`: before it, it, and what follows it up to the next. */
interface Rendered {
  readonly before: string;
  readonly own: string;
  readonly after: string;
}

function renderTurn(
  { tokenizer }: RowEncoder,
  chat: Parameters<ModelTokenizer['render']>[0],
  {
    place,
    tools,
    done,
  }: { readonly place: number; readonly tools: DatasetRow['tools']; readonly done: string },
): Rendered {
  const prompt = tokenizer.render(chat.slice(0, place), tools, true);
  const whole = tokenizer.render(chat.slice(0, place + 1), tools, false);
  if (!prompt.startsWith(done) || !whole.startsWith(prompt)) throw new TokenizerError(UNSTABLE);
  const rest = whole.slice(prompt.length);
  const end = rest.lastIndexOf(tokenizer.endOfTurn);
  if (tokenizer.endOfTurn === '' || end < 0)
    throw new TokenizerError(
      `the chat template does not end the agent's turn with ${tokenizer.endOfTurn === '' ? 'a token that the tokenizer names' : tokenizer.endOfTurn}`,
    );
  const length = end + tokenizer.endOfTurn.length;
  return { before: prompt.slice(done.length), own: rest.slice(0, length), after: rest.slice(length) };
}

/**
 * Encodes a row with a model's tokenizer and chat template. The template is rendered once more for each turn of the agent,
 * with marks in place of the texts; a template that rewrites earlier turns is refused.
 * @throws TokenizerError
 */
export function encodeRow(row: DatasetRow, encoder: RowEncoder): EncodedRow {
  const marks = new Marks();
  const chat = row.messages.map((message) => marks.message(message));
  const stream = new TokenStream(encoder);
  let done = '';
  let pending = '';
  const turns = row.messages.flatMap((message, place): [AssistantMessage, number][] =>
    message.role === 'assistant' ? [[message, place]] : [],
  );
  for (const [, place] of turns) {
    const { before, own, after } = renderTurn(encoder, chat, {
      place,
      tools: row.tools,
      done: done + pending,
    });
    // The line feed after a turn and what the next prompt begins with are one text.
    stream.given(marks.split(pending + before));
    stream.written(marks.split(own));
    done += pending + before + own;
    pending = after;
  }
  return stream;
}
