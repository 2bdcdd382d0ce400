import { calculate } from '../calculator/calculate.js';
import { ToolError } from '../errors.js';
import { text } from './arguments.js';
import { quote } from './find.js';
import { defineTool } from './tool.js';

const calculateTool = defineTool({
  name: 'calculate',
  title: 'Calculate',
  description: 'Works out an expression and rounds the result to two decimals.',
  kind: 'generic',
  arguments: {
    expression: text(
      'Numbers with + - * / and parentheses, without currency signs or commas: "(12.50 + 3) * 2"',
    ),
  },
  run: (_view, { expression }) => {
    const result = calculate(expression);
    if ('value' in result) return { value: result.value };
    throw new ToolError(
      'invalid-expression',
      `${quote(expression)} has no value: ${result.fault}. Write numbers with + - * / and parentheses only`,
    );
  },
});

const think = defineTool({
  name: 'think',
  title: 'Think',
  description: 'Writes a thought down. It changes nothing, reads nothing and the customer does not hear it.',
  kind: 'generic',
  arguments: { thought: text('The thought') },
  run: () => ({ value: '' }),
});

const transferToHumanAgents = defineTool({
  name: 'transfer_to_human_agents',
  title: 'Hand over to a person',
  description:
    'Hands the conversation over to a human colleague. Only for requests that the other tools and the policy leave no way to handle.',
  kind: 'generic',
  destructive: true,
  arguments: { summary: text('What the customer wants and what was done so far, for the colleague') },
  run: () => ({ value: 'Transfer successful', transfers: true }),
});

export const GENERIC_TOOLS = [calculateTool, think, transferToHumanAgents];
