import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Template } from '@huggingface/jinja';
import { Tokenizer } from '@huggingface/tokenizers';
import { z } from 'zod';
import { describeError, sha256Hex } from '../../shared/index.js';
import { TokenizerError } from '../errors.js';
import type { ChatMessage } from '../formats/chat-messages.js';
import type { ToolSchema } from '../rows/tool-schema.js';

/** A model's tokenizer and chat template. */
export interface ModelTokenizer {
  /** SHA-256 over tokenizer and template. */
  readonly hash: string;
  /** Token that ends a turn, e.g. <|im_end|>. */
  readonly endOfTurn: string;
  /** The text's own tokens only: what looks like a special token stays text. */
  encodeText(text: string): number[];
  /** Text that the template or the model wrote: special tokens are meant. */
  encodeMarked(text: string): number[];
  /** Whether some part of the text would become a special token. */
  holdsSpecial(text: string): boolean;
  idOf(token: string): number | null;
  decode(ids: readonly number[]): string;
  render(messages: readonly ChatMessage[], tools: readonly ToolSchema[], addPrompt: boolean): string;
}

const MAX_FILE_BYTES = 256 << 20;
const LONG_TEXT = 1000;
const MAX_KNOWN = 64;

const tokenizerSchema = z.looseObject({
  model: z.looseObject({ type: z.string().optional() }),
  added_tokens: z.array(z.looseObject({ id: z.number().int(), content: z.string().min(1) })).default([]),
});

const configSchema = z.looseObject({
  chat_template: z
    .union([z.string(), z.array(z.object({ name: z.string(), template: z.string() }))])
    .nullish(),
  eos_token: z.union([z.string(), z.looseObject({ content: z.string() })]).nullish(),
});

async function readText(path: string, what: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new RangeError(`${size} bytes; at most ${MAX_FILE_BYTES}`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new TokenizerError(`cannot read ${what}: ${describeError(cause)}`, { cause });
  }
}

function parse<T>(schema: z.ZodType<T>, text: string, what: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new TokenizerError(
      `${what} is not what Hugging Face's tokenizers write: ${describeError(cause).slice(0, 300)}`,
      { cause },
    );
  }
}

type Config = z.infer<typeof configSchema>;

function templateIn({ chat_template: found }: Config): string | null {
  if (found == null) return null;
  if (typeof found === 'string') return found;
  const named = found.find(({ name }) => name === 'tool_use') ?? found.find(({ name }) => name === 'default');
  return named?.template ?? null;
}

export interface TokenizerFiles {
  /** Folder with tokenizer.json and, mostly, tokenizer_config.json. */
  readonly folder: string;
  /** A template file in place of the model's own; null: the model's, or else ChatML with tools. */
  readonly template: string | null;
}

async function findTemplate({ folder, template }: TokenizerFiles, config: Config): Promise<string> {
  if (template !== null) return readText(template, 'the chat template');
  const beside = await readFile(join(folder, 'chat_template.jinja'), 'utf8').catch(() => null);
  return (
    beside ?? templateIn(config) ?? (await readFile(new URL('./chatml-tools.jinja', import.meta.url), 'utf8'))
  );
}

/** @throws TokenizerError when a file is missing or is something else */
export async function loadTokenizer(files: TokenizerFiles): Promise<ModelTokenizer> {
  const text = await readText(join(files.folder, 'tokenizer.json'), 'tokenizer.json');
  const json = parse(tokenizerSchema, text, 'tokenizer.json');
  const configText = await readFile(join(files.folder, 'tokenizer_config.json'), 'utf8').catch(() => '{}');
  const config = parse(configSchema, configText, 'tokenizer_config.json');
  const source = await findTemplate(files, config);
  let marked: Tokenizer;
  let plain: Tokenizer;
  let template: Template;
  try {
    marked = new Tokenizer(json, config);
    // Without its added tokens a tokenizer cannot mistake a customer's words for one.
    plain = new Tokenizer({ ...json, added_tokens: [] }, config);
    template = new Template(source);
  } catch (cause) {
    throw new TokenizerError(`the tokenizer or its chat template cannot be used: ${describeError(cause)}`, {
      cause,
    });
  }
  const added = json.added_tokens.map(({ content }) => content);
  const eos = typeof config.eos_token === 'string' ? config.eos_token : config.eos_token?.content;
  // Policy and tools are the same text in every row, and most of it.
  const known = new Map<string, number[]>();
  const encode = (tokenizer: Tokenizer, part: string): number[] => {
    if (part === '') return [];
    const key = `${tokenizer === plain ? 'plain' : 'marked'} ${part}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const { ids } = tokenizer.encode(part, { add_special_tokens: false });
    if (part.length >= LONG_TEXT && known.size < MAX_KNOWN) known.set(key, ids);
    return ids;
  };
  return {
    hash: sha256Hex(`${sha256Hex(text)} ${sha256Hex(source)}`),
    endOfTurn: added.includes('<|im_end|>') ? '<|im_end|>' : (eos ?? ''),
    encodeText: (part) => encode(plain, part),
    encodeMarked: (part) => encode(marked, part),
    holdsSpecial: (part) => added.some((token) => part.includes(token)),
    idOf: (token) => (added.includes(token) ? (marked.token_to_id(token) ?? null) : null),
    decode: (ids) =>
      ids.length === 0
        ? ''
        : marked.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
    render: (messages, tools, addPrompt) => {
      try {
        return template.render({
          messages,
          tools: tools.length === 0 ? null : tools,
          ...{ add_generation_prompt: addPrompt, enable_thinking: false },
        });
      } catch (cause) {
        throw new TokenizerError(`the chat template cannot say this conversation: ${describeError(cause)}`, {
          cause,
        });
      }
    },
  };
}
