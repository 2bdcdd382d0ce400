import type { ToolDefinition } from '../contract.js';
import type { Rules } from '../rules.js';
import type { Order, Product, User, Variant } from '../world.js';
import { type ArgumentsOf, type ArgumentTable, readArguments, toInputSchema } from './arguments.js';

/** What a tool may see of a session. Everything in it is immutable. */
export interface WorldView {
  readonly rules: Rules;
  user(userId: string): User | undefined;
  order(orderId: string): Order | undefined;
  product(productId: string): Product | undefined;
  variant(itemId: string): Variant | undefined;
  userIdByEmail(email: string): string | undefined;
  userIdByNameAndZip(firstName: string, lastName: string, zip: string): string | undefined;
  /** Product name → product id, sorted by name. */
  productTypes(): Readonly<Record<string, string>>;
}

/**
 * What a call comes to: the value the model reads and the records it replaces. The session stores them after the tool
 * has returned, so a tool that throws has changed nothing.
 */
export interface ToolEffect {
  readonly value: unknown;
  readonly order?: Order;
  readonly user?: { readonly id: string; readonly record: User };
  readonly transfers?: true;
}

export interface Tool {
  readonly definition: ToolDefinition;
  /** @throws ToolError when the call is refused. */
  run(view: WorldView, args: unknown): ToolEffect;
}

interface ToolSource<Table extends ArgumentTable> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: ToolDefinition['kind'];
  readonly destructive?: boolean;
  readonly arguments: Table;
  readonly run: (view: WorldView, args: ArgumentsOf<Table>) => ToolEffect;
}

export function defineTool<Table extends ArgumentTable>(source: ToolSource<Table>): Tool {
  return {
    definition: {
      name: source.name,
      title: source.title,
      description: source.description,
      inputSchema: toInputSchema(source.arguments),
      kind: source.kind,
      destructive: source.destructive ?? false,
    },
    run: (view, args) =>
      source.run(view, readArguments(source.name, source.arguments, args) as ArgumentsOf<Table>),
  };
}
