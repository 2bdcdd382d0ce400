import type { PerformedCall, ToolResult, WorldSession } from './contract.js';
import { ToolError } from './errors.js';
import { Overlay } from './overlay.js';
import { recordText } from './record-text.js';
import { rulesOf } from './rules.js';
import { quote } from './tools/find.js';
import { toolsOf } from './tools/registry.js';
import type { RuleSet, World } from './world.js';

/** What the model reads of a value: text as it is, all else as JSON. */
function contentOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? recordText(value) : String(value);
}

class OverlaySession implements WorldSession {
  readonly rules: RuleSet;
  readonly overlay: Overlay;
  readonly #calls: PerformedCall[] = [];

  constructor(world: World, rules: RuleSet) {
    this.rules = rules;
    this.overlay = new Overlay(world, rulesOf(rules));
  }

  get calls(): readonly PerformedCall[] {
    return this.#calls;
  }

  get transferred(): boolean {
    return this.overlay.transferred;
  }

  call(name: string, args: unknown): ToolResult {
    const result = this.#perform(name, args);
    this.#calls.push({ name, arguments: toRecord(args), ok: result.ok });
    return result;
  }

  #perform(name: string, args: unknown): ToolResult {
    try {
      const tools = toolsOf(this.rules);
      const tool = tools.get(name);
      if (tool === undefined)
        throw new ToolError(
          'unknown-tool',
          `there is no tool ${quote(name)}; the tools are ${[...tools.keys()].join(', ')}`,
        );
      const effect = tool.run(this.overlay, args);
      this.overlay.apply(effect);
      return { ok: true, value: effect.value, content: contentOf(effect.value) };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { ok: false, code: error.code, error: error.message, content: `Error: ${error.message}` };
    }
  }
}

/** A copy, so that a caller who goes on using its object does not rewrite what happened. */
function toRecord(args: unknown): Readonly<Record<string, unknown>> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return {};
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) copy[name] = Array.isArray(value) ? [...value] : value;
  return copy;
}

/** One episode's session on a shared world. Costs no more than a few empty objects, whatever the world's size. */
export function createSession(world: World, rules: RuleSet): WorldSession {
  return new OverlaySession(world, rules);
}

/**
 * The changes of a session, for the verifier and the conformance replay.
 * @throws TypeError for a session that `createSession` did not make: a fault in the calling program.
 */
export function overlayOf(session: WorldSession): Overlay {
  if (session instanceof OverlaySession) return session.overlay;
  throw new TypeError('this needs a session made by createSession or RetailDomain.openSession');
}
