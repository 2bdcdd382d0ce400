import { expect, it } from 'vitest';
import { connectInMemory } from '../../src/retail/index.js';
import { describeAgentMaterial } from '../../src/sandbox/index.js';
import { smallDomain } from './helpers/small-domain.js';

it('what an agent is given names the tools that the MCP server has', async () => {
  const domain = smallDomain();
  const { tools, policy } = describeAgentMaterial(domain);
  const connection = await connectInMemory({ session: domain.openSession(), domain });
  expect(tools.map(({ name }) => name)).toEqual(await connection.listTools());
  expect(policy).toBe(domain.policy);
  const changing = tools.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
  expect(changing).toContain('transfer_to_human_agents');
  expect(changing).not.toContain('get_order_details');
  await connection.close();
});
