import { sha256Hex } from '../../shared/index.js';
import type { McpBinding } from '../episode-factory.js';

interface ToolCallAnswer {
  readonly ok: boolean;
  readonly content: string;
}

/** An episode whose tools can be called from beside its transport. */
export interface BoundEpisode {
  callTool(call: {
    readonly callId: string;
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }): Promise<ToolCallAnswer>;
}

/** One token, one episode. */
export interface Binding {
  readonly episode: string;
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolCallAnswer>;
}

/** Which token opens which episode, while it runs. */
export class EpisodeBindings {
  /** By the token's hash, so that looking one up tells nothing about another. */
  readonly #byHash = new Map<string, Binding>();
  readonly #createToken: () => string;

  /** @param createToken must give what nobody can guess */
  constructor(createToken: () => string) {
    this.#createToken = createToken;
  }

  bind(target: BoundEpisode, episode: string): Omit<McpBinding, 'url'> {
    const token = this.#createToken();
    const hash = sha256Hex(token);
    let calls = 0;
    this.#byHash.set(hash, {
      episode,
      call: (name, args) => {
        calls += 1;
        return target.callTool({ callId: `mcp-${calls}`, name, arguments: args });
      },
    });
    return { token, close: () => void this.#byHash.delete(hash) };
  }

  find(token: string | undefined): Binding | null {
    return token === undefined ? null : (this.#byHash.get(sha256Hex(token)) ?? null);
  }
}
