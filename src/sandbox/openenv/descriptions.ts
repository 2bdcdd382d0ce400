import { z } from 'zod';
import { actionSchema } from './action.js';
import type { EnvTool } from './env-parts.js';
import { resetSchema } from './reset-wish.js';
import { ENVIRONMENT } from './task-catalogue.js';

const RESPOND_TO_USER: EnvTool = {
  name: 'respond_to_user',
  description: 'Say something to the customer and get their reply.',
  input_schema: {
    type: 'object',
    properties: { message: { type: 'string', description: 'What to say to the customer.' } },
    required: ['message'],
    additionalProperties: false,
  },
};
const DONE: EnvTool = {
  name: 'done',
  description: "End the conversation, once the customer's request is handled.",
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
};

/** The domain's tools and the two with which the agent speaks and hangs up. */
export function envTools(
  tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[],
): EnvTool[] {
  const domain = tools.map(({ name, description, inputSchema }) => ({
    ...{ name, description, input_schema: { ...inputSchema } },
  }));
  return [...domain, RESPOND_TO_USER, DONE];
}

const json = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' });

const nullable = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] });
const metadata = { type: 'object', additionalProperties: true };
const state = {
  title: 'RetailState',
  type: 'object',
  properties: {
    episode_id: nullable('string'),
    step_count: { type: 'integer', minimum: 0 },
    ...{ domain: { type: 'string' }, split: { type: 'string' }, task_id: { type: 'string' } },
    ...{ done: { type: 'boolean' }, reward: { type: 'number' }, reward_info: metadata },
  },
};
const observation = {
  title: 'CallToolObservation',
  type: 'object',
  properties: {
    ...{ tool_name: { type: 'string' }, result: {}, metadata },
    error: {
      anyOf: [
        {
          type: 'object',
          properties: { error_type: { type: 'string' }, message: { type: 'string' } },
          required: ['error_type', 'message'],
        },
        { type: 'null' },
      ],
    },
    tools: { type: 'array', items: { type: 'object' } },
  },
};
const resetObservation = {
  title: 'ResetObservation',
  type: 'object',
  properties: { content: { type: 'array', items: { type: 'object' } }, metadata },
};

export function schemas() {
  return { action: json(actionSchema), observation, state, reset_observation: resetObservation };
}

export function environmentMetadata(server: string) {
  return {
    name: ENVIRONMENT,
    description:
      'A simulated customer of a retailer speaks or writes to the agent, which answers, calls tools and is scored by the end state of the shop.',
    readme_content: null,
    version: server.split('/')[1] ?? '0',
    author: 'Parlor',
    documentation_url: null,
  };
}

const answer = (schema: unknown) => ({
  200: { description: 'OK', content: { 'application/json': { schema } } },
});
const body = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const get = (summary: string, schema: unknown = { type: 'object' }) => ({
  get: { summary, responses: answer(schema) },
});
const post = (summary: string, input: unknown, schema: unknown = { type: 'object' }) => ({
  post: { summary, requestBody: body(input), responses: answer(schema) },
});

const observed = {
  type: 'object',
  properties: {
    ...{ observation: { type: 'object' }, reward: nullable('number'), done: { type: 'boolean' }, metadata },
  },
};

/** The version is that of OpenEnv's HTTP interface, which is what its validator asks for. */
export function openApi(mode: 'simulation' | 'production') {
  const simulation = {
    '/reset': post('Start an episode', json(resetSchema), observed),
    '/step': post('Act', { type: 'object', properties: { action: json(actionSchema) } }, observed),
    '/state': get('The state of a session', state),
  };
  return {
    openapi: '3.1.0',
    info: { title: 'OpenEnv Environment HTTP API', version: '1.0.0' },
    paths: {
      '/health': get('Liveness'),
      '/metadata': get('About the environment'),
      '/schema': get('JSON Schemas of action, observation and state'),
      ...(mode === 'simulation' ? simulation : {}),
      '/mcp': post('JSON-RPC: tools/list, tools/call, openenv/session/create and close', { type: 'object' }),
      '/list_environments': get('Names of environments', { type: 'array', items: { type: 'string' } }),
      '/{env_name}/splits': get('Splits', { type: 'array', items: { type: 'object' } }),
      '/{env_name}/tasks': post('The tasks of a split', { type: 'object' }),
      '/{env_name}/num_tasks': post('How many they are', { type: 'object' }),
      '/{env_name}/task': post('One task', { type: 'object' }),
      '/{env_name}/task_range': post('Some tasks', { type: 'object' }),
    },
  };
}
