import type { ToolDefinition } from '../contract.js';
import { rulesOf } from '../rules.js';
import type { RuleSet } from '../world.js';
import { ADDRESS_TOOLS } from './address.js';
import { GENERIC_TOOLS } from './generic.js';
import { ITEM_TOOLS } from './items.js';
import { PENDING_ORDER_TOOLS } from './pending-orders.js';
import { READ_TOOLS } from './reads.js';
import type { Tool } from './tool.js';

const ALL_TOOLS: readonly Tool[] = [
  ...READ_TOOLS,
  ...GENERIC_TOOLS,
  ...PENDING_ORDER_TOOLS,
  ...ITEM_TOOLS,
  ...ADDRESS_TOOLS,
].toSorted((a, b) => (a.definition.name < b.definition.name ? -1 : 1));

function selectTools(ruleSet: RuleSet): ReadonlyMap<string, Tool> {
  const { hasThink, hasItemDetails } = rulesOf(ruleSet);
  const hidden = new Set([...(hasThink ? [] : ['think']), ...(hasItemDetails ? [] : ['get_item_details'])]);
  return new Map(
    ALL_TOOLS.filter((tool) => !hidden.has(tool.definition.name)).map((tool) => [tool.definition.name, tool]),
  );
}

const TOOLS: Readonly<Record<RuleSet, ReadonlyMap<string, Tool>>> = {
  parlor: selectTools('parlor'),
  tau1: selectTools('tau1'),
  tau2: selectTools('tau2'),
};

export function toolsOf(ruleSet: RuleSet): ReadonlyMap<string, Tool> {
  return TOOLS[ruleSet];
}

const DEFINITIONS: Readonly<Record<RuleSet, readonly ToolDefinition[]>> = {
  parlor: [...TOOLS.parlor.values()].map((tool) => tool.definition),
  tau1: [...TOOLS.tau1.values()].map((tool) => tool.definition),
  tau2: [...TOOLS.tau2.values()].map((tool) => tool.definition),
};

/** The tools of a rule set, sorted by name; always the same objects. */
export function toolDefinitions(ruleSet: RuleSet): readonly ToolDefinition[] {
  return DEFINITIONS[ruleSet];
}

/** Names of the calls that change the database, the same under every rule set. */
export const WRITE_TOOL_NAMES: ReadonlySet<string> = new Set(
  ALL_TOOLS.filter((tool) => tool.definition.kind === 'write').map((tool) => tool.definition.name),
);
